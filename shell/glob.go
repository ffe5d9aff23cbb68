package shell

import (
	"regexp"
	"strings"

	"kraftctl/shell/node"
)

// glob matches one component of a path: * is any text, ? one character, {a,b} one
// of several, and a backslash takes the meaning from what follows it.
type glob struct {
	literal string
	pattern *regexp.Regexp // nil for a literal
}

// parseGlob reads a component as Kafka's shell does: one without any pattern is
// taken as it is, with its backslashes; so is one whose groups are nested or have no
// end.
func parseGlob(component string) glob {
	g := compileGlob(component)
	if g.pattern == nil {
		g.literal = component
	}
	return g
}

// compileGlob reads a component. The literal of one without any pattern has no
// backslashes.
func compileGlob(component string) glob {
	var b strings.Builder
	b.WriteString(`^(?s:`)
	special, inGroup := false, false
	runes := []rune(component)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		switch {
		case c == '*':
			special = true
			b.WriteString(".*")
		case c == '?':
			special = true
			b.WriteByte('.')
		case c == '\\' && i+1 < len(runes):
			i++
			b.WriteString(regexp.QuoteMeta(string(runes[i])))
		case c == '{' && inGroup:
			return glob{literal: unescape(component)}
		case c == '{':
			special, inGroup = true, true
			b.WriteString("(?:(?:")
		case c == ',' && inGroup:
			b.WriteString(")|(?:")
		case c == '}' && inGroup:
			inGroup = false
			b.WriteString("))")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	if !special || inGroup {
		return glob{literal: unescape(component)}
	}
	b.WriteString(`)$`)
	p, err := regexp.Compile(b.String())
	if err != nil { // a pattern of more than regexp takes
		return glob{literal: unescape(component)}
	}
	return glob{literal: component, pattern: p}
}

func (g *glob) matches(name string) bool {
	if g.pattern == nil {
		return g.literal == name
	}
	return g.pattern.MatchString(name)
}

// LostChildError is a name that is listed and cannot be found, which Kafka's shell
// ends at. Its tree has such names where client quotas are for the default of a
// type.
type LostChildError struct {
	Name  string
	Where string
}

// Error is Kafka's text.
func (e *LostChildError) Error() string {
	return "Expected " + e.Name + " to be a valid child of " + e.Where + ", but it was not."
}

// lostClass is the class of the only nodes in Kafka's tree that list names they do
// not find.
const lostClass = "class org.apache.kafka.image.node.ClientQuotasImageNode"

// Match is a node that a path with patterns has led to.
type Match struct {
	Path []string
	Node node.Node
}

// Name is the last component of the path.
func (m *Match) Name() string {
	if len(m.Path) == 0 {
		return "/"
	}
	return m.Path[len(m.Path)-1]
}

// Find visits the nodes that a path leads to, in order, and reports whether there
// were any. The error is that of visit, or a *LostChildError.
func Find(root node.Node, components []string, visit func(Match) error) (found bool, err error) {
	return findGlobs(root, components, parseGlob, visit)
}

func findGlobs(root node.Node, components []string, parse func(string) glob, visit func(Match) error) (bool, error) {
	return find(Match{nil, root}, parseGlobs(components, parse), visit)
}

func parseGlobs(components []string, parse func(string) glob) []glob {
	globs := make([]glob, len(components))
	for i, c := range components {
		globs[i] = parse(c)
	}
	return globs
}

func find(at Match, globs []glob, visit func(Match) error) (bool, error) {
	if len(globs) == 0 {
		return true, visit(at)
	}
	step := func(name string) (bool, error) {
		child, ok := at.Node.Child(name)
		if !ok {
			return false, &LostChildError{name, lostClass}
		}
		path := append(at.Path[:len(at.Path):len(at.Path)], name)
		return find(Match{path, child}, globs[1:], visit)
	}
	g := &globs[0]
	names := at.Node.Children()
	if names == nil {
		return false, nil
	}
	if g.pattern == nil {
		if _, ok := at.Node.Child(g.literal); !ok {
			return false, nil
		}
		return step(g.literal)
	}
	any := false
	for name := range names {
		if !g.matches(name) {
			continue
		}
		found, err := step(name)
		if err != nil {
			return any, err
		}
		any = any || found
	}
	return any, nil
}
