package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/sensitive"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// Source is the metadata of another cluster that a new one begins with.
//
// It becomes a snapshot at the offset that it stands for, with nothing before it:
// the first leader finds a cluster that is there already, and goes on. A snapshot
// at offset 0 would not do, since from 4.3 on a leader takes from that one only
// what format writes (KAFKA-20164).
type Source struct {
	Image *image.Image
	// KeepBrokers keeps the registrations of brokers, fenced until they come back.
	// Without it there are no brokers until they register.
	KeepBrokers bool
	// KeepLeaders keeps the leaders of partitions. Without it they have none, and
	// the first replica in sync that comes back is elected; see replicasBehind.
	KeepLeaders bool
	// DropSecrets leaves out SCRAM credentials, delegation tokens, and values of
	// configurations that may be passwords.
	DropSecrets bool
	// Brokers are new ids of brokers by their old ones; others stay.
	Brokers map[int32]int32
	// DropLoss leaves out what the metadata version cannot express.
	DropLoss bool
}

// BrokerMapError is the error for new ids of brokers that do not work.
type BrokerMapError struct{ Text string }

// Error says why.
func (e *BrokerMapError) Error() string { return e.Text }

// adopt makes the metadata that the new cluster begins with. Controllers register
// anew, and so do directories: those of a newly formatted broker have other ids.
func (s *Source) adopt(v feature.MetadataVersion, elr bool) (*image.Image, error) {
	if err := s.checkBrokers(); err != nil {
		return nil, err
	}
	d := image.NewDelta(s.Image)
	for id := range s.Image.Controllers().All() {
		if err := d.Replay(&metadata.UnregisterControllerRecord{ControllerID: id}); err != nil {
			return nil, err
		}
	}
	if _, ok := s.Image.ZKMigration(); ok {
		if err := d.Replay(&metadata.ZkMigrationStateRecord{}); err != nil {
			return nil, err
		}
	}
	if err := s.partitions(d, v, elr); err != nil {
		return nil, err
	}
	for _, part := range [...]func(*image.Delta) error{s.brokers, s.configs, s.secrets} {
		if err := part(d); err != nil {
			return nil, err
		}
	}
	return d.Image(s.Image.Provenance()), nil
}

// to is the new id of a broker.
func (s *Source) to(id int32) int32 {
	if n, ok := s.Brokers[id]; ok {
		return n
	}
	return id
}

func (s *Source) all(ids []int32) []int32 {
	out := slices.Clone(ids)
	for i := range out {
		out[i] = s.to(out[i])
	}
	return out
}

// checkBrokers makes sure that no two brokers become one.
func (s *Source) checkBrokers() error {
	if len(s.Brokers) == 0 {
		return nil
	}
	from := map[int32]int32{}
	var clash error
	see := func(id int32) {
		n := s.to(id)
		if other, ok := from[n]; ok && other != id && clash == nil {
			clash = &BrokerMapError{fmt.Sprintf("brokers %d and %d would both be %d", min(other, id), max(other, id), n)}
		}
		from[n] = id
	}
	for id := range s.Image.Brokers().All() {
		see(id)
	}
	for _, t := range s.Image.Topics().All() {
		for _, p := range t.Partitions() {
			for _, list := range [...][]int32{p.Replicas, p.ISR, p.ELR, p.LastKnownELR} {
				for _, id := range list {
					see(id)
				}
			}
		}
	}
	if clash != nil {
		return clash
	}
	for _, old := range slices.Sorted(maps.Keys(s.Brokers)) {
		if from[s.to(old)] != old {
			return &BrokerMapError{fmt.Sprintf("there is no broker %d to be mapped", old)}
		}
	}
	return nil
}

