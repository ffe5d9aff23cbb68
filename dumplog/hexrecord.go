package dumplog

import (
	"cmp"
	"encoding/binary"
	"strconv"

	"kraftctl/decode"
	"kraftctl/decode/compress"
)

// records shows the records of a batch of magic 2: all that is left of h.
func (f *hexFormatter) records(h *hexRows, b *decode.Batch) {
	for i := range int(max(b.Count, 0)) {
		if h.left() == 0 {
			h.note(cmp.Or(h.cut, "the records end before the declared count"))
			return
		}
		h.note("record " + strconv.Itoa(i))
		if !f.record2(h, b) {
			h.unparsed(h.left(), cmp.Or(h.cut, "nothing behind a damaged record is read"))
			return
		}
	}
	h.unparsed(h.left(), "bytes are left behind the last record")
}

// record2 shows a record of magic 2. It returns false when the record is
// damaged, after the part of it that can be told is shown.
func (f *hexFormatter) record2(h *hexRows, b *decode.Batch) bool {
	length, size := h.peekVarint(5)
	if size == 0 || length < 0 || length > int64(h.left()-size) {
		if size > 0 {
			h.value = strconv.AppendInt(h.value, length, 10)
			h.field(size, "length")
		}
		h.note(cmp.Or(h.cut, "the length is wrong"))
		return false
	}
	h.value = strconv.AppendInt(h.value, length, 10)
	h.field(size, "length")

	problem := ""
	h.within(int(length), func(in *hexRows) {
		if problem = f.fields2(in, b); problem == "" && in.left() > 0 {
			problem = "bytes are left behind the record's fields"
		}
		if problem != "" {
			in.note(problem)
		}
	})
	return problem == ""
}

// fields2 shows the fields of a record behind its length, and says what is
// wrong with what follows.
func (f *hexFormatter) fields2(h *hexRows, b *decode.Batch) (problem string) {
	if h.left() == 0 {
		return "no attributes"
	}
	h.number(1, "attributes")
	delta, size := h.peekVarint(10)
	if size == 0 {
		return "no timestamp delta"
	}
	h.value = appendLabeled(h.value, "base + ", delta)
	h.value = timeValue(append(h.value, " = "...), b.BaseTimestamp+delta, b)
	h.field(size, "timestampDelta")
	delta, size = h.peekVarint(5)
	if size == 0 {
		return "no offset delta"
	}
	h.value = appendLabeled(h.value, "base + ", delta)
	h.value = appendLabeled(h.value, " = ", b.BaseOffset+delta)
	h.field(size, "offsetDelta")

	key, n, ok := h.length2("keyLength")
	if !ok {
		return "the key's length is wrong"
	}
	f.key(h, b, n)
	value, n, ok := h.length2("valueLength")
	if !ok {
		return "the value's length is wrong"
	}
	f.value(h, b, key, value, n)
	return f.headers2(h)
}

func (f *hexFormatter) headers2(h *hexRows) (problem string) {
	count, size := h.peekVarint(5)
	if size == 0 {
		return "no header count"
	}
	h.value = strconv.AppendInt(h.value, count, 10)
	h.field(size, "headersCount")
	if count < 0 || count > int64(h.left()) {
		return "the header count is wrong"
	}
	for i := range count {
		name := "headers[" + strconv.Itoa(int(i)) + "]"
		key, n, ok := h.length2(name + ".keyLength")
		if !ok || key == nil {
			return "the header key's length is wrong"
		}
		f.hidden(h, n, name+".key", f.secrets.everywhere())
		_, n, ok = h.length2(name + ".valueLength")
		if !ok {
			return "the header value's length is wrong"
		}
		f.hidden(h, n, name+".value", f.secrets.everywhere())
	}
	return ""
}

// length2 shows the length of a field and gives the field's bytes, nil for
// null. ok is false, and nothing shown, when they are not there.
func (h *hexRows) length2(name string) (field []byte, n int, ok bool) {
	length, size := h.peekVarint(5)
	if size == 0 || length > int64(h.left()-size) {
		return nil, 0, false
	}
	h.value = strconv.AppendInt(h.value, length, 10)
	h.field(size, name)
	if length < 0 {
		return nil, 0, true
	}
	return h.peek(int(length)), int(length), true
}

// message shows key and value of a message of magic 0 or 1, whose header is shown.
func (f *hexFormatter) message(codec compress.Codec, b *decode.Batch) error {
	h := &f.rows
	if codec == compress.None {
		f.fieldsLegacy(h, b)
		return nil
	}
	_, n, ok := h.lengthLegacy("keyLength")
	if !ok {
		h.unparsed(h.left(), "the key's length is wrong")
		return nil
	}
	f.hidden(h, n, "key", f.secrets.everywhere())
	value, n, ok := h.lengthLegacy("valueLength")
	switch {
	case !ok:
		h.unparsed(h.left(), "the value's length is wrong")
	case codec == compress.Zstd:
		h.unparsed(h.left(), "zstd is not allowed in this format")
	case value == nil:
		h.unparsed(h.left(), "bytes are left behind the value")
	default:
		err := f.compressed(codec, b, n)
		h.unparsed(h.left(), "bytes are left behind the value")
		return err
	}
	return nil
}

// messageSet shows the messages in a compressed one.
func (f *hexFormatter) messageSet(h *hexRows, b *decode.Batch) {
	for i := 0; h.left() > 0; i++ {
		h.note("message " + strconv.Itoa(i))
		size := -1
		if h.left() >= decode.LogOverhead {
			size = int(int32(binary.BigEndian.Uint32(h.src[h.at+8:])))
		}
		if size < decode.MinEntrySize || size > h.left()-decode.LogOverhead {
			h.unparsed(h.left(), cmp.Or(h.cut, "no whole message"))
			return
		}
		h.within(decode.LogOverhead+size, func(in *hexRows) {
			inner := *b
			inner.Magic = int8(in.src[in.at+16])
			if in.header(messageFields(inner.Magic), &inner) {
				f.fieldsLegacy(in, &inner)
			}
		})
	}
}

// fieldsLegacy shows key and value of a message.
func (f *hexFormatter) fieldsLegacy(h *hexRows, b *decode.Batch) {
	key, n, ok := h.lengthLegacy("keyLength")
	if !ok {
		h.unparsed(h.left(), "the key's length is wrong")
		return
	}
	f.key(h, b, n)
	value, n, ok := h.lengthLegacy("valueLength")
	if !ok {
		h.unparsed(h.left(), "the value's length is wrong")
		return
	}
	f.value(h, b, key, value, n)
	h.unparsed(h.left(), "bytes are left behind the value")
}

// lengthLegacy is length2 for the four bytes of the older formats.
func (h *hexRows) lengthLegacy(name string) (field []byte, n int, ok bool) {
	length, whole := h.peekNumber(4)
	if !whole || length > int64(h.left()-4) {
		return nil, 0, false
	}
	h.number(4, name)
	if length < 0 {
		return nil, 0, true
	}
	return h.peek(int(length)), int(length), true
}
