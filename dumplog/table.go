package dumplog

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"kraftctl/decode"
)

// defaultContent is how many characters of a key and value a table shows.
const defaultContent = 100

// tableState says which columns the rows that come next have. Its zero value
// is ready. A section is a segment, or a run of entries of one kind; its header
// is printed before its rows, which workers format in any order.
type tableState struct {
	// content bounds the characters of key and value; 0 is defaultContent.
	content int
	kind    string // of the entries that have had their header
}

// Columns of numbers have these widths, and grow only where a number does not
// fit: the widest that ordinary files have.
const (
	widthPosition = 10
	widthSize     = 8
	widthOffset   = 10
	widthCount    = 6
	widthEpoch    = 5
	widthProducer = 10
	// widthProducerEpoch is that of its title.
	widthProducerEpoch = 7
	widthSequence      = 10
	widthCodec         = 6
	widthTime          = 24
	widthType          = 28
	// widthField is that of a number of an entry: a time in milliseconds.
	widthField = 13
	// widthText is that of a text of an entry: an id.
	widthText = 22
)

// segment appends the header of a segment's rows: batches, and with deep the
// records below them.
func (t *tableState) segment(dst []byte, deep bool) []byte {
	t.kind = ""
	row := tableRow{dst: dst, start: len(dst)}
	row.right("POSITION", widthPosition)
	row.right("SIZE", widthSize)
	row.right("FIRST", widthOffset)
	row.right("LAST", widthOffset)
	row.right("COUNT", widthCount)
	row.right("EPOCH", widthEpoch)
	row.right("PRODUCER", widthProducer)
	row.right("P-EPOCH", widthProducerEpoch)
	row.right("SEQUENCE", widthSequence)
	row.left("CODEC", widthCodec)
	row.left("MAX TIME", widthTime)
	row.left("FLAGS", 0)
	dst = row.end()
	if !deep {
		return dst
	}
	row = tableRow{dst: append(dst, "| "...), start: len(dst) + 2}
	row.right("OFFSET", widthOffset)
	row.left("TIME", widthTime)
	row.right("SEQUENCE", widthSequence)
	row.right("KEY", widthCount)
	row.right("VALUE", widthSize)
	row.left("TYPE", widthType)
	row.left("CONTENT", 0)
	return row.end()
}

// tableFormatter prints rows for people: one line per batch, and one with "|"
// in front per record. It is a formatter; the header is tableState's.
type tableFormatter struct {
	contentWidth int
	contents     *recordContents
	text         []byte
}

func newTableFormatter(t *tableState, d Decoder, showSecrets bool) *tableFormatter {
	f := &tableFormatter{contentWidth: t.content, contents: newRecordContents(d, showSecrets)}
	if f.contentWidth <= 0 {
		f.contentWidth = defaultContent
	}
	return f
}

// batch implements formatter.
func (f *tableFormatter) batch(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	row := tableRow{dst: dst, start: len(dst)}
	row.number(b.Position, widthPosition)
	row.number(int64(b.Size), widthSize)
	row.number(b.BaseOffset, widthOffset)
	row.number(b.LastOffset(), widthOffset)
	row.optional(int64(b.Count), widthCount)
	row.optional(int64(b.LeaderEpoch), widthEpoch)
	row.optional(b.ProducerID, widthProducer)
	row.optional(int64(b.ProducerEpoch), widthProducerEpoch)
	row.optional(int64(b.BaseSequence), widthSequence)
	row.left(codecName(b), widthCodec)
	row.time(b.MaxTimestamp)
	row.dst = appendFlags(row.dst, b, valid)
	_, err := b.Codec()
	return row.end(), err
}

// appendFlags appends, in words, what is special about a batch.
func appendFlags(dst []byte, b *decode.Batch, valid bool) []byte {
	start := len(dst)
	flag := func(set bool, word string) {
		if set {
			if len(dst) > start {
				dst = append(dst, ',')
			}
			dst = append(dst, word...)
		}
	}
	flag(b.Magic != 2, "magic "+strconv.Itoa(int(b.Magic)))
	flag(b.IsControl(), "control")
	flag(b.IsTransactional(), "transactional")
	flag(b.TimestampType() == decode.LogAppendTime, "log-append-time")
	_, horizon := b.DeleteHorizon()
	flag(horizon, "delete-horizon")
	flag(!valid, "INVALID")
	return dst
}

// broken implements formatter.
func (f *tableFormatter) broken(dst []byte, b *decode.Batch) []byte {
	row := tableRow{dst: dst, start: len(dst)}
	row.number(b.Position, widthPosition)
	row.number(int64(b.Size), widthSize)
	row.number(b.BaseOffset, widthOffset)
	for _, width := range [...]int{widthOffset, widthCount, widthEpoch, widthProducer, widthProducerEpoch, widthSequence} {
		row.right("-", width)
	}
	row.left("-", widthCodec)
	row.left("-", widthTime)
	row.left("INVALID,magic "+strconv.Itoa(int(b.Magic)), 0)
	return row.end()
}

// record implements formatter.
func (f *tableFormatter) record(dst []byte, b *decode.Batch, r *decode.Record) ([]byte, error) {
	row := tableRow{dst: append(dst, "| "...), start: len(dst) + 2}
	row.number(r.Offset, widthOffset)
	row.time(r.Timestamp)
	row.optional(int64(r.Sequence), widthSequence)
	row.size(r.Key, widthCount)
	if r.Damage != nil {
		row.number(int64(r.ValueSize), widthSize)
	} else {
		row.size(r.Value, widthSize)
	}
	var name string
	name, f.text = f.contents.appendText(f.text[:0], b, r, f.contentWidth)
	row.left(name, widthType)
	row.dst = append(row.dst, f.text...)
	return row.end(), nil
}

