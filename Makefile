# make demo and make test do all their set-up themselves; see CONTRIBUTING.md.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

VERSION := $(shell git describe --tags --dirty 2>/dev/null | sed 's/^v//')
LDFLAGS := $(if $(VERSION),-X moire/cli.Version=$(VERSION))
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Go leaves directories named testdata out of ./..., so these are named.
NAMED := moire/testdata/net
# Tests that mostly wait for a browser: under -race they only wait longer.
BROWSER := ^moire/(evals|e2e|testdata)(/|$$)
TIMEOUT := 15m

.PHONY: build demo test test-full lint generate bench soak oracle clean

build:
	@go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o bin/moire .

# Chromium's sandbox does not work for root, who has to say so.
demo: build
	@scripts/setup browser node-packages
	@flags=(); [ "$$(id -u)" -ne 0 ] || flags+=(--no-sandbox); \
	[ -z "$${MOIRE_TEST_BROWSER:-}" ] || flags+=(--browser "$$MOIRE_TEST_BROWSER"); \
	exec bin/moire demo "$${flags[@]}" $(DEMO)

# The packages' own lines come last: ok or FAIL.
test: lint
	@scripts/setup browser firefox node-packages compiler
	@race=-race; command -v cc >/dev/null || command -v gcc >/dev/null || race=; \
	packages=$$(go list ./... $(NAMED)); status=0; \
	go test $$race -timeout $(TIMEOUT) $$(grep -vE '$(BROWSER)' <<<"$$packages") || status=1; \
	go test -timeout $(TIMEOUT) $$(grep -E '$(BROWSER)' <<<"$$packages") || status=1; \
	exit $$status

# Everything anew, and the tests with a browser under -race as well.
test-full: lint
	@scripts/setup browser firefox node-packages compiler
	@MOIRE_FULL=1 go test -race -count=1 -timeout 60m ./... $(NAMED)

bench: build
	@scripts/setup browser node-packages
	@go run ./evals/bench

# make oracle ORACLE='--pages 2'; the packages of pages are fetched once.
oracle: build
	@scripts/setup browser node-packages
	@go run ./evals/oracle $(ORACLE)

# Two thousand navigations, about a quarter of an hour.
soak:
	@scripts/setup browser node-packages
	@go test -count=1 -timeout 60m -v ./evals/soak -navigations 2000

lint:
	@bad=$$(find . -name node_modules -prune -o -name '*.go' -print0 | xargs -0 gofmt -l); \
	[ -z "$$bad" ] || { printf 'moire: error: not formatted:\n%s\nmoire: hint: gofmt -w\n' "$$bad" >&2; exit 1; }
	@go vet ./... $(NAMED)
	@go run $(STATICCHECK) ./... $(NAMED)

generate:
	@go generate ./...

clean:
	@rm -rf bin node_modules
