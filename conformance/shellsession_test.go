//go:build conformance

package conformance

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"kraftctl/internal/golden"
)

// compareSession types lines into an interactive session of both shells.
func (s *serverSuite) compareSession(t *testing.T, note, file string, lines []string) {
	t.Helper()
	stdin := strings.Join(lines, "\n") + "\n"
	want := run(t, "", stdin, nil, s.tool, shellRelease, "shell", "--snapshot", file)
	got := run(t, "", stdin, nil, s.bin, "kafka-metadata-shell", "--snapshot", file)
	if want.code != got.code {
		t.Errorf("%s, a session over %s: exit status %d, want %d\n%s", note, file, got.code, want.code, want.stderr)
	}
	if want.out != got.out {
		t.Errorf("%s, a session over %s:\n%s\nthe lines were\n%s", note, file, strings.Join(golden.Diff("stdout", want.out, got.out), "\n"), strings.Join(lines, "\n"))
	}
}

// globber makes paths and patterns that lead to nodes of a tree, or nearly.
type globber struct {
	*rand.Rand
	paths []string // all nodes
}

// newGlobber takes the nodes that our shell finds in a file. Not those below the
// client quotas: the real shell ends at a quota without a name.
func (s *serverSuite) newGlobber(t *testing.T, seed int64, file string) *globber {
	t.Helper()
	g := &globber{Rand: rand.New(rand.NewPCG(uint64(seed), 1))}
	for _, part := range []string{"acls", "cluster", "configs", "delegationToken", "features", "producerIds", "provenance", "scram", "topics"} {
		r := run(t, "", "", nil, s.bin, "kafka-metadata-shell", "--snapshot", file, "find", "/image/"+part)
		if r.code != 0 {
			t.Fatalf("find: exit status %d\n%s", r.code, r.stderr)
		}
		for _, p := range strings.Split(r.out, "\n") {
			if p != "" && !strings.ContainsAny(p, "\t\r") {
				g.paths = append(g.paths, p)
			}
		}
	}
	r := run(t, "", "", nil, s.bin, "kafka-metadata-shell", "--snapshot", file, "ls", "/image/clientQuotas")
	for _, name := range strings.Split(r.out, "\n") {
		g.paths = append(g.paths, "/image/clientQuotas/"+name)
	}
	return g
}

func (g *globber) any(list ...string) string { return list[g.IntN(len(list))] }

// path is one that exists, some of its components made patterns.
func (g *globber) path() string {
	parts := strings.Split(g.any(g.paths...), "/")
	for i := 1; i < len(parts); i++ {
		if g.IntN(3) == 0 {
			parts[i] = g.pattern(parts[i])
		}
	}
	if len(parts) > 3 && g.IntN(4) == 0 {
		parts = parts[:len(parts)-1]
	}
	switch g.IntN(12) {
	case 0:
		parts = append(parts, g.any("..", ".", "", "nothing", "*"))
	case 1:
		parts = append(parts[:1:1], append([]string{g.any(".", "..", "")}, parts[1:]...)...)
	}
	p := strings.Join(parts, "/")
	if g.IntN(5) == 0 {
		return strings.TrimPrefix(p, "/")
	}
	return p
}

// pattern makes a pattern of a name, that fits it or nearly.
func (g *globber) pattern(name string) string {
	if name == "" {
		return "*"
	}
	at := 0
	for range g.IntN(len(name)) {
		_, n := utf8.DecodeRuneInString(name[at:])
		at += n
		if at >= len(name) {
			at = 0
		}
	}
	_, n := utf8.DecodeRuneInString(name[at:])
	head, one, tail := name[:at], name[at:at+n], name[at+n:]
	switch g.IntN(9) {
	case 0:
		return "*"
	case 1:
		return head + "*"
	case 2:
		return "*" + tail
	case 3:
		return head + "?" + tail
	case 4:
		return head + "{" + one + ",x}" + tail
	case 5:
		return "{" + name + "," + head + "*}"
	case 6:
		return head + `\` + one + tail + "*"
	case 7:
		return head + g.any("{", "}", "[", "??", "**", "{,}") + tail
	default:
		return head + "*" + one + "*"
	}
}

// command is a random one, in words.
func (g *globber) command(verbs ...string) []string {
	words := []string{g.any(verbs...)}
	for range 1 + g.IntN(3)/2 {
		words = append(words, g.path())
	}
	return words
}

// oneShots are commands for a run each.
func (g *globber) oneShots(file string, n int) (list [][]string) {
	for range n {
		words := g.command("ls", "ls", "find", "cat", "cat", "tree")
		if strings.HasPrefix(words[len(words)-1], "-") {
			continue // that is an option of the program
		}
		list = append(list, append([]string{"--snapshot", file}, words...))
	}
	return list
}

// typed are lines for one session.
func (g *globber) typed(n int) []string {
	lines := []string{"tree /"}
	for range n {
		words := g.command("ls", "ls", "find", "cat", "cat", "cd", "tree")
		for i, w := range words {
			if i > 0 {
				words[i] = g.quoted(w)
			}
		}
		lines = append(lines, strings.Join(words, " "))
		if g.IntN(8) == 0 {
			lines = append(lines, g.any("pwd", "ls", "history 2", "man ls", "help", "cd", "nope", "ls ''", "cd /image/topics/byName"))
		}
	}
	return append(lines, "pwd", "exit")
}

// quoted writes a word so that the session reads it as it is.
func (g *globber) quoted(w string) string {
	if !strings.Contains(w, "'") && g.IntN(2) == 0 {
		return "'" + strings.ReplaceAll(w, `\`, `\\`) + "'"
	}
	var b strings.Builder
	for _, r := range w {
		if strings.ContainsRune(` '"\!`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
