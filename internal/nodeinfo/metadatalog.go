package nodeinfo

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/decode/quorumstate"
	"kraftctl/internal/metalog"
	"kraftctl/internal/vfs"
)

// metadataFiles are the names in the directory of the metadata log.
type metadataFiles struct {
	snapshots []Snapshot
	segments  []segment
	quorum    bool
}

type segment struct {
	name  string
	base  int64
	bytes int64
}

// metadataLog looks at the metadata log and at bootstrap.checkpoint.
func (c *collector) metadataLog() {
	dir := filepath.Join(c.metadata.Path, index.MetadataLogDir)
	var files metadataFiles
	if c.metadata.MetadataLog {
		list, err := c.fs.ReadDir(dir)
		if err != nil {
			c.add(metadataUnreadable, dir, "it cannot be listed: %s", vfs.Cause(err))
		}
		files = c.sortFiles(dir, list)
	}
	s, from := c.loadSnapshot(dir, files.snapshots)
	if len(files.segments) > 0 {
		c.readLog(dir, files.segments, s, from)
	}
	c.readBootstrap(s)
	c.report.Snapshots = files.snapshots
	c.replayed = s
	c.setMetadata(from)
	if files.quorum {
		c.readQuorumState(filepath.Join(dir, quorumstate.FileName))
	}
}

// sortFiles tells the files in the directory of the metadata log apart.
func (c *collector) sortFiles(dir string, list []fs.DirEntry) (files metadataFiles) {
	var odd entries
	for _, e := range list {
		name := e.Name()
		n, err := index.ParseFileName(name)
		switch {
		case e.IsDir() && !(err == nil && n.State == index.StateLive && opened(n.Kind)):
			odd.add(foreignFile, name)
		case err != nil && filepath.Ext(name) == ".checkpoint":
			odd.add(snapshotName, name)
		case err != nil:
			odd.add(foreignFile, name)
		case n.State != index.StateLive:
			odd.add(stateProblems[n.State], name)
		case n.Kind == index.KindBootstrap:
			c.add(bootstrapInside, filepath.Join(dir, name), "there is a bootstrap.checkpoint in the directory of the metadata log")
		case n.Kind == index.KindSnapshot:
			files.snapshots = append(files.snapshots, Snapshot{Name: name, EndOffset: n.Offset, Epoch: n.Epoch, Bytes: size(e), State: SnapshotOlder})
		case n.Kind == index.KindLog:
			files.segments = append(files.segments, segment{name, n.Offset, size(e)})
		case n.Kind == index.KindQuorumState:
			files.quorum, c.quorumSeen = true, true
		case n.Kind == index.KindUnknown || n.Kind >= index.KindMetaProperties:
			odd.add(foreignFile, name)
		}
	}
	// By number, for which names sort only as long as Kafka made them.
	slices.SortFunc(files.snapshots, func(a, b Snapshot) int {
		return cmp.Or(cmp.Compare(a.EndOffset, b.EndOffset), cmp.Compare(a.Epoch, b.Epoch))
	})
	slices.SortFunc(files.segments, func(a, b segment) int { return cmp.Compare(a.base, b.base) })
	c.reportEntries(dir, &odd)
	return files
}

// opened reports whether a node opens whatever has the name of such a file, and
// ends if it is a directory.
func opened(k index.Kind) bool {
	return k == index.KindSnapshot || k == index.KindLog || k == index.KindQuorumState
}

// stateProblems are the problems that files on the way are.
var stateProblems = map[index.State]string{
	index.StateDeleted: leftDeleted,
	index.StateCleaned: leftCleaned,
	index.StateSwap:    leftCleaned,
	index.StatePart:    leftPart,
	index.StateTemp:    leftTemp,
}

func size(e fs.DirEntry) int64 {
	info, err := e.Info()
	if err != nil {
		return 0 // gone since
	}
	return info.Size()
}

// readLog replays the log from an offset on, and finds its end.
func (c *collector) readLog(dir string, segments []segment, s *state, from int64) {
	log := &Log{Path: dir, Segments: len(segments), StartOffset: segments[0].base, EndOffset: segments[0].base, LastEpoch: -1}
	c.report.Log = log
	for _, g := range segments {
		log.Bytes += g.bytes
	}
	if segments[0].base > from {
		what := "the log starts at offset %d, and no snapshot ends there or later"
		if segments[0].base < 0 {
			what = "the log starts at offset %d"
		}
		c.add(metadataGap, dir, what, segments[0].base)
		c.blind = true
	}
	first := 0
	for i, g := range segments {
		if g.base <= from {
			first = i
		}
	}
	for i, g := range segments[first:] {
		log.EndOffset = max(log.EndOffset, g.base)
		if !c.readSegment(dir, g, first+i == len(segments)-1, s, from) {
			return
		}
	}
}

// readSegment replays one segment. It reports whether to go on with the next.
func (c *collector) readSegment(dir string, g segment, last bool, s *state, from int64) bool {
	path := filepath.Join(dir, g.name)
	s.from, s.inLog = g.name, true
	log := c.report.Log
	f, err := metalog.OpenBatches(c.fs, path)
	if err == nil {
		defer f.Close()
	}
	for err == nil {
		if err = c.ctx.Err(); err != nil {
			return false
		}
		b, nextErr := f.Next()
		if err = nextErr; err != nil {
			break
		}
		log.EndOffset, log.LastEpoch = b.NextOffset(), b.LeaderEpoch
		log.Read += int64(b.Size)
		if b.LastOffset() >= from {
			err = s.batch(&b, from)
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		return true
	case errors.Is(err, io.ErrUnexpectedEOF) && last:
		c.add(metadataTorn, path, "it ends in a part of a batch, at byte %d", f.Pos())
		return false
	case errors.Is(err, io.ErrUnexpectedEOF):
		c.add(metadataDamaged, path, "it ends in a part of a batch, at byte %d, and is not the last segment", f.Pos())
	case corrupt.Is(err):
		if last && f.EndsInZeros(c.ctx) {
			c.add(metadataTorn, path, "it ends in zeros, from byte %d on", f.Pos())
			return false
		}
		c.add(metadataDamaged, path, "%s", damageText(err))
	case errors.Is(err, fs.ErrNotExist):
		return true // a running node has removed it
	default:
		c.add(metadataUnreadable, path, "it cannot be read: %s", vfs.Cause(err))
	}
	c.blind = true
	return false
}

// logEmpty reports whether there is no metadata log, or nothing in it.
func (c *collector) logEmpty() bool { return c.report.Log == nil || c.report.Log.EndOffset == 0 }
