package image

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"slices"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/internal/cow"
)

// Hash is that of the state of an image.
type Hash [sha256.Size]byte

// String is the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Hash gives a hash that is the same for two images of the same state, however
// that came about, and differs for any difference: SHA-256 over all parts in a
// fixed order, each map in the order of its keys, with lengths.
//
// The provenance is not part of the state, nor is what Kafka does not keep in
// snapshots: which broker got the last block of producer ids, and the order of a
// broker's listeners, features and directories. A migration state of NONE is as
// none.
func (i *Image) Hash() Hash {
	w := hasher{h: sha256.New(), buf: make([]byte, 0, hashBuffer)}
	w.string("kraftctl image 1")
	w.int(int64(i.version))
	each(&w, i.features, func(name string, level int16) { w.string(name); w.int(int64(level)) })
	state, _ := i.ZKMigration()
	w.int(int64(state))
	each(&w, i.brokers, func(_ int32, b *Broker) { w.broker(b) })
	each(&w, i.controllers, func(_ int32, c *Controller) { w.controller(c) })
	each(&w, i.topics, func(id kbin.UUID, t *Topic) {
		w.bytes(id[:])
		w.string(t.name)
		each(&w, t.partitions, func(n int32, p partition) { w.partition(n, &p) })
	})
	each(&w, i.configs, func(r Resource, c *Config) {
		w.int(int64(r.Type))
		w.string(r.Name)
		each(&w, c.values, func(name, value string) { w.string(name); w.string(value) })
	})
	each(&w, i.quotas, func(key string, q *Quota) {
		w.string(key)
		each(&w, q.values, func(name string, value float64) { w.string(name); w.int(int64(math.Float64bits(value))) })
	})
	w.int(i.producerIDs.NextProducerID)
	each(&w, i.acls, func(_ kbin.UUID, a *ACL) { w.message(a) })
	each(&w, i.scram, func(_ ScramUser, c *ScramCredential) { w.message(c) })
	each(&w, i.tokens, func(_ string, t *Token) { w.message(t) })
	w.flush()
	var out Hash
	w.h.Sum(out[:0])
	return out
}

// hashBuffer is how much is gathered before it is hashed, in bytes.
const hashBuffer = 32 << 10

// hasher feeds a hash. Numbers and lengths are varints, so that no two values look
// like one.
type hasher struct {
	h   hash.Hash
	buf []byte
}

// each hashes the number of entries, and calls put for each.
func each[K, V any](w *hasher, m cow.Map[K, V], put func(K, V)) {
	w.int(int64(m.Len()))
	for k, v := range m.All() {
		put(k, v)
		if len(w.buf) > hashBuffer-1024 {
			w.flush()
		}
	}
}

func (w *hasher) flush() {
	w.h.Write(w.buf)
	w.buf = w.buf[:0]
}

func (w *hasher) int(v int64) { w.buf = binary.AppendVarint(w.buf, v) }

func (w *hasher) bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	w.buf = append(w.buf, b)
}

func (w *hasher) string(s string) {
	w.int(int64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *hasher) bytes(b []byte) {
	w.int(int64(len(b)))
	w.buf = append(w.buf, b...)
}

// partition hashes a partition as it is packed, which is the same for the same state.
func (w *hasher) partition(n int32, p *partition) {
	w.int(int64(n))
	w.int(int64(p.leader))
	w.int(int64(p.leaderEpoch))
	w.int(int64(p.epochs))
	w.string(p.lists)
}

// message hashes a record that is kept as it came.
func (w *hasher) message(m kbin.Message) {
	_, highest := m.Versions()
	start := len(w.buf)
	w.buf = append(w.buf, 0)
	var err error
	if w.buf, err = m.Append(w.buf, highest); err != nil {
		// A string that no record could have held. It can only have been put there
		// by hand; JSON has no such limit.
		w.buf = m.AppendJSON(append(w.buf[:start], 1), highest)
	}
}

func (w *hasher) endpoint(name, host string, port uint16, protocol int16) {
	w.string(name)
	w.string(host)
	w.int(int64(port))
	w.int(int64(protocol))
}

func (w *hasher) broker(b *Broker) {
	w.int(int64(b.BrokerID))
	w.int(b.BrokerEpoch)
	w.bytes(b.IncarnationID[:])
	w.bool(b.IsMigratingZkBroker)
	w.bool(b.Fenced)
	w.bool(b.InControlledShutdown)
	w.bool(b.Rack != nil)
	if b.Rack != nil {
		w.string(*b.Rack)
	}
	w.int(int64(len(b.EndPoints)))
	for _, e := range sortedByName(b.EndPoints, brokerEndpointName) {
		w.endpoint(e.Name, e.Host, e.Port, e.SecurityProtocol)
	}
	w.int(int64(len(b.Features)))
	for _, f := range sortedByName(b.Features, brokerFeatureName) {
		w.string(f.Name)
		w.int(int64(f.MinSupportedVersion))
		w.int(int64(f.MaxSupportedVersion))
	}
	w.directories(b.LogDirs)
	w.bool(b.CordonedLogDirs != nil)
	w.directories(b.CordonedLogDirs)
}

func (w *hasher) controller(c *Controller) {
	w.int(int64(c.ControllerID))
	w.bytes(c.IncarnationID[:])
	w.bool(c.ZkMigrationReady)
	w.int(int64(len(c.EndPoints)))
	for _, e := range sortedByName(c.EndPoints, controllerEndpointName) {
		w.endpoint(e.Name, e.Host, e.Port, e.SecurityProtocol)
	}
	w.int(int64(len(c.Features)))
	for _, f := range sortedByName(c.Features, controllerFeatureName) {
		w.string(f.Name)
		w.int(int64(f.MinSupportedVersion))
		w.int(int64(f.MaxSupportedVersion))
	}
}

func (w *hasher) directories(ids []kbin.UUID) {
	w.int(int64(len(ids)))
	for _, id := range sortedDirectories(ids) {
		w.bytes(id[:])
	}
}

// sortedByName gives a list in the order of its names, which snapshots do not keep.
func sortedByName[T any](list []T, name func(*T) string) []T {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b T) int { return strings.Compare(name(&a), name(&b)) })
	return sorted
}
