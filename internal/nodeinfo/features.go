package nodeinfo

import (
	"cmp"
	"path/filepath"
	"strconv"

	"kraftctl/decode/index"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
)

// Numbers of ZkMigrationState.
const (
	zkNone = iota
	zkPreMigration
	zkMigration
	zkPostMigration
)

// migrationState names a state of the migration from ZooKeeper as Kafka does.
func migrationState(n int8) string {
	switch n {
	case zkNone:
		return "NONE"
	case zkPreMigration:
		return "PRE_MIGRATION"
	case zkMigration:
		return "MIGRATION"
	case zkPostMigration:
		return "POST_MIGRATION"
	}
	return "UNKNOWN " + strconv.Itoa(int(n))
}

// oldest are the lowest metadata versions of releases: Kafka 3.9 knows the six
// before 3.3-IV3.
const (
	oldestOf39 = 1
	oldestOf4  = int16(feature.MinimumMetadataVersion)
)

// checkFeatures holds the metadata version and the features against the target.
func (c *collector) checkFeatures() {
	if c.metadata == nil || !c.metadata.formatted() && !c.metadata.hasMetadata() {
		return // nothing is missing
	}
	dir := c.metadata.Path
	m := c.report.Metadata
	if m == nil || m.Version == nil {
		c.noVersion(dir)
	} else {
		c.checkVersion(dir, m.Version)
	}
	unstable := c.config.UnstableFeatureVersions
	if m != nil {
		for _, f := range m.Features {
			c.checkFeature(dir, f, unstable)
		}
		if m.ZKMigration == migrationState(zkPreMigration) || m.ZKMigration == migrationState(zkMigration) {
			c.add(migrationOpen, dir, "the state of the migration from ZooKeeper is %s", m.ZKMigration)
		}
	}
	if c.replayed != nil && c.replayed.kraft > 0 {
		c.checkFeature(dir, Feature{feature.KRaftName, c.replayed.kraft}, unstable)
	}
}

// noVersion: no metadata version was met. If a file that may have one could not
// be read to its end, that was reported, and nothing is known to be missing.
func (c *collector) noVersion(dir string) {
	switch {
	case c.blind || c.bootstrapUnread:
	case c.firstLost(): // see noVoters
	case c.config.Roles.Controller && c.logEmpty() && !c.metadata.Bootstrap:
		c.add(bootstrapMissing, dir, "there is no bootstrap.checkpoint, and no metadata version in the metadata log")
	default:
		c.add(versionUnknown, dir, "the metadata version is not known")
	}
}

func (c *collector) checkVersion(dir string, v *Version) {
	t := c.target
	oldest := oldestOf4
	if t.Name == "3.9" {
		oldest = oldestOf39
	}
	switch level := feature.MetadataVersion(v.Level); {
	case v.Level < oldest:
		c.add(versionTooOld, dir, "the metadata version is level %d; Kafka %s knows none below level %d", v.Level, t.Name, oldest)
	case level > t.Testing:
		c.add(versionTooNew, dir, "the metadata version is %s, but Kafka %s knows up to %s", v.Name, t.Name, t.Production)
	case level > t.Production && !c.config.UnstableFeatureVersions:
		c.add(versionUnstable, dir, "the metadata version is %s, which is not stable in Kafka %s", v.Name, t.Name)
	}
}

func (c *collector) checkFeature(dir string, f Feature, unstable bool) {
	switch most, ok := c.target.Max(f.Name, unstable); {
	case !ok:
		c.add(featureUnknown, dir, "Kafka %s does not know %s, which is %d", c.target.Name, quoteName(f.Name), f.Level)
	case f.Level > most:
		c.add(featureTooNew, dir, "%s is %d, but Kafka %s knows up to %d", f.Name, f.Level, c.target.Name, most)
	}
}

// checkLayout finds out how the node was formatted.
func (c *collector) checkLayout() {
	l := &c.report.Layout
	l.Name, l.Quorum = LayoutNone, QuorumUnknown
	switch d := c.metadata; {
	case d == nil:
		l.Text = "not known: none of the directories has a metadata log"
	case !d.formatted() && !d.hasMetadata():
		l.Text = map[string]string{StateMissing: "not formatted: the metadata directory is missing", StateUnreadable: "not known: meta.properties cannot be read"}[d.State]
		l.Text = cmp.Or(l.Text, "not formatted")
	case d.Bootstrap:
		l.Name, l.Text = LayoutBootstrap, "bootstrap.checkpoint, as Kafka 3.9 to 4.3 write it"
	case c.unified:
		l.Name, l.Text = LayoutUnified, "all in one snapshot, as Kafka 4.4 writes it"
		c.checkUnified(filepath.Join(d.Path, index.MetadataLogDir))
	case d.MetadataLog:
		l.Text = "a metadata log; what format wrote is not there any more"
	case c.config.Roles.Controller:
		l.Text = "meta.properties only, without what format writes for a controller"
	default:
		l.Text = "meta.properties only, as Kafka 4.4 writes it for a broker"
	}
	if d := c.metadata; d != nil && !d.formatted() && d.hasMetadata() {
		l.Text = "not formatted, but there is " + l.Text
	}
	c.quorumKind(l)
	if l.Quorum != QuorumUnknown {
		l.Text += "; " + l.Quorum + " quorum"
	}
}

// checkUnified: what the target makes of bootstrap metadata in the snapshot 0-0.
func (c *collector) checkUnified(dir string) {
	fate, later := c.replayed.loader.BootstrapFate(), c.target.Skips || c.target.Unified
	switch {
	case fate == image.BootstrapKept && later:
		c.add(layoutOutgrown, dir, "the log adds to the snapshot 0-0, which Kafka %s does not read", c.target.Name)
	case fate == image.BootstrapPending && c.target.Skips:
		c.add(layoutSkipped, dir, "the layout is that of Kafka 4.4, and the cluster has not begun")
	case !c.target.Unified && c.logEmpty():
		c.add(layoutNewer, dir, "the layout is that of Kafka 4.4, and the node was never started")
	}
}

// quorumKind finds out whether the voters are in the log or in the configuration.
func (c *collector) quorumKind(l *Layout) {
	s := c.replayed
	q := c.report.QuorumState
	switch {
	case s == nil:
	case s.kraft >= 0:
		kraft := s.kraft
		l.KRaftVersion, l.Quorum = &kraft, QuorumStatic
		if kraft > 0 {
			l.Quorum = QuorumDynamic
		}
	case c.blind:
	case c.report.Log != nil && c.report.Log.EndOffset > 0, c.unified, q != nil && q.Version == 0 && len(q.Voters) > 0:
		// No record of it in a log, or in a snapshot that format wrote: it is 0.
		zero := int16(0)
		l.KRaftVersion, l.Quorum = &zero, QuorumStatic
	}
	if l.Quorum != QuorumUnknown || c.blind || !c.known {
		return
	}
	switch { // nothing tells yet: what it will be
	case len(c.config.Voters) > 0:
		l.Quorum = QuorumStatic
	case c.config.Roles.Controller && c.metadata != nil && c.metadata.formatted() && s != nil:
		l.Quorum = QuorumDynamic
	}
}
