package ptytest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Step is what was typed into a program in tmux, and what was on the screen then.
type Step struct {
	Name   string
	Keys   []string // as the terminal sends them
	X, Y   int      // of the cursor
	Screen string
}

// ReadSteps reads an archive with two files for each step: NAME.keys, whose last line
// says where the cursor was, and NAME.screen.
func ReadSteps(t *testing.T, file string) []Step {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []Step
	for i := 0; i+1 < len(archive.Files); i += 2 {
		keys, screen := archive.Files[i], archive.Files[i+1]
		lines := strings.Split(strings.TrimSuffix(string(keys.Data), "\n"), "\n")
		step := Step{Name: screen.Name, Screen: string(screen.Data)}
		if _, err := fmt.Sscanf(lines[len(lines)-1], "cursor %d,%d", &step.X, &step.Y); err != nil {
			t.Fatalf("%s: %v", keys.Name, err)
		}
		for _, k := range lines[:len(lines)-1] {
			step.Keys = append(step.Keys, keyBytes(k))
		}
		out = append(out, step)
	}
	return out
}

// keyBytes is what a terminal sends for a key as tmux names it.
func keyBytes(k string) string {
	switch k {
	case "Enter":
		return "\r"
	case "Tab":
		return "\t"
	case "Up":
		return "\x1b[A"
	}
	if c, ok := strings.CutPrefix(k, "C-"); ok {
		return string(rune(c[0] & 0x1f))
	}
	return k
}
