package golden

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Masker hides what differs from run to run in the files that formatting makes:
// ids of directories, dates, the times of batches with their checksums, and
// salts that were drawn, with the keys that follow from them. A checksum that is
// wrong shows.
type Masker struct {
	texts [][]byte // ids of directories as text
	raw   [][]byte // and as bytes
	salts [][]byte // that were asked for
}

var directoryID = regexp.MustCompile(`(?m)^directory\.id=([A-Za-z0-9_-]{22})$`)

// NewMasker looks for the ids of directories in the meta.properties among files.
// Ids that are part of known were asked for, and stay.
func NewMasker(files map[string][]byte, known []string) *Masker {
	m := &Masker{salts: saltsOf(known)}
	all := strings.Join(known, " ")
	for name, b := range files {
		if path.Base(name) != "meta.properties" {
			continue
		}
		match := directoryID.FindSubmatch(b)
		if match == nil || strings.Contains(all, string(match[1])) {
			continue
		}
		if raw, err := base64.RawURLEncoding.DecodeString(string(match[1])); err == nil && len(raw) == 16 {
			m.texts, m.raw = append(m.texts, match[1]), append(m.raw, raw)
		}
	}
	return m
}

// Mask gives a file without what is random in it.
func (m *Masker) Mask(name string, b []byte) []byte {
	switch path.Ext(name) {
	case ".properties":
		var kept []byte
		for line := range bytes.Lines(b) {
			if !bytes.HasPrefix(line, []byte("#")) {
				kept = append(kept, line...)
			}
		}
		for _, id := range m.texts {
			kept = bytes.ReplaceAll(kept, id, []byte("<UUID>"))
		}
		return kept
	case ".checkpoint", ".log":
		out := m.maskBatches(b)
		for _, id := range m.raw {
			out = bytes.ReplaceAll(out, id, bytes.Repeat([]byte{'U'}, len(id)))
		}
		return out
	}
	return b
}

// Positions in a batch of magic 2, for a reader that shares nothing with ours.
const (
	batchLength, batchMagic, batchCRC, batchAttributes = 8, 16, 17, 21
	batchTimes, batchCount, batchRecords               = 27, 57, 61
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var saltArgument = regexp.MustCompile(`salt="?([A-Za-z0-9+/=]*)`)

// saltsOf gives the salts that stand in arguments.
func saltsOf(args []string) (salts [][]byte) {
	for _, m := range saltArgument.FindAllStringSubmatch(strings.Join(args, " "), -1) {
		if salt, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(m[1], "=")); err == nil {
			salts = append(salts, salt)
		}
	}
	return salts
}

// maskBatches hides times and drawn salts, batch by batch up to one that is not whole.
func (m *Masker) maskBatches(in []byte) []byte {
	b := slices.Clone(in)
	type span struct {
		from, to int
		text     []byte
	}
	var credentials []span
	be := binary.BigEndian
	for at := 0; at+batchRecords <= len(b) && b[at+batchMagic] == 2; {
		end := at + 12 + int(int32(be.Uint32(b[at+batchLength:])))
		if end > len(b) || end < at+batchRecords {
			break
		}
		sum := uint32(0)
		if crc32.Checksum(b[at+batchAttributes:end], castagnoli) != be.Uint32(b[at+batchCRC:]) {
			sum = 0xbad
		}
		be.PutUint32(b[at+batchCRC:], sum)
		clear(b[at+batchTimes : at+batchTimes+16])
		control := b[at+batchAttributes+1]&0x20 != 0
		p := at + batchRecords
		for range be.Uint32(b[at+batchCount:]) {
			from := p
			size := varint(b, &p)
			to := p + size
			if size < 0 || to > end {
				break
			}
			p++ // attributes
			varint(b, &p)
			varint(b, &p)
			key := p
			if n := varint(b, &p); n > 0 {
				key = p
				p += n
			}
			n := varint(b, &p)
			switch {
			case control && b[key+3] == 3 && n >= 10: // SnapshotHeader: a time, or 0
				if be.Uint64(b[p+2:]) != 0 {
					be.PutUint64(b[p+2:], 1)
				}
			case !control && n > 3 && b[p] == 1 && b[p+1] == 11: // UserScramCredentialRecord
				if text, drawn := m.credential(b[p+3 : p+n]); drawn {
					credentials = append(credentials, span{from, to, text})
					clear(b[at+batchLength : at+batchLength+4])
				}
			}
			p = to
		}
		at = end
	}
	for _, s := range slices.Backward(credentials) {
		b = slices.Concat(b[:s.from], s.text, b[s.to:])
	}
	return b
}

// credential gives a UserScramCredentialRecord without its salt and what follows
// from it, if its salt was drawn: the lengths of the keys, and all else.
func (m *Masker) credential(record []byte) (text []byte, drawn bool) {
	at := 0
	field := func() []byte { // a compact string or bytes
		n, size := binary.Uvarint(record[min(at, len(record)):])
		from := at + max(size, 1)
		to := from + int(n) - 1
		if n == 0 || to < from || to > len(record) {
			return nil
		}
		at = to
		return record[from:to]
	}
	name := field()
	mechanism := record[min(at, len(record)-1)]
	at++
	salt, stored, server := field(), field(), field()
	if slices.ContainsFunc(m.salts, func(s []byte) bool { return bytes.Equal(s, salt) }) {
		return nil, false
	}
	text = append([]byte("SCRAM "), name...)
	text = append(text, mechanism, byte(len(stored)), byte(len(server)))
	return append(text, record[min(at, len(record)):]...), true
}

// varint reads a zig-zag number and moves on.
func varint(b []byte, at *int) int {
	v, n := binary.Varint(b[*at:])
	*at += max(n, 1)
	return int(v)
}

var credential = regexp.MustCompile(`(salt|storedKey|serverKey)=\[([^\]]*)\]`)

// MaskCredentials hides salts that were not asked for in args, and the keys that
// follow from them, in text; of the keys the length stays.
func MaskCredentials(s string, args []string) string {
	given := saltsOf(args)
	drawn := false
	return credential.ReplaceAllStringFunc(s, func(m string) string {
		name, list, _ := strings.Cut(m, "=")
		if name == "salt" {
			drawn = !slices.ContainsFunc(given, func(salt []byte) bool { return list == javaBytes(salt) })
		}
		switch {
		case !drawn:
			return m
		case name == "salt":
			return "salt=[..]"
		}
		return name + "=[" + strings.Repeat(".", strings.Count(list, ",")+1) + "]"
	})
}

// javaBytes is how Java prints bytes: signed numbers.
func javaBytes(b []byte) string {
	words := make([]string, len(b))
	for i, c := range b {
		words[i] = strconv.Itoa(int(int8(c)))
	}
	return "[" + strings.Join(words, ", ") + "]"
}
