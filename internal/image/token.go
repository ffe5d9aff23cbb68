package image

import (
	"strings"

	"kraftctl/decode/metadata"
)

// delegationToken adds or replaces a token.
func (d *Delta) delegationToken(m *metadata.DelegationTokenRecord) error {
	t := &Token{
		Owner: strings.Clone(m.Owner), Requester: strings.Clone(m.Requester), IssueTimestamp: m.IssueTimestamp,
		MaxTimestamp: m.MaxTimestamp, ExpirationTimestamp: m.ExpirationTimestamp, TokenID: strings.Clone(m.TokenID),
	}
	for _, r := range m.Renewers {
		t.Renewers = append(t.Renewers, strings.Clone(r))
	}
	d.img.tokens.Set(d.owner, t.TokenID, t)
	return nil
}

// removeDelegationToken removes a token; Kafka does not mind if there is none.
func (d *Delta) removeDelegationToken(m *metadata.RemoveDelegationTokenRecord) error {
	d.img.tokens.Delete(d.owner, m.TokenID)
	return nil
}
