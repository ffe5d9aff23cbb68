package feature

// Release is what one release of Kafka knows: nodes of it start on nothing newer.
type Release struct {
	Name string // "4.4"
	// Production is its latest stable metadata version, and its default; Testing
	// the latest that unstable.feature.versions.enable allows, and the default then.
	Production, Testing MetadataVersion
	// levels are the features that it knows.
	levels []releaseLevels
	// kraftNeeds: level 1 of kraft.version asked for 3.9-IV0 up to 4.0.
	kraftNeeds bool
	// Unified: the whole of the bootstrap metadata is in one snapshot of the
	// metadata log, and there is no bootstrap.checkpoint any more (KIP-1170).
	Unified bool
	// Skips: the release makes no use of bootstrap metadata in that snapshot: it
	// does not take it for the cluster's state any more, as releases before did, and
	// does not begin a new cluster with it yet, as later ones do (KAFKA-20164).
	Skips bool
}

// releaseLevels are the levels of a feature that a release knows.
type releaseLevels struct {
	name                string
	production, testing int16
	// bootstrap is the metadata version from which on testing levels are the
	// default, where the release saw it differently from later ones.
	bootstrap MetadataVersion
}

// Releases are the releases that directories can be formatted for, oldest first.
// The last one is the default.
var Releases = []Release{
	{Name: "3.9", Production: V3_9_IV0, Testing: V4_0_IV1, kraftNeeds: true, levels: []releaseLevels{
		{name: KRaftName, production: 1, testing: 1}, {name: TransactionName, production: 0, testing: 2, bootstrap: V4_0_IV0}}},
	{Name: "4.0", Production: V4_0_IV3, Testing: V4_1_IV0, kraftNeeds: true, levels: []releaseLevels{
		{name: KRaftName, production: 1, testing: 1}, {name: TransactionName, production: 2, testing: 2},
		{name: GroupName, production: 1, testing: 1}, {name: ELRName, production: 1, testing: 1}}},
	{Name: "4.1", Production: V4_1_IV1, Testing: V4_2_IV1, levels: levels(1, 0, 1)},
	{Name: "4.2", Production: V4_2_IV1, Testing: V4_3_IV0, levels: levels(1, 1, 1)},
	{Name: "4.3", Production: V4_3_IV0, Testing: V4_4_IV0, levels: levels(1, 1, 1), Skips: true},
	{Name: "4.4", Production: V4_4_IV2, Testing: V4_5_IV0, levels: levels(2, 1, 1), Unified: true},
}

// levels are those of the releases from 4.1 on, which know all six features.
func levels(share, streams, streamsTesting int16) []releaseLevels {
	return []releaseLevels{
		{name: KRaftName, production: 1, testing: 1}, {name: TransactionName, production: 2, testing: 2},
		{name: GroupName, production: 1, testing: 1}, {name: ELRName, production: 1, testing: 1},
		{name: ShareName, production: share, testing: share}, {name: StreamsName, production: streams, testing: streamsTesting}}
}

// LatestRelease is the newest of Releases.
func LatestRelease() *Release { return &Releases[len(Releases)-1] }

// ByReleaseName finds a release by its name, nil if it is not in the table.
func ByReleaseName(name string) *Release {
	for i := range Releases {
		if Releases[i].Name == name {
			return &Releases[i]
		}
	}
	return nil
}

// Latest is the release's default metadata version.
func (r *Release) Latest(unstable bool) MetadataVersion {
	if unstable {
		return r.Testing
	}
	return r.Production
}

// Max is the highest level of a feature that the release takes; ok is false for
// a feature that it does not know.
func (r *Release) Max(name string, unstable bool) (level int16, ok bool) {
	for _, l := range r.levels {
		if l.name == name {
			if unstable {
				return l.testing, true
			}
			return l.production, true
		}
	}
	return 0, false
}

// Known lists the names of the features that the release knows, in Kafka's order.
func (r *Release) Known() []string {
	names := make([]string, len(r.levels))
	for i, l := range r.levels {
		names[i] = l.name
	}
	return names
}

// Default is the level that the release gives a feature with a metadata version.
func (r *Release) Default(f *Feature, v MetadataVersion, unstable bool) int16 {
	for _, l := range r.levels {
		if l.name == f.Name && l.bootstrap != 0 && unstable && v >= l.bootstrap {
			return l.testing
		}
	}
	most, _ := r.Max(f.Name, unstable)
	return min(most, f.Default(v))
}

// Validate is Feature.Validate as the release sees it.
func (r *Release) Validate(f *Feature, level int16, unstable bool, set map[string]int16) error {
	if most, _ := r.Max(f.Name, unstable); level < 0 || level > most {
		return NoLevelError(f.Name, level)
	}
	if f.Name == KRaftName && level > 0 && r.kraftNeeds {
		return f.ValidateNeeds(level, []Dependency{{MetadataName, int16(V3_9_IV0)}}, set)
	}
	return f.Validate(level, set)
}
