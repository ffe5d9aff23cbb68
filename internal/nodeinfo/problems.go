package nodeinfo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a problem matters.
type Severity string

// The severities.
const (
	// Error keeps the node from starting or from being elected, or loses data.
	Error Severity = "error"
	// Warning should be looked at by a person.
	Warning Severity = "warning"
	// Note is worth knowing and needs nobody.
	Note Severity = "note"
)

// rank orders severities, the worst first.
func (s Severity) rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	}
	return 2
}

// Problem is one thing that is wrong or worth knowing.
type Problem struct {
	Severity Severity `json:"severity"`
	// ID names the kind of problem. It never changes its meaning.
	ID string `json:"id"`
	// Path is the file or directory concerned; empty if it is none.
	Path string `json:"path,omitempty"`
	What string `json:"what"`
	// Remedy says what to do.
	Remedy string `json:"remedy"`
}

// Line is the problem on one line.
func (p Problem) Line() string {
	text := p.What
	if p.Path != "" {
		text = p.Path + ": " + text
	}
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ".") { // some texts are Kafka's sentences
		text += "."
	}
	return fmt.Sprintf("%s: %s %s [%s]", p.Severity, oneLine(text), oneLine(p.Remedy), p.ID)
}

// oneLine keeps names with line feeds and other control characters from breaking
// lines or speaking to the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}

// KindOfProblem is an entry of the catalogue.
type KindOfProblem struct {
	ID       string
	Severity Severity
	// Meaning says what follows from it.
	Meaning string
	// Remedy is what to do.
	Remedy string
}

// Catalogue gives all kinds of problems, grouped by what they are about.
func Catalogue() []KindOfProblem {
	return slices.Concat(configKinds, directoryKinds, metaKinds, leftoverKinds, metadataKinds, featureKinds, quorumKinds)
}

var kindsByID = func() map[string]KindOfProblem {
	m := make(map[string]KindOfProblem)
	for _, k := range Catalogue() {
		m[k.ID] = k
	}
	return m
}()

// add reports a problem of the catalogue. What says what was found, without the
// path.
func (c *collector) add(id, path, format string, args ...any) {
	k := kindsByID[id]
	c.report.Problems = append(c.report.Problems, Problem{k.Severity, id, path, fmt.Sprintf(format, args...), k.Remedy})
}

// bySeverity orders problems, the worst first.
func bySeverity(a, b Problem) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) }

// Worst gives the severity of the worst problem; ok is false if there is none.
func (r *Report) Worst() (s Severity, ok bool) {
	if len(r.Problems) == 0 {
		return "", false
	}
	return r.Problems[0].Severity, true
}
