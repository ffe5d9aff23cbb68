package dumplog

import (
	_ "embed"
	"slices"
)

//go:embed output.schema.json
var outputSchema []byte

// JSONSchema gives the JSON Schema (draft 2020-12) of one line of the JSON
// output: a batch, a record, an entry of an index or another small file, a
// finding, or a summary. New fields may be added to the output, none are
// renamed or removed.
func JSONSchema() []byte { return slices.Clone(outputSchema) }
