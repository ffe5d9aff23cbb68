package fsck

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
)

// logDir is a log directory: the partition directories in it, and what says
// which node it belongs to.
type logDir struct {
	c    *checker
	path string
	s    *sink
	meta *metaFile // nil if there is none or it cannot be read

	partitions  []*partition
	checkpoints []*checkpointFile
}

// contents is what the names in a directory say about it.
type contents struct {
	entries   []fs.DirEntry
	logDir    bool // it has files that only log directories have
	partition bool // it has files that only partition directories have
}

func (c *checker) contents(path string) (x contents, err error) {
	if x.entries, err = c.fs.ReadDir(path); err != nil {
		return x, err
	}
	for _, e := range x.entries {
		if e.IsDir() {
			continue
		}
		n, err := index.ParseFileName(e.Name())
		switch {
		case err != nil || n.Kind.Segmented() || n.Kind == index.KindEpochCheckpoint ||
			n.Kind == index.KindPartitionMetadata || n.Kind == index.KindQuorumState:
			x.partition = true
		case n.Kind != index.KindUnknown && n.Kind != index.KindBootstrap:
			x.logDir = true
		}
	}
	return x, nil
}

// isLogDir reports whether a directory is a log directory: by its files, or
// because a directory in it is a partition.
func (c *checker) isLogDir(path string, x contents) bool {
	if x.logDir || x.partition {
		return x.logDir
	}
	for _, e := range x.entries {
		if _, err := index.ParseDirName(e.Name()); e.IsDir() && err == nil {
			if inner, err := c.contents(filepath.Join(path, e.Name())); err == nil && inner.partition && !inner.logDir {
				return true
			}
		}
	}
	return false
}

// plan finds out what a path is, and adds the tasks for it. It returns the log
// directory if it is one.
func (c *checker) plan(path string) (*logDir, error) {
	info, err := c.fs.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, c.planFile(path, info.Size())
	}
	x, err := c.contents(path)
	if err != nil {
		return nil, err
	}
	switch {
	case c.isLogDir(path, x):
		return c.planLogDir(path), nil
	case x.partition:
		p := c.newPartition(path)
		p.compacted = p.compacted || c.cleanerKnows(p)
		c.prepare = append(c.prepare, p.prepare)
		return nil, nil
	}
	// A directory that holds log directories, of one node or of several.
	found := map[string]*node{}
	for _, e := range x.entries {
		inner := filepath.Join(path, e.Name())
		if !e.IsDir() {
			continue
		}
		if y, err := c.contents(inner); err == nil && c.isLogDir(inner, y) {
			d := c.planLogDir(inner)
			key := inner
			if d.meta != nil {
				key = d.meta.ClusterID + "\x00" + itoa(d.meta.NodeID)
			}
			if found[key] == nil {
				found[key] = &node{}
				c.nodes = append(c.nodes, found[key])
			}
			found[key].dirs = append(found[key].dirs, d)
		}
	}
	if len(found) == 0 {
		s := c.newSink()
		s.add(Finding{Rule: nothingFound, File: path, Position: -1, Offset: -1, Message: "there is no file of Kafka's in this directory"})
		c.emit(s)
	}
	return nil, nil
}

// planLogDir reads the small files of a log directory, then lists its
// partitions: what a checkpoint says about a log must be older than the log.
func (c *checker) planLogDir(path string) *logDir {
	d := &logDir{c: c, path: path, s: c.newSink()}
	c.logDirs = append(c.logDirs, d)
	entries, err := c.fs.ReadDir(path)
	if err != nil {
		d.s.add(unreadable(path, err))
		return d
	}
	hasMeta := false
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		hasMeta = hasMeta || e.Name() == index.MetaPropertiesName
		d.file(filepath.Join(path, e.Name()))
	}
	if !hasMeta {
		d.s.add(Finding{Rule: metaMissing, File: path, Position: -1, Offset: -1, Message: "there is no " + index.MetaPropertiesName})
	}
	if entries, err = c.fs.ReadDir(path); err != nil {
		d.s.add(unreadable(path, err))
		return d
	}
	for _, e := range entries {
		if e.IsDir() {
			d.directory(e.Name())
		}
	}
	return d
}

