package dumplog

import (
	"bytes"

	"kraftctl/decode"
	"kraftctl/decode/metadata"
	"kraftctl/internal/mask"
	"kraftctl/internal/sensitive"
)

// masked stands in the output in place of a secret.
const masked = sensitive.Mask

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
		return err == nil && mask.Frame(f)
	}
	return mask.Frame(f) || mask.Unreadable(f, err) || s.damaged && err != nil
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
