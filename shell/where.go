package shell

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"kraftctl/shell/node"
)

// condition is a filter on the fields of a node:
//
//	isr.size < replicas.size && !(leader == -1)
//	name ~ "^payments-" || configs.retention.ms > 86400000
//	replicas contains 3
//
// A field that the node does not have, or that is not set, is null: it equals null
// only, and no comparison with it holds.
type condition func(fields []node.Field) bool

// parseWhere reads a condition. known tells which fields there are, by the first
// part of their names; nil: any. A word that is none is a text on the right of an
// operator (permission == DENY), and a mistake on the left.
func parseWhere(text string, known func(name string) bool) (condition, error) {
	tokens, err := whereTokens(text)
	if err != nil {
		return nil, err
	}
	p := &whereParser{tokens: tokens, known: known}
	c, err := p.or(0)
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("%q is not expected here", p.tokens[p.at].text)
	}
	if err != nil {
		return nil, fmt.Errorf("the condition cannot be read: %w", err)
	}
	return c, nil
}

type whereToken struct {
	text   string
	quoted bool
}

var whereOperators = []string{"&&", "||", "==", "!=", "<=", ">=", "!~", "(", ")", "!", "<", ">", "~", "="}

func whereTokens(text string) ([]whereToken, error) {
	var out []whereToken
next:
	for i := 0; i < len(text); {
		c := text[i]
		if c == ' ' || c == '\t' {
			i++
			continue
		}
		if c == '"' || c == '\'' {
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return nil, errQuote
			}
			out = append(out, whereToken{text[i+1 : i+1+end], true})
			i += end + 2
			continue
		}
		for _, op := range whereOperators {
			if strings.HasPrefix(text[i:], op) {
				out = append(out, whereToken{op, false})
				i += len(op)
				continue next
			}
		}
		start := i
		for i < len(text) && !strings.ContainsRune(" \t()!<>=~&|\"'", rune(text[i])) {
			i++
		}
		if i == start {
			return nil, fmt.Errorf("the condition cannot be read at %q", text[i:])
		}
		out = append(out, whereToken{text[start:i], false})
	}
	return out, nil
}

type whereParser struct {
	tokens []whereToken
	at     int
	known  func(name string) bool
}

// maxWhereDepth bounds how deep parentheses may be nested.
const maxWhereDepth = 100

var errWhereEnd = errors.New("it ends too early")

func (p *whereParser) take(words ...string) bool {
	if p.at < len(p.tokens) && !p.tokens[p.at].quoted {
		for _, w := range words {
			if p.tokens[p.at].text == w {
				p.at++
				return true
			}
		}
	}
	return false
}

func (p *whereParser) or(depth int) (condition, error) {
	left, err := p.and(depth)
	for err == nil && p.take("||", "or") {
		var right condition
		a := left
		right, err = p.and(depth)
		left = func(f []node.Field) bool { return a(f) || right(f) }
	}
	return left, err
}

func (p *whereParser) and(depth int) (condition, error) {
	left, err := p.not(depth)
	for err == nil && p.take("&&", "and") {
		var right condition
		a := left
		right, err = p.not(depth)
		left = func(f []node.Field) bool { return a(f) && right(f) }
	}
	return left, err
}

func (p *whereParser) not(depth int) (condition, error) {
	if depth > maxWhereDepth {
		return nil, errors.New("it is nested too deeply")
	}
	if p.take("!", "not") {
		c, err := p.not(depth + 1)
		return func(f []node.Field) bool { return !c(f) }, err
	}
	if p.take("(") {
		c, err := p.or(depth + 1)
		if err == nil && !p.take(")") {
			err = errors.New("a parenthesis is not closed")
		}
		return c, err
	}
	return p.comparison()
}

// operand gives a value for the fields of a node.
type operand func(fields []node.Field) any

