// Command genrecords turns the field tables of decode/schema into Go types,
// one package per owner. It is called by the go:generate line of each of those
// packages and is not shipped.
//
//	go run ./cmd/genrecords -dir decode/metadata metadata
//
// Its output depends on the tables alone. A test compares it with the files in
// the tree, so run "go generate ./decode/..." after changing either.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	dir := flag.String("dir", ".", "directory of the generated `package`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: genrecords [-dir DIR] PACKAGE")
		os.Exit(2)
	}
	if err := run(*dir, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "genrecords:", err)
		os.Exit(1)
	}
}

// run writes the files of one package and removes generated files that are no
// longer made.
func run(dir, name string) error {
	files, err := generate(name)
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "z_*.go"))
	if err != nil {
		return err
	}
	for _, path := range old {
		base := filepath.Base(path)
		if _, ok := files[base]; !ok && !strings.HasSuffix(base, "_test.go") {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for base, text := range files {
		if err := os.WriteFile(filepath.Join(dir, base), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
