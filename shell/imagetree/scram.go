package imagetree

import (
	"encoding/hex"

	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/shell/node"
)

func (t *tree) scram() node.Node {
	return Fixed(
		Entry{metadata.ScramSHA256.String(), t.mechanism(metadata.ScramSHA256)},
		Entry{metadata.ScramSHA512.String(), t.mechanism(metadata.ScramSHA512)},
	)
}

func (t *tree) mechanism(m metadata.ScramMechanism) node.Node {
	all := t.img.Scram()
	return dir{
		names: func() []string {
			var out []string
			for user := range all.From(image.ScramUser{Mechanism: m}) {
				if user.Mechanism != m {
					break
				}
				out = append(out, user.Name)
			}
			return out
		},
		child: func(name string) (node.Node, bool) {
			c, ok := all.Get(image.ScramUser{Mechanism: m, Name: name})
			if !ok {
				return nil, false
			}
			text := "ScramCredentialData(salt=" + t.secret(hex.EncodeToString(c.Salt)) +
				", storedKey=" + t.secret(hex.EncodeToString(c.StoredKey)) +
				", serverKey=" + t.secret(hex.EncodeToString(c.ServerKey)) + ", iterations=" + itoa(c.Iterations) + ")"
			return described{node.File(text), "scram", func() []node.Field { return t.scramFields(c) }}, true
		},
	}
}
