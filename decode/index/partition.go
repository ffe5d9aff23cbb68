package index

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"kraftctl/decode/kbin"
)

// PartitionMetadata is the file partition.metadata of a partition directory,
// which says to which topic of that name the directory belongs (KIP-516):
//
//	version: 0
//	topic_id: AAAAAAAAAAAAAAAAAAAAAQ
//
// without a line feed at the end. The id above is that of __cluster_metadata.
type PartitionMetadata struct {
	Version int32 // 0
	TopicID kbin.UUID
}

// AppendPartitionMetadata adds the text of a whole file.
func AppendPartitionMetadata(dst []byte, m PartitionMetadata) []byte {
	dst = append(dst, "version: "...)
	dst = strconv.AppendInt(dst, int64(m.Version), 10)
	dst = append(dst, "\ntopic_id: "...)
	dst, _ = m.TopicID.AppendText(dst)
	return dst
}

// ParsePartitionMetadata reads a partition.metadata as Kafka does: any version
// of 0 or more, an id that is not zero; the names before the colons and all
// after the second line are ignored. Errors are *CorruptError around
// ErrMalformedLine or a *VersionError.
func ParsePartitionMetadata(data []byte, file string) (PartitionMetadata, error) {
	var m PartitionMetadata
	lines := lineCutter{rest: data}
	field := func(name string) (string, error) {
		if lines.next() {
			if f := splitColon(lines.line); len(f) == 2 {
				return f[1], nil
			}
		}
		return "", &CorruptError{File: file, Pos: lines.pos - int64(len(lines.line)), What: name, Want: name + ": VALUE",
			Got: quote(lines.line), Err: ErrMalformedLine}
	}
	text, err := field("version")
	if err != nil {
		return m, err
	}
	version, ok := parseInt(text, 32)
	if !ok {
		return m, &CorruptError{File: file, What: "version", Want: "a number", Got: quote(text), Err: ErrMalformedLine}
	}
	if version < 0 {
		return m, &CorruptError{File: file, What: "version of the partition metadata", Want: "0", Got: itoa(version), Err: &VersionError{version, 0, 0}}
	}
	m.Version = int32(version)
	if text, err = field("topic_id"); err != nil {
		return m, err
	}
	if m.TopicID, err = kbin.ParseUUID(text); err == nil && m.TopicID.IsZero() {
		err = errors.New("the zero id belongs to no topic")
	}
	if err != nil {
		return m, &CorruptError{File: file, Pos: lines.start, What: "topic_id", Got: quote(text), Err: errors.Join(ErrMalformedLine, err)}
	}
	return m, nil
}

// splitColon is String.split(":\\s+").
func splitColon(line string) []string {
	var fields []string
	start := 0
	for i := 0; i < len(line); i++ {
		if line[i] != ':' {
			continue
		}
		end := i + 1
		for end < len(line) && isJavaSpace(rune(line[end])) {
			end++
		}
		if end > i+1 {
			fields = append(fields, line[start:i])
			start, i = end, end-1
		}
	}
	fields = append(fields, line[start:])
	for len(fields) > 0 && fields[len(fields)-1] == "" {
		fields = fields[:len(fields)-1]
	}
	return fields
}

// CleanShutdown is the file .kafka_cleanshutdown that a broker leaves in each of
// its log directories when it stops in good order (KIP-966):
//
//	{"version":0,"brokerEpoch":17}
//
// The next start takes the epoch from it, to prove to the controller that nothing
// was lost, and removes it. Its absence makes the broker recover its logs.
type CleanShutdown struct {
	Version     int32
	BrokerEpoch int64
}

// AppendCleanShutdown adds the text of a whole file.
func AppendCleanShutdown(dst []byte, c CleanShutdown) []byte {
	dst = append(dst, `{"version":`...)
	dst = strconv.AppendInt(dst, int64(c.Version), 10)
	dst = append(dst, `,"brokerEpoch":`...)
	dst = strconv.AppendInt(dst, c.BrokerEpoch, 10)
	return append(dst, '}')
}

// ParseCleanShutdown reads a .kafka_cleanshutdown. Unknown fields and a missing
// version are fine; without a broker epoch the error is a *CorruptError, and
// Kafka goes on with an unknown epoch (-1). Releases before 3.7 left an empty
// file, which is such an error as well.
func ParseCleanShutdown(data []byte, file string) (CleanShutdown, error) {
	var v struct {
		Version     int32  `json:"version"`
		BrokerEpoch *int64 `json:"brokerEpoch"`
	}
	err := json.Unmarshal(data, &v)
	if err == nil && v.BrokerEpoch == nil {
		err = errors.New("no brokerEpoch")
	}
	if err != nil {
		return CleanShutdown{}, &CorruptError{File: file, Pos: jsonPos(err), What: "clean shutdown file",
			Got: quote(strings.ToValidUTF8(string(data), "\ufffd")), Err: err}
	}
	return CleanShutdown{v.Version, *v.BrokerEpoch}, nil
}

// jsonPos gives the place of an error of encoding/json in its text.
func jsonPos(err error) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &kind):
		return kind.Offset
	}
	return -1
}
