package zookeeper

import (
	"strconv"

	"kraftctl/decode/jsonw"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/javahash"
)

// brokers is /brokers/ids: a node for each broker that is registered and not fenced.
// In ZooKeeper mode the node goes with the broker's session; a broker in controlled
// shutdown still has one.
func (t *Tree) brokers() *znode {
	return &znode{
		list: inOrder(func(yield func(string) bool) {
			for id, b := range t.image.Brokers().All() {
				if !b.Fenced && !yield(strconv.Itoa(int(id))) {
					return
				}
			}
		}),
		find: func(name string) *znode {
			id, ok := number(name)
			if !ok {
				return nil
			}
			b, ok := t.image.Brokers().Get(id)
			if !ok || b.Fenced {
				return nil
			}
			return t.broker(b)
		},
		life: func() life {
			l := unborn(t.image.Brokers().Len())
			if m := t.marks(); m != nil {
				n := m.Brokers()
				l.cversion, l.children = n.Changes, n.Last
			}
			return l
		},
	}
}

// number reads an id that is written as Kafka does: 7, not 07.
func number(name string) (int32, bool) {
	n, err := strconv.ParseInt(name, 10, 32)
	return int32(n), err == nil && strconv.Itoa(int(n)) == name
}

// broker is /brokers/ids/ID. A registration is a new node, whose stand-in for the
// session that owns it is the broker epoch: in ZooKeeper mode that is the node's
// czxid. Kafka creates and sets it in one go, hence the version of 1.
func (t *Tree) broker(b *image.Broker) *znode {
	born := func() image.Provenance {
		if m := t.marks(); m != nil {
			if k, ok := m.Broker(b.BrokerID); ok {
				return k.Created
			}
		}
		return nowhere
	}
	return leaf(func(dst []byte) []byte { return appendBroker(dst, b, born().Time) }, func() life {
		at := born()
		return life{created: at, changed: at, children: at, version: 1, owner: b.BrokerEpoch}
	})
}

// appendBroker appends the document of a broker, in version 5. The port of JMX is
// not in the metadata.
func appendBroker(dst []byte, b *image.Broker, time int64) []byte {
	dst = append(dst, `{"features":{},"listener_security_protocol_map":{`...)
	hashes := make([]uint32, len(b.EndPoints))
	for i := range b.EndPoints {
		hashes[i] = javahash.String(b.EndPoints[i].Name)
	}
	for _, i := range javahash.Immutable(hashes) {
		e := &b.EndPoints[i]
		protocol, ok := image.SecurityProtocol(e.SecurityProtocol)
		if !ok {
			protocol = "UNKNOWN"
		}
		dst = jsonw.Comma(dst)
		dst = jsonw.AppendString(dst, e.Name)
		dst = append(dst, ':')
		dst = jsonw.AppendString(dst, protocol)
	}
	dst = append(dst, `},"endpoints":[`...)
	var plain *metadata.BrokerEndpoint
	for i := range b.EndPoints {
		e := &b.EndPoints[i]
		if e.SecurityProtocol == 0 && plain == nil {
			plain = e
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonw.AppendString(dst, e.Name+"://"+e.Host+":"+strconv.Itoa(int(e.Port)))
	}
	dst = append(dst, ']')
	if b.Rack != nil {
		dst = append(dst, `,"rack":`...)
		dst = jsonw.AppendString(dst, *b.Rack)
	}
	dst = append(dst, `,"jmx_port":-1,"port":`...)
	if plain != nil {
		dst = jsonw.AppendInt(dst, int64(plain.Port))
		dst = append(dst, `,"host":`...)
		dst = jsonw.AppendString(dst, plain.Host)
	} else {
		dst = append(dst, `-1,"host":null`...)
	}
	dst = append(dst, `,"version":5,"timestamp":"`...)
	dst = jsonw.AppendInt(dst, time)
	return append(dst, `"}`...)
}
