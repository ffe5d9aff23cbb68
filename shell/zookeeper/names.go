package zookeeper

import (
	"strings"
	"unicode/utf8"
)

// defaultName stands for what holds for all that have nothing of their own.
const defaultName = "<default>"

// escaped is what an escaped name begins with.
const escaped = "<escaped>"

const hexUpper = "0123456789ABCDEF"

// EscapeName is the component of a path that stands for a name. It is the name
// itself, unless ZooKeeper would refuse that, as it does with control and private
// characters and those beyond U+FFFF, with "", "." and "..", or unless it has a
// slash or could be taken for something else. Then it is "<escaped>" and the name,
// in which these characters, and percent signs, are %XX for each byte:
//
//	a/b      <escaped>a%2Fb
//	..       <escaped>%2E%2E
//	a%2Fb    a%2Fb
//
// No two names have the same component; UnescapeName goes back.
func EscapeName(name string) string {
	dots := name == "." || name == ".."
	if !dots && name != "" && name != defaultName && !strings.HasPrefix(name, escaped) && allAllowed(name) {
		return name
	}
	out := append(make([]byte, 0, len(escaped)+len(name)+8), escaped...)
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		if !dots && r != '%' && allowed(r) {
			out = append(out, name[i:i+size]...)
		} else {
			for _, b := range []byte(name[i : i+size]) {
				out = append(out, '%', hexUpper[b>>4], hexUpper[b&15])
			}
		}
		i += size
	}
	return string(out)
}

// allAllowed reports whether all characters of a name are allowed.
func allAllowed(name string) bool {
	for i := 0; i < len(name); {
		if b := name[i]; b > ' ' && b < 0x7f && b != '/' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(name[i:])
		if !allowed(r) {
			return false
		}
		i += size
	}
	return true
}

// allowed reports whether a character can be in a component: ZooKeeper looks at
// UTF-16 units, so what needs two of them cannot.
func allowed(r rune) bool {
	return !(r == '/' || r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0xd800 && r <= 0xf8ff || r >= 0xfff0)
}

// UnescapeName is the name that a component of a path stands for; ok is false if
// EscapeName does not give the component for any name.
func UnescapeName(component string) (name string, ok bool) {
	rest, cut := strings.CutPrefix(component, escaped)
	if !cut {
		return component, EscapeName(component) == component
	}
	var out []byte
	for i := 0; i < len(rest); i++ {
		if rest[i] != '%' {
			out = append(out, rest[i])
			continue
		}
		if i+2 >= len(rest) {
			return "", false
		}
		high, low := strings.IndexByte(hexUpper, rest[i+1]), strings.IndexByte(hexUpper, rest[i+2])
		if high < 0 || low < 0 {
			return "", false
		}
		out = append(out, byte(high<<4|low))
		i += 2
	}
	name = string(out)
	return name, EscapeName(name) == component
}

// appendSanitized appends a name as Kafka's Sanitizer writes it: letters, digits and
// "-_." stay, each byte of all else is %XX.
func appendSanitized(dst []byte, name string) []byte {
	for _, b := range []byte(name) {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '-', b == '_', b == '.':
			dst = append(dst, b)
		default:
			dst = append(dst, '%', hexUpper[b>>4], hexUpper[b&15])
		}
	}
	return dst
}

// sanitized is the component for a user, client or IP address.
func sanitized(name string) string { return EscapeName(string(appendSanitized(nil, name))) }
