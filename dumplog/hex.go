package dumplog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/coordinator"
	"kraftctl/decode/corrupt"
)

// hexOptions say how bytes are shown.
type hexOptions struct {
	file    string  // as it is named before every batch
	decoder Decoder // what keys and values are
	// fold shortens long runs of bytes of one field.
	fold bool
	// showSecrets shows the bytes of what holds a secret as well; see redactMetadata.
	showSecrets bool
	// maxDecompressed bounds the decompressed bytes of a batch; 0 is
	// decode.DefaultMaxDecompressed.
	maxDecompressed int64
}

// hexFormatter shows every byte of a batch with the field that it belongs to.
// It is a formatter. It shows a batch with all its records at once, whether
// they can be read or not, so single records add nothing.
type hexFormatter struct {
	o       hexOptions
	rows    hexRows
	plain   []byte
	inflate compress.Decoder
	// coordinator says that keys and values are a coordinator's, of these types.
	coordinator bool
	types       coordinator.Registry
	secrets     *secretFinder
	recs        *decode.Records // to find secrets in compressed batches
	// flush writes what there is of a batch, for its text takes many times the
	// memory that its bytes do; nil when all is kept.
	flush func([]byte) []byte
}

func newHexFormatter(o hexOptions) *hexFormatter {
	if o.maxDecompressed <= 0 {
		o.maxDecompressed = decode.DefaultMaxDecompressed
	}
	f := &hexFormatter{o: o, types: coordinatorTypes(o.decoder), secrets: newSecretFinder(o.decoder == DecodeMetadata, o.showSecrets)}
	f.coordinator = len(f.types.Types()) > 0
	if f.secrets != nil {
		f.recs = decode.NewRecords(o.maxDecompressed)
	}
	return f
}

// setFlush implements flusher.
func (f *hexFormatter) setFlush(flush func([]byte) []byte) { f.flush = flush }

// record implements formatter.
func (f *hexFormatter) record(dst []byte, _ *decode.Batch, _ *decode.Record) ([]byte, error) {
	return dst, nil
}

// broken implements formatter.
func (f *hexFormatter) broken(dst []byte, b *decode.Batch) []byte {
	h := f.start(dst, b)
	h.note("the fixed part cannot be read")
	h.header(fixedPart(b.Magic), b)
	h.unparsed(h.left(), "")
	return h.dst
}

// batch implements formatter. Records that cannot be decompressed are an error; what could be is shown.
func (f *hexFormatter) batch(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	h := f.start(dst, b)
	f.secrets.start(valid)
	if !valid {
		h.comment()
		h.dst = append(h.dst, "the checksum is wrong: the bytes give 0x"...)
		h.dst = appendHexPosition(h.dst, int64(b.Checksum()))
		h.dst = append(h.dst, '\n')
	}
	whole := h.header(fixedPart(b.Magic), b)
	codec, err := b.Codec()
	switch {
	case !whole:
		h.unparsed(h.left(), "")
	case err != nil:
		h.unparsed(h.left(), "unknown compression")
	case b.Magic < 2:
		err = f.message(codec, b)
	case codec == compress.None:
		f.records(h, b)
	default:
		err = f.compressed(codec, b, h.left())
	}
	return h.dst, err
}

// start begins a batch.
func (f *hexFormatter) start(dst []byte, b *decode.Batch) *hexRows {
	f.rows = hexRows{dst: dst, src: b.Raw, base: b.Position, mark: ' ', fold: f.o.fold, guard: f.secrets.inMetadata(), flush: f.flush, value: f.rows.value[:0]}
	h := &f.rows
	h.comment()
	h.dst = appendHexTitle(h.dst, f.o.file, "batch", b.Position, len(b.Raw))
	h.dst = append(h.dst, '\n')
	return h
}

// appendHexTitle appends "FILE: batch at 0, 94 bytes".
func appendHexTitle(dst []byte, file, what string, pos int64, size int) []byte {
	if file != "" {
		dst = append(append(dst, file...), ": "...)
	}
	dst = append(dst, what...)
	dst = appendLabeled(dst, " at ", pos)
	dst = appendLabeled(dst, ", ", int64(size))
	return append(dst, " bytes"...)
}

// headerField is a field of the fixed part of a batch or message.
type headerField struct {
	name string
	size int
	// value appends what the number means; nil prints it as it is.
	value func(dst []byte, v int64, b *decode.Batch) []byte
}

var batchHeader = []headerField{
	{"baseOffset", 8, nil},
	{"batchLength", 4, lengthValue},
	{"partitionLeaderEpoch", 4, nil},
	{"magic", 1, nil},
	{"crc", 4, crcValue},
	{"attributes", 2, attributesValue},
	{"lastOffsetDelta", 4, lastDeltaValue},
	{"baseTimestamp", 8, timeValue},
	{"maxTimestamp", 8, timeValue},
	{"producerId", 8, nil},
	{"producerEpoch", 2, nil},
	{"baseSequence", 4, nil},
	{"recordsCount", 4, nil},
}

var messageHeader = []headerField{
	{"offset", 8, nil},
	{"messageSize", 4, lengthValue},
	{"crc", 4, crcValue},
	{"magic", 1, nil},
	{"attributes", 1, attributesValue},
	{"timestamp", 8, timeValue}, // not in magic 0
}

