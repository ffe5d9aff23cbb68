package nodeinfo

import (
	"context"
	"path/filepath"
	"slices"

	"kraftctl/decode/index"
	"kraftctl/internal/feature"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/vfs"
)

// collector is one run of Collect.
type collector struct {
	ctx    context.Context
	fs     vfs.FS
	o      Options
	config *kafkaconfig.Config // never nil
	known  bool                // there is a configuration
	target *feature.Release
	report *Report

	metadata *Directory // the metadata directory, nil if it is not known
	thisID   *int32     // the id of this node, nil if it is not known
	thisDir  string     // the directory id of the metadata directory, "" if there is none

	replayed   *state // of snapshot, log and bootstrap.checkpoint
	quorumSeen bool   // quorum-state is there, whatever is in it
	blind      bool   // a part of the snapshot or log could not be read: what was not met may be there
	unified    bool   // the snapshot 0-0 has the metadata version
	// bootstrapUnread: bootstrap.checkpoint is there and could not be read.
	bootstrapUnread bool
}

// Collect looks at the storage of a node. Whatever is wrong there is a problem
// in the report; the error is that of ctx only.
func Collect(ctx context.Context, fsys vfs.FS, o Options) (*Report, error) {
	c := &collector{ctx: ctx, fs: fsys, o: o, config: o.Config, known: o.Config != nil, target: o.Target}
	if c.config == nil {
		c.config = &kafkaconfig.Config{NodeID: -1}
	}
	if c.target == nil {
		c.target = feature.LatestRelease()
	}
	c.report = &Report{Target: c.target.Name, ConfigFile: o.ConfigFile, Roles: roles(c.config.Roles),
		Directories: []Directory{}, Problems: []Problem{}}
	c.checkConfig()
	c.directories()
	c.identity()
	c.findMetadata()
	if c.metadata != nil && c.metadata.State != StateMissing && c.metadata.State != StateNoDirectory {
		c.metadataLog()
	}
	c.checkLayout()
	c.checkFeatures()
	c.checkVoters()
	c.checkControllerLogin()
	slices.SortStableFunc(c.report.Problems, bySeverity)
	return c.report, ctx.Err()
}

// directories looks at each directory by itself, and at what they must have in
// common.
func (c *collector) directories() {
	list := c.o.directories()
	if len(list) == 0 && c.o.ConfigErr == nil {
		c.add(configNoDirs, c.o.ConfigFile, "no directories are named")
	}
	for _, path := range list {
		if c.ctx.Err() != nil {
			return
		}
		c.report.Directories = append(c.report.Directories, c.directory(path))
	}
	c.compareOwners()
	c.compareMeta()
}

// identity finds out which node this is.
func (c *collector) identity() {
	for i := range c.report.Directories {
		m := c.report.Directories[i].Meta
		if m == nil {
			continue
		}
		if c.report.ClusterID == "" {
			c.report.ClusterID = m.ClusterID
		}
		if c.report.NodeID == nil {
			c.report.NodeID = m.NodeID
		}
	}
	c.thisID = c.report.NodeID
	if c.known && c.config.NodeID >= 0 {
		id := c.config.NodeID
		c.thisID = &id
	}
}

// findMetadata finds the metadata directory: the configured one; without a
// configuration the one that has the metadata log, or the only one.
func (c *collector) findMetadata() {
	dirs := c.report.Directories
	var with []*Directory
	for i := range dirs {
		d := &dirs[i]
		if d.MetadataLog {
			with = append(with, d)
		}
		if c.known && samePath(d.Path, c.config.MetadataLogDir) {
			c.metadata = d
		}
	}
	switch {
	case c.known:
		for _, d := range with {
			if d != c.metadata {
				c.add(metadataMisplaced, filepath.Join(d.Path, index.MetadataLogDir), "the metadata directory is %s", c.config.MetadataLogDir)
			}
		}
	case len(with) > 0:
		c.metadata = with[0]
		for _, d := range with[1:] {
			c.add(metadataTwice, filepath.Join(d.Path, index.MetadataLogDir), "the metadata log is in %s as well", with[0].Path)
		}
	case len(dirs) == 1:
		c.metadata = &dirs[0]
	default:
		for i := range dirs {
			if dirs[i].Bootstrap && c.metadata == nil {
				c.metadata = &dirs[i] // all have the same one
			}
		}
	}
	if c.metadata != nil {
		c.metadata.Kind = KindMetadata
		if c.metadata.Partitions.Live > 0 || c.config.Roles.Broker && slices.ContainsFunc(c.config.LogDirs, func(d string) bool { return samePath(d, c.metadata.Path) }) {
			c.metadata.Kind = KindBoth
		}
		if m := c.metadata.Meta; m != nil {
			c.thisDir = m.DirectoryID
		}
	}
}

func samePath(a, b string) bool { return filepath.Clean(a) == filepath.Clean(b) }
