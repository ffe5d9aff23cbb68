package index

import (
	"errors"
	"strconv"
	"time"

	"kraftctl/decode/kbin"
	"kraftctl/internal/javatext"
	"kraftctl/internal/props"
)

// MetaProperties is the file meta.properties, which makes a directory a log
// directory of one node of one cluster:
//
//	#
//	#Sun Nov 29 12:53:42 UTC 2026
//	node.id=1
//	directory.id=TI99wFpxT7yXOuDCe2ci2g
//	version=1
//	cluster.id=5rZSHTKpSimOh2vG4q_E6Q
//
//	key            version 0 (ZooKeeper)    version 1 (KRaft)
//	version        0 or absent              1
//	cluster.id     optional                 required
//	broker.id      optional                 -
//	node.id        -                        required
//	directory.id   optional                 optional (written since 3.7, KIP-858)
type MetaProperties struct {
	Version int // 0 or 1

	ClusterID    string
	HasClusterID bool

	// NodeID is node.id, or broker.id in version 0.
	NodeID    int32
	HasNodeID bool

	DirectoryID    kbin.UUID
	HasDirectoryID bool

	// Extra are the keys that Kafka does not know, in the order of the file, the
	// last value of each. Kafka drops them when it writes the file again.
	Extra []MetaProperty
}

// MetaProperty is a key of meta.properties that Kafka does not know.
type MetaProperty struct{ Key, Value string }

// The keys of meta.properties.
const (
	keyVersion     = "version"
	keyClusterID   = "cluster.id"
	keyBrokerID    = "broker.id"
	keyNodeID      = "node.id"
	keyDirectoryID = "directory.id"
)

// nodeKey is the key of the node's id.
func (m *MetaProperties) nodeKey() string {
	if m.Version == 0 {
		return keyBrokerID
	}
	return keyNodeID
}

// ParseMetaProperties reads a meta.properties with the checks that Kafka makes on
// one file; those that compare several directories are the business of the
// caller. A file that fails makes its directory an unusable one, not an empty
// one. Errors are *CorruptError; for an unknown version around a *VersionError.
func ParseMetaProperties(data []byte, file string) (MetaProperties, error) {
	list, err := props.Read(data, props.Latin1)
	if err != nil {
		e := &CorruptError{File: file, Pos: -1, What: "properties", Err: err}
		var syntax *props.SyntaxError
		if errors.As(err, &syntax) {
			e.Pos = syntax.Pos
		}
		return MetaProperties{}, e
	}
	p := metaParser{file: file, list: props.Unique(list)}
	m := p.parse()
	if p.err != nil {
		return MetaProperties{}, p.err
	}
	return m, nil
}

type metaParser struct {
	file string
	list []props.Property
	err  error
}

// fail keeps the first error. The texts of the causes are Kafka's.
func (p *metaParser) fail(what, want, got string, cause error) {
	if p.err == nil {
		p.err = &CorruptError{File: p.file, Pos: -1, What: what, Want: want, Got: got, Err: cause}
	}
}

// kafkaError keeps Kafka's words, which start in upper case and end in a stop.
func kafkaError(text string) error { return errors.New(text) }

func (p *metaParser) parse() (m MetaProperties) {
	if text, ok := props.Get(p.list, keyVersion); ok {
		n, ok := parseInt(javatext.Trim(text), 32)
		switch {
		case !ok:
			p.fail(keyVersion, "a number", quote(text), kafkaError("Invalid meta.properties version string '"+text+"'"))
		case n != 0 && n != 1:
			p.fail(keyVersion, "0 or 1", itoa(n), &VersionError{n, 0, 1})
		}
		m.Version = int(n)
	}
	key := m.nodeKey()
	if text, ok := props.Get(p.list, key); ok {
		n, ok := parseInt(text, 32)
		if !ok {
			p.fail(key, "a number", quote(text), kafkaError("Unable to read "+key+" as a base-10 number."))
		}
		m.NodeID, m.HasNodeID = int32(n), true
	} else if m.Version > 0 {
		p.fail(key, "a value", "none", kafkaError("Failed to find "+key))
	}
	m.ClusterID, m.HasClusterID = props.Get(p.list, keyClusterID)
	if text, ok := props.Get(p.list, keyDirectoryID); ok {
		id, err := kbin.ParseUUID(text)
		if err != nil {
			p.fail(keyDirectoryID, "a UUID", quote(text), err)
		}
		m.DirectoryID, m.HasDirectoryID = id, true
	}
	if m.Version > 0 && !m.HasClusterID {
		p.fail(keyClusterID, "a value", "none", kafkaError("cluster.id was not found."))
	}
	for _, q := range p.list {
		switch q.Key {
		case keyVersion, keyClusterID, keyDirectoryID, key:
		default:
			m.Extra = append(m.Extra, MetaProperty(q))
		}
	}
	return m
}

// MetaLayout says how to write a meta.properties.
type MetaLayout struct {
	// Date is the comment in the second line, in its own location.
	Date time.Time
	// Sorted writes the keys sorted, as Java 18 and later do. Otherwise they come
	// in the order of Java 9 to 17, that of a hash table.
	Sorted bool
	// ASCII writes all outside ASCII as \uXXXX, so that Kafka reads the value
	// that is given. Kafka writes UTF-8 and reads ISO-8859-1: what it makes of a
	// cluster id outside ASCII is not that id, but is the same on every node, and
	// is the same here without ASCII.
	ASCII bool
}

// AppendMetaProperties adds the text of a whole file as Kafka writes it, with
// the Extra keys as if Kafka had known them. Fields that the version does not
// have or that are not set are left out.
func AppendMetaProperties(dst []byte, m *MetaProperties, l MetaLayout) []byte {
	// The order in which Kafka fills its map.
	list := []props.Property{{Key: keyVersion, Value: strconv.Itoa(m.Version)}}
	if m.HasClusterID {
		list = append(list, props.Property{Key: keyClusterID, Value: m.ClusterID})
	}
	if m.HasNodeID {
		list = append(list, props.Property{Key: m.nodeKey(), Value: strconv.FormatInt(int64(m.NodeID), 10)})
	}
	if m.HasDirectoryID {
		list = append(list, props.Property{Key: keyDirectoryID, Value: m.DirectoryID.String()})
	}
	for _, p := range m.Extra {
		list = append(list, props.Property(p))
	}
	cs := props.UTF8
	if l.ASCII {
		cs = props.Latin1
	}
	return props.Append(dst, cs, props.Header{Date: l.Date}, ordered(list, l.Sorted))
}

// ordered brings the properties into the order in which Java stores them.
func ordered(list []props.Property, sorted bool) []props.Property {
	keys := make([]string, len(list))
	for i, p := range list {
		keys[i] = p.Key
	}
	order := props.HashOrder
	if sorted {
		order = props.SortedOrder
	}
	out := make([]props.Property, 0, len(list))
	for _, k := range order(keys) {
		v, _ := props.Get(list, k)
		out = append(out, props.Property{Key: k, Value: v})
	}
	return out
}

// ReservedDirectoryID reports whether a directory id is one of the hundred that
// no directory may have: 0 (migrating), 1 (unassigned), 2 (lost) and those kept
// for later (KIP-858). Kafka compares signed numbers, and so the ids whose upper
// half is zero and whose lower half is negative are reserved, too.
func ReservedDirectoryID(id kbin.UUID) bool {
	for _, b := range id[:8] {
		if b != 0 {
			return false
		}
	}
	if id[8] >= 0x80 {
		return true
	}
	for _, b := range id[8:15] {
		if b != 0 {
			return false
		}
	}
	return id[15] < 100
}
