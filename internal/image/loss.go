package image

import (
	"strconv"
	"strings"

	"kraftctl/internal/feature"
)

// Loss is something that a metadata version has no records for.
type Loss struct {
	What string // "SCRAM credentials"
	// Needs is the first metadata version that can say it; 0 if it is a feature that
	// is not on.
	Needs feature.MetadataVersion
	Count int
	First string // the first one, by name: "broker 2"
}

// String is one line: SCRAM credentials (2, of alice first) need 3.5-IV2.
func (l Loss) String() string {
	s := l.What + " (" + strconv.Itoa(l.Count) + ", first: " + l.First + ")"
	if l.Needs == 0 {
		return s + " need " + feature.ELRName + " 1"
	}
	return s + " need metadata.version " + l.Needs.String()
}

// LossError is the error for metadata that a metadata version cannot express.
type LossError struct {
	Version feature.MetadataVersion
	Lost    []Loss
}

// Error names all of it.
func (e *LossError) Error() string {
	list := make([]string, len(e.Lost))
	for i, l := range e.Lost {
		list[i] = l.String()
	}
	return "metadata.version " + e.Version.String() + " cannot express all of the metadata: " + strings.Join(list, "; ")
}

// VersionError is the error for a metadata version whose records are not known.
type VersionError struct{ Version feature.MetadataVersion }

// Error says so.
func (e *VersionError) Error() string {
	return "metadata.version " + strconv.Itoa(int(e.Version)) + " is not known to this release of kraftctl"
}

// losses gathers losses of one kind after the other.
type losses struct {
	v    feature.MetadataVersion
	list []Loss
}

// at counts something that needs a version; first is called for the first one.
func (l *losses) at(needs feature.MetadataVersion, what string, count int, first func() string) {
	if l.v >= needs || count == 0 {
		return
	}
	for i := range l.list {
		if l.list[i].What == what {
			l.list[i].Count += count
			return
		}
	}
	l.list = append(l.list, Loss{what, needs, count, first()})
}

// Losses lists what records of a metadata version cannot say of the image, as
// Kafka's own snapshots could not; nil if there is nothing.
func (i *Image) Losses(v feature.MetadataVersion) []Loss { return i.losses(v, true) }

// Unwritable reports whether Kafka refuses to write the image as a metadata version.
// It puts up with the loss of eligible leader replicas, for which all partitions would
// have to be looked at.
func (i *Image) Unwritable(v feature.MetadataVersion) bool { return len(i.losses(v, false)) > 0 }

func (i *Image) losses(v feature.MetadataVersion, elr bool) []Loss {
	l := losses{v: v}
	for name, level := range i.features.All() {
		l.at(neededBy(name, level), "features", 1, func() string { return name + " " + strconv.Itoa(int(level)) })
	}
	if i.zkMigration != nil && *i.zkMigration != 0 {
		l.at(feature.V3_4_IV0, "the state of the migration from ZooKeeper", 1, func() string { return strconv.Itoa(int(*i.zkMigration)) })
	}
	for _, b := range i.brokers.All() {
		l.broker(b)
	}
	for id := range i.controllers.All() {
		l.at(feature.ControllerRegistrationFrom, "registrations of controllers", i.controllers.Len(), func() string { return "controller " + strconv.Itoa(int(id)) })
		break
	}
	if elr || v < feature.DirectoryAssignmentSince {
		i.partitionLosses(&l)
	}
	for _, a := range i.acls.All() {
		if isCIDR(a.Host) {
			l.at(feature.CIDRAccessControlSince, "access control entries for ranges of addresses", 1, func() string { return a.Host })
		}
	}
	for user := range i.scram.All() {
		l.at(feature.SCRAMSince, "SCRAM credentials", i.scram.Len(), func() string { return user.Name })
		break
	}
	for id := range i.tokens.All() {
		l.at(feature.DelegationTokensSince, "delegation tokens", i.tokens.Len(), func() string { return id })
		break
	}
	return l.list
}

func (l *losses) broker(b *Broker) {
	name := func() string { return "broker " + strconv.Itoa(int(b.BrokerID)) }
	if b.IsMigratingZkBroker {
		l.at(feature.V3_4_IV0, "registrations of ZooKeeper brokers", 1, name)
	}
	if len(b.LogDirs) > 0 {
		l.at(feature.DirectoryAssignmentSince, "log directories of brokers", 1, name)
	}
	if len(b.CordonedLogDirs) > 0 {
		l.at(feature.CordonedDirectoriesSince, "cordoned log directories of brokers", 1, name)
	}
}

// partitionLosses looks at the partitions, of which there may be millions, only
// if any could lose something.
func (i *Image) partitionLosses(l *losses) {
	elr := i.hasELR(l.v)
	if elr && l.v >= feature.DirectoryAssignmentSince {
		return
	}
	needs := feature.ELRSince
	if l.v >= feature.ELRSince {
		needs = 0
	}
	lostELR := Loss{What: "eligible leader replicas of partitions", Needs: needs}
	for _, t := range i.topics.All() {
		for n, p := range t.partitions.All() {
			name := func() string { return t.name + "-" + strconv.Itoa(int(n)) }
			if l.v < feature.DirectoryAssignmentSince && p.hasDirectories() {
				l.at(feature.DirectoryAssignmentSince, "directories of partitions", 1, name)
			}
			if !elr && p.hasELR() {
				if lostELR.Count == 0 {
					lostELR.First = name()
				}
				lostELR.Count++
			}
		}
	}
	if lostELR.Count > 0 {
		l.list = append(l.list, lostELR)
	}
}

// hasELR reports whether records of a metadata version tell eligible leader
// replicas: the version must have fields for them, and the feature must be on.
func (i *Image) hasELR(v feature.MetadataVersion) bool {
	level, _ := i.features.Get(feature.ELRName)
	return v >= feature.ELRSince && level > 0
}

// neededBy is the metadata version that a level of a feature depends on, 0 if on
// none.
func neededBy(name string, level int16) feature.MetadataVersion {
	f := feature.ByFeatureName(name)
	if f == nil || !f.Has(level) {
		return 0
	}
	for _, need := range f.Levels[level].Needs {
		if need.Feature == feature.MetadataName {
			return feature.MetadataVersion(need.Level)
		}
	}
	return 0
}

// isCIDR reports whether the host of an access control entry is a range of
// addresses, which older releases take for the name of a host that nobody has.
func isCIDR(host string) bool { return strings.Contains(host, "/") }
