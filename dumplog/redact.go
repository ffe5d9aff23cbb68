package dumplog

import (
	"errors"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/metadata"
)

// masked stands in the output in place of a secret.
const masked = "***"

// redactMetadata hides the secrets of a record of __cluster_metadata, which
// has just been decoded, from everything that prints the frame's message: salt
// and keys of SCRAM credentials, and the values of configs that look like
// secrets. It reports whether there were any; the record's value must then not
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
		if m.Value == nil || !sensitiveConfig(m.Name) {
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

// secretWords are parts of the names of configs whose values are secrets: what
// Kafka defines as passwords, and what plugins use to call theirs.
var secretWords = []string{
	"password", "passwd", "passphrase", "secret", "token", "credential",
	"private.key", "private_key", "private-key", "privatekey", "master.key",
	"api.key", "api_key", "apikey", "access.key", "access_key",
	"jaas.config", // user names and passwords in one line
	"ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates",
}

// harmlessEndings end the names of settings about secrets that are none, such
// as delegation.token.expiry.time.ms and password.encoder.iterations.
var harmlessEndings = []string{".ms", ".seconds", ".iterations", ".key.length", ".algorithm"}

// sensitiveConfig reports whether the value of a config of this name is a secret.
// Names come with a listener's prefix as well, and in any case.
func sensitiveConfig(name string) bool {
	name = strings.ToLower(name)
	for _, end := range harmlessEndings {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	for _, word := range secretWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// maskingPrinter keeps secrets of the metadata log from a printer that shows
// values as they are.
type maskingPrinter struct {
	printer
	decoder *decode.FrameDecoder
}

func (p *maskingPrinter) appendContents(dst []byte, r *decode.Record, sep string) ([]byte, error) {
	f, err := p.decoder.Decode(r.Value)
	if r.Value != nil && (redactMetadata(&f) || unreadableSecret(&f, err)) {
		return append(append(append(dst, sep...), payloadLabel...), masked...), nil
	}
	return p.printer.appendContents(dst, r, sep)
}
