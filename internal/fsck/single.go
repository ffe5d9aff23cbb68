package fsck

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// CheckIndex holds one .index, .timeindex or .txnindex file against the .log
// next to it, and gives what is wrong with the index. The log is read once, from
// its start to its end; its own damage is not reported, and hides no damage of
// the index. For other files there are no findings.
func CheckIndex(fsys vfs.FS, path string) []Finding {
	c := newChecker(context.Background(), fsys, Options{})
	n, err := index.ParseFileName(filepath.Base(path))
	if err != nil || n.State != index.StateLive {
		return nil
	}
	switch n.Kind {
	case index.KindOffsetIndex, index.KindTimeIndex, index.KindTxnIndex:
	default:
		return nil
	}
	if _, err := fsys.Stat(path); err != nil {
		return []Finding{unreadable(path, err)}
	}
	s := c.indexFile(filepath.Clean(path), n)
	c.emit(s)
	c.report.count()
	return c.report.Findings
}

// planFile adds the task for a single file.
func (c *checker) planFile(path string, size int64) error {
	s := c.newSink()
	n, ok := checkFileName(s, path)
	if !ok {
		if len(s.list) == 0 {
			return &fs.PathError{Op: "check", Path: path, Err: errNotKafka}
		}
		c.emit(s)
		return nil
	}
	switch n.Kind {
	case index.KindLog:
		c.later(size, func() { c.emit(c.segmentFile(path, n)) })
	case index.KindOffsetIndex, index.KindTimeIndex, index.KindTxnIndex:
		c.later(size, func() { c.emit(c.indexFile(path, n)) })
	case index.KindSnapshot, index.KindBootstrap:
		x := &snapshot{c: c, path: path, offset: n.Offset, epoch: n.Epoch, named: n.Kind == index.KindSnapshot}
		c.later(size, func() { c.emit(x.check()) })
	default:
		c.prepare = append(c.prepare, func() {
			s := c.newSink()
			c.smallFile(s, path, n)
			c.emit(s)
		})
	}
	return nil
}

// smallFile checks a file by itself, by its kind.
func (c *checker) smallFile(s *sink, path string, n index.FileName) {
	switch n.Kind {
	case index.KindProducerSnapshot:
		c.readProducers(s, []producerFile{{path, n.Offset}})
		return
	case index.KindMetaProperties:
		c.readMeta(s, path)
		return
	case index.KindReplicationOffsets, index.KindRecoveryPointOffsets, index.KindLogStartOffsets, index.KindCleanerOffsets:
		c.readCheckpoint(s, path, n.Kind)
		return
	case index.KindBootstrap, index.KindSnapshot:
		x := &snapshot{c: c, path: path, offset: n.Offset, epoch: n.Epoch, named: n.Kind == index.KindSnapshot}
		s.addAll(x.check().list)
		return
	case index.KindEpochCheckpoint, index.KindPartitionMetadata, index.KindQuorumState, index.KindCleanShutdown:
	default:
		return // segments have no business outside of a partition directory
	}
	data, ok := c.readSmall(s, path)
	if !ok {
		return
	}
	switch n.Kind {
	case index.KindEpochCheckpoint:
		_, _ = checkEpochFile(s, data, path) // the finding says what is wrong
	case index.KindPartitionMetadata:
		d, err := index.ParseDirName(filepath.Base(filepath.Dir(path)))
		checkPartitionMetadata(s, data, path, err == nil && d.Topic == index.MetadataTopic)
	case index.KindQuorumState:
		checkQuorumFile(s, data, path)
	case index.KindCleanShutdown:
		if _, err := index.ParseCleanShutdown(data, path); err != nil {
			s.add(damage(cleanShutdownBad, path, err))
		}
	}
}

// segmentOf finds the files of one segment and whether it is the last one of
// its partition.
func (c *checker) segmentOf(path string, base int64) (*segment, bool) {
	dir := filepath.Dir(path)
	p := c.newPartition(dir)
	g := &segment{c: c, base: base, topic: p.name.Topic, metadata: p.metadata(), active: true}
	entries, err := c.fs.ReadDir(dir)
	if err != nil {
		return g, p.compacted
	}
	for _, e := range entries {
		n, err := index.ParseFileName(e.Name())
		if err != nil || e.IsDir() || n.State != index.StateLive || n.String() != e.Name() {
			continue
		}
		switch n.Kind {
		case index.KindLog:
			if n.Offset > base {
				g.active = false
			}
			fallthrough
		case index.KindOffsetIndex, index.KindTimeIndex, index.KindTxnIndex:
			if n.Offset == base {
				g.assign(n.Kind, filepath.Join(dir, e.Name()))
			}
		}
	}
	return g, p.compacted || c.cleanerKnows(p)
}

// segmentFile checks a segment without its partition.
func (c *checker) segmentFile(path string, n index.FileName) *sink {
	g, compacted := c.segmentOf(path, n.Offset)
	g.log = path
	s := g.check()
	if g.known && !compacted && !g.compacted {
		s.addAll(g.later)
	}
	return s
}

// indexFile checks an index against its segment, and reports nothing else.
func (c *checker) indexFile(path string, n index.FileName) *sink {
	g, compacted := c.segmentOf(path, n.Offset)
	found := c.newSink()
	if g.log == "" {
		c.orphan(found, path, n.Offset)
		return found
	}
	g.offsets, g.times, g.txns = "", "", ""
	g.assign(n.Kind, path)
	s := g.check()
	if g.known && !compacted && !g.compacted {
		s.addAll(g.later)
	}
	for _, f := range s.list {
		if f.File == path || f.Rule == txnUnlisted && n.Kind == index.KindTxnIndex {
			found.add(f)
		} else if f.Rule == fileUnreadable {
			f.Message = fmt.Sprintf("%s %s", f.File, f.Message)
			f.File = path
			found.add(f)
		}
	}
	return found
}
