package metalog

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// Snapshot is the file of a snapshot.
type Snapshot struct {
	Name string
	Path string
	// EndOffset is the offset after the last record that it stands for.
	EndOffset int64
	Epoch     int32 // of that record
	Bytes     int64
}

// Segment is a segment of the log.
type Segment struct {
	Name       string
	Path       string
	BaseOffset int64
	Bytes      int64
}

// Files are what the directory of a metadata log holds.
type Files struct {
	Dir       string
	Snapshots []Snapshot // by end offset and epoch
	Segments  []Segment  // by base offset
	// Unfinished are snapshots that were not written to their end, by name.
	Unfinished []string
	// Bootstrap is the path of bootstrap.checkpoint in the directory above, with
	// which releases before 4.4 begin; empty if there is none.
	Bootstrap string
}

// Dir is where a directory's metadata log is: in the one of a node, or in itself.
func Dir(fsys vfs.FS, path string) string {
	inner := filepath.Join(path, index.MetadataLogDir)
	if info, err := fsys.Stat(inner); err == nil && info.IsDir() {
		return inner
	}
	return path
}

// List looks into the directory of a metadata log.
func List(fsys vfs.FS, dir string) (*Files, error) {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	f := &Files{Dir: dir}
	for _, e := range entries {
		n, err := index.ParseFileName(e.Name())
		path := filepath.Join(dir, e.Name())
		switch {
		case err != nil || e.IsDir():
		case n.Kind == index.KindSnapshot && n.State == index.StatePart:
			f.Unfinished = append(f.Unfinished, e.Name())
		case n.State != index.StateLive:
		case n.Kind == index.KindSnapshot:
			f.Snapshots = append(f.Snapshots, Snapshot{e.Name(), path, n.Offset, n.Epoch, size(e)})
		case n.Kind == index.KindLog:
			f.Segments = append(f.Segments, Segment{e.Name(), path, n.Offset, size(e)})
		}
	}
	// By number, for which names sort only as long as Kafka made them.
	slices.SortFunc(f.Snapshots, compareSnapshots)
	slices.SortFunc(f.Segments, func(a, b Segment) int { return cmp.Compare(a.BaseOffset, b.BaseOffset) })
	if path := filepath.Join(filepath.Dir(dir), index.BootstrapName); filepath.Base(dir) == index.MetadataLogDir {
		if info, err := fsys.Stat(path); err == nil && info.Mode().IsRegular() {
			f.Bootstrap = path
		}
	}
	return f, nil
}

func size(e fs.DirEntry) int64 {
	info, err := e.Info()
	if err != nil {
		return 0 // gone since
	}
	return info.Size()
}
