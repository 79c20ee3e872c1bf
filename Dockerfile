# Moiré with chrome-devtools-mcp and Chromium, as one MCP server on standard
# input and output:
#
#   docker build -t moire .
#   docker run -i --rm --init moire
#
# Chromium's sandbox needs user namespaces, which Docker forbids by default.
# Allow them with --security-opt seccomp=PROFILE (one that permits clone and
# unshare), or do without that sandbox, the container being one as well: add
#   --upstream chrome-devtools-mcp -- --headless --isolated
#     --executablePath /usr/bin/chromium --chromeArg=--no-sandbox
# behind the image's name.

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false \
      -ldflags "${VERSION:+-X moire/cli.Version=${VERSION}}" -o /out/moire .

FROM node:22-bookworm-slim
# The server is found in node_modules of the working directory.
WORKDIR /opt/moire
COPY package.json package-lock.json ./
COPY scripts/setup scripts/setup
RUN scripts/setup browser && rm -rf /var/lib/apt/lists/*
RUN scripts/setup node-packages && rm -rf /root/.npm
COPY --from=build /out/moire /usr/local/bin/moire
# The image's own user, not root.
USER node
ENTRYPOINT ["moire"]
CMD ["--upstream", "chrome-devtools-mcp", "--", "--headless", "--isolated", \
     "--executablePath", "/usr/bin/chromium", "--chromeArg=--disable-gpu", \
     "--usageStatistics=false", "--performanceCrux=false"]