// messageFields is the fixed part of a message of magic 0 or 1.
func messageFields(magic int8) []headerField {
	if magic == 0 {
		return messageHeader[:len(messageHeader)-1]
	}
	return messageHeader
}

// header shows the fixed part and reports whether all of it is there.
func (h *hexRows) header(fields []headerField, b *decode.Batch) bool {
	for _, field := range fields {
		v, ok := h.peekNumber(field.size)
		if !ok {
			h.note(field.name + " is cut off")
			return false
		}
		if field.value != nil {
			h.value = field.value(h.value, v, b)
		}
		h.number(field.size, field.name)
		if field.name == "magic" && v < 0 {
			return false // nobody knows what follows
		}
	}
	return true
}

// fixedPart is the fixed part of a batch of any magic.
func fixedPart(magic int8) []headerField {
	if magic < 2 {
		return messageFields(magic)
	}
	return batchHeader
}

func lengthValue(dst []byte, v int64, _ *decode.Batch) []byte {
	dst = strconv.AppendInt(dst, v, 10)
	return append(dst, " from here"...)
}

func crcValue(dst []byte, v int64, _ *decode.Batch) []byte {
	dst = strconv.AppendUint(dst, uint64(uint32(v)), 10)
	return appendHexPosition(append(dst, " 0x"...), int64(uint32(v)))
}

func attributesValue(dst []byte, v int64, b *decode.Batch) []byte {
	dst = strconv.AppendInt(dst, v, 10)
	dst = append(dst, ": "...)
	dst = append(dst, compress.Codec(v&7).String()...)
	if b.Magic != 0 {
		dst = append(dst, ' ')
		if v&8 != 0 {
			dst = append(dst, "LogAppendTime"...)
		} else {
			dst = append(dst, "CreateTime"...)
		}
	}
	if b.Magic < 2 {
		return dst
	}
	for bit, name := range attributeBits {
		if v&(16<<bit) != 0 {
			dst = append(append(dst, ' '), name...)
		}
	}
	return dst
}

// attributeBits names the bits from 4 on.
var attributeBits = [...]string{"transactional", "control", "delete-horizon"}

func lastDeltaValue(dst []byte, v int64, b *decode.Batch) []byte {
	dst = strconv.AppendInt(dst, v, 10)
	dst = appendLabeled(dst, " (offset ", b.BaseOffset+v)
	return append(dst, ')')
}

func timeValue(dst []byte, v int64, _ *decode.Batch) []byte {
	dst = strconv.AppendInt(dst, v, 10)
	if v < 0 || v > maxYear9999 {
		return dst
	}
	dst = append(dst, " ("...)
	return append(appendTime(dst, v), ')')
}

// compressed shows the next n bytes, which are compressed, and then what they
// decompress to. The error says why that is not all.
func (f *hexFormatter) compressed(codec compress.Codec, b *decode.Batch, n int) error {
	h := &f.rows
	if cap(f.plain) > keptPlain {
		f.plain = nil
	}
	var err error
	f.plain, err = f.inflate.Decompress(f.plain[:0], codec, b.Magic, h.peek(n), f.o.maxDecompressed)
	if errors.Is(err, compress.ErrTooLarge) {
		err = fmt.Errorf("%w (--max-decompressed allows more)", err)
	}
	f.hidden(h, n, "compressed "+codec.String(), f.holdsSecret(b))
	in := hexRows{dst: h.dst, src: f.plain, mark: '~', fold: f.o.fold, guard: h.guard, flush: h.flush}
	in.comment()
	in.dst = appendLabeled(in.dst, "decompressed: ", int64(len(f.plain)))
	in.dst = append(in.dst, " bytes, at positions of their own\n"...)
	if err != nil {
		in.note("decompression ended there: " + err.Error())
		in.cut = "the rest could not be decompressed"
	}
	if b.Magic < 2 {
		f.messageSet(&in, b)
	} else {
		f.records(&in, b)
	}
	h.dst = in.dst
	if err == nil {
		return nil
	}
	return &corrupt.Error{Pos: b.Position, What: "batch at offset " + strconv.FormatInt(b.BaseOffset, 10),
		Err: &decode.Fault{Kind: decode.FaultDecompress, Field: codec.String(), Err: err}}
}

// keptPlain is how large a buffer for decompressed bytes is kept for the next batch.
const keptPlain = 32 << 20

// appendEntryHex shows every byte of an entry of a file that is not a segment,
// with its fields in the order of their bytes. Fields without bytes of their
// own come last, as comments.
func appendEntryHex(dst []byte, file string, e *Entry) []byte {
	h := hexRows{dst: dst, src: e.Raw, base: e.Position, mark: ' '}
	h.comment()
	h.dst = appendHexTitle(h.dst, file, e.Kind, e.Position, len(e.Raw))
	h.dst = append(h.dst, '\n')
	fields := slices.Clone(e.Fields)
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(a.Start, b.Start) })
	var others []Field
	for _, field := range fields {
		if field.Len <= 0 || field.Start < h.at || field.Start > len(e.Raw)-field.Len {
			others = append(others, field)
			continue
		}
		h.text(field.Start-h.at, "")
		h.value = appendFieldJSON(h.value, field.Value)
		h.field(field.Len, field.Name)
	}
	h.text(h.left(), "")
	for _, field := range others {
		h.comment()
		h.dst = append(append(h.dst, field.Name...), ": "...)
		h.dst = append(appendFieldJSON(h.dst, field.Value), '\n')
	}
	return h.dst
}
