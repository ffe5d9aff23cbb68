package decode

import (
	"errors"
	"math"
	"strconv"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/remotelog"
)

// FrameVersion is the only version of the metadata record frame.
const FrameVersion = 1

// Frame is the value of a record in __cluster_metadata or __remote_log_metadata:
// a frame version, the message's api key, its schema version and the message.
//
//	+---------+---------+----------------+------------------+
//	| uvarint | uvarint | uvarint        | message          |
//	| frame 1 | api key | schema version | always flexible  |
//	+---------+---------+----------------+------------------+
type Frame struct {
	APIKey  int16
	Version int16
	// Message is nil when the frame could not be read that far. It is reused
	// by the decoder for the next record of its kind.
	Message kbin.Message
}

// FrameProblem says what is wrong with a frame.
type FrameProblem uint8

// The problems, in the order in which they are met.
const (
	FrameNoVersion      FrameProblem = iota + 1 // the frame version cannot be read
	FrameVersionTooBig                          // frame version above 32767
	FramePreview                                // frame version 0: the preview of Kafka 2.8
	FrameUnknownVersion                         // a frame version other than 1
	FrameNoType                                 // the api key cannot be read
	FrameTypeTooBig                             // api key above 32767
	FrameNoSchema                               // the schema version cannot be read
	FrameSchemaTooBig                           // schema version above 32767
	FrameUnknownType                            // nobody knows this api key
	FrameBadMessage                             // the message cannot be read
	FrameGarbage                                // bytes are left after the message
)

// FrameError is a frame that cannot be read.
type FrameError struct {
	Problem FrameProblem
	Value   int64 // the version or api key in question, or the number of bytes left
	APIKey  int16
	Version int16
	Err     error // what kept the message from being read
}

// Error describes the problem.
func (e *FrameError) Error() string {
	n := strconv.FormatInt(e.Value, 10)
	switch e.Problem {
	case FrameNoVersion:
		return "record frame: no frame version"
	case FrameVersionTooBig:
		return "record frame: frame version too large"
	case FramePreview:
		return "record frame: frame version 0 (the 2.8 preview) is not supported"
	case FrameUnknownVersion:
		return "record frame: unknown frame version " + n
	case FrameNoType:
		return "record frame: no record type"
	case FrameTypeTooBig:
		return "record frame: record type too large"
	case FrameNoSchema:
		return "record frame: no record version"
	case FrameSchemaTooBig:
		return "record frame: record version too large"
	case FrameUnknownType:
		return "record frame: unknown record type " + n
	case FrameBadMessage:
		return "record of type " + strconv.Itoa(int(e.APIKey)) + " version " + strconv.Itoa(int(e.Version)) + ": " + e.Err.Error()
	}
	return "record of type " + strconv.Itoa(int(e.APIKey)) + ": " + n + " bytes left after the record"
}

// Unknown reports whether a later release may have written the frame.
func (e *FrameError) Unknown() bool {
	return e.Problem == FrameUnknownType || e.Problem == FrameUnknownVersion
}

// Unwrap gives what kept the message from being read.
func (e *FrameError) Unwrap() error { return e.Err }

// FrameDecoder decodes framed records. It keeps one message per type and reads
// into it again and again, so nothing of a Frame may be kept across calls; the
// message's strings and bytes point into the value. It is not safe for
// concurrent use.
type FrameDecoder struct {
	newMessage func(apiKey int16) kbin.Message
	messages   []kbin.Message // by api key
	r          kbin.Reader
}

// NewMetadataDecoder decodes the records of __cluster_metadata and of snapshots.
func NewMetadataDecoder() *FrameDecoder {
	return &FrameDecoder{newMessage: metadata.New, r: kbin.Reader{Alias: true, AnyVersion: true}}
}

// NewRemoteLogDecoder decodes the records of __remote_log_metadata (KIP-405).
func NewRemoteLogDecoder() *FrameDecoder {
	return &FrameDecoder{newMessage: remotelog.New, r: kbin.Reader{Alias: true, AnyVersion: true}}
}

// Decode reads a record's value. On error the frame holds what was read before;
// the error is a *FrameError.
func (d *FrameDecoder) Decode(value []byte) (Frame, error) { return d.DecodeInto(value, d.message) }

// DecodeInto is Decode with the message that is read into coming from the caller, by
// the api key; it gives nil for one that it does not know. So the frames of several
// records can be kept.
func (d *FrameDecoder) DecodeInto(value []byte, message func(apiKey int16) kbin.Message) (Frame, error) {
	d.r.Reset(value)
	var f Frame
	version, err := d.short(FrameNoVersion)
	if err != nil {
		return f, err
	}
	switch version {
	case FrameVersion:
	case 0:
		return f, &FrameError{Problem: FramePreview}
	default:
		return f, &FrameError{Problem: FrameUnknownVersion, Value: int64(version)}
	}
	if f.APIKey, err = d.short(FrameNoType); err != nil {
		return f, err
	}
	if f.Version, err = d.short(FrameNoSchema); err != nil {
		return f, err
	}
	m := message(f.APIKey)
	if m == nil {
		return f, &FrameError{Problem: FrameUnknownType, Value: int64(f.APIKey), APIKey: f.APIKey, Version: f.Version}
	}
	if err := m.Read(&d.r, f.Version); err != nil {
		return f, &FrameError{Problem: FrameBadMessage, APIKey: f.APIKey, Version: f.Version, Err: err}
	}
	f.Message = m
	if left := d.r.Remaining(); left > 0 {
		return f, &FrameError{Problem: FrameGarbage, Value: int64(left), APIKey: f.APIKey, Version: f.Version}
	}
	return f, nil
}

// short reads one of the three numbers; the problem for too large follows the
// one for not there.
func (d *FrameDecoder) short(missing FrameProblem) (int16, error) {
	v := int32(d.r.Uvarint())
	if err := d.r.Err(); err != nil {
		return 0, &FrameError{Problem: missing, Err: err}
	}
	if v > math.MaxInt16 {
		return 0, &FrameError{Problem: missing + 1, Value: int64(v)}
	}
	return int16(v), nil
}

func (d *FrameDecoder) message(apiKey int16) kbin.Message {
	if apiKey < 0 {
		return nil
	}
	for int(apiKey) >= len(d.messages) && len(d.messages) < 256 {
		d.messages = append(d.messages, nil)
	}
	if int(apiKey) >= len(d.messages) {
		return d.newMessage(apiKey)
	}
	if d.messages[apiKey] == nil {
		d.messages[apiKey] = d.newMessage(apiKey)
	}
	return d.messages[apiKey]
}

// AppendFrame encodes a message as the value of a metadata record.
func AppendFrame(dst []byte, apiKey, version int16, m kbin.Message) ([]byte, error) {
	if apiKey < 0 || version < 0 {
		return dst, errors.New("record frame: negative type or version")
	}
	start := len(dst)
	dst = kbin.AppendUvarint(dst, FrameVersion)
	dst = kbin.AppendUvarint(dst, uint32(apiKey))
	dst = kbin.AppendUvarint(dst, uint32(version))
	dst, err := m.Append(dst, version)
	if err != nil {
		return dst[:start], err
	}
	return dst, nil
}
