// Command moire stands between an AI agent and a browser MCP server.
package main

import (
	"os"

	"moire/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
