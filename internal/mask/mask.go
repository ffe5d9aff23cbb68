// Package mask hides the secrets of metadata records from what prints or keeps
// them.
//
//	frame, err := decoder.Decode(record.Value)
//	hidden := mask.Frame(&frame) || mask.Unreadable(&frame, err)
package mask

import (
	"errors"

	"kraftctl/decode"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/sensitive"
)

// Frame hides the secrets of a record of __cluster_metadata, which
// has just been decoded, from everything that prints the frame's message: salt
// and keys of SCRAM credentials, and the values of configs but those that are
// known to be harmless. It reports whether there were any; the record's value must then not
// be shown as bytes either.
//
// Delegation token records need none of this: they hold the token's id and
// owners, which authenticate nobody. The HMAC that does is computed from the
// id with a key that is never in the log.
func Frame(f *decode.Frame) bool {
	switch m := f.Message.(type) {
	case *metadata.UserScramCredentialRecord:
		// The decoder's own message stays as it is: bytes are printed in
		// base64, so no value of the fields would give the mask.
		f.Message = scram{m}
		return true
	case *metadata.ConfigRecord:
		if m.Value == nil || !sensitive.Config(m.Name) {
			return false
		}
		*m.Value = sensitive.Mask // the decoder's own variable, set anew with each record
		return true
	}
	return false
}

// Message is Frame for a message that must stay as it is.
func Message(m kbin.Message) (masked kbin.Message, hidden bool) {
	f := decode.Frame{Message: m}
	if c, ok := m.(*metadata.ConfigRecord); ok && c.Value != nil {
		value := *c.Value
		f.Message = &metadata.ConfigRecord{ResourceType: c.ResourceType, ResourceName: c.ResourceName, Name: c.Name, Value: &value}
	}
	hidden = Frame(&f)
	return f.Message, hidden
}

// Unreadable reports whether a value of __cluster_metadata that could
// not be decoded, with this frame and error, may hold a secret: it is of a kind
// that can, or of a kind that cannot be told.
func Unreadable(f *decode.Frame, err error) bool {
	var e *decode.FrameError
	if !errors.As(err, &e) {
		return false
	}
	switch e.Problem {
	case decode.FrameNoVersion, decode.FrameVersionTooBig, decode.FramePreview,
		decode.FrameUnknownVersion, decode.FrameNoType, decode.FrameTypeTooBig:
		return true
	case decode.FrameGarbage:
		// The message could be read, but a changed length may have moved a part
		// of the secret behind it.
	}
	return f.APIKey == metadata.KeyUserScramCredentialRecord || f.APIKey == metadata.KeyConfigRecord
}

// scram is a SCRAM credential that prints its secrets masked.
type scram struct {
	*metadata.UserScramCredentialRecord
}

// AppendJSON implements [kbin.Message].
func (m scram) AppendJSON(dst []byte, _ int16) []byte {
	dst = append(dst, `{"name":`...)
	dst = jsonw.AppendString(dst, m.Name)
	dst = append(dst, `,"mechanism":`...)
	dst = jsonw.AppendInt(dst, int64(m.Mechanism))
	dst = append(dst, `,"salt":"`+sensitive.Mask+`","storedKey":"`+sensitive.Mask+`","serverKey":"`+sensitive.Mask+`","iterations":`...)
	dst = jsonw.AppendInt(dst, int64(m.Iterations))
	return append(dst, '}')
}
