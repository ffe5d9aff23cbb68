package dumplog

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/remotelog"
	"kraftctl/decode/schema"
)

// key shows the next n bytes, a record's key.
func (f *hexFormatter) key(h *hexRows, b *decode.Batch, n int) {
	h.within(n, func(in *hexRows) {
		switch {
		case n == 0:
		case f.secrets.everywhere():
			f.hidden(in, n, "key", true)
		case b.IsControl():
			_, id, _ := decode.ParseControlKey(in.peek(n))
			in.named(2, "key.version", "")
			in.named(2, "key.type", decode.ControlType(id).String())
		case f.coordinator:
			f.coordinatorKey(in)
		default:
			in.text(n, "key")
		}
	})
}

func (f *hexFormatter) coordinatorKey(h *hexRows) {
	id, ok := h.peekNumber(2)
	if !ok {
		return
	}
	h.named(2, "key.type", f.types.Name(int16(id)))
	if m := f.types.Key(int16(id)); m != nil {
		h.message("key.", m, 0)
	}
}

// value shows the next n bytes, a record's value.
func (f *hexFormatter) value(h *hexRows, b *decode.Batch, key, value []byte, n int) {
	h.within(n, func(in *hexRows) {
		switch {
		case n == 0:
		case b.IsControl():
			f.controlValue(in, key)
		case f.o.decoder == DecodeMetadata:
			f.frame(in, metadata.TypeName, metadata.New, f.secrets.hides(value))
		case f.secrets.hides(value):
			f.hidden(in, n, "value", true)
		case f.o.decoder == DecodeRemoteLog:
			f.frame(in, remotelog.TypeName, remotelog.New, false)
		case f.coordinator:
			f.coordinatorValue(in, key)
		default:
			in.text(n, "value")
		}
	})
}

// hidden shows the next n bytes as text, unless they are a secret.
func (f *hexFormatter) hidden(h *hexRows, n int, name string, secret bool) {
	before := h.masked
	h.masked = before || secret
	h.text(n, name)
	h.masked = before
}

// holdsSecret reports whether a compressed batch, whose content is in f.plain,
// does. In the metadata log it is enough that this cannot be told.
func (f *hexFormatter) holdsSecret(b *decode.Batch) bool {
	switch {
	case f.secrets.inMetadata():
		if f.secrets.everywhere() {
			return true
		}
	case f.secrets == nil || !containsLikeSecret(f.plain):
		return false
	}
	for f.recs.Reset(b); f.recs.Next(); {
		if r := &f.recs.Record; f.secrets.hides(r.Value) || r.Damage != nil && f.secrets.metadata {
			return true
		}
	}
	return f.secrets.metadata && f.recs.Err() != nil
}

// frame shows a framed record.
func (f *hexFormatter) frame(h *hexRows, name func(int16) string, message func(int16) kbin.Message, secret bool) {
	frame, ok := h.uvarint("value.frameVersion", 0)
	if !ok || frame != decode.FrameVersion {
		return
	}
	id, size := h.peekUvarint(5)
	if size == 0 || id > math.MaxInt16 {
		return
	}
	h.value = strconv.AppendUint(h.value, id, 10)
	h.value = append(append(h.value, ' '), name(int16(id))...)
	h.field(size, "value.apiKey")
	version, ok := h.uvarint("value.version", 0)
	switch m := message(int16(id)); {
	case !ok || version > math.MaxInt16 || m == nil:
	case secret:
		h.masked = true
		h.field(h.left(), "value.message")
		h.masked = false
	default:
		h.message("value.", m, int16(version))
	}
}

func (f *hexFormatter) coordinatorValue(h *hexRows, key []byte) {
	version, ok := h.number(2, "value.version")
	if !ok || len(key) < 2 {
		return
	}
	in := kbin.Reader{Src: key}
	m := f.types.Value(in.Int16())
	if m == nil {
		return
	}
	if low, high := m.Versions(); int16(version) >= low && int16(version) <= high {
		h.message("value.", m, int16(version))
	}
}

func (f *hexFormatter) controlValue(h *hexRows, key []byte) {
	t, _, _ := decode.ParseControlKey(key)
	switch t {
	case decode.Abort, decode.Commit:
		if _, ok := h.number(2, "value.version"); ok {
			h.number(4, "value.coordinatorEpoch")
		}
	case decode.LeaderChange:
		h.message("value.", new(control.LeaderChangeMessage), 0)
	case decode.SnapshotHeader:
		h.message("value.", new(control.SnapshotHeaderRecord), 0)
	case decode.SnapshotFooter:
		h.message("value.", new(control.SnapshotFooterRecord), 0)
	case decode.KRaftVersion:
		h.message("value.", new(control.KRaftVersionRecord), 0)
	case decode.KRaftVoters:
		h.message("value.", new(control.VotersRecord), 0)
	}
}

// named shows a number and what it stands for.
func (h *hexRows) named(n int, name, meaning string) bool {
	v, ok := h.peekNumber(n)
	if !ok {
		return false
	}
	h.value = strconv.AppendInt(h.value, v, 10)
	if meaning != "" {
		h.value = append(append(h.value, ' '), meaning...)
	}
	h.number(n, name)
	return true
}

// schemas gives the field tables by the name of the message.
var schemas = sync.OnceValue(func() map[string]*schema.Message {
	all, err := schema.All()
	if err != nil {
		return nil // tables are embedded and tested; without them bytes are unparsed
	}
	byName := make(map[string]*schema.Message, len(all))
	for _, m := range all {
		byName[m.Name] = m
	}
	return byName
})

