package dumplog

import (
	"encoding/binary"
	"strconv"
)

// Hex rows look like this, and are made to be cut out of by column:
//
//	  00000010         16  02                                               magic                     2
//	  0000003d         61  3a                                               length                    29
//	~ 00000000          0  3a                                               length                    29
//	  position   position  bytes                                            field                     value
//
// A row holds at most 16 bytes of one field. Rows that start with ~ are not in
// the file: their positions are in the decompressed records. Lines that start
// with # have no bytes and say what comes, or what is wrong.
const (
	hexRowBytes   = 16
	hexNameWidth  = 24
	hexFoldAfter  = 4 // rows of one field that are shown in any case
	hexBytesWidth = hexRowBytes*3 - 1
)

// hexRows writes rows for one run of bytes, field by field from its start.
type hexRows struct {
	dst  []byte
	src  []byte
	base int64 // position of src[0]
	at   int   // in src: everything before it is shown
	mark byte  // first character of each row
	fold bool
	// masked rows show ** for each byte, and no values.
	masked bool
	// guard masks what cannot be parsed, as it may be a secret.
	guard bool
	// cut says, when src is not whole, why; it explains what is missing at its end.
	cut string
	// flush writes what there is of dst and gives an empty one; nil keeps all.
	flush func([]byte) []byte

	indent int
	value  []byte // of the next field
}

// left is how many bytes are not shown yet.
func (h *hexRows) left() int { return len(h.src) - h.at }

// peek gives the next n bytes; there must be that many.
func (h *hexRows) peek(n int) []byte { return h.src[h.at : h.at+n] }

// field shows the next n bytes under a name and with what is in value, which
// is empty again after that. A field of no bytes has no row.
func (h *hexRows) field(n int, name string) {
	h.rows(n, name, false)
}

// text shows the next n bytes with their characters beside them.
func (h *hexRows) text(n int, name string) {
	h.rows(n, name, true)
}

func (h *hexRows) rows(n int, name string, text bool) {
	n = min(n, h.left())
	rows := (n + hexRowBytes - 1) / hexRowBytes
	for i := range rows {
		if h.fold && rows > hexFoldAfter && i >= 2 && i < rows-1 {
			if i == 2 {
				hidden := (rows - 3) * hexRowBytes
				h.comment()
				h.dst = strconv.AppendInt(h.dst, int64(hidden), 10)
				h.dst = append(h.dst, " bytes folded\n"...)
			}
			h.at += hexRowBytes
			continue
		}
		row := min(hexRowBytes, n-i*hexRowBytes)
		label := ""
		if i == 0 {
			label = name
		}
		h.row(row, label, text)
		h.at += row
		if len(h.dst) > flushSize && h.flush != nil {
			h.dst = h.flush(h.dst)
		}
	}
	h.value = h.value[:0]
}

