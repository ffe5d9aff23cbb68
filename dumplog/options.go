package dumplog

import (
	"io"
	"time"
)

// Output is a kind of output.
type Output uint8

// The kinds of output.
const (
	OutputText Output = iota
	OutputJSON
	OutputTable
	OutputHex
)

// ParseOutput reads the name of an output.
func ParseOutput(name string) (Output, bool) {
	switch name {
	case "text":
		return OutputText, true
	case "json":
		return OutputJSON, true
	case "table":
		return OutputTable, true
	case "hex":
		return OutputHex, true
	}
	return 0, false
}

// Options are what kraftctl dump-log can be asked for. The zero value prints
// the batches of the inputs as text.
type Options struct {
	// Inputs are files, directories, or "-" for Stdin. Copies compressed with
	// gzip or zstd are read as well.
	Inputs []string
	Stdin  io.Reader
	// All takes every file of a directory, not only its segments.
	All bool

	Output Output
	// Deep shows records, Contents their keys and values as well.
	Deep, Contents bool
	SkipMetadata   bool
	// Decoder is how keys and values are decoded; DecodeNothing chooses by the
	// name of the file's directory.
	Decoder                  Decoder
	KeyDecoder, ValueDecoder string
	ShowSecrets              bool
	// Fold shortens long runs of bytes in hex output.
	Fold bool

	// Filter chooses what is shown; nil is everything.
	Filter *Filter
	// Summary is told what every file, or all segments of a directory, hold,
	// instead of printing them.
	Summary func(*Summary) error

	// IndexSanityOnly and VerifyIndexOnly say how index files are dumped.
	IndexSanityOnly, VerifyIndexOnly bool
	// MaxMessageSize makes a finding of every entry of an offset index whose
	// batch is larger, in bytes; 0 is no limit.
	MaxMessageSize int32
	// MaxBytes ends a segment there; 0 is no limit.
	MaxBytes int64

	// Resync goes on behind damage at the next good batch.
	Resync bool
	// Follow goes on as the last input grows, until the context ends.
	Follow bool
	// Poll is how long Follow waits before it looks again.
	Poll time.Duration

	// MaxDecompressed bounds what a batch may decompress to; 0 is the default.
	MaxDecompressed int64
	Workers         int
	// Progress is told of bytes that are done, Total of all there are.
	Total    func(bytes int64)
	Progress func(bytes int64)
	Palette  Palette
	// JSONErrors prints findings as JSON on the error output.
	JSONErrors bool
}

// Palette holds what goes around parts of text output, for a terminal's
// colours. Empty strings paint nothing.
type Palette struct {
	Batch, Label, Bad, Reset string
}

// Result is what a dump came to.
type Result struct {
	Files      int
	Batches    int64
	Records    int64
	Findings   int
	Unreadable int // files that could not be read, or not to their end
}