// message shows the fields of a message by its table.
func (h *hexRows) message(prefix string, m kbin.Message, version int16) {
	table := schemas()[m.MessageName()]
	if table == nil {
		return
	}
	// The decoders read versions that nobody knows like the next one they know.
	version = min(max(version, table.Valid.Min), table.Valid.Max)
	w := fieldWalk{h: h, version: version, flexible: table.Flexible.Contains(version), structs: table.Structs}
	w.fields(prefix, table.Fields)
}

// fieldWalk shows the fields of one version of a message. Its methods return
// false when the bytes end or make no sense; the rest is then unparsed.
type fieldWalk struct {
	h        *hexRows
	version  int16
	flexible bool
	structs  []schema.Struct
}

func (w *fieldWalk) fields(prefix string, fields []schema.Field) bool {
	for i := range fields {
		field := &fields[i]
		if !field.Versions.Contains(w.version) || field.Tag >= 0 && field.Tagged.Contains(w.version) {
			continue
		}
		if !w.field(prefix+lowerFirst(field.Name), field) {
			return false
		}
	}
	return !w.flexible || w.tags(prefix, fields)
}

// tags shows the tagged fields that follow a struct.
func (w *fieldWalk) tags(prefix string, fields []schema.Field) bool {
	h := w.h
	count, ok := h.uvarint(prefix+"tags", 0)
	if !ok || count > int64(h.left()) {
		return false
	}
	for range count {
		tag, size := h.peekUvarint(5)
		if size == 0 {
			return false
		}
		var known *schema.Field
		for i := range fields {
			if fields[i].Tag == int(tag) && fields[i].Tagged.Contains(w.version) {
				known = &fields[i]
			}
		}
		name := prefix + "tag" + strconv.FormatUint(tag, 10)
		if known != nil {
			name = prefix + lowerFirst(known.Name)
		}
		h.value = strconv.AppendUint(h.value, tag, 10)
		h.field(size, name+".tag")
		n, ok := h.uvarint(name+".size", 0)
		if !ok || n > int64(h.left()) {
			return false
		}
		whole := true
		h.within(int(n), func(in *hexRows) {
			if known == nil {
				in.text(in.left(), name)
				return
			}
			sub := *w
			sub.h = in
			whole = sub.field(name, known) && in.left() == 0
		})
		if !whole {
			return false
		}
	}
	return true
}

func (w *fieldWalk) field(name string, field *schema.Field) bool {
	elem, array := field.Array()
	if !array {
		return w.one(name, elem, field, field.Nullable.Contains(w.version))
	}
	count, ok := w.length(name+".count", 4)
	if !ok || count > int64(w.h.left()) {
		return false
	}
	for i := range count {
		if !w.one(name+"["+strconv.Itoa(int(i))+"]", elem, field, false) {
			return false
		}
	}
	return true
}

// length shows the length of a string, of bytes, or of an array: size bytes
// where the version is not flexible.
func (w *fieldWalk) length(name string, size int) (int64, bool) {
	if w.flexible {
		return w.h.uvarint(name, -1)
	}
	return w.h.number(size, name)
}

// one shows a field, or an element of an array, of a type.
func (w *fieldWalk) one(name, typ string, field *schema.Field, nullable bool) bool {
	h := w.h
	size := 0
	switch typ {
	case "bool", "int8":
		size = 1
	case "int16", "uint16":
		size = 2
	case "int32", "uint32":
		size = 4
	case "int64", "float64":
		size = 8
	case "uuid":
		size = 16
	case "string":
		return w.bytes(name, 2)
	case "bytes", "records":
		return w.bytes(name, 4)
	default:
		return w.structure(name, typ, field, nullable)
	}
	if h.left() < size {
		return false
	}
	v, _ := h.peekNumber(size)
	switch typ {
	case "bool":
		h.value = strconv.AppendBool(h.value, v != 0)
	case "uint16":
		h.value = strconv.AppendUint(h.value, uint64(uint16(v)), 10)
	case "uint32":
		h.value = strconv.AppendUint(h.value, uint64(uint32(v)), 10)
	case "float64":
		h.value = jsonw.AppendJavaDouble(h.value, math.Float64frombits(uint64(v)))
	case "uuid":
		h.value = append(h.value, kbin.UUID(h.peek(size)).String()...)
	default:
		h.value = strconv.AppendInt(h.value, v, 10)
	}
	h.field(size, name)
	return true
}

// bytes shows a length and that many bytes.
func (w *fieldWalk) bytes(name string, size int) bool {
	n, ok := w.length(name+".length", size)
	if !ok || n > int64(w.h.left()) {
		return false
	}
	w.h.text(int(max(n, 0)), name)
	return true
}

func (w *fieldWalk) structure(name, typ string, field *schema.Field, nullable bool) bool {
	if nullable {
		v, ok := w.h.number(1, name+".present")
		if !ok || v < 0 {
			return ok
		}
	}
	fields := field.Fields
	for i := range w.structs {
		if w.structs[i].Name == typ && len(fields) == 0 {
			fields = w.structs[i].Fields
		}
	}
	return w.fields(name+".", fields)
}

func lowerFirst(name string) string {
	if name == "" {
		return name
	}
	return strings.ToLower(name[:1]) + name[1:]
}
