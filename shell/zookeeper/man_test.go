package zookeeper

import (
	"strings"
	"testing"
)

// TestMan: the page names every node of the top, fits a terminal, and is plain text.
func TestMan(t *testing.T) {
	s := sourceOf(t, "kraft3")
	for name := range New(s).Root().Children() {
		if !strings.Contains(Man, "/"+name) {
			t.Errorf("/%s is not explained", name)
		}
	}
	for line := range strings.Lines(Man) {
		if len(line) > 86 || strings.ContainsAny(line, "\t\x1b") || strings.HasSuffix(line, " \n") {
			t.Errorf("%q", line)
		}
	}
}
