package metalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// maxSmallFile bounds the small files of the directory, in bytes.
const maxSmallFile = 1 << 20

// plan is what OpenLog found, and will do. Making it changes nothing on disk.
type plan struct {
	fs  vfs.FS
	dir string
	o   *LogOptions

	segments   []*segment
	snapshots  []Snapshot
	epochs     []index.EpochEntry
	start, end int64

	old         []string    // names of files to remove
	producers   []int64     // offsets of the producer snapshots that stay
	cut         *Cut        // torn end of the last segment
	replaced    *SnapshotID // the snapshot that replaces all segments
	hasMetadata bool
}

// make reads the directory and all of the log, and decides.
func (p *plan) make(ctx context.Context) error {
	files, err := List(p.fs, p.dir)
	if err != nil {
		return err
	}
	if err := p.readMetadata(); err != nil {
		return err
	}
	p.snapshots = files.Snapshots
	if len(files.Segments) > 0 {
		err = p.readLog(ctx, files.Segments)
	}
	if err == nil {
		err = p.newest(len(files.Segments) == 0)
	}
	if err != nil {
		return err
	}
	p.epochs = epochsFrom(p.epochs, p.start)
	return p.findOld()
}

// damaged is damage to the directory as a whole.
func (p *plan) damaged(what, want, got string) error {
	return &corrupt.Error{File: p.dir, Pos: -1, What: what, Want: want, Got: got}
}

func metadataFile(dir string) string {
	return filepath.Join(dir, index.FileName{Kind: index.KindPartitionMetadata}.String())
}

func (p *plan) readMetadata() error {
	path := metadataFile(p.dir)
	data, err := vfs.ReadFile(p.fs, path, maxSmallFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	m, err := index.ParsePartitionMetadata(data, path)
	if err == nil && m.TopicID != TopicID {
		err = &corrupt.Error{File: path, Pos: -1, What: "topic id", Want: TopicID.String(), Got: m.TopicID.String()}
	}
	p.hasMetadata = true
	return err
}

// readLog reads the segments, and finds where the log starts and ends.
func (p *plan) readLog(ctx context.Context, list []Segment) error {
	base := list[0].BaseOffset
	p.snapshots = slices.DeleteFunc(p.snapshots, func(s Snapshot) bool { return s.EndOffset < base })
	if base > 0 && len(p.snapshots) == 0 {
		return p.damaged("start of the log", "a snapshot that ends there or later", fmt.Sprintf("none for the start at %d", base))
	}
	p.start = base
	v := &validator{fs: p.fs, dir: p.dir, o: p.o, next: base}
	if base > 0 {
		v.watch = p.snapshots[0].EndOffset
		// Without a batch in the log its epoch is that of the snapshot at its start.
		if s := p.snapshots[0]; s.EndOffset == base {
			v.epoch = s.Epoch
		}
	}
	for i, s := range list {
		found, err := v.segment(ctx, s, i == len(list)-1)
		if err != nil {
			return err
		}
		p.segments = append(p.segments, found)
	}
	p.epochs, p.end, p.cut = v.epochs, v.next, v.cut
	if v.watched || v.watch == v.next {
		p.start = max(base, v.watch)
	}
	return nil
}

// newest finds out whether the latest snapshot is newer than the log.
func (p *plan) newest(noLog bool) error {
	if len(p.snapshots) == 0 {
		return nil
	}
	latest := p.snapshots[len(p.snapshots)-1]
	epoch := lastEpoch(p.epochs, p.snapshots, p.start)
	switch {
	case noLog && latest.EndOffset == 0: // formatted, and never started
		return nil
	case latest.Epoch > epoch || latest.Epoch == epoch && latest.EndOffset > p.end:
	case latest.EndOffset > p.end:
		return p.damaged("end of the log", fmt.Sprintf("at least %d, where the snapshot %s ends", latest.EndOffset, latest.Name),
			fmt.Sprintf("%d, of the later epoch %d", p.end, epoch))
	default:
		return nil
	}
	if err := verifySnapshot(p.fs, latest.Path, latest.Epoch); err != nil {
		return err // of all the state nothing would be left
	}
	id := latest.ID()
	p.replaced = &id
	p.start, p.end, p.epochs, p.cut = id.EndOffset, id.EndOffset, nil, nil
	p.snapshots = p.snapshots[len(p.snapshots)-1:]
	return nil
}

// findOld looks for the names of what is to be removed, and for those that Kafka
// would stumble over.
func (p *plan) findOld() error {
	entries, err := p.fs.ReadDir(p.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		n, err := index.ParseFileName(e.Name())
		want := n.String()
		if n.Kind == index.KindBootstrap {
			want = "it one directory further up"
		}
		if err != nil || (n.Kind.Segmented() || n.Kind == index.KindBootstrap) && n.State == index.StateLive && want != e.Name() {
			return &corrupt.Error{File: filepath.Join(p.dir, e.Name()), Pos: -1, What: "name of the file", Want: want, Got: e.Name(), Err: err}
		}
		if p.outdated(n) {
			p.old = append(p.old, e.Name())
		} else if n.Kind == index.KindProducerSnapshot && n.State == index.StateLive {
			p.producers = append(p.producers, n.Offset)
		}
	}
	return nil
}

// outdated reports whether a file is of no use any more.
func (p *plan) outdated(n index.FileName) bool {
	base := slices.ContainsFunc(p.segments, func(s *segment) bool { return s.base == n.Offset && p.replaced == nil })
	switch {
	case n.Kind == index.KindUnknown:
		return false
	case n.State != index.StateLive:
		return n.State == index.StatePart || n.State == index.StateDeleted || n.State == index.StateTemp
	case n.Kind == index.KindSnapshot:
		return !slices.ContainsFunc(p.snapshots, func(s Snapshot) bool { return s.EndOffset == n.Offset && s.Epoch == n.Epoch })
	case n.Kind == index.KindOffsetIndex, n.Kind == index.KindTimeIndex, n.Kind == index.KindTxnIndex:
		return !base
	case n.Kind == index.KindProducerSnapshot:
		return !base && n.Offset != p.end
	}
	return false
}
