package zookeeper

import (
	"strconv"
	"time"

	"kraftctl/internal/image"
)

// Stat is what ZooKeeper tells of a node. Of what is ZooKeeper's own there are
// stand-ins: for its transaction ids the offsets of records, for sessions epochs.
// They are in the right order, and 0 where nothing is known.
type Stat struct {
	CZxid, MZxid, PZxid int64 // of the creation, of the last change, and of that of the children
	CTime, MTime        int64 // milliseconds since 1970
	Version             int   // of the data: how often it was changed
	CVersion            int   // how often children came or went, as far as known
	AVersion            int   // always 0
	EphemeralOwner      int64 // 0 for a node that no session owns
	DataLength          int   // bytes
	NumChildren         int
}

// Stat tells of a node.
func (t *Tree) Stat(path string) (Stat, bool) {
	z := t.at(path)
	if z == nil {
		return Stat{}, false
	}
	s := z.stat()
	if z.data != nil {
		s.DataLength = len(z.data(nil))
	}
	return s, true
}

// stat is the Stat of a node without the length of its data.
func (z *znode) stat() Stat {
	l := unborn(0)
	if z.life != nil {
		l = z.life()
	}
	zxid := func(p image.Provenance) int64 { return max(p.Offset, 0) }
	return Stat{
		CZxid: zxid(l.created), MZxid: zxid(l.changed), PZxid: zxid(l.children),
		CTime: max(l.created.Time, 0), MTime: max(l.changed.Time, 0),
		Version: l.version, CVersion: l.cversion, EphemeralOwner: l.owner, NumChildren: z.size(),
	}
}

// appendStat appends the lines that zkCli prints, with times as Java's Date does.
func appendStat(dst []byte, s *Stat, where *time.Location) []byte {
	hex := func(name string, v int64) {
		dst = append(dst, name...)
		dst = append(dst, " = 0x"...)
		dst = strconv.AppendUint(dst, uint64(v), 16)
		dst = append(dst, '\n')
	}
	date := func(name string, ms int64) {
		dst = append(dst, name...)
		dst = append(dst, " = "...)
		dst = time.UnixMilli(ms).In(where).AppendFormat(dst, "Mon Jan 02 15:04:05 MST 2006")
		dst = append(dst, '\n')
	}
	number := func(name string, v int) {
		dst = append(dst, name...)
		dst = append(dst, " = "...)
		dst = strconv.AppendInt(dst, int64(v), 10)
		dst = append(dst, '\n')
	}
	hex("cZxid", s.CZxid)
	date("ctime", s.CTime)
	hex("mZxid", s.MZxid)
	date("mtime", s.MTime)
	hex("pZxid", s.PZxid)
	number("cversion", s.CVersion)
	number("dataVersion", s.Version)
	number("aclVersion", s.AVersion)
	hex("ephemeralOwner", s.EphemeralOwner)
	number("dataLength", s.DataLength)
	number("numChildren", s.NumChildren)
	return dst
}