func (s *Source) brokers(d *image.Delta) error {
	var kept []*image.Broker
	for id, b := range s.Image.Brokers().All() {
		if err := d.Replay(&metadata.UnregisterBrokerRecord{BrokerID: id, BrokerEpoch: b.BrokerEpoch}); err != nil {
			return err
		}
		kept = append(kept, b)
	}
	if !s.KeepBrokers {
		return nil
	}
	for _, b := range kept {
		c := *b
		c.BrokerID, c.Fenced, c.InControlledShutdown, c.IsMigratingZkBroker = s.to(b.BrokerID), true, false, false
		c.LogDirs, c.CordonedLogDirs = nil, nil
		if err := d.Replay(&c); err != nil {
			return err
		}
	}
	return nil
}

// partitions gives every partition its new replicas. Their directories are not
// known: a replica is where a broker says that it is.
func (s *Source) partitions(d *image.Delta, v feature.MetadataVersion, elr bool) error {
	directory := kbin.ZeroUUID // MIGRATING
	if v >= feature.DirectoryAssignmentSince {
		directory = kbin.OneUUID // UNASSIGNED
	}
	m := metadata.NewPartitionRecord()
	for id, t := range s.Image.Topics().All() {
		for n, p := range t.Partitions() {
			m.TopicID, m.PartitionID = id, n
			m.Replicas, m.ISR, m.AddingReplicas, m.RemovingReplicas = s.all(p.Replicas), s.all(p.ISR), s.all(p.AddingReplicas), s.all(p.RemovingReplicas)
			m.EligibleLeaderReplicas, m.LastKnownELR = s.replicasBehind(p, elr)
			m.LeaderRecoveryState = 0
			if p.Recovering {
				m.LeaderRecoveryState = 1
			}
			m.Leader, m.LeaderEpoch, m.PartitionEpoch = image.NoLeader, p.LeaderEpoch+1, p.PartitionEpoch+1
			if s.KeepLeaders && p.Leader != image.NoLeader {
				m.Leader, m.LeaderEpoch = s.to(p.Leader), p.LeaderEpoch
			}
			m.Directories = slices.Repeat([]kbin.UUID{directory}, len(p.Replicas))
			if err := d.Replay(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// replicasBehind gives who may lead a partition when nobody in sync is left. With
// eligible leader replicas, a broker that registers without a proof that it stopped
// cleanly is in sync no longer (KIP-966), and that is every one that was formatted:
// the last leader is what is left to be elected.
func (s *Source) replicasBehind(p *image.Partition, on bool) (elr, last []int32) {
	switch {
	case !on:
		return nil, nil
	case len(p.LastKnownELR) == 0 && p.Leader != image.NoLeader && !s.KeepLeaders:
		return s.all(p.ELR), []int32{s.to(p.Leader)}
	}
	return s.all(p.ELR), s.all(p.LastKnownELR)
}

// configs moves the configurations of brokers that get another id, and takes out
// those that may be passwords if they are not wanted.
func (s *Source) configs(d *image.Delta) error {
	type value struct{ record, moved metadata.ConfigRecord }
	var list []value
	for r, c := range s.Image.Configs().All() {
		name := r.Name
		if r.Type == image.BrokerResource || r.Type == image.BrokerLoggerResource {
			if id, err := strconv.ParseInt(name, 10, 32); err == nil {
				name = strconv.Itoa(int(s.to(int32(id))))
			}
		}
		for key, text := range c.Values().All() {
			secret := s.DropSecrets && sensitive.Config(key)
			if name == r.Name && !secret {
				continue
			}
			v := value{metadata.ConfigRecord{ResourceType: int8(r.Type), ResourceName: r.Name, Name: key}, metadata.ConfigRecord{ResourceType: int8(r.Type), ResourceName: name, Name: key}}
			if !secret {
				v.moved.Value = &text
			}
			list = append(list, v)
		}
	}
	for i := range list { // all removals first: ids may be swapped
		if err := d.Replay(&list[i].record); err != nil {
			return err
		}
	}
	for i := range list {
		if err := d.Replay(&list[i].moved); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) secrets(d *image.Delta) error {
	if !s.DropSecrets {
		return nil
	}
	for user := range s.Image.Scram().All() {
		if err := d.Replay(&metadata.RemoveUserScramCredentialRecord{Name: user.Name, Mechanism: int8(user.Mechanism)}); err != nil {
			return err
		}
	}
	for id := range s.Image.Tokens().All() {
		if err := d.Replay(&metadata.RemoveDelegationTokenRecord{TokenID: id}); err != nil {
			return err
		}
	}
	return nil
}

// sourceImage is the metadata that a cluster with a source begins with. What was
// asked for when formatting comes on top: levels of features, and users.
func (p *Plan) sourceImage() (*image.Image, error) {
	elr := slices.ContainsFunc(p.Bootstrap.Features, func(f *metadata.FeatureLevelRecord) bool { return f.Name == feature.ELRName })
	img, err := p.Request.Source.adopt(p.Bootstrap.MetadataVersion, elr)
	if err != nil {
		return nil, err
	}
	d := image.NewDelta(img)
	for name := range img.Features().All() {
		if err := d.Replay(&metadata.FeatureLevelRecord{Name: name}); err != nil {
			return nil, err
		}
	}
	if err := p.Bootstrap.each(func(_ int16, m kbin.Message) error { return d.Replay(m) }); err != nil {
		return nil, err
	}
	return d.Image(img.Provenance()), nil
}

// sourceAt is the end offset and epoch of the snapshot of a source.
func (s *Source) sourceAt() (end int64, epoch int32) {
	at := s.Image.Provenance()
	return max(at.Offset+1, 1), max(at.Epoch, 1)
}

// sourceName is the name of that snapshot in a log directory.
func (s *Source) sourceName() string {
	end, epoch := s.sourceAt()
	return index.MetadataLogDir + "/" + index.FileName{Kind: index.KindSnapshot, Offset: end, Epoch: epoch}.String()
}

// sourceSnapshot is the snapshot that a cluster with a source begins with.
func (p *Plan) sourceSnapshot(h snapshot.Header, now func() int64) (File, error) {
	s := p.Request.Source
	img, err := p.sourceImage()
	if err != nil {
		return File{}, err
	}
	h.LastContainedLogTimestamp = max(img.Provenance().Time, 0)
	_, epoch := s.sourceAt()
	var out bytes.Buffer
	w := snapshot.NewWriter(&out, epoch, h, now)
	records := img.Records
	if s.DropLoss {
		records = img.RecordsWithLoss
	}
	if err := records(p.Bootstrap.MetadataVersion, w.Append); err != nil {
		return File{}, err
	}
	if err := w.Close(); err != nil {
		return File{}, err
	}
	name := s.sourceName()
	return File{Name: name, Data: out.Bytes(), Mode: 0o400, temp: name + index.StatePart.Suffix()}, nil
}

// sourceDifferences tells where a formatted directory, on which no node has run,
// does not begin with the metadata of the source.
func (p *Plan) sourceDifferences(fsys vfs.FS, d *FormattedDir) (list []string, err error) {
	entries, err := fsys.ReadDir(join(d.Path, index.MetadataLogDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".log") }) {
		return nil, nil // it may have changed for good reasons
	}
	name := join(d.Path, p.Request.Source.sourceName())
	line, err := timeline.Open(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return []string{d.Path + " does not begin with the metadata of --from: there is no " + p.Request.Source.sourceName()}, nil
	}
	if err != nil {
		return nil, err
	}
	state, err := line.At(context.Background(), timeline.Latest)
	if err != nil {
		return nil, err
	}
	img, err := p.sourceImage()
	if err != nil {
		return nil, err
	}
	same := state.Image.Hash() == img.Hash()
	if !same && p.Request.Source.DropLoss {
		left, err := img.HashAs(p.Bootstrap.MetadataVersion)
		if err != nil {
			return nil, err
		}
		same = state.Image.Hash() == left
	}
	switch {
	case len(state.Problems) > 0:
		list = append(list, state.Problems[0].String())
	case !same:
		list = append(list, name+" is not the metadata of --from")
	}
	return list, nil
}
