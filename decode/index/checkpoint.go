package index

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// EpochEntry is one line of a leader-epoch-checkpoint: the leader epoch and the
// offset of its first record.
//
//	0          version, always 0
//	2          number of entries
//	1 0        epoch, start offset
//	2 126
//
// Every line ends with a line feed. Both numbers grow from entry to entry.
type EpochEntry struct {
	Epoch       int32
	StartOffset int64
}

// ParseEpochCheckpoint reads a leader-epoch-checkpoint as Kafka does: a file
// without a first or a second line has no entries, the order is not looked at.
// Errors are *CorruptError with the causes *VersionError, ErrMalformedLine or
// ErrCount.
func ParseEpochCheckpoint(data []byte, file string) ([]EpochEntry, error) {
	var list []EpochEntry
	err := parseCheckpoint(data, file, func(line string) bool {
		f := splitSpace(line)
		if len(f) != 2 {
			return false
		}
		epoch, ok1 := parseInt(f[0], 32)
		offset, ok2 := parseInt(f[1], 64)
		list = append(list, EpochEntry{int32(epoch), offset})
		return ok1 && ok2
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// AppendEpochCheckpoint adds the text of a whole file.
func AppendEpochCheckpoint(dst []byte, list []EpochEntry) []byte {
	dst = appendCheckpointHead(dst, len(list))
	for _, e := range list {
		dst = strconv.AppendInt(dst, int64(e.Epoch), 10)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, e.StartOffset, 10)
		dst = append(dst, '\n')
	}
	return dst
}

// VerifyEpochs checks what a sound broker guarantees: epochs and start offsets
// of 0 or more that both grow strictly. The position of its errors is -1.
func VerifyEpochs(list []EpochEntry, file string) error {
	prev := EpochEntry{-1, -1}
	for i, e := range list {
		if e.Epoch <= prev.Epoch {
			return outOfOrder(file, -1, "epoch of entry "+itoa(i), "above", int64(prev.Epoch), int64(e.Epoch))
		}
		if e.StartOffset <= prev.StartOffset {
			return outOfOrder(file, -1, "start offset of entry "+itoa(i), "above", prev.StartOffset, e.StartOffset)
		}
		prev = e
	}
	return nil
}

// PartitionOffset is one line of the checkpoints of a log directory:
// replication-offset-checkpoint (high watermarks), recovery-point-offset-checkpoint
// (all before it was flushed), log-start-offset-checkpoint (only where the log
// does not start with its first segment) and cleaner-offset-checkpoint (all
// before it was compacted).
//
//	0          version, always 0
//	2          number of entries
//	orders 0 42    topic, partition, offset
//	orders 1 0
//
// The order of the lines is that of a hash map. The metadata log is in none of
// these files.
type PartitionOffset struct {
	Topic     string
	Partition int32
	Offset    int64
}

// ParseOffsetCheckpoint reads any of the four files, with the rules and errors
// of ParseEpochCheckpoint.
func ParseOffsetCheckpoint(data []byte, file string) ([]PartitionOffset, error) {
	var list []PartitionOffset
	err := parseCheckpoint(data, file, func(line string) bool {
		f := splitSpace(line)
		if len(f) != 3 {
			return false
		}
		partition, ok1 := parseInt(f[1], 32)
		offset, ok2 := parseInt(f[2], 64)
		list = append(list, PartitionOffset{f[0], int32(partition), offset})
		return ok1 && ok2
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// AppendOffsetCheckpoint adds the text of a whole file, in the order given.
func AppendOffsetCheckpoint(dst []byte, list []PartitionOffset) []byte {
	dst = appendCheckpointHead(dst, len(list))
	for i := range list {
		dst = append(dst, list[i].Topic...)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(list[i].Partition), 10)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, list[i].Offset, 10)
		dst = append(dst, '\n')
	}
	return dst
}

func appendCheckpointHead(dst []byte, count int) []byte {
	dst = append(dst, '0', '\n')
	dst = strconv.AppendInt(dst, int64(count), 10)
	return append(dst, '\n')
}

// parseCheckpoint reads the common frame and gives every entry line to entry,
// which reports whether it is well-formed.
func parseCheckpoint(data []byte, file string, entry func(line string) bool) error {
	lines := lineCutter{rest: data}
	malformed := func(want string) error {
		return &CorruptError{File: file, Pos: lines.start, What: "line " + itoa(lines.number), Want: want,
			Got: quote(lines.line), Err: ErrMalformedLine}
	}
	// Kafka decodes the whole file as UTF-8 and fails on what is not.
	if i := invalidUTF8(data); i >= 0 {
		return &CorruptError{File: file, Pos: int64(i), What: "text", Want: "UTF-8", Err: ErrMalformedLine}
	}
	if !lines.next() {
		return nil
	}
	version, ok := parseInt(lines.line, 32)
	if !ok {
		return malformed("the version")
	}
	if version != 0 {
		return &CorruptError{File: file, What: "version of the checkpoint", Want: "0", Got: itoa(version), Err: &VersionError{version, 0, 0}}
	}
	if !lines.next() {
		return nil
	}
	count, ok := parseInt(lines.line, 32)
	if !ok || count < 0 {
		return malformed("the number of entries")
	}
	countAt, n := lines.start, int64(0)
	for lines.next() {
		if !entry(lines.line) {
			return malformed("an entry")
		}
		n++
	}
	if n != count {
		return &CorruptError{File: file, Pos: countAt, What: "number of entries", Want: itoa(count), Got: itoa(n), Err: ErrCount}
	}
	return nil
}

// invalidUTF8 gives the place of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// lineCutter cuts a text into lines as java.io.BufferedReader does: at LF, CR or
// CRLF, and the text after the last of them is a line unless it is empty.
type lineCutter struct {
	rest   []byte
	pos    int64 // of rest
	line   string
	number int   // of line, from 1
	start  int64 // of line
}

func (c *lineCutter) next() bool {
	if len(c.rest) == 0 {
		return false
	}
	end := bytes.IndexAny(c.rest, "\r\n")
	next := end + 1
	switch {
	case end < 0:
		end, next = len(c.rest), len(c.rest)
	case c.rest[end] == '\r' && next < len(c.rest) && c.rest[next] == '\n':
		next++
	}
	c.line, c.start = string(c.rest[:end]), c.pos
	c.number++
	c.rest, c.pos = c.rest[next:], c.pos+int64(next)
	return true
}

// splitSpace is String.split("\\s+"): white space at the start makes an empty
// first field, white space at the end none.
func splitSpace(line string) []string {
	fields := strings.FieldsFunc(line, isJavaSpace)
	if line != "" && isJavaSpace(rune(line[0])) {
		fields = append([]string{""}, fields...)
	}
	return fields
}

// isJavaSpace is \s of a Java regular expression.
func isJavaSpace(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }

// parseInt is Integer.parseInt (32 bits) or Long.parseLong (64), for ASCII digits.
func parseInt(s string, bits int) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil
}
