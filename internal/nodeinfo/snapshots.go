package nodeinfo

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/vfs"
)

// maxSnapshotTries is how many snapshots are read, from the latest on, until one
// is sound.
const maxSnapshotTries = 3

// loadSnapshot reads the latest snapshot. Kafka would fail on a damaged one; to
// tell more, the one before it is taken then. It gives the state, and the offset
// at which the log goes on.
func (c *collector) loadSnapshot(dir string, list []Snapshot) (*state, int64) {
	for i := len(list) - 1; i >= max(0, len(list)-maxSnapshotTries); i-- {
		x := &list[i]
		s := newState()
		if x.State = c.readSnapshot(filepath.Join(dir, x.Name), x.Name, s); x.State == SnapshotComplete {
			c.lookAtFirst(dir, list, i, s)
			if x.EndOffset == 0 {
				s.loader.Bootstrap()
			}
			return s, x.EndOffset
		}
		c.blind = true
		if c.ctx.Err() != nil {
			break
		}
	}
	return newState(), 0
}

// lookAtFirst finds out what format wrote, which is in the snapshot 0-0 as long
// as it is there.
func (c *collector) lookAtFirst(dir string, list []Snapshot, loaded int, s *state) {
	if first := list[0]; first.EndOffset == 0 {
		if loaded > 0 {
			s = newState()
			if complete, err := c.replaySnapshot(filepath.Join(dir, first.Name), first.Name, s); err != nil || !complete {
				return // it is not used any more, whatever is wrong with it
			}
		}
		_, c.unified = s.image().MetadataVersion()
	}
}

// readSnapshot reads a snapshot into a state, and tells the state of the file.
func (c *collector) readSnapshot(path, name string, s *state) string {
	complete, err := c.replaySnapshot(path, name, s)
	switch {
	case c.ctx.Err() != nil, errors.Is(err, fs.ErrNotExist): // a running node has removed it
		return SnapshotOlder
	case errors.Is(err, io.ErrUnexpectedEOF):
		c.add(snapshotIncomplete, path, "it ends in a part of a batch")
	case corrupt.Is(err):
		c.add(snapshotDamaged, path, "%s", damageText(err))
	case err != nil:
		c.add(metadataUnreadable, path, "it cannot be read: %s", vfs.Cause(err))
	case !complete:
		c.add(snapshotIncomplete, path, "it does not end with a snapshot footer")
	default:
		return SnapshotComplete
	}
	return SnapshotDamaged
}

// replaySnapshot applies the batches of a snapshot. complete: the last record is
// a footer.
func (c *collector) replaySnapshot(path, name string, s *state) (complete bool, err error) {
	s.from, s.inLog = name, false
	f, err := metalog.OpenBatches(c.fs, path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for n := 0; ; n++ {
		if err := c.ctx.Err(); err != nil {
			return false, err
		}
		b, err := f.Next()
		if errors.Is(err, io.EOF) {
			return complete, nil
		}
		if err != nil {
			return false, err
		}
		if err := s.batch(&b, 0); err != nil {
			return false, err
		}
		first, last := decode.NotControl, decode.NotControl
		if b.IsControl() {
			first, last = controlTypes(s.records)
		}
		if n == 0 && first != decode.SnapshotHeader {
			return false, &corrupt.Error{File: path, Pos: 0, What: "first record", Want: "a snapshot header"}
		}
		complete = last == decode.SnapshotFooter
	}
}

// controlTypes gives the types of the first and the last record of a control batch.
func controlTypes(r *decode.Records) (first, last decode.ControlType) {
	first, last = decode.NotControl, decode.NotControl
	r.Rewind()
	for n := 0; r.Next(); n++ {
		t, _, err := decode.ParseControlKey(r.Record.Key)
		if err != nil {
			t = decode.NotControl
		}
		if last = t; n == 0 {
			first = t
		}
	}
	return first, last
}

// readBootstrap reads bootstrap.checkpoint, which counts as long as the metadata
// log has no metadata version.
func (c *collector) readBootstrap(s *state) {
	if !c.metadata.Bootstrap {
		return
	}
	path := filepath.Join(c.metadata.Path, index.BootstrapName)
	b := newState()
	_, err := c.replaySnapshot(path, index.BootstrapName, b)
	_, hasVersion := b.image().MetadataVersion()
	c.bootstrapUnread = err != nil
	switch {
	case c.ctx.Err() != nil:
		return
	case err != nil && (corrupt.Is(err) || errors.Is(err, io.ErrUnexpectedEOF)):
		what := damageText(err)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			what = "it ends in a part of a batch"
		}
		c.add(bootstrapDamaged, path, "%s", what)
		return
	case err != nil:
		c.add(metadataUnreadable, path, "it cannot be read: %s", vfs.Cause(err))
		return
	case !hasVersion:
		c.add(bootstrapDamaged, path, "there is no metadata version in it")
		return
	}
	if _, ok := s.image().MetadataVersion(); ok {
		return
	}
	s.loader, s.version = b.loader, b.version
}

// setMetadata puts what was replayed into the report.
func (c *collector) setMetadata(from int64) {
	s := c.replayed
	asOf := from
	if l := c.report.Log; l != nil {
		asOf = max(asOf, l.EndOffset)
	}
	open, img := s.loader.Open(), s.image()
	if open {
		s.version = s.before // its end is not there: it counts for nothing yet
	}
	level, hasVersion := img.MetadataVersion()
	if s.badRecord != "" {
		c.add(recordUnknown, c.metadata.Path, "%s", s.badRecord)
	}
	if !hasVersion && img.Features().Len() == 0 && img.Scram().Len() == 0 {
		return
	}
	m := &Metadata{Features: []Feature{}, Source: s.version, AsOf: asOf, OpenTransaction: open}
	if hasVersion {
		m.Version = &Version{int16(level), level.String()}
	}
	for name, level := range img.Features().All() {
		if len(m.Features) == maxFeatures {
			m.More = img.Features().Len() - maxFeatures
			break
		}
		m.Features = append(m.Features, Feature{name, level})
	}
	m.SCRAM = scramUsers(img)
	m.More += max(0, img.Scram().Len()-maxUsers)
	if zk, ok := img.ZKMigration(); ok {
		m.ZKMigration = migrationState(zk)
	}
	c.report.Metadata = m
}

// scramUsers lists the users by name.
func scramUsers(img *image.Image) []SCRAMUser {
	var list []image.ScramUser
	for u := range img.Scram().All() {
		if len(list) == maxUsers {
			break
		}
		list = append(list, u)
	}
	slices.SortFunc(list, func(a, b image.ScramUser) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Mechanism, b.Mechanism))
	})
	out := []SCRAMUser{}
	for _, u := range list {
		if len(out) == 0 || out[len(out)-1].Name != u.Name {
			out = append(out, SCRAMUser{Name: u.Name})
		}
		last := &out[len(out)-1]
		last.Mechanisms = append(last.Mechanisms, u.Mechanism.String())
	}
	return out
}
