package zookeeper

import (
	"math"
	"slices"
	"strconv"

	"kraftctl/decode/jsonw"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/javatext"
	"kraftctl/internal/timeline"
)

// principals are those who have quotas or SCRAM credentials. The image has them by
// other keys, so they are sorted out once.
type principals struct {
	users, clients, ips limited
}

// limited are principals by the component that stands for their name.
type limited struct {
	names []string // in order
	by    map[string]*principal
}

// principal is a user, client or IP address; clients are those of a user.
type principal struct {
	key     string // of the quota
	quota   *image.Quota
	scram   []*image.ScramCredential
	clients limited
}

// at gives the principal of a name, a new one if there is none yet.
func (l *limited) at(name string) *principal {
	p := l.by[name]
	if p == nil {
		p = new(principal)
		if l.by == nil {
			l.by = map[string]*principal{}
		}
		l.by[name] = p
		l.names = append(l.names, name)
	}
	return p
}

func (l *limited) sort() { slices.SortFunc(l.names, javatext.Compare) }

// indexPrincipals sorts out quotas and SCRAM credentials. Entities that Kafka does
// not have, such as a user together with an IP address, have no node.
func (t *Tree) indexPrincipals() *principals {
	out := new(principals)
	component := func(p image.EntityPart) string {
		if p.Default {
			return defaultName
		}
		return sanitized(p.Name)
	}
	for key, q := range t.image.Quotas().All() {
		user, hasUser := q.Part(image.UserEntity)
		client, hasClient := q.Part(image.ClientIDEntity)
		ip, hasIP := q.Part(image.IPEntity)
		var p *principal
		switch n := len(q.Entity()); {
		case n == 1 && hasUser:
			p = out.users.at(component(user))
		case n == 1 && hasClient:
			p = out.clients.at(component(client))
		case n == 1 && hasIP:
			p = out.ips.at(component(ip))
		case n == 2 && hasUser && hasClient:
			p = out.users.at(component(user)).clients.at(component(client))
		default:
			continue
		}
		p.key, p.quota = key, q
	}
	for u, c := range t.image.Scram().All() {
		if u.Mechanism == metadata.ScramSHA256 || u.Mechanism == metadata.ScramSHA512 {
			p := out.users.at(sanitized(u.Name))
			p.scram = append(p.scram, c)
		}
	}
	out.users.sort()
	out.clients.sort()
	out.ips.sort()
	for _, u := range out.users.by {
		u.clients.sort()
	}
	return out
}

// directory makes the directory of some principals. They are looked for only when
// somebody looks into it.
func (t *Tree) directory(of func() *limited, child func(*principal) *znode) *znode {
	return &znode{
		list:  func(yield func(string) bool) { slices.Values(of().names)(yield) },
		count: func() int { return len(of().names) },
		find: func(name string) *znode {
			if p := of().by[name]; p != nil {
				return child(p)
			}
			return nil
		},
		life: func() life {
			l := unborn(len(of().names))
			_, l.children = t.span(of())
			return l
		},
	}
}

// span tells when the first and the last of some principals came, of those that are
// there.
func (t *Tree) span(l *limited) (first, last image.Provenance) {
	first, last = nowhere, nowhere
	for _, p := range l.by {
		at := t.principalLife(p).created
		if first == nowhere || at.Offset < first.Offset {
			first = at
		}
		if at.Offset > last.Offset {
			last = at
		}
	}
	return first, last
}

// users is /config/users.
func (t *Tree) users() *znode {
	return t.directory(func() *limited { return &t.principals().users }, t.user)
}

// clients is /config/clients.
func (t *Tree) clients() *znode {
	return t.directory(func() *limited { return &t.principals().clients }, t.principal)
}

// ips is /config/ips.
func (t *Tree) ips() *znode {
	return t.directory(func() *limited { return &t.principals().ips }, t.principal)
}

