package shell

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/node"
)

// maxCandidates bounds a list that nobody could read. What all have in common is
// found out of all of them.
const maxCandidates = 500

// Complete is the session's Completer: commands, flags with their values, fields of
// conditions, and paths.
func (s *Shell) Complete(line string, cursor int) (start int, list []Candidate) {
	line = line[:min(max(cursor, 0), len(line))]
	var words []token
	for _, t := range lex(line) {
		switch t.kind {
		case 'w':
			words = append(words, t)
		case ';':
			words = nil
		default:
			return len(line), nil // comments and the system's commands are not ours to complete
		}
	}
	now := token{kind: 'w', start: len(line), end: len(line)}
	if n := len(words); n > 0 && words[n-1].end == len(line) {
		now, words = words[n-1], words[:n-1]
	}
	if len(words) == 0 {
		return now.start, verbCandidates(now.text)
	}
	v := findVerb(words[0].text)
	if v == nil {
		return now.start, nil
	}
	last := words[len(words)-1].text
	switch {
	case strings.HasPrefix(now.text, "-"):
		return now.start, v.flagCandidates(now.text)
	case v.flags != nil && (last == "--output" || last == "-o") && v.flagSet().Lookup("output") != nil:
		return now.start, plainCandidates(now.text, append([]string{"text", "json"}, strings.Fields(v.outputs)...))
	case v == findNodesVerb && last == "--kind":
		return now.start, plainCandidates(now.text, kinds)
	case v == findNodesVerb && last == "--where":
		return fieldCandidates(line, now)
	case v == atVerb:
		return now.start, plainCandidates(now.text, []string{"latest"})
	case v.arguments == verbArguments:
		return now.start, verbCandidates(now.text)
	case v.arguments == pathArguments:
		return now.start, s.pathCandidates(now.text)
	}
	return now.start, nil
}

func verbCandidates(prefix string) []Candidate {
	var out []Candidate
	for _, v := range verbs {
		if strings.HasPrefix(v.name, prefix) {
			out = append(out, Candidate{Text: v.name, Description: v.short})
		}
	}
	return out
}

func plainCandidates(prefix string, words []string) []Candidate {
	var out []Candidate
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			out = append(out, Candidate{Text: w})
		}
	}
	return out
}

func (v *verb) flagCandidates(prefix string) []Candidate {
	var out []Candidate
	v.flagSet().VisitAll(func(f *pflag.Flag) {
		if name := "--" + f.Name; strings.HasPrefix(name, prefix) {
			out = append(out, Candidate{Text: name, Description: f.Usage})
		}
	})
	return out
}

// kinds are the kinds of nodes that have fields.
var kinds = []string{"acl", "broker", "configs", "controller", "partition", "quota", "scram", "token", "topic"}

// conditionFields are the names of all fields, with the kinds that have them.
func conditionFields() (names []string, of map[string]string) {
	of = map[string]string{}
	add := func(kind string, fields []node.Field) {
		for _, f := range fields {
			if of[f.Name] == "" {
				names = append(names, f.Name)
				of[f.Name] = kind
			} else if !strings.HasSuffix(of[f.Name], kind) {
				of[f.Name] += ", " + kind
			}
		}
	}
	for _, x := range []struct {
		kind string
		m    kbin.Message
	}{
		{"broker", new(metadata.RegisterBrokerRecord)}, {"controller", new(metadata.RegisterControllerRecord)}, {"partition", new(metadata.PartitionRecord)},
		{"acl", new(metadata.AccessControlEntryRecord)}, {"scram", new(metadata.UserScramCredentialRecord)}, {"token", new(metadata.DelegationTokenRecord)},
	} {
		add(x.kind, imagetree.RecordFields(x.m, false))
	}
	add("topic", imagetree.TopicFields(image.Empty(), new(image.Topic)))
	add("configs", []node.Field{{Name: "type"}, {Name: "name"}, {Name: "configs"}})
	add("quota", []node.Field{{Name: "user"}, {Name: "clientId"}, {Name: "ip"}, {Name: "quotas"}})
	slices.Sort(names)
	return names, of
}

