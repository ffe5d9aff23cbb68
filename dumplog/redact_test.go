package dumplog

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
)

// TestSecretsStayHidden looks for them in all outputs, in any form.
func TestSecretsStayHidden(t *testing.T) {
	plain := secretBatch(t)
	batch, err := decode.ParseBatch(plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	var records []decode.Record
	recs := decode.NewRecords(0)
	for recs.Reset(&batch); recs.Next(); {
		records = append(records, recs.Record)
	}
	batch.Attributes = int16(compress.LZ4)
	packed, err := decode.AppendBatch(nil, &batch, records)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(plain)
	damaged[decode.BatchHeaderSize] = 0xff
	magic := bytes.Clone(plain)
	magic[16] = 0xff
	files := map[string][]byte{"plain": plain, "compressed": packed, "damaged": damaged, "magic": magic}
	// Wrong checksums: the null key has become one that takes the value in, the
	// value has become a header, and the record's type is another.
	value, size := bytes.Index(plain, records[0].Value), len(records[0].Value)
	change := func(name string, at map[int]int) {
		changed := bytes.Clone(plain)
		for i, b := range at {
			changed[value+i] = byte(b)
		}
		files[name] = changed
	}
	change("key", map[int]int{-2: 2 * size})
	change("header", map[int]int{-1: 0, 0: 2, 1: 2 * 40, 42: 2 * (size - 42)})
	change("type", map[int]int{1: 2})
	for name, data := range files {
		for _, show := range []bool{false, true} {
			text, _ := newPrinter(DecodeClasses, "string", "string", true)
			if !show {
				text = newMaskingPrinter(text, true)
			}
			outputs := map[string]formatter{
				"text":  &textFormatter{printer: text, skipMetadata: true}, // which names the keys of headers
				"json":  newJSONFormatter(jsonOptions{decoder: DecodeMetadata, showSecrets: show}),
				"hex":   newHexFormatter(hexOptions{decoder: DecodeMetadata, showSecrets: show}),
				"table": newTableFormatter(&tableState{content: 1000}, DecodeMetadata, show),
			}
			for output, f := range outputs {
				out := string(format(f, data))
				found := secretIn(out, output == "hex")
				if found != (show && (output == "hex" || name != "damaged" && name != "magic")) {
					t.Errorf("%s, %s, show %t: found %t\n%s", name, output, show, found, out)
				}
			}
		}
	}
}

// TestSecretsInCopies: secrets stay hidden where nothing tells that the records
// are those of the metadata log, and other values are shown.
func TestSecretsInCopies(t *testing.T) {
	batch, err := decode.ParseBatch(secretBatch(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	const whole = 4 // the others look like nothing without the file's name
	records := []decode.Record{{Offset: whole, Value: []byte{1, 4, 0, 'o', 'p', 'e', 'n'}}}
	recs := decode.NewRecords(0)
	for recs.Reset(&batch); recs.Next() && len(records) <= whole; {
		records = append(records, recs.Record)
	}
	for _, codec := range []compress.Codec{compress.None, compress.LZ4} {
		batch.Attributes = int16(codec)
		data, err := decode.AppendBatch(nil, &batch, records)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []Decoder{DecodeNothing, DecodeClasses, DecodeOffsets, DecodeTransactions, DecodeShareGroupState, DecodeRemoteLog} {
			text, err := newPrinter(d, "bytes", "string", true)
			if err != nil {
				t.Fatal(err)
			}
			for output, f := range map[string]formatter{
				"json":  newJSONFormatter(jsonOptions{decoder: d}),
				"hex":   newHexFormatter(hexOptions{decoder: d}),
				"table": newTableFormatter(&tableState{content: 1000}, d, false),
				"text":  &textFormatter{printer: newMaskingPrinter(text, false)},
			} {
				out := string(format(f, data))
				if secretIn(out, output == "hex") {
					t.Errorf("%s, decoder %d, %s:\n%s", codec, d, output, out)
				}
				if d == DecodeClasses && !strings.Contains(out, "open") {
					t.Errorf("%s, %s: a value that is no record is hidden:\n%s", codec, output, out)
				}
			}
		}
	}
	if p := newMaskingPrinter(nil, true); p != nil {
		t.Error("a printer of nothing")
	}
}

// TestSecretsHiddenInControlRecords: damage can make a batch one of control records.
func TestSecretsHiddenInControlRecords(t *testing.T) {
	data := secretBatch(t)
	data[22] |= 0x20
	for output, f := range map[string]formatter{
		"json":  newJSONFormatter(jsonOptions{decoder: DecodeMetadata}),
		"hex":   newHexFormatter(hexOptions{decoder: DecodeMetadata}),
		"table": newTableFormatter(&tableState{content: 1000}, DecodeMetadata, false),
	} {
		if out := string(format(f, data)); secretIn(out, output == "hex") {
			t.Errorf("%s:\n%s", output, out)
		}
	}
}

func secretIn(out string, hexRows bool) bool {
	// Rows of hex break anywhere.
	rows := strings.Builder{}
	if hexRows {
		for _, row := range hexRowsOf([]byte(out)) {
			rows.WriteString(row.bytes)
		}
	}
	for _, quoted := range base64Pattern.FindAllStringSubmatch(out, -1) {
		if b, err := base64.StdEncoding.DecodeString(quoted[1]); err == nil && bytes.Contains(b, []byte("secret")) {
			return true
		}
	}
	return strings.Contains(out, "secret") || strings.Contains(rows.String(), hex.EncodeToString([]byte("secret")))
}

var base64Pattern = regexp.MustCompile(`"([A-Za-z0-9+/=]{8,})"`)
