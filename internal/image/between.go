package image

import (
	"slices"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/cow"
	"kraftctl/internal/feature"
)

// RecordsBetween gives records that lead from one image to another: replayed on
// the first they give the hash of the second. They are those that a controller
// would write where there are such: a partition is changed by a
// PartitionChangeRecord if its epochs are what that makes of them, and else set.
//
// The records are in the versions of the second image's metadata version, or of
// the nearest one that is known. Records cannot take a metadata version away: if
// only the first image has one, the error is a *VersionError.
func RecordsBetween(before, after *Image, emit Emit) error {
	v := feature.MetadataVersion(after.version)
	switch {
	case v == 0 && before.version != 0:
		return &VersionError{v}
	case v == 0:
		v = feature.LatestTesting
	default:
		v = min(max(v, feature.MinimumMetadataVersion), feature.LatestTesting)
	}
	// Eligible leader replicas are told whether or not the feature is on.
	// From the version on that has them, the partitions need not be looked at.
	if lost := after.losses(v, v < feature.ELRSince); len(lost) > 0 {
		return &LossError{v, lost}
	}
	w := &between{recordWriter{v: v, elr: v >= feature.ELRSince, emit: emit}, before, after, map[string]bool{}}
	topics := false
	for c := range Diff(before, after) {
		if c.Kind >= KindTopic && !topics {
			topics = true
			if err := w.topics(); err != nil {
				return err
			}
		}
		if err := w.change(&c); err != nil {
			return err
		}
	}
	return w.keptConfigs()
}

type between struct {
	recordWriter
	before, after *Image
	removed       map[string]bool // names of topics that were removed
}

// change emits what makes a change.
func (w *between) change(c *Change) error {
	if c.After == nil {
		return w.removal(c)
	}
	switch m := c.After.(type) {
	case *Broker:
		if old, ok := c.Before.(*Broker); ok {
			if r, version, ok := registrationChange(old, m); ok && version <= w.registrationChangeVersion() {
				return w.emit(r.APIKey(), version, r)
			}
		}
		return w.broker(m)
	case *metadata.TopicRecord, *metadata.PartitionRecord:
		return nil // see topics
	case *metadata.ConfigRecord:
		if w.isRemovedTopic(m) {
			return nil // see keptConfigs
		}
		return w.put(m)
	case keyed:
		return w.put(m)
	}
	return nil
}

// registrationChangeVersion is the highest version of a BrokerRegistrationChangeRecord.
func (w *between) registrationChangeVersion() int16 {
	switch {
	case w.v >= feature.CordonedDirectoriesSince:
		return 3
	case w.v >= feature.DirectoryAssignmentSince:
		return 2
	}
	return 1
}

// registrationChange makes the change of a registration that stays otherwise, in
// the lowest version that has its fields.
func registrationChange(a, b *Broker) (m *metadata.BrokerRegistrationChangeRecord, version int16, ok bool) {
	if !sameRegistration(a, b) || a.InControlledShutdown && !b.InControlledShutdown {
		return nil, 0, false
	}
	m = metadata.NewBrokerRegistrationChangeRecord()
	m.BrokerID, m.BrokerEpoch = b.BrokerID, b.BrokerEpoch
	switch {
	case a.Fenced && !b.Fenced:
		m.Fenced = -1
	case !a.Fenced && b.Fenced:
		m.Fenced = 1
	}
	if b.InControlledShutdown && !a.InControlledShutdown {
		m.InControlledShutdown, version = 1, 1
	}
	if !sameDirectories(a.LogDirs, b.LogDirs) {
		if len(b.LogDirs) == 0 {
			return nil, 0, false
		}
		m.LogDirs, version = b.LogDirs, 2
	}
	if !sameCordoned(a.CordonedLogDirs, b.CordonedLogDirs) {
		if b.CordonedLogDirs == nil {
			return nil, 0, false
		}
		m.CordonedLogDirs, version = b.CordonedLogDirs, 3
	}
	return m, version, true
}