// fieldCandidates completes the last word of a condition, inside its quotation
// marks.
func fieldCandidates(line string, now token) (int, []Candidate) {
	at := len(line)
	for at > now.start && (isFieldStart(line[at-1]) || '0' <= line[at-1] && line[at-1] <= '9' || line[at-1] == '.') {
		at--
	}
	names, of := conditionFields()
	var out []Candidate
	for _, name := range names {
		if strings.HasPrefix(name, line[at:]) {
			out = append(out, Candidate{Text: name, Description: "of " + of[name], Partial: now.open})
		}
	}
	return at, out
}

// pathCandidates completes the last component of a path.
func (s *Shell) pathCandidates(typed string) []Candidate {
	slash := strings.LastIndexByte(typed, '/') + 1
	parent, prefix := typed[:slash], unescape(typed[slash:])
	// The directories before it may be patterns, as completion itself makes them.
	var dir node.Node
	_, _ = findGlobs(s.root, s.components(parent), compileGlob, func(m Match) error {
		if dir = m.Node; dir.Children() == nil {
			dir = nil
			return nil
		}
		return errFound
	})
	if dir == nil {
		return nil
	}
	var names []string
	common := ""
	count := 0
	begins := func(name string) bool { return strings.HasPrefix(name, prefix) }
	if g := compileGlob(typed[slash:] + "*"); escape(prefix) != typed[slash:] && g.pattern != nil {
		begins = g.matches
	}
	for name := range dir.Children() {
		if !begins(name) {
			continue
		}
		if count++; count == 1 {
			common = name
		} else {
			common = CommonPrefix(common, name)
		}
		if len(names) < maxCandidates {
			names = append(names, name)
		}
	}
	parent = retype(parent)
	if count > maxCandidates && len(common) > len(prefix) {
		return []Candidate{{Text: parent + typableText(parent, common), Display: common + "...", Partial: true}}
	}
	var out []Candidate
	for _, name := range names {
		c := Candidate{Text: parent + typable(parent, name), Display: name}
		if child, ok := dir.Child(name); ok {
			c.Description = kindOf(child)
			if child.Children() != nil {
				c.Text, c.Display, c.Partial = c.Text+"/", name+"/", true
			}
		}
		out = append(out, c)
	}
	return out
}

// errFound ends a search.
var errFound = errors.New("found")

// typable writes a name below a typed directory as it can stand in a line. What
// cannot, as a slash or a newline, is a question mark, which matches it; names that
// mean something else are groups of one.
func typable(parent, name string) string {
	switch name {
	case "", ".", "..":
		return "{" + name + "}"
	}
	return typableText(parent, name)
}

func typableText(parent, name string) string {
	var b strings.Builder
	if parent == "" && name[0] == '-' {
		b.WriteString("./") // it would be a flag
	}
	for i, r := range name {
		switch {
		case r == '/' || r == '\n' || r == '\r' || r == '\u2028' || r == utf8.RuneError:
			b.WriteByte('?')
		default:
			b.WriteString(escape(name[i : i+utf8.RuneLen(r)]))
		}
	}
	return b.String()
}

// retype makes a typed path out of its word: what was in quotation marks has
// backslashes.
func retype(word string) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\\' && i+1 < len(word):
			b.WriteByte(c)
			i++
		case strings.IndexByte(globSpecial, c) >= 0: // a pattern stays one
		default:
			b.WriteString(escape(word[i : i+1]))
			continue
		}
		b.WriteByte(word[i])
	}
	return b.String()
}

func escapeAll(path []string) []string {
	out := make([]string, len(path))
	for i := range path {
		out[i] = escape(path[i])
	}
	return out
}

func unescapeAll(path []string) []string {
	for i := range path {
		path[i] = unescape(path[i])
	}
	return path
}

// CommonPrefix is what both strings begin with, in whole characters.
func CommonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return strings.ToValidUTF8(a[:n], "")
}
