package metadata

import "strconv"

// ScramMechanism is a SCRAM mechanism (RFC 5802, KIP-84) by its number in
// UserScramCredentialRecord and RemoveUserScramCredentialRecord.
type ScramMechanism int8

// The mechanisms that Kafka has.
const (
	ScramSHA256 ScramMechanism = 1
	ScramSHA512 ScramMechanism = 2
)

// String is the mechanism's name, "SCRAM-SHA-256"; "UNKNOWN 9" for a number that
// Kafka does not have.
func (m ScramMechanism) String() string {
	switch m {
	case ScramSHA256:
		return "SCRAM-SHA-256"
	case ScramSHA512:
		return "SCRAM-SHA-512"
	}
	return "UNKNOWN " + strconv.Itoa(int(m))
}