// operand reads a value or a field; right: behind an operator.
func (p *whereParser) operand(right bool) (operand, error) {
	if p.at == len(p.tokens) {
		return nil, errWhereEnd
	}
	t := p.tokens[p.at]
	p.at++
	if t.quoted {
		return func([]node.Field) any { return t.text }, nil
	}
	if n, err := strconv.ParseFloat(t.text, 64); err == nil {
		return func([]node.Field) any { return n }, nil
	}
	switch t.text {
	case "true", "yes":
		return func([]node.Field) any { return true }, nil
	case "false", "no":
		return func([]node.Field) any { return false }, nil
	case "null":
		return func([]node.Field) any { return nil }, nil
	}
	if t.text == "" || !isFieldStart(t.text[0]) {
		return nil, fmt.Errorf("%q is no field and no value", t.text)
	}
	name, size := strings.CutSuffix(t.text, ".size")
	if first, _, _ := strings.Cut(name, "."); p.known != nil && !p.known(first) {
		if right {
			return func([]node.Field) any { return t.text }, nil
		}
		return nil, fmt.Errorf("there is no field %q (Tab lists them)", first)
	}
	return func(fields []node.Field) any {
		v, _ := node.Get(fields, name)
		if size {
			return sizeOf(v)
		}
		return v
	}, nil
}

func isFieldStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// sizeOf is the number of elements of a list, or of characters of a text.
func sizeOf(v any) any {
	switch v := v.(type) {
	case []int32:
		return float64(len(v))
	case []string:
		return float64(len(v))
	case []node.Field:
		return float64(len(v))
	case string:
		return float64(len([]rune(v)))
	}
	return nil
}

func (p *whereParser) comparison() (condition, error) {
	left, err := p.operand(false)
	if err != nil {
		return nil, err
	}
	if p.at == len(p.tokens) {
		return truth(left), nil
	}
	op := p.tokens[p.at].text
	switch op {
	case "==", "=", "!=", "<", "<=", ">", ">=", "~", "!~", "contains", "in":
		p.at++
	default:
		return truth(left), nil
	}
	if op == "~" || op == "!~" {
		return p.match(left, op == "~")
	}
	right, err := p.operand(true)
	if err != nil {
		return nil, err
	}
	switch op {
	case "==", "=":
		return func(f []node.Field) bool { return equalValues(left(f), right(f)) }, nil
	case "!=":
		return func(f []node.Field) bool { return !equalValues(left(f), right(f)) }, nil
	case "contains":
		return func(f []node.Field) bool { return containsValue(left(f), right(f)) }, nil
	case "in":
		return func(f []node.Field) bool { return containsValue(right(f), left(f)) }, nil
	}
	return func(f []node.Field) bool {
		c, ok := compareValues(left(f), right(f))
		return ok && (c < 0 && op[0] == '<' || c > 0 && op[0] == '>' || c == 0 && len(op) == 2)
	}, nil
}

// match compares a text with a regular expression.
func (p *whereParser) match(left operand, want bool) (condition, error) {
	if p.at == len(p.tokens) {
		return nil, errWhereEnd
	}
	pattern, err := regexp.Compile(p.tokens[p.at].text)
	if err != nil {
		return nil, err
	}
	p.at++
	return func(f []node.Field) bool {
		v := left(f)
		return v != nil && pattern.MatchString(node.Field{Value: v}.Text()) == want
	}, nil
}

// truth is a value on its own: it holds if it is there and neither false, zero nor
// empty.
func truth(o operand) condition {
	return func(f []node.Field) bool {
		switch v := o(f).(type) {
		case bool:
			return v
		case int64:
			return v != 0
		case float64:
			return v != 0
		case string:
			return v != ""
		case []int32:
			return len(v) > 0
		case []string:
			return len(v) > 0
		case []node.Field:
			return len(v) > 0
		}
		return false
	}
}

// number gives a value as a number; a text may be one, as configs are.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(v, 64)
		return n, err == nil
	}
	return 0, false
}

func compareValues(a, b any) (int, bool) {
	x, ok1 := number(a)
	y, ok2 := number(b)
	if ok1 && ok2 {
		switch {
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		}
		return 0, x == y
	}
	s, ok1 := a.(string)
	t, ok2 := b.(string)
	return strings.Compare(s, t), ok1 && ok2
}

func equalValues(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if c, ok := compareValues(a, b); ok {
		return c == 0
	}
	return node.Field{Value: a}.Text() == node.Field{Value: b}.Text()
}

// containsValue reports whether a list has a value, or a text a part.
func containsValue(list, v any) bool {
	switch l := list.(type) {
	case []int32:
		n, ok := number(v)
		for _, x := range l {
			if ok && float64(x) == n {
				return true
			}
		}
	case []string:
		for _, x := range l {
			if equalValues(x, v) {
				return true
			}
		}
	case string:
		return v != nil && strings.Contains(l, node.Field{Value: v}.Text())
	}
	return false
}