// removal emits what removes something.
func (w *between) removal(c *Change) error {
	switch m := c.Before.(type) {
	case *metadata.FeatureLevelRecord:
		return w.put(&metadata.FeatureLevelRecord{Name: m.Name})
	case *Broker:
		return w.put(&metadata.UnregisterBrokerRecord{BrokerID: m.BrokerID, BrokerEpoch: m.BrokerEpoch})
	case *Controller:
		return w.put(&metadata.UnregisterControllerRecord{ControllerID: m.ControllerID})
	case *metadata.ConfigRecord:
		if w.isRemovedTopic(m) {
			return nil // went with its topic
		}
		return w.put(&metadata.ConfigRecord{ResourceType: m.ResourceType, ResourceName: m.ResourceName, Name: m.Name})
	case *metadata.ClientQuotaRecord:
		return w.put(&metadata.ClientQuotaRecord{Entity: m.Entity, Key: m.Key, Remove: true})
	case *ACL:
		return w.put(&metadata.RemoveAccessControlEntryRecord{ID: m.ID})
	case *ScramCredential:
		return w.put(&metadata.RemoveUserScramCredentialRecord{Name: m.Name, Mechanism: m.Mechanism})
	case *Token:
		return w.put(&metadata.RemoveDelegationTokenRecord{TokenID: m.TokenID})
	}
	return nil
}

func (w *between) isRemovedTopic(m *metadata.ConfigRecord) bool {
	return ResourceType(m.ResourceType) == TopicResource && w.removed[m.ResourceName]
}

// topics emits what changes topics: all removals first, since another topic may get
// the name.
func (w *between) topics() error {
	diff := func() func(func(cow.Change[kbin.UUID, *Topic]) bool) {
		return cow.Diff(w.before.topics, w.after.topics, sameTopic)
	}
	for c := range diff() {
		if c.WasThere && (!c.IsThere || c.Old.name != c.New.name) {
			w.removed[c.Old.name] = true
			if err := w.put(&metadata.RemoveTopicRecord{TopicID: c.Key}); err != nil {
				return err
			}
		}
	}
	for c := range diff() {
		if !c.IsThere {
			continue
		}
		if !c.WasThere || c.Old.name != c.New.name || lostPartitions(c.Old, c.New) {
			// A topic record begins anew, without partitions.
			if err := w.topic(c.New); err != nil {
				return err
			}
			continue
		}
		for p := range cow.Diff(c.Old.partitions, c.New.partitions, same) {
			if err := w.partitionChange(c.New, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func lostPartitions(a, b *Topic) bool {
	for c := range cow.Diff(a.partitions, b.partitions, same) {
		if !c.IsThere {
			return true
		}
	}
	return false
}

// partitionChange emits how a partition got from one state to the next.
func (w *between) partitionChange(t *Topic, c cow.Change[int32, partition]) error {
	if c.WasThere {
		var a, b Partition
		c.Old.unpack(&a)
		c.New.unpack(&b)
		if m, ok := a.changeTo(&b); ok {
			m.TopicID, m.PartitionID = t.id, c.Key
			return w.emit(m.APIKey(), w.v.PartitionRecordVersion(), m)
		}
	}
	return w.partitionOf(t, c.Key, &c.New)
}

// changeTo makes the record that changes a partition into another one, if one can.
func (p *Partition) changeTo(q *Partition) (*metadata.PartitionChangeRecord, bool) {
	if q.PartitionEpoch != p.PartitionEpoch+1 {
		return nil, false
	}
	m := metadata.NewPartitionChangeRecord()
	switch {
	case q.LeaderEpoch == p.LeaderEpoch+1 && q.Leader != noLeaderChange:
		m.Leader = q.Leader
	case q.LeaderEpoch != p.LeaderEpoch || q.Leader != p.Leader:
		return nil, false
	}
	from, to := p.lists(), q.lists()
	for i, field := range [...]*[]int32{&m.Replicas, &m.ISR, &m.RemovingReplicas, &m.AddingReplicas, &m.EligibleLeaderReplicas, &m.LastKnownELR} {
		if !slices.Equal(*from[i], *to[i]) {
			*field = append([]int32{}, *to[i]...) // an empty list is not null
		}
	}
	if !slices.Equal(p.Directories, q.Directories) && !(allZero(p.Directories) && allZero(q.Directories)) {
		m.Directories = q.Directories
	}
	if p.Recovering != q.Recovering {
		m.LeaderRecoveryState = 0
		if q.Recovering {
			m.LeaderRecoveryState = 1
		}
	}
	return m, true
}

// keptConfigs emits the configurations of topics whose name was removed and is there
// again: removing a topic removes its configuration.
func (w *between) keptConfigs() error {
	names := make([]string, 0, len(w.removed))
	for name := range w.removed {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	for _, name := range names {
		r := Resource{TopicResource, name}
		for key, value := range w.after.Config(r).Values().All() {
			if err := w.configOf(r, key, value); err != nil {
				return err
			}
		}
	}
	return nil
}
