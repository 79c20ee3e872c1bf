// Command moire stands between an AI agent and a browser MCP server.
package main

import (
	"os"

	"moire/browser"
	"moire/cli"
)

func main() {
	if browser.IsShim(os.Args[0]) {
		os.Exit(browser.RunShim(os.Args, os.Stderr))
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
