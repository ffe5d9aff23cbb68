package image

import (
	"cmp"
	"slices"
	"strings"

	"kraftctl/decode/metadata"
	"kraftctl/internal/javatext"
)

// ScramUser tells SCRAM credentials apart.
type ScramUser struct {
	Mechanism metadata.ScramMechanism
	Name      string
}

func compareScramUsers(a, b ScramUser) int {
	return cmp.Or(cmp.Compare(a.Mechanism, b.Mechanism), javatext.Compare(a.Name, b.Name))
}

// userScramCredential adds or replaces a credential.
func (d *Delta) userScramCredential(m *metadata.UserScramCredentialRecord) error {
	c := &ScramCredential{
		Name: strings.Clone(m.Name), Mechanism: m.Mechanism, Salt: slices.Clone(m.Salt), StoredKey: slices.Clone(m.StoredKey),
		ServerKey: slices.Clone(m.ServerKey), Iterations: m.Iterations,
	}
	d.img.scram.Set(d.owner, ScramUser{metadata.ScramMechanism(c.Mechanism), c.Name}, c)
	return nil
}

// removeUserScramCredential removes a credential; Kafka does not mind if there is
// none.
func (d *Delta) removeUserScramCredential(m *metadata.RemoveUserScramCredentialRecord) error {
	d.img.scram.Delete(d.owner, ScramUser{metadata.ScramMechanism(m.Mechanism), m.Name})
	return nil
}
