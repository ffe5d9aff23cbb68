package dumplog

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/corrupt"
)

// hexRow is a row taken apart.
type hexRow struct {
	mark  byte
	pos   int64
	bytes string // two characters for each
}

// hexRowsOf takes the rows out of an output.
func hexRowsOf(out []byte) []hexRow {
	var rows []hexRow
	for line := range bytes.Lines(out) {
		if line[0] == '#' {
			continue
		}
		row := hexRow{mark: line[0]}
		i := 2 + bytes.IndexByte(line[2:], ' ')
		for line[i] == ' ' {
			i++
		}
		for ; line[i] != ' '; i++ {
			row.pos = row.pos*10 + int64(line[i]-'0')
		}
		text := bytes.TrimRight(line[i+2:min(i+2+hexBytesWidth, len(line))], " \n")
		row.bytes = strings.ReplaceAll(string(text), " ", "")
		rows = append(rows, row)
	}
	return rows
}

// shownBytes gives the bytes of the rows with a mark, and checks that each row
// is at its position.
func shownBytes(t testing.TB, out []byte, mark byte, base int64) []byte {
	t.Helper()
	var all []byte
	for _, row := range hexRowsOf(out) {
		if row.mark != mark {
			continue
		}
		if row.pos != base+int64(len(all)) {
			t.Fatalf("a row at %d, want %d:\n%s", row.pos, base+int64(len(all)), out)
		}
		b, err := hex.DecodeString(row.bytes)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

// checkHex checks that all bytes of all batches are shown, once and in order.
func checkHex(t testing.TB, name string, d Decoder, data []byte) {
	t.Helper()
	f := newHexFormatter(hexOptions{decoder: d, showSecrets: true})
	eachBatch(data, func(b *decode.Batch, err error) {
		var out []byte
		if err != nil {
			out = f.broken(nil, b)
		} else {
			out, _ = f.batch(nil, b, b.Valid())
		}
		if got := shownBytes(t, out, ' ', b.Position); !bytes.Equal(got, b.Raw) {
			t.Fatalf("%s, batch at %d: %d bytes are shown of %d\n%s", name, b.Position, len(got), len(b.Raw), out)
		}
		if len(f.plain) > 0 && bytes.Contains(out, []byte("\n~ ")) {
			if got := shownBytes(t, out, '~', 0); !bytes.Equal(got, f.plain) {
				t.Fatalf("%s, batch at %d: %d decompressed bytes are shown of %d", name, b.Position, len(got), len(f.plain))
			}
		}
	})
}

func TestHexShowsEveryByte(t *testing.T) {
	for _, f := range fixtures(t) {
		checkHex(t, f.path, f.decoder, f.data)
	}
}

// TestHexFields checks that where records can be decoded no byte of them is
// left without a field: the walk by tables agrees with the generated decoders.
func TestHexFields(t *testing.T) {
	seen := 0
	recs := decode.NewRecords(0)
	for _, f := range fixtures(t) {
		if f.decoder == DecodeNothing {
			continue
		}
		meta, coord, _ := recordDecoders(f.decoder)
		show := newHexFormatter(hexOptions{decoder: f.decoder, showSecrets: true})
		eachBatch(f.data, func(b *decode.Batch, err error) {
			if err != nil || !b.Valid() {
				return
			}
			for recs.Reset(b); recs.Next(); {
				if b.IsControl() {
					continue
				}
				if meta != nil {
					_, err = meta.Decode(recs.Record.Value)
				} else {
					_, err = coord.decoder.Decode(&recs.Record)
				}
				if err != nil {
					return
				}
			}
			out, _ := show.batch(nil, b, true)
			seen++
			if bytes.Contains(out, []byte("unparsed")) {
				t.Fatalf("%s, batch at %d:\n%s", f.path, b.Position, out)
			}
		})
	}
	if seen < 100 {
		t.Errorf("%d batches", seen)
	}
}

func TestHexGolden(t *testing.T) {
	files := goldenFiles(t)
	for _, name := range []string{"control", "errors", "magic1", "secrets", "transaction"} {
		f := files[name]
		checkGolden(t, name+".hex", format(newHexFormatter(hexOptions{file: name + ".log", decoder: f.decoder}), f.data))
	}
}

// bigBatch is a compressed batch that the limit of 64 KiB is too small for.
func bigBatch(t testing.TB, magic int8, codec compress.Codec) []byte {
	t.Helper()
	batch := decode.Batch{Magic: magic, Attributes: int16(codec), LastOffsetDelta: -1}
	var records []decode.Record
	for i := range int64(20) {
		records = append(records, decode.Record{Offset: i, Value: bytes.Repeat([]byte{byte(i)}, 10000)})
	}
	data, err := decode.AppendBatch(nil, &batch, records)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHexLimit: what a batch decompresses to is shown up to the limit, and what
// is missing is an error that says what helps.
func TestHexLimit(t *testing.T) {
	for _, magic := range []int8{1, 2} {
		f := newHexFormatter(hexOptions{maxDecompressed: 64 << 10, fold: true})
		eachBatch(bigBatch(t, magic, compress.Gzip), func(b *decode.Batch, _ error) {
			out, err := f.batch(nil, b, true)
			if !errors.Is(err, compress.ErrTooLarge) || !corrupt.Is(err) || !strings.Contains(err.Error(), "--max-decompressed") {
				t.Errorf("magic %d: %v", magic, err)
			}
			if len(f.plain) == 0 || !bytes.Contains(out, []byte("(--max-decompressed allows more)")) ||
				!bytes.Contains(out, []byte("the rest could not be decompressed")) || bytes.Contains(out, []byte("declared count")) ||
				bytes.Contains(out, []byte("the length is wrong")) {
				t.Errorf("magic %d, %d bytes:\n%s", magic, len(f.plain), out)
			}
		})
	}
	f := newHexFormatter(hexOptions{})
	eachBatch(bigBatch(t, 2, compress.Zstd), func(b *decode.Batch, _ error) {
		b.Raw = b.Raw[:len(b.Raw)-9]
		if _, err := f.batch(nil, b, true); !corrupt.Is(err) || strings.Contains(err.Error(), "--max") {
			t.Errorf("%v", err)
		}
	})
}

// TestHexFlush: text that is larger than memory should hold goes out as it
// comes, and is the same.
func TestHexFlush(t *testing.T) {
	for _, codec := range []compress.Codec{compress.None, compress.LZ4} {
		eachBatch(bigBatch(t, 2, codec), func(b *decode.Batch, _ error) {
			whole, err := newHexFormatter(hexOptions{}).batch([]byte("before\n"), b, true)
			if err != nil || len(whole) < flushSize {
				t.Fatalf("%v, %d bytes", err, len(whole))
			}
			f := newHexFormatter(hexOptions{})
			var written []byte
			f.setFlush(func(dst []byte) []byte {
				written = append(written, dst...)
				return dst[:0]
			})
			out, err := f.batch([]byte("before\n"), b, true)
			if err != nil || len(written) == 0 || cap(out) > 2*flushSize || !bytes.Equal(append(written, out...), whole) {
				t.Errorf("%v, %d bytes at once", err, cap(out))
			}
		})
	}
}

func TestHexFold(t *testing.T) {
	for size, want := range map[int]int{1: 1, 64: 4, 65: 3, 1000: 3} {
		h := hexRows{src: make([]byte, size), mark: ' ', fold: true}
		h.text(size, "value")
		rows := hexRowsOf(h.dst)
		if len(rows) != want || h.left() != 0 || bytes.Contains(h.dst, []byte("folded")) != (size > 64) {
			t.Errorf("%d bytes:\n%s", size, h.dst)
		}
	}
}

// TestHexLongPositions: columns stay readable behind 4 GiB.
func TestHexLongPositions(t *testing.T) {
	h := hexRows{src: []byte{1, 2}, base: 12345678901234, mark: ' '}
	h.field(2, "x")
	if got := shownBytes(t, h.dst, ' ', 12345678901234); !bytes.Equal(got, []byte{1, 2}) {
		t.Errorf("%s", h.dst)
	}
}

func TestHexCutHeader(t *testing.T) {
	data := readFixture(t, "corrupt/intact/00000000000000000000.log").data
	f := newHexFormatter(hexOptions{})
	for size := range decode.BatchHeaderSize + 1 {
		b := decode.Batch{Magic: 2, Size: size, Raw: data[:size]}
		out, _ := f.batch(nil, &b, false)
		if got := shownBytes(t, out, ' ', 0); !bytes.Equal(got, b.Raw) {
			t.Errorf("%d bytes:\n%s", size, out)
		}
	}
}

func TestHexEntry(t *testing.T) {
	for _, test := range []struct {
		entry Entry
		want  string
	}{
		{Entry{Kind: "offset-index-entry", Position: 8, Raw: []byte{0, 0, 0, 3, 0, 0, 0, 77},
			Fields: []Field{{"position", 4, 4, int64(77)}, {"offset", 0, 4, int64(3)}, {"derived", 0, 0, nil}}}, `# f: offset-index-entry at 8, 8 bytes
  00000008          8  00 00 00 03                                      offset                    3
  0000000c         12  00 00 00 4d                                      position                  77
# derived: null
`},
		{Entry{Kind: "odd", Raw: []byte("abcdef"), Fields: []Field{{"a", 1, 2, "bc"}, {"b", 2, 2, true}, {"c", 5, 9, true}, {"d", -1, 1, nil}}}, `# f: odd at 0, 6 bytes
  00000000          0  61                                                                         |a|
  00000001          1  62 63                                            a                         "bc"
  00000003          3  64 65 66                                                                   |def|
# d: null
# b: true
# c: true
`},
	} {
		got := appendEntryHex(nil, "f", &test.entry)
		if string(got) != test.want {
			t.Errorf("got\n%swant\n%s", got, test.want)
		}
		if b := shownBytes(t, got, ' ', test.entry.Position); !bytes.Equal(b, test.entry.Raw) {
			t.Errorf("%x", b)
		}
	}
}
