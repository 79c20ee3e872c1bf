package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// agent is an MCP client of the upstream, bare or behind Moiré.
type agent struct{ c *client.Client }

// connect starts a server. Both give the structured snapshot: its strings are
// those of the text, and a page can't forge its grammar.
func connect(ctx context.Context, command string, args ...string) (*agent, error) {
	args = append(args, "--headless", "--isolated", "--executablePath", browserPath(),
		"--usageStatistics=false", "--performanceCrux=false", "--experimentalStructuredContent",
		fmt.Sprintf("--viewport=%dx%d", viewWidth, viewHeight))
	for _, f := range flags() {
		args = append(args, "--chromeArg="+f)
	}
	c, err := client.NewStdioMCPClient(command, os.Environ(), args...)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", command, err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var req mcp.InitializeRequest
	req.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	req.Params.ClientInfo = mcp.Implementation{Name: "oracle", Version: "1"}
	if _, err := c.Initialize(ctx, req); err != nil {
		c.Close()
		return nil, fmt.Errorf("initializing %s: %w", command, err)
	}
	return &agent{c}, nil
}

// read opens a page and takes its snapshot.
func (a *agent) read(ctx context.Context, url string) (*node, error) {
	if _, err := a.call(ctx, "navigate_page", map[string]any{"pageId": 1, "url": url}); err != nil {
		return nil, err
	}
	time.Sleep(settleTime)
	r, err := a.call(ctx, "take_snapshot", map[string]any{"pageId": 1})
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err != nil {
		return nil, fmt.Errorf("reading a snapshot: %w", err)
	}
	var out struct{ Snapshot *node }
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("reading a snapshot: %w", err)
	}
	if out.Snapshot == nil {
		return nil, errors.New("reading a snapshot: the reply has no structured one")
	}
	return out.Snapshot, nil
}

func (a *agent) call(
	ctx context.Context, tool string, args map[string]any,
) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, args
	r, err := a.c.CallTool(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", tool, err)
	}
	if r.IsError {
		return nil, fmt.Errorf("calling %s: it answered with an error", tool)
	}
	return r, nil
}
