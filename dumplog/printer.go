package dumplog

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"kraftctl/decode"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/mask"
)

// printer prints key and value of a data record behind its metadata. sep comes
// before the first of the two, a blank before the second. An error is one that
// ends Kafka's tool; damage inside a record is printed in its place instead.
type printer interface {
	appendContents(dst []byte, r *decode.Record, sep string) ([]byte, error)
}

const (
	keyLabel     = "key: "
	payloadLabel = "payload: "
)

// metadataPrinter prints records of __cluster_metadata. Their keys are not shown.
type metadataPrinter struct {
	decoder *decode.FrameDecoder
	redact  bool // mask secrets
	head    frameHead
}

func (p *metadataPrinter) appendContents(dst []byte, r *decode.Record, sep string) ([]byte, error) {
	dst = append(dst, sep...)
	dst = append(dst, payloadLabel...)
	f, err := p.decoder.Decode(r.Value)
	if err != nil || r.Damage != nil {
		dst = append(dst, "Error at "...)
		dst = jsonw.AppendInt(dst, r.Offset)
		dst = append(dst, ", skipping. "...)
		if r.Damage != nil {
			return append(dst, asException(r.Damage).Message...), nil
		}
		return appendFrameError(dst, err), nil
	}
	if p.redact {
		mask.Frame(&f)
	}
	return appendMetadataJSON(dst, &f, &p.head), nil
}

// frameHead keeps what comes before the data of a record: most records are of
// the type of the one before.
type frameHead struct {
	apiKey, version int16
	text            []byte
}

func appendMetadataJSON(dst []byte, f *decode.Frame, h *frameHead) []byte {
	if len(h.text) == 0 || h.apiKey != f.APIKey || h.version != f.Version {
		h.apiKey, h.version = f.APIKey, f.Version
		h.text = append(append(h.text[:0], `{"type":"`...), metadata.TypeName(f.APIKey)...)
		h.text = appendLabeled(h.text, `","version":`, int64(f.Version))
		h.text = append(h.text, `,"data":`...)
	}
	dst = f.Message.AppendJSON(append(dst, h.text...), f.Version)
	return append(dst, '}')
}

// appendFrameError prints what is wrong with a frame in Kafka's words.
func appendFrameError(dst []byte, err error) []byte {
	var e *decode.FrameError
	if !errors.As(err, &e) {
		return append(dst, err.Error()...)
	}
	number := func(before string, v int64, after string) []byte {
		dst = append(dst, before...)
		dst = jsonw.AppendInt(dst, v)
		return append(dst, after...)
	}
	switch e.Problem {
	case decode.FrameNoVersion:
		return append(dst, "Error while reading frame version"...)
	case decode.FrameVersionTooBig:
		return append(dst, "Value for frame version was too large."...)
	case decode.FramePreview:
		return append(dst, "Could not deserialize metadata record with frame version 0. Note that upgrades from the preview release of KRaft in 2.8 to newer versions are not supported."...)
	case decode.FrameUnknownVersion:
		return number("Could not deserialize metadata record due to unknown frame version ", e.Value, "(only frame version 1 is supported)")
	case decode.FrameNoType:
		return append(dst, "Error while reading type"...)
	case decode.FrameTypeTooBig:
		return append(dst, "Value for type was too large."...)
	case decode.FrameNoSchema:
		return append(dst, "Error while reading version"...)
	case decode.FrameSchemaTooBig:
		return append(dst, "Value for version was too large."...)
	case decode.FrameUnknownType:
		return number("org.apache.kafka.common.errors.UnsupportedVersionException: Unknown metadata id ", e.Value, "")
	case decode.FrameBadMessage:
		return number("Failed to deserialize record with type ", int64(e.APIKey), "")
	}
	dst = number("Found ", e.Value, " byte(s) of garbage after ")
	return jsonw.AppendInt(dst, int64(e.APIKey))
}

// coordinatorPrinter prints records of the coordinators' topics.
type coordinatorPrinter struct {
	decoder *decode.CoordinatorDecoder
	// value prints a value's message where its plain JSON is not what Kafka shows.
	value func(dst []byte, m kbin.Message, version int16) []byte
}

func (p *coordinatorPrinter) appendContents(dst []byte, r *decode.Record, sep string) ([]byte, error) {
	c, err := p.decoder.Decode(r)
	if r.Damage != nil && r.Key != nil {
		err = r.Damage // found before the key is looked at
	}
	if err != nil {
		return appendCoordinatorError(dst, r, sep, err)
	}
	dst = append(dst, sep...)
	dst = append(dst, keyLabel...)
	dst = append(dst, `{"type":"`...)
	dst = jsonw.AppendInt(dst, int64(c.Type))
	dst = append(dst, `","data":`...)
	dst = c.Key.AppendJSON(dst, 0)
	dst = append(dst, '}', ' ')
	dst = append(dst, payloadLabel...)
	if c.Value == nil {
		return append(dst, "<DELETE>"...), nil
	}
	dst = append(dst, `{"version":"`...)
	dst = jsonw.AppendInt(dst, int64(c.ValueVersion))
	dst = append(dst, `","data":`...)
	dst = p.value(dst, c.Value, c.ValueVersion)
	return append(dst, '}'), nil
}

