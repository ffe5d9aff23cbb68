package dumplog

import (
	"bytes"
	"errors"

	"kraftctl/decode"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/metadata"
	"kraftctl/internal/sensitive"
)

// masked stands in the output in place of a secret.
const masked = sensitive.Mask

// redactMetadata hides the secrets of a record of __cluster_metadata, which
// has just been decoded, from everything that prints the frame's message: salt
// and keys of SCRAM credentials, and the values of configs but those that are
// known to be harmless. It reports whether there were any; the record's value must then not
// be shown as bytes either.
//
//	frame, err := decoder.Decode(record.Value)
//	hidden := redactMetadata(&frame) || unreadableSecret(&frame, err)
//
// Delegation token records need none of this: they hold the token's id and
// owners, which authenticate nobody. The HMAC that does is computed from the
// id with a key that is never in the log.
func redactMetadata(f *decode.Frame) bool {
	switch m := f.Message.(type) {
	case *metadata.UserScramCredentialRecord:
		// The decoder's own message stays as it is: bytes are printed in
		// base64, so no value of the fields would give the mask.
		f.Message = maskedScram{m}
		return true
	case *metadata.ConfigRecord:
		if m.Value == nil || !sensitive.Config(m.Name) {
			return false
		}
		*m.Value = masked // the decoder's own variable, set anew with each record
		return true
	}
	return false
}

// unreadableSecret reports whether a value of __cluster_metadata that could
// not be decoded, with this frame and error, may hold a secret: it is of a kind
// that can, or of a kind that cannot be told.
func unreadableSecret(f *decode.Frame, err error) bool {
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

// maskedScram is a SCRAM credential that prints its secrets masked.
type maskedScram struct {
	*metadata.UserScramCredentialRecord
}

// AppendJSON implements [kbin.Message].
func (m maskedScram) AppendJSON(dst []byte, _ int16) []byte {
	dst = append(dst, `{"name":`...)
	dst = jsonw.AppendString(dst, m.Name)
	dst = append(dst, `,"mechanism":`...)
	dst = jsonw.AppendInt(dst, int64(m.Mechanism))
	dst = append(dst, `,"salt":"`+masked+`","storedKey":"`+masked+`","serverKey":"`+masked+`","iterations":`...)
	dst = jsonw.AppendInt(dst, int64(m.Iterations))
	return append(dst, '}')
}

// secretFinder tells which values must not be shown. A nil one hides nothing.
type secretFinder struct {
	decoder *decode.FrameDecoder
	// metadata says that the values are those of the metadata log, where those
	// that cannot be read may be secrets as well. Elsewhere they may be copies of
	// it whose name does not tell: only records that are whole are found there.
	metadata bool
	// damaged says that the batch at hand is of the metadata log and has a wrong
	// checksum: any of its bytes may have been moved into any field.
	damaged bool
}

// newSecretFinder makes one for one worker, nil if secrets are to be shown.
func newSecretFinder(metadataLog, showSecrets bool) *secretFinder {
	if showSecrets {
		return nil
	}
	return &secretFinder{decoder: decode.NewMetadataDecoder(), metadata: metadataLog}
}

// start tells of the batch that comes next.
func (s *secretFinder) start(valid bool) {
	if s != nil {
		s.damaged = s.metadata && !valid
	}
}

// inMetadata reports whether what cannot be parsed must be hidden.
func (s *secretFinder) inMetadata() bool { return s != nil && s.metadata }

// everywhere reports whether keys, headers and what cannot be decoded may hold
// secrets in this batch as well. Sound records of the metadata log have neither
// keys nor headers, so nothing is lost when they are hidden.
func (s *secretFinder) everywhere() bool { return s != nil && s.damaged }

// hides reports whether a record's value must be hidden.
func (s *secretFinder) hides(value []byte) bool {
	if s == nil || len(value) == 0 || !s.metadata && !startsLikeSecret(value) {
		return false
	}
	f, err := s.decoder.Decode(value)
	return s.hidesFrame(&f, err)
}

// hidesFrame is hides for a value that has been decoded; it hides the secrets
// of the frame's message as well.
func (s *secretFinder) hidesFrame(f *decode.Frame, err error) bool {
	switch {
	case s == nil:
		return false
	case !s.metadata:
		return err == nil && redactMetadata(f)
	}
	return redactMetadata(f) || unreadableSecret(f, err) || s.damaged && err != nil
}

// secretStarts are the first bytes of the records that can hold secrets. To look
// for them first costs other topics next to nothing.
var secretStarts = [...][]byte{
	{decode.FrameVersion, byte(metadata.KeyUserScramCredentialRecord)},
	{decode.FrameVersion, byte(metadata.KeyConfigRecord)},
}

func startsLikeSecret(value []byte) bool {
	return bytes.HasPrefix(value, secretStarts[0]) || bytes.HasPrefix(value, secretStarts[1])
}

func containsLikeSecret(data []byte) bool {
	return bytes.Contains(data, secretStarts[0]) || bytes.Contains(data, secretStarts[1])
}

// maskingPrinter keeps secrets from a printer that shows values as they are.
type maskingPrinter struct {
	printer
	secrets *secretFinder
}

// newMaskingPrinter makes a printer that hides secrets, of one that prints
// keys and values in any way. metadataLog says that they are those of the
// metadata log.
func newMaskingPrinter(p printer, metadataLog bool) printer {
	if m, ok := p.(*metadataPrinter); ok {
		m.redact = true
		return m
	}
	if p == nil {
		return nil
	}
	secrets := newSecretFinder(metadataLog, false)
	secrets.start(false) // nobody tells a printer of checksums
	return &maskingPrinter{p, secrets}
}

func (p *maskingPrinter) appendContents(dst []byte, r *decode.Record, sep string) ([]byte, error) {
	hidden := p.secrets.hides(r.Value)
	if r.Key != nil && p.secrets.everywhere() {
		dst = append(append(append(dst, sep...), keyLabel...), masked...)
		sep, hidden = " ", true
	}
	if hidden {
		return append(append(append(dst, sep...), payloadLabel...), masked...), nil
	}
	return p.printer.appendContents(dst, r, sep)
}
