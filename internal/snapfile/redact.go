package snapfile

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/mask"
	"kraftctl/internal/metalog"
	"kraftctl/internal/sensitive"
	"kraftctl/internal/vfs"
)

// Redacted is a file whose secrets were taken out.
type Redacted struct {
	Path    string // of the copy
	Batches int64
	// Rewritten are the batches that are not byte by byte those of the original.
	Rewritten int64
	// Secrets are the records whose secrets were taken out; Unreadable those that
	// could not be decoded and may hold one: in their place is a NoOpRecord.
	Secrets, Unreadable int64
	// TornBytes are what is behind the last whole batch, and not in the copy.
	TornBytes int64
}

// Redact copies a segment or snapshot without its secrets: salts and keys of SCRAM
// credentials become zeros, and values of configurations that may be secrets become
// the mask. All else stays as it is: batches without a secret byte by byte, in the
// others offsets, times and attributes. The copy has its own checksums and is
// readable as the original is. It must not exist yet.
//
// Names of users, topics and hosts, and delegation tokens, stay: the secret of a
// token is not in the log.
func Redact(ctx context.Context, fsys vfs.FS, path, out string) (*Redacted, error) {
	if err := absent(fsys, out); err != nil {
		return nil, err
	}
	in, err := metalog.OpenBatches(fsys, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	temp := out + vfs.TempSuffix
	f, err := fsys.CreateNew(temp, 0o600)
	if err != nil {
		return nil, err
	}
	r := &redactor{decoder: decode.NewMetadataDecoder(), records: metalog.NewRecords(), done: &Redacted{Path: out}}
	if err = r.file(ctx, in, f); err == nil {
		err = place(fsys, temp, out, 0o644)
	}
	if err != nil {
		_ = fsys.Remove(temp)
		return nil, err
	}
	return r.done, nil
}

// RedactDir redacts the metadata log of a directory into out, which must not exist
// or be empty: segments, snapshots, and what goes with them and holds no secrets.
// Indexes are left out: a node makes them anew. If it fails, nothing is left of the
// copy. A file that a running node removes meanwhile is passed over.
func RedactDir(ctx context.Context, fsys vfs.FS, path, out string) (done []*Redacted, err error) {
	if entries, err := fsys.ReadDir(out); err == nil && len(entries) > 0 {
		return nil, &fs.PathError{Op: "create", Path: out, Err: fs.ErrExist}
	}
	files, err := metalog.List(fsys, metalog.Dir(fsys, path))
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(out, index.MetadataLogDir)
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var made []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range append(made, dir) {
			_ = fsys.Remove(name) // the first error is the one that matters
		}
		done = nil
	}()
	one := func(from, to string) error {
		made = append(made, to) // which may be there even if the last step failed
		r, err := Redact(ctx, fsys, from, to)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			done = append(done, r)
		}
		return err
	}
	for _, s := range files.Snapshots {
		if err := one(s.Path, filepath.Join(dir, s.Name)); err != nil {
			return nil, err
		}
	}
	for _, g := range files.Segments {
		if err := one(g.Path, filepath.Join(dir, g.Name)); err != nil {
			return nil, err
		}
	}
	if files.Bootstrap != "" {
		if err := one(files.Bootstrap, filepath.Join(out, index.BootstrapName)); err != nil {
			return nil, err
		}
	}
	for _, name := range [...]string{"leader-epoch-checkpoint", "quorum-state", "partition.metadata"} {
		data, err := vfs.ReadFile(fsys, filepath.Join(files.Dir, name), maxSmallFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			made = append(made, filepath.Join(dir, name))
			err = vfs.WriteFileAtomic(fsys, filepath.Join(dir, name), data, 0o644)
		}
		if err != nil {
			return nil, err
		}
	}
	return done, fsys.SyncDir(out)
}

// maxSmallFile bounds the text files beside a log, in bytes.
const maxSmallFile = 16 << 20

type redactor struct {
	decoder *decode.FrameDecoder
	records *decode.Records
	done    *Redacted

	list []decode.Record
	out  []byte
}

// file copies all batches, syncs and closes the copy.
func (r *redactor) file(ctx context.Context, in *metalog.BatchFile, f vfs.File) (err error) {
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	w := bufio.NewWriterSize(f, writeBuffer)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
		case r.done.Batches > 0 && in.Unwritten(ctx, err):
			r.done.TornBytes = in.Size() - in.Pos()
		case err != nil:
			return err
		default:
			r.done.Batches++
			raw, err := r.batch(&b)
			if err != nil {
				return err
			}
			if _, err := w.Write(raw); err != nil {
				return err
			}
			continue
		}
		if err := w.Flush(); err != nil {
			return err
		}
		return f.Sync()
	}
}

// batch gives the bytes of a batch without secrets.
func (r *redactor) batch(b *decode.Batch) ([]byte, error) {
	if b.IsControl() {
		return b.Raw, nil // of the quorum: it has none
	}
	r.list = r.list[:0]
	changed := false
	for r.records.Reset(b); r.records.Next(); {
		record := r.records.Record
		record.Headers = slices.Clone(record.Headers)
		value, hidden := r.value(record.Value)
		if changed = changed || hidden; hidden {
			record.Value = value
		}
		r.list = append(r.list, record)
	}
	if err := r.records.Err(); err != nil {
		return nil, err
	}
	if !changed {
		return b.Raw, nil
	}
	r.done.Rewritten++
	var err error
	r.out, err = decode.AppendBatch(r.out[:0], b, r.list)
	return r.out, err
}

// noOp is the frame of a NoOpRecord.
var noOp = []byte{decode.FrameVersion, byte(metadata.KeyNoOpRecord), 0, 0}

// value gives a record's value without its secret, if it has one.
func (r *redactor) value(value []byte) (out []byte, hidden bool) {
	f, err := r.decoder.Decode(value)
	if err != nil {
		if mask.Unreadable(&f, err) {
			r.done.Unreadable++
			return noOp, true
		}
		return nil, false
	}
	var m kbin.Message
	switch record := f.Message.(type) {
	case *metadata.UserScramCredentialRecord:
		c := *record
		c.Salt, c.StoredKey, c.ServerKey = make([]byte, len(c.Salt)), make([]byte, len(c.StoredKey)), make([]byte, len(c.ServerKey))
		m = &c
	case *metadata.ConfigRecord:
		if record.Value == nil || !sensitive.Config(record.Name) {
			return nil, false
		}
		c := *record
		text := sensitive.Mask
		c.Value = &text
		m = &c
	default:
		return nil, false
	}
	if out, err = decode.AppendFrame(nil, f.APIKey, f.Version, m); err != nil {
		// Of a version that is not known here.
		r.done.Unreadable++
		return noOp, true
	}
	r.done.Secrets++
	return out, true
}