// appendCoordinatorError prints what is wrong in place of the key. A record
// without key ends Kafka's tool.
func appendCoordinatorError(dst []byte, r *decode.Record, sep string, err error) ([]byte, error) {
	var e *decode.CoordinatorError
	if !errors.As(err, &e) {
		dst = append(dst, sep...)
		dst = append(dst, keyLabel...)
		dst = append(dst, "Error at offset "...)
		dst = jsonw.AppendInt(dst, r.Offset)
		dst = append(dst, ", skipping. "...)
		return append(dst, asException(err).Message...), nil
	}
	if e.Problem == decode.CoordinatorNoKey {
		return dst, exceptionf(classRuntime, "Failed to decode message at offset %d using the specified decoder (message had a missing key)", r.Offset)
	}
	dst = append(dst, sep...)
	dst = append(dst, keyLabel...)
	if e.Problem == decode.CoordinatorUnknownType {
		dst = append(dst, "Unknown record type "...)
		dst = jsonw.AppendInt(dst, int64(e.Type))
		dst = append(dst, " at offset "...)
		dst = jsonw.AppendInt(dst, r.Offset)
		return append(dst, ", skipping."...), nil
	}
	dst = append(dst, "Error at offset "...)
	dst = jsonw.AppendInt(dst, r.Offset)
	dst = append(dst, ", skipping. "...)
	switch e.Problem {
	case decode.CoordinatorKeyShort:
		return append(dst, "Could not read version from key's buffer."...), nil
	case decode.CoordinatorValueShort:
		return append(dst, "Could not read version from value's buffer."...), nil
	case decode.CoordinatorUnknownVersion:
		dst = append(dst, "Found an unknown record version "...)
		dst = jsonw.AppendInt(dst, int64(e.Version))
		dst = append(dst, " for "...)
		dst = jsonw.AppendInt(dst, int64(e.Type))
		return append(dst, " type"...), nil
	}
	version, part := e.Version, "value"
	if e.Problem == decode.CoordinatorBadKey {
		version, part = e.Type, "key"
	}
	dst = append(dst, "Could not read record with version "...)
	dst = jsonw.AppendInt(dst, int64(version))
	dst = append(dst, " from "...)
	dst = append(dst, part...)
	dst = append(dst, "'s buffer due to: "...)
	var cause *kbin.Error
	if errors.As(e.Err, &cause) {
		dst = append(dst, cause.Kafka()...)
	}
	return append(dst, '.'), nil
}

// fieldFunc prints one key or value.
type fieldFunc func(dst, field []byte) ([]byte, error)

// classPrinter prints keys and values by Kafka's decoder classes.
type classPrinter struct{ key, value fieldFunc }

func (p *classPrinter) appendContents(dst []byte, r *decode.Record, sep string) ([]byte, error) {
	// Both are decoded before either is printed: a bad value leaves no key.
	start := len(dst)
	var err error
	if r.Key != nil {
		dst = append(dst, sep...)
		dst = append(dst, keyLabel...)
		if dst, err = p.key(dst, r.Key); err != nil {
			return dst[:start], err
		}
		sep = " "
	}
	if r.Damage != nil {
		return dst[:start], r.Damage
	}
	if r.Value != nil {
		dst = append(dst, sep...)
		dst = append(dst, payloadLabel...)
		if dst, err = p.value(dst, r.Value); err != nil {
			return dst[:start], err
		}
	}
	return dst, nil
}

// decoderPackage is where Kafka's own decoders live.
const decoderPackage = "org.apache.kafka.tools.api."

// classDecoder finds the function for a decoder class of Kafka 4.4.0. ext
// allows the short names and the types that class files do not have.
func classDecoder(name string, ext bool) (fieldFunc, error) {
	if ext {
		switch name {
		case "string", "integer", "long":
			name = decoderPackage + string(name[0]-'a'+'A') + name[1:] + "Decoder"
		case "bytes":
			name = decoderPackage + "DefaultDecoder"
		case "double", decoderPackage + "DoubleDecoder":
			return appendDouble, nil
		}
	}
	switch name {
	case decoderPackage + "StringDecoder":
		return appendText, nil
	case decoderPackage + "IntegerDecoder":
		return appendInteger, nil
	case decoderPackage + "LongDecoder":
		return appendLong, nil
	case decoderPackage + "DefaultDecoder":
		return appendBytes, nil
	}
	return nil, &Exception{Class: classRuntime, Message: "Failed to load decoder class: " + name +
		" (this tool loads no Java classes; it has " + decoderPackage + "StringDecoder, IntegerDecoder, LongDecoder and DefaultDecoder)"}
}

func appendText(dst, field []byte) ([]byte, error) { return jsonw.AppendJavaUTF8(dst, field), nil }

func appendInteger(dst, field []byte) ([]byte, error) {
	if len(field) < 4 {
		return dst, &Exception{Class: classUnderflow, NoMessage: true}
	}
	return strconv.AppendInt(dst, int64(int32(binary.BigEndian.Uint32(field))), 10), nil
}

func appendLong(dst, field []byte) ([]byte, error) {
	if len(field) < 8 {
		return dst, &Exception{Class: classUnderflow, NoMessage: true}
	}
	return strconv.AppendInt(dst, int64(binary.BigEndian.Uint64(field)), 10), nil
}

func appendDouble(dst, field []byte) ([]byte, error) {
	if len(field) < 8 {
		return dst, &Exception{Class: classUnderflow, NoMessage: true}
	}
	return jsonw.AppendJavaDouble(dst, math.Float64frombits(binary.BigEndian.Uint64(field))), nil
}

// appendBytes prints base64. Kafka's tool prints the identity of a Java array
// here, "[B@" and a number that means nothing.
func appendBytes(dst, field []byte) ([]byte, error) {
	return base64.StdEncoding.AppendEncode(dst, field), nil
}
