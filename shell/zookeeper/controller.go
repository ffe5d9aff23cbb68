package zookeeper

import (
	"kraftctl/decode/jsonw"
	"kraftctl/internal/image"
	"kraftctl/internal/javahash"
)

// cluster is /cluster; the id is not in the log, but in meta.properties.
func (t *Tree) cluster() *znode {
	if t.source.ClusterID == "" {
		return empty()
	}
	return fixed(entry{"id", func() *znode {
		return leaf(func(dst []byte) []byte {
			dst = append(dst, `{"version":"1","id":`...)
			dst = jsonw.AppendString(dst, t.source.ClusterID)
			return append(dst, '}')
		}, nil)
	}})
}

// elected is where the leader of the quorum was elected.
func (t *Tree) elected() image.Provenance {
	l := t.source.Leader
	return image.Provenance{Offset: l.Offset, Epoch: l.Epoch, Time: l.Time}
}

// controller is /controller. In ZooKeeper mode the node is that of the session of
// the broker which is the controller; the stand-in for the session is the epoch.
func (t *Tree) controller() *znode {
	leader := t.source.Leader
	return leaf(func(dst []byte) []byte {
		dst = append(dst, `{"version":2,"brokerid":`...)
		dst = jsonw.AppendInt(dst, int64(leader.ID))
		dst = append(dst, `,"timestamp":"`...)
		dst = jsonw.AppendInt(dst, leader.Time)
		dst = append(dst, `","kraftControllerEpoch":`...)
		dst = jsonw.AppendInt(dst, int64(leader.Epoch))
		return append(dst, '}')
	}, func() life {
		at := t.elected()
		return life{created: at, changed: at, children: at, owner: int64(leader.Epoch)}
	})
}

// controllerEpoch is /controller_epoch, which each election of a controller sets.
func (t *Tree) controllerEpoch() *znode {
	epoch := int64(t.source.Leader.Epoch)
	return leaf(func(dst []byte) []byte { return jsonw.AppendInt(dst, epoch) }, func() life {
		l := unborn(0)
		l.changed, l.version = t.elected(), int(epoch)
		return l
	})
}

// feature is /feature (KIP-584). ZooKeeper mode has never finalized any; features
// that came with KRaft are shown as it would. The metadata version was never there.
func (t *Tree) feature() *znode {
	return leaf(func(dst []byte) []byte {
		var names []string
		var hashes []uint32
		for name := range t.image.Features().All() {
			names, hashes = append(names, name), append(hashes, javahash.String(name))
		}
		dst = append(dst, `{"features":{`...)
		for _, i := range javahash.Immutable(hashes) {
			level, _ := t.image.Features().Get(names[i])
			dst = jsonw.Comma(dst)
			dst = jsonw.AppendString(dst, names[i])
			dst = append(dst, `:{"max_version_level":`...)
			dst = jsonw.AppendInt(dst, int64(level))
			dst = append(dst, '}')
		}
		return append(dst, `},"version":2,"status":1}`...)
	}, func() life {
		l, parts := unborn(0), 0
		if m := t.marks(); m != nil {
			for name := range t.image.Features().All() {
				if k, ok := m.Feature(name); ok {
					l.add(k, &parts)
				}
			}
			l.created = nowhere
		}
		return l
	})
}

// producerBlock is how many producer ids are given out at once (KIP-730).
const producerBlock = 1000

// producerIDBlock is /latest_producer_id_block: the block that was given out last.
// Before the first one it is a directory. A snapshot does not know the broker, but the
// log before it does.
func (t *Tree) producerIDBlock() *znode {
	block := t.image.ProducerIDs()
	if block.NextProducerID < 0 {
		return empty()
	}
	return leaf(func(dst []byte) []byte {
		ids := block
		if ids.BrokerID < 0 {
			if m := t.marks(); m != nil && m.ProducerBlock().NextProducerID == ids.NextProducerID {
				ids = m.ProducerBlock()
			}
		}
		dst = append(dst, `{"version":1,"broker":`...)
		dst = jsonw.AppendInt(dst, int64(ids.BrokerID))
		dst = append(dst, `,"block_start":"`...)
		dst = jsonw.AppendInt(dst, ids.NextProducerID-producerBlock)
		dst = append(dst, `","block_end":"`...)
		dst = jsonw.AppendInt(dst, ids.NextProducerID-1)
		return append(dst, `"}`...)
	}, func() life {
		if m := t.marks(); m != nil {
			if k, ok := m.ProducerIDs(); ok {
				// The node was there, with no data, before the first block.
				return life{created: nowhere, changed: k.Changed, children: nowhere, version: k.Changes + 1}
			}
		}
		return unborn(0)
	})
}
