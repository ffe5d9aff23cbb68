package kafkaconfig

import (
	"slices"
	"strings"
)

// checkKind is one of the rules that Kafka attaches to single keys.
type checkKind uint8

const (
	checkNone checkKind = iota
	checkRange
	checkWords
	checkFoldedWords
	checkList
	checkNonEmpty
	checkVoters
	checkBootstrap
	checkGzipLevel
)

// check is a rule for one key with what it compares to.
type check struct {
	kind            checkKind
	low, high       bound
	words           []string
	emptyOK, nullOK bool // of lists; null cannot come from a file
}

// bound is an end of a range, with Kafka's way to write it.
type bound struct {
	text string
	n    float64 // Kafka compares doubles, for longs as well
}

// validate checks one value; the message quotes the value as it was read.
func (c *check) validate(key string, t Type, v *value) *Error {
	if v.null {
		return nil
	}
	switch c.kind {
	case checkRange:
		return c.inRange(key, t, v)
	case checkWords:
		if !slices.Contains(c.words, v.text) {
			return badValue(key, v.text, "String must be one of: "+strings.Join(c.words, ", "))
		}
	case checkFoldedWords:
		if !slices.Contains(c.words, upper(v.text)) {
			return badValue(key, v.text, "String must be one of (case insensitive): "+strings.Join(c.words, ", "))
		}
	case checkList:
		return c.validList(key, v.list)
	case checkNonEmpty:
		if v.text == "" {
			return badValue(key, v.text, "String must be non-empty")
		}
	case checkVoters:
		_, err := parseVoters(v.list)
		return err
	case checkBootstrap:
		return checkBootstrapServers(v.list)
	case checkGzipLevel:
		if v.num != -1 && (v.num < 1 || v.num > 9) {
			return badValue(key, v.javaText(t), "Value must be between 1 and 9 or equal to -1")
		}
	}
	return nil
}

func (c *check) inRange(key string, t Type, v *value) *Error {
	n := float64(v.num)
	if t == Double {
		n = v.frac
	}
	if c.low.text != "" && n < c.low.n {
		return badValue(key, v.javaText(t), "Value must be at least "+c.low.text)
	}
	if c.high.text != "" && n > c.high.n {
		return badValue(key, v.javaText(t), "Value must be no more than "+c.high.text)
	}
	return nil
}

func (c *check) validList(key string, list []string) *Error {
	if len(list) == 0 {
		if c.emptyOK {
			return nil
		}
		valid := "any non-empty value"
		if c.words != nil {
			valid = listText(c.words)
		}
		return configError(key, "Configuration '"+key+"' must not be empty. Valid values include: "+valid)
	}
	for _, s := range list {
		if s == "" {
			return configError(key, "Configuration '"+key+"' values must not be empty.")
		}
		if c.words != nil && !slices.Contains(c.words, s) {
			return badValue(key, s, "String must be one of: "+strings.Join(c.words, ", "))
		}
	}
	return nil
}

// upper is toUpperCase(Locale.ROOT), but for some hundred ligatures and the like
// that Java makes two letters of.
func upper(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS") }