// row shows one row; the position stays.
func (h *hexRows) row(n int, label string, text bool) {
	h.dst = append(h.dst, h.mark, ' ')
	pos := h.base + int64(h.at)
	h.dst = appendHexPosition(h.dst, pos)
	h.dst = append(h.dst, ' ')
	number := len(h.dst)
	h.dst = strconv.AppendInt(h.dst, pos, 10)
	if width := len(h.dst) - number; width < 10 {
		h.dst = append(h.dst, "          "[:10-width]...)
		copy(h.dst[number+10-width:], h.dst[number:number+width])
		for i := range 10 - width {
			h.dst[number+i] = ' '
		}
	}
	h.dst = append(h.dst, ' ', ' ')
	bytes := h.peek(n)
	start := len(h.dst)
	for i, c := range bytes {
		if i > 0 {
			h.dst = append(h.dst, ' ')
		}
		if h.masked {
			h.dst = append(h.dst, '*', '*')
		} else {
			h.dst = append(h.dst, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	h.pad(start, hexBytesWidth+2)
	start = len(h.dst)
	for range h.indent {
		h.dst = append(h.dst, ' ', ' ')
	}
	h.dst = append(h.dst, label...)
	h.pad(start, hexNameWidth)
	h.dst = append(h.dst, ' ', ' ')
	switch {
	case h.masked:
		h.dst = append(h.dst, masked...)
	case text:
		h.dst = append(h.dst, '|')
		for _, c := range bytes {
			if c < 0x20 || c > 0x7e {
				c = '.'
			}
			h.dst = append(h.dst, c)
		}
		h.dst = append(h.dst, '|')
	case label != "":
		h.dst = append(h.dst, h.value...)
	}
	h.endLine(start)
}

// pad fills up with blanks what was appended since start.
func (h *hexRows) pad(start, width int) {
	for len(h.dst)-start < width {
		h.dst = append(h.dst, ' ')
	}
}

// endLine cuts off blanks, but nothing before start.
func (h *hexRows) endLine(start int) {
	for len(h.dst) > start && h.dst[len(h.dst)-1] == ' ' {
		h.dst = h.dst[:len(h.dst)-1]
	}
	h.dst = append(h.dst, '\n')
}

func appendHexPosition(dst []byte, pos int64) []byte {
	var digits [8]byte
	if uint64(pos) > 0xffffffff {
		return strconv.AppendUint(dst, uint64(pos), 16)
	}
	for i := range digits {
		digits[i] = hexDigits[pos>>(28-4*i)&15]
	}
	return append(dst, digits[:]...)
}

// comment starts a line without bytes; the caller ends it.
func (h *hexRows) comment() {
	h.dst = append(h.dst, '#', ' ')
	for range h.indent {
		h.dst = append(h.dst, ' ', ' ')
	}
}

// note is a whole line without bytes.
func (h *hexRows) note(text string) {
	h.comment()
	h.dst = append(h.dst, text...)
	h.dst = append(h.dst, '\n')
}

// unparsed shows the next n bytes, whose meaning is lost, and says why.
func (h *hexRows) unparsed(n int, why string) {
	if n == 0 {
		return
	}
	if why != "" {
		h.note(why)
	}
	before := h.masked
	h.masked = before || h.guard
	h.text(n, "unparsed")
	h.masked = before
}

// within lets show see only the next n bytes. What it does not show of them is
// unparsed.
func (h *hexRows) within(n int, show func(in *hexRows)) {
	in := *h
	in.src = h.src[:h.at+n]
	show(&in)
	in.unparsed(in.left(), "")
	h.dst, h.at, h.value = in.dst, in.at, in.value[:0]
}

// number shows a big-endian signed integer of n bytes and gives its value. ok
// is false, and the rest unparsed, when it is not there whole.
func (h *hexRows) number(n int, name string) (v int64, ok bool) {
	if v, ok = h.peekNumber(n); !ok {
		h.unparsed(h.left(), name+" is cut off")
		return 0, false
	}
	if len(h.value) == 0 {
		h.value = strconv.AppendInt(h.value, v, 10)
	}
	h.field(n, name)
	return v, true
}

// peekNumber reads a big-endian signed integer of n bytes.
func (h *hexRows) peekNumber(n int) (int64, bool) {
	if h.left() < n {
		return 0, false
	}
	b := h.peek(n)
	switch n {
	case 1:
		return int64(int8(b[0])), true
	case 2:
		return int64(int16(binary.BigEndian.Uint16(b))), true
	case 4:
		return int64(int32(binary.BigEndian.Uint32(b))), true
	}
	return int64(binary.BigEndian.Uint64(b)), true
}

// peekUvarint reads a variable-length integer before zig-zag of at most bytes
// bytes (5 or 10), with the value and its size; size 0 when there is none.
func (h *hexRows) peekUvarint(bytes int) (v uint64, size int) {
	for i := 0; i < bytes && i < h.left(); i++ {
		c := h.src[h.at+i]
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if bytes == 5 {
				v = uint64(uint32(v))
			}
			return v, i + 1
		}
	}
	return 0, 0
}

// uvarint shows an unsigned variable-length integer; add is added to its value
// where the format stores one more than it means.
func (h *hexRows) uvarint(name string, add int64) (v int64, ok bool) {
	u, size := h.peekUvarint(5)
	if size == 0 {
		h.unparsed(h.left(), name+" is no variable-length integer")
		return 0, false
	}
	v = int64(u) + add
	if len(h.value) == 0 {
		h.value = strconv.AppendInt(h.value, v, 10)
	}
	h.field(size, name)
	return v, true
}

// peekVarint reads a zig-zag integer of at most bytes bytes.
func (h *hexRows) peekVarint(bytes int) (v int64, size int) {
	u, size := h.peekUvarint(bytes)
	return int64(u>>1) ^ -int64(u&1), size
}
