package imagetree

import (
	"strings"

	"kraftctl/internal/image"
	"kraftctl/shell/node"
)

func (t *tree) tokens() node.Node {
	all := t.img.Tokens()
	return dir{
		names: func() []string { return names(all.All(), func(id string, _ *image.Token) string { return id }) },
		child: func(name string) (node.Node, bool) {
			k, ok := all.Get(name)
			if !ok {
				return nil, false
			}
			return described{node.File(tokenText(k)), "token", func() []node.Field { return tokenFields(k) }}, true
		},
	}
}

// tokenText has no closing parentheses, as Kafka's has not.
func tokenText(k *image.Token) string {
	return "DelegationTokenDatatokenId=" + k.TokenID + "(owner=" + k.Owner + "(tokenRequester=" + k.Requester +
		"(renewers=" + strings.Join(k.Renewers, " ") + ", issueTimestamp=" + itoa(k.IssueTimestamp) +
		", maxTimestamp=" + itoa(k.MaxTimestamp) + "), expiryTimestamp=" + itoa(k.ExpirationTimestamp)
}
