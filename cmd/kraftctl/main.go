// Command kraftctl reads, formats and explores what the nodes of an Apache
// Kafka KRaft cluster keep on disk. See package cli for its commands.
package main

import (
	"os"

	"kraftctl/internal/cli"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

func main() {
	os.Exit(cli.Main(&cli.Env{Streams: term.System(), FS: vfs.OS, LookupEnv: os.LookupEnv}, os.Args))
}
