//go:build conformance

package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/decode/compress"
)

// batch wraps records in a batch of format 2, compressed by our encoder.
func batch(e *compress.Encoder, codec compress.Codec, level int, values []string) ([]byte, error) {
	var records []byte
	for i, v := range values {
		var r []byte
		r = append(r, 0)
		r = binary.AppendVarint(r, 0)
		r = binary.AppendVarint(r, int64(i))
		r = binary.AppendVarint(r, -1)
		r = binary.AppendVarint(r, int64(len(v)))
		r = append(r, v...)
		r = binary.AppendVarint(r, 0)
		records = binary.AppendVarint(records, int64(len(r)))
		records = append(records, r...)
	}
	b := make([]byte, 61)
	b[16] = 2
	b[22] = byte(codec)
	binary.BigEndian.PutUint32(b[23:], uint32(len(values)-1))
	binary.BigEndian.PutUint64(b[43:], ^uint64(0))
	binary.BigEndian.PutUint16(b[51:], ^uint16(0))
	binary.BigEndian.PutUint32(b[53:], ^uint32(0))
	binary.BigEndian.PutUint32(b[57:], uint32(len(values)))
	b, err := e.Compress(b, codec, 2, level, records)
	binary.BigEndian.PutUint32(b[8:], uint32(len(b)-12))
	binary.BigEndian.PutUint32(b[17:], crc32.Checksum(b[21:], crc32.MakeTable(crc32.Castagnoli)))
	return b, err
}

// message wraps messages of format 0 or 1 in one compressed wrapper.
func message(e *compress.Encoder, codec compress.Codec, magic int8, values []string) ([]byte, error) {
	one := func(offset uint64, attributes byte, value []byte) []byte {
		b := binary.BigEndian.AppendUint64(nil, offset)
		b = append(b, 0, 0, 0, 0, 0, 0, 0, 0, byte(magic), attributes)
		if magic == 1 {
			b = binary.BigEndian.AppendUint64(b, 1700000000000)
		}
		b = binary.BigEndian.AppendUint32(b, ^uint32(0))
		b = binary.BigEndian.AppendUint32(b, uint32(len(value)))
		b = append(b, value...)
		binary.BigEndian.PutUint32(b[8:], uint32(len(b)-12))
		binary.BigEndian.PutUint32(b[12:], crc32.ChecksumIEEE(b[16:]))
		return b
	}
	var inner []byte
	for i, v := range values {
		inner = append(inner, one(uint64(i), 0, []byte(v))...)
	}
	z, err := e.Compress(nil, codec, magic, compress.DefaultLevel, inner)
	return one(uint64(len(values)-1), byte(codec), z), err
}

// TestKafkaReadsOurFrames: batches that our encoder has compressed are what
// they were when Kafka prints them.
func TestKafkaReadsOurFrames(t *testing.T) {
	var e compress.Encoder
	want := map[string][]string{}
	var cases, notes []string
	s := newSuite(t, 0, func(dir string) {
		r := rand.New(rand.NewPCG(1, 2))
		add := func(note string, values []string, b []byte, err error) {
			if err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprintf("e%03d", len(cases))
			rel := filepath.Join(id, "00000000000000000000.log")
			if err := os.MkdirAll(filepath.Join(dir, id), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, rel), b, 0o644); err != nil {
				t.Fatal(err)
			}
			want[id] = values
			cases = append(cases, strings.Join([]string{id, "--print-data-log", "--skip-record-metadata", "--files", rel}, "\t"))
			notes = append(notes, id+"\t"+note)
		}
		for _, size := range []int{1, 40, 3000, 70000, 300000} {
			values := []string{strings.Repeat("repeat ", size/7+1)}
			random := make([]byte, size)
			for i := range random {
				random[i] = 'a' + byte(r.IntN(26))
			}
			values = append(values, string(random), fmt.Sprint(r.Perm(size/40+1)))
			for codec := compress.None; codec <= compress.Zstd; codec++ {
				for _, level := range []int{compress.DefaultLevel, 1, 5, 9} {
					b, err := batch(&e, codec, level, values)
					add(fmt.Sprintf("%s level %d, %d bytes", codec, level, size), values, b, err)
				}
				for magic := int8(0); magic < 2 && codec != compress.None && codec != compress.Zstd; magic++ {
					b, err := message(&e, codec, magic, values)
					add(fmt.Sprintf("%s magic %d, %d bytes", codec, magic, size), values, b, err)
				}
			}
		}
		for name, l := range map[string][]string{"cases.tsv": cases, "notes.tsv": notes} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(l, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, c := range s.cases {
		var b bytes.Buffer
		for _, v := range want[c.id] {
			fmt.Fprintf(&b, "| payload: %s\n", v)
		}
		if c.rc != "0" || !bytes.HasSuffix(c.out, b.Bytes()) {
			t.Errorf("%s: %s: status %s, %d bytes, stderr %s", c.id, c.note, c.rc, len(c.out), c.err)
		}
	}
	s.compare(t, buildBinary(t), "kafka-dump-log")
}