// file handles a plain file of the log directory.
func (d *logDir) file(path string) {
	n, ok := checkFileName(d.s, path)
	if !ok {
		return
	}
	switch n.Kind {
	case index.KindMetaProperties:
		d.meta = d.c.readMeta(d.s, path)
	case index.KindReplicationOffsets, index.KindRecoveryPointOffsets, index.KindLogStartOffsets, index.KindCleanerOffsets:
		if f := d.c.readCheckpoint(d.s, path, n.Kind); f != nil {
			d.checkpoints = append(d.checkpoints, f)
		}
	case index.KindLock:
		// It exists while the node runs. Nobody but the node touches it.
	default:
		d.c.smallFile(d.s, path, n)
	}
}

// directory handles a directory in the log directory.
func (d *logDir) directory(name string) {
	if name == index.RemoteIndexCacheDir {
		return
	}
	path := filepath.Join(d.path, name)
	p := d.c.newPartition(path)
	if !p.named {
		d.s.add(Finding{Rule: dirName, File: path, Position: -1, Offset: -1, Message: name + " is not the name of a partition"})
		return
	}
	for _, f := range d.checkpoints {
		if _, ok := f.offsets[topicPartition{p.name.Topic, p.name.Partition}]; ok && f.kind == index.KindCleanerOffsets {
			p.compacted = true
		}
	}
	d.partitions = append(d.partitions, p)
	d.c.prepare = append(d.c.prepare, p.prepare)
}

// cleanerKnows reports whether the cleaner's checkpoint next to a partition
// directory names it.
func (c *checker) cleanerKnows(p *partition) bool {
	f := c.readCheckpoint(c.newSink(), filepath.Join(filepath.Dir(p.dir), "cleaner-offset-checkpoint"), index.KindCleanerOffsets)
	if f == nil {
		return false
	}
	_, ok := f.offsets[topicPartition{p.name.Topic, p.name.Partition}]
	return ok
}

// finish compares the checkpoints with the partitions.
func (d *logDir) finish() {
	for _, f := range d.checkpoints {
		d.compareCheckpoint(f)
	}
	d.c.emit(d.s)
}

// node is the log directories of one node.
type node struct{ dirs []*logDir }

// finish compares the directories with each other.
func (n *node) finish() {
	if len(n.dirs) == 0 {
		return
	}
	c := n.dirs[0].c
	s := c.newSink()
	compareMeta(s, n.dirs)
	n.compareTopics(c, s)
	c.emit(s)
}

// compareTopics looks for topics with two ids, and for partitions that are
// there twice.
func (n *node) compareTopics(c *checker, s *sink) {
	type replica struct {
		dir string
		id  kbin.UUID
	}
	topics := make(map[string]replica)
	places := make(map[topicPartition]string)
	for _, d := range n.dirs {
		for _, p := range d.partitions {
			if !p.present || p.name.State == index.DirDelete || p.name.State == index.DirStray {
				continue
			}
			if p.name.State == index.DirLive {
				key := topicPartition{p.name.Topic, p.name.Partition}
				if other, ok := places[key]; !ok {
					places[key] = p.dir
				} else if c.exists(other) && c.exists(p.dir) { // and was not moved meanwhile
					rule := partitionTwice
					if p.name.Topic == index.MetadataTopic {
						rule = metadataLogTwice
					}
					s.add(Finding{Rule: rule, File: p.dir, Position: -1, Offset: -1, Message: "the partition is in " + other, Got: p.dir})
				}
			}
			if p.topicID.IsZero() {
				continue
			}
			first, ok := topics[p.name.Topic]
			if !ok {
				topics[p.name.Topic] = replica{p.dir, p.topicID}
				continue
			}
			if first.id != p.topicID && c.stillHas(first.dir, first.id) && c.stillHas(p.dir, p.topicID) {
				s.add(Finding{Rule: topicIDMismatch, File: p.dir, Position: -1, Offset: -1,
					Message: fmt.Sprintf("the topic id is %s; in %s it is %s", p.topicID, first.dir, first.id), Want: first.id.String(), Got: p.topicID.String()})
			}
		}
	}
}

// stillHas reports whether a directory has not been replaced by another one
// with its name: topics are deleted and created anew.
func (c *checker) stillHas(dir string, id kbin.UUID) bool {
	s := c.newSink()
	path := filepath.Join(dir, "partition.metadata")
	data, ok := c.readSmall(s, path)
	return ok && checkPartitionMetadata(s, data, path, false) == id
}

// errNotKafka is the error for a file that is given and whose name says nothing.
var errNotKafka = errors.New("not a name of Kafka's: it is not known what to check")