// appendEntryTable prints an entry as a row, with a header before the first one
// of its kind.
func appendEntryTable(dst []byte, t *tableState, e *Entry) []byte {
	if t.kind != e.Kind {
		t.kind = e.Kind
		row := tableRow{dst: dst, start: len(dst)}
		row.right("POSITION", widthPosition)
		for i := range e.Fields {
			title := fieldTitle(e.Fields[i].Name)
			if _, text := e.Fields[i].Value.(string); text {
				row.left(title, widthText)
			} else {
				row.right(title, fieldWidth(title))
			}
		}
		dst = row.end()
	}
	row := tableRow{dst: dst, start: len(dst)}
	row.number(e.Position, widthPosition)
	for i := range e.Fields {
		width := fieldWidth(fieldTitle(e.Fields[i].Name))
		switch v := e.Fields[i].Value.(type) {
		case int64:
			row.number(v, width)
		case bool:
			row.right(strconv.FormatBool(v), width)
		case string:
			row.left(string(appendCut(nil, []byte(v), max(t.content, defaultContent))), widthText)
		default:
			row.right("-", width)
		}
	}
	return row.end()
}

func fieldWidth(title string) int { return max(len(title), widthField) }

// fieldTitle makes LAST STABLE OFFSET of lastStableOffset.
func fieldTitle(name string) string {
	title := make([]byte, 0, len(name)+4)
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z' && i > 0:
			title = append(title, ' ', c)
		case c >= 'a' && c <= 'z':
			title = append(title, c-'a'+'A')
		default:
			title = append(title, c)
		}
	}
	return string(title)
}

// tableRow puts cells into columns, two blanks apart.
type tableRow struct {
	dst   []byte
	start int // of the row in dst
}

func (r *tableRow) right(cell string, width int) {
	for range width - len(cell) {
		r.dst = append(r.dst, ' ')
	}
	r.dst = append(r.dst, cell...)
	r.dst = append(r.dst, "  "...)
}

func (r *tableRow) left(cell string, width int) {
	r.dst = append(r.dst, cell...)
	for range width - len(cell) {
		r.dst = append(r.dst, ' ')
	}
	r.dst = append(r.dst, "  "...)
}

func (r *tableRow) number(v int64, width int) {
	var buf [20]byte
	text := strconv.AppendInt(buf[:0], v, 10)
	for range width - len(text) {
		r.dst = append(r.dst, ' ')
	}
	r.dst = append(r.dst, text...)
	r.dst = append(r.dst, "  "...)
}

// optional prints -1, Kafka's way to say none, as a dash.
func (r *tableRow) optional(v int64, width int) {
	if v == -1 {
		r.right("-", width)
		return
	}
	r.number(v, width)
}

func (r *tableRow) size(field []byte, width int) {
	if field == nil {
		r.right("-", width)
		return
	}
	r.number(int64(len(field)), width)
}

func (r *tableRow) time(ms int64) {
	if ms == -1 {
		r.left("-", widthTime)
		return
	}
	at := len(r.dst)
	r.dst = appendTime(r.dst, ms)
	for range widthTime - (len(r.dst) - at) {
		r.dst = append(r.dst, ' ')
	}
	r.dst = append(r.dst, "  "...)
}

// end cuts the blanks at the end off and ends the line.
func (r *tableRow) end() []byte {
	for len(r.dst) > r.start && r.dst[len(r.dst)-1] == ' ' {
		r.dst = r.dst[:len(r.dst)-1]
	}
	return append(r.dst, '\n')
}

// appendCut appends at most width characters of bytes of any kind, with … in
// place of the last one when there are more. Nothing in it moves a terminal's
// cursor: what cannot be printed is escaped, and bytes that are not UTF-8 are
// hexadecimal.
func appendCut(dst, field []byte, width int) []byte {
	start := len(dst)
	// A character has at most four bytes: what is behind is not shown anyway.
	shown, more := field, false
	if limit := 4 * (width + 1); len(field) > limit {
		shown, more = field[:limit], true
		for cut := len(shown) - 1; cut > 0 && cut > len(shown)-utf8.UTFMax; cut-- {
			if utf8.RuneStart(shown[cut]) {
				if !utf8.FullRune(shown[cut:]) {
					shown = shown[:cut]
				}
				break
			}
		}
	}
	if utf8.Valid(shown) {
		for i := 0; i < len(shown); {
			r, n := utf8.DecodeRune(shown[i:])
			dst = appendPrintable(dst, r)
			i += n
		}
	} else {
		dst = append(dst, "0x"...)
		for _, c := range shown {
			dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return cutText(dst, start, width, more)
}

// cutText cuts what dst has from start on to width characters. more says that
// something is missing already.
func cutText(dst []byte, start, width int, more bool) []byte {
	n, keep := 0, start // keep is where width-1 characters end
	for i := start; i < len(dst); {
		_, size := utf8.DecodeRune(dst[i:])
		i += size
		n++
		if n == width-1 {
			keep = i
		}
	}
	if n > width || more && n == width {
		dst, more = dst[:keep], true
	}
	if more {
		dst = append(dst, "…"...)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

func appendPrintable(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case unicode.IsPrint(r):
		return utf8.AppendRune(dst, r)
	case r < 0x100:
		return append(dst, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
	}
	dst = append(dst, `\u{`...)
	dst = strconv.AppendInt(dst, int64(r), 16)
	return append(dst, '}')
}
