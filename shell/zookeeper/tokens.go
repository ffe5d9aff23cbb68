package zookeeper

import (
	"kraftctl/decode/jsonw"
	"kraftctl/internal/image"
)

// tokens is /delegation_token/tokens. Whether the cluster has a key for tokens,
// without which ZooKeeper mode has no such directory, is not in the metadata: it is
// always there.
func (t *Tree) tokens() *znode {
	return &znode{
		list: inOrder(func(yield func(string) bool) {
			for id := range t.image.Tokens().All() {
				if !yield(EscapeName(id)) {
					return
				}
			}
		}),
		find: func(component string) *znode {
			id, ok := UnescapeName(component)
			if !ok {
				return nil
			}
			token, ok := t.image.Tokens().Get(id)
			if !ok {
				return nil
			}
			return leaf(func(dst []byte) []byte { return appendToken(dst, token) }, func() life { return t.tokenLife(id) })
		},
		count: t.image.Tokens().Len,
		life: func() life {
			l := unborn(t.image.Tokens().Len())
			if m := t.marks(); m != nil {
				n := m.Tokens()
				l.cversion, l.children = n.Changes, n.Last
			}
			return l
		},
	}
}

func (t *Tree) tokenLife(id string) life {
	if m := t.marks(); m != nil {
		if k, ok := m.Token(id); ok {
			return life{created: k.Created, changed: k.Changed, children: k.Created, version: k.Changes}
		}
	}
	return unborn(0)
}

// appendToken appends the document of a token, in version 3 (KIP-373). A token that
// was asked for by its owner has no requester in its record. The secret is not in
// the metadata.
func appendToken(dst []byte, token *image.Token) []byte {
	principal := func(name string) {
		dst = jsonw.AppendStringBytes(dst, appendSanitized(nil, name))
	}
	dst = append(dst, `{"issueTimestamp":`...)
	dst = jsonw.AppendInt(dst, token.IssueTimestamp)
	dst = append(dst, `,"renewers":[`...)
	for i, r := range token.Renewers {
		if i > 0 {
			dst = append(dst, ',')
		}
		principal(r)
	}
	dst = append(dst, `],"tokenRequester":`...)
	if token.Requester != "" {
		principal(token.Requester)
	} else {
		principal(token.Owner)
	}
	dst = append(dst, `,"tokenId":`...)
	dst = jsonw.AppendString(dst, token.TokenID)
	dst = append(dst, `,"owner":`...)
	principal(token.Owner)
	dst = append(dst, `,"expiryTimestamp":`...)
	dst = jsonw.AppendInt(dst, token.ExpirationTimestamp)
	dst = append(dst, `,"maxTimestamp":`...)
	dst = jsonw.AppendInt(dst, token.MaxTimestamp)
	return append(dst, `,"version":3}`...)
}
