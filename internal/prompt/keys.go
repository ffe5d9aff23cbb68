package prompt

import (
	"bytes"
	"strings"
	"unicode/utf8"

	goprompt "github.com/c-bata/go-prompt"
)

// event is one thing that the terminal sent: a key, or text.
type event struct {
	key goprompt.Key
	// meta: Alt was held, or Escape came before.
	meta byte
	// text was typed or, if paste is set, pasted as a whole.
	text  string
	paste bool
}

// textKey is the key of an event that has text.
const textKey = goprompt.NotDefined

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// maxPaste bounds what is held back until the end of a paste is seen.
	maxPaste = 1 << 20
)

// sequences are the keys of go-prompt by what terminals send for them. Its table
// names some sequences twice, and the first of them is meant.
var sequences = func() map[string]goprompt.Key {
	m := map[string]goprompt.Key{
		// Application mode of the cursor keys, which go-prompt leaves out.
		"\x1bOA": goprompt.Up, "\x1bOB": goprompt.Down, "\x1bOC": goprompt.Right, "\x1bOD": goprompt.Left,
		"\x1bOH": goprompt.Home, "\x1bOF": goprompt.End,
	}
	for _, s := range goprompt.ASCIISequences {
		if _, ok := m[string(s.ASCIICode)]; !ok {
			m[string(s.ASCIICode)] = s.Key
		}
	}
	return m
}()

// next takes one event off the bytes that the terminal sent and says how many it
// took: 0 if more must come first. With last set no more will come soon, and
// what is there is taken as it is.
func next(b []byte, last bool) (event, int) {
	if len(b) == 0 {
		return event{}, 0
	}
	switch {
	case bytes.HasPrefix(b, []byte(pasteBegin)):
		return paste(b, last)
	case b[0] == 0x1b:
		return escape(b, last)
	case b[0] < ' ' || b[0] == 0x7f:
		return event{key: controls[b[0]]}, 1
	}
	// Typed text up to the next key. It is taken in one go: pasting a long line
	// would be quadratic otherwise.
	n := 0
	for n < len(b) && b[n] >= ' ' && b[n] != 0x7f {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 && !last && !utf8.FullRune(b[n:]) {
			break
		}
		n += size
	}
	if n == 0 {
		return event{}, 0
	}
	return event{key: textKey, text: strings.ToValidUTF8(string(b[:n]), string(utf8.RuneError))}, n
}

// controls are the keys of the control characters.
var controls = func() (m [0x80]goprompt.Key) {
	for i := range m {
		m[i] = goprompt.Ignore
	}
	for s, k := range sequences {
		if len(s) == 1 {
			m[s[0]] = k
		}
	}
	return m
}()

// escape reads a sequence: CSI or SS3 with its parameters, or Alt with a key.
// Unknown ones are passed over as a whole, so that nothing of them is typed.
func escape(b []byte, last bool) (event, int) {
	n := 0
	switch {
	case len(b) == 1:
		if last {
			return event{key: goprompt.Escape}, 1
		}
		return event{}, 0
	case b[1] == '[':
		n = 2
		if n < len(b) && b[n] == '[' { // function keys of the Linux console
			n++
		}
		for n < len(b) && b[n] >= 0x20 && b[n] <= 0x3f {
			n++
		}
	case b[1] == 'O':
		n = 2
	case b[1] == 0x1b:
		return event{key: goprompt.Escape}, 1
	default:
		return event{key: goprompt.Ignore, meta: b[1]}, 2
	}
	switch {
	case n < len(b) && b[n] >= 0x40 && b[n] <= 0x7e:
		n++
	case n < len(b): // broken off by something else
	case !last:
		return event{}, 0
	case len(b) == 2: // Alt and [ or O
		return event{key: goprompt.Ignore, meta: b[1]}, 2
	}
	if k, ok := sequences[string(b[:n])]; ok {
		return event{key: k}, n
	}
	return event{key: goprompt.Ignore}, n
}

// paste reads a bracketed paste. Its end may be missing when the terminal was
// closed or a program in between lost it.
func paste(b []byte, last bool) (event, int) {
	body := b[len(pasteBegin):]
	end, n := bytes.Index(body, []byte(pasteEnd)), 0
	switch {
	case end >= 0:
		n = len(pasteBegin) + end + len(pasteEnd)
	case !last && len(body) < maxPaste:
		return event{}, 0
	default:
		end, n = len(body), len(b)
	}
	text := strings.ToValidUTF8(string(body[:end]), string(utf8.RuneError))
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	return event{key: textKey, text: text, paste: true}, n
}