// user is /config/users/U: a directory alone if only clients of the user have quotas.
func (t *Tree) user(p *principal) *znode {
	z := t.principal(p)
	if len(p.clients.names) > 0 {
		below := fixed(entry{"clients", func() *znode { return t.clientsOf(p) }})
		z.list, z.find, z.count = below.list, below.find, below.count
	}
	if p.quota == nil && len(p.scram) == 0 {
		z.data = nil
	}
	return z
}

// clientsOf is /config/users/U/clients, which came with the first client.
func (t *Tree) clientsOf(p *principal) *znode {
	z := t.directory(func() *limited { return &p.clients }, t.principal)
	z.life = func() life {
		first, last := t.span(&p.clients)
		return life{created: first, changed: first, children: last, cversion: len(p.clients.names)}
	}
	return z
}

// principal is a node with the quotas, and of a user the SCRAM credentials.
func (t *Tree) principal(p *principal) *znode {
	return leaf(func(dst []byte) []byte {
		var settings []setting
		if p.quota != nil {
			for key, v := range p.quota.Values().All() {
				settings = append(settings, setting{key, string(appendQuota(nil, key, v))})
			}
		}
		for _, c := range p.scram {
			key, value := metadata.ScramMechanism(c.Mechanism).String(), hidden
			if t.source.ShowSecrets {
				value = string(appendScram(nil, c))
			}
			settings = slices.DeleteFunc(settings, func(s setting) bool { return s.key == key })
			settings = append(settings, setting{key, value})
		}
		return appendConfig(dst, settings)
	}, func() life { return t.principalLife(p) })
}

// principalLife: the node is as old as the oldest of what is in it, and what came
// later has changed it, as has every change. A user of whom only clients have quotas
// came with the first of them.
func (t *Tree) principalLife(p *principal) life {
	l, parts := unborn(0), 0
	if m := t.marks(); m != nil {
		if p.quota != nil {
			if k, ok := m.Quota(p.key); ok {
				l.add(k, &parts)
			}
		}
		for _, c := range p.scram {
			if k, ok := m.Scram(image.ScramUser{Mechanism: metadata.ScramMechanism(c.Mechanism), Name: c.Name}); ok {
				l.add(k, &parts)
			}
		}
	}
	l.children = l.created
	if len(p.clients.names) > 0 {
		first, _ := t.span(&p.clients)
		l.cversion, l.children = 1, first
		if parts == 0 {
			l.created, l.changed = first, first
		}
	}
	return l
}

// add makes the life of one part of a node that of the node.
func (l *life) add(k timeline.Mark, parts *int) {
	*parts++
	l.version += k.Changes
	if *parts == 1 {
		l.created, l.changed = k.Created, k.Changed
		return
	}
	if k.Created.Time != l.created.Time || k.Created.Epoch != l.created.Epoch {
		l.version++ // it did not come at once
	}
	if k.Created.Offset < l.created.Offset {
		l.created = k.Created
	}
	if k.Changed.Offset > l.changed.Offset {
		l.changed = k.Changed
	}
}

// appendQuota appends a limit as Kafka writes it in text: those of bytes and of
// connections as whole numbers, the others as Java prints a double.
func appendQuota(dst []byte, key string, v float64) []byte {
	switch key {
	case "producer_byte_rate", "consumer_byte_rate", "connection_creation_rate":
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return jsonw.AppendInt(dst, int64(v))
		}
	}
	return jsonw.AppendJavaDouble(dst, v)
}

// appendScram appends a credential (KIP-84).
func appendScram(dst []byte, c *image.ScramCredential) []byte {
	part := func(name string, b []byte) {
		dst = append(dst, name...)
		quoted := jsonw.AppendBase64(nil, b)
		dst = append(dst, quoted[1:len(quoted)-1]...)
	}
	part("salt=", c.Salt)
	part(",stored_key=", c.StoredKey)
	part(",server_key=", c.ServerKey)
	dst = append(dst, ",iterations="...)
	return strconv.AppendInt(dst, int64(c.Iterations), 10)
}
