package format

import (
	"bytes"

	"kraftctl/decode/control"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/vfs"
)

// FirstSnapshotName is the snapshot at offset 0 and epoch 0.
const FirstSnapshotName = "00000000000000000000-0000000000.checkpoint"

// files gives the files of a directory, meta.properties last. What is written
// where is the release's own way; see the package comment.
func (p *Plan) files(fsys vfs.FS, d *Directory, env Env) ([]File, error) {
	var list []File
	now := func() int64 { return env.Now().UnixMilli() }
	if d.keeps {
		return []File{p.metaProperties(d, env)}, nil
	}
	add := func(f File, err error) error {
		if err == nil {
			list = append(list, f)
		}
		return err
	}
	switch {
	case p.Request.Source != nil && d.Kind != DataDirectory && p.Request.Controller:
		h := snapshot.Header{KRaftVersion: p.KRaftVersion, Voters: p.votersRecord()}
		if err := add(p.sourceSnapshot(h, now)); err != nil {
			return nil, err
		}
		if !p.Request.Release.Unified { // which counts for nothing then, but is expected
			if err := add(p.bootstrapCheckpoint(now)); err != nil {
				return nil, err
			}
		}
	case p.Request.Release.Unified:
		if d.Kind != DataDirectory && p.Request.Controller {
			h := snapshot.Header{LastContainedLogTimestamp: now(), KRaftVersion: p.KRaftVersion, Voters: p.votersRecord()}
			if err := add(p.firstSnapshot(h, p.Bootstrap, now)); err != nil {
				return nil, err
			}
		}
	default:
		if _, err := fsys.Stat(d.path(index.BootstrapName)); err != nil || !p.Request.Keep {
			if err := add(p.bootstrapCheckpoint(now)); err != nil {
				return nil, err
			}
		}
		if d.Kind == DynamicMetadataVoterDirectory || d.Kind == DynamicMetadataDirectory {
			h := snapshot.Header{LastContainedLogTimestamp: now(), KRaftVersion: 1, Voters: p.votersRecord()}
			if err := add(p.firstSnapshot(h, nil, now)); err != nil {
				return nil, err
			}
		}
	}
	return append(list, p.metaProperties(d, env)), nil
}

// votersRecord is the voter set that is written, nil if there is none.
func (p *Plan) votersRecord() *control.VotersRecord {
	if len(p.Request.InitialControllers) == 0 {
		return nil
	}
	return votersRecord(p.Request.InitialControllers, p.Request.ListenerName)
}

// firstSnapshot is the snapshot that the metadata log begins with. A finished
// snapshot is read-only.
func (p *Plan) firstSnapshot(h snapshot.Header, b *Bootstrap, now func() int64) (File, error) {
	data, err := encodeSnapshot(h, b, now)
	name := index.MetadataLogDir + "/" + FirstSnapshotName
	return File{Name: name, Data: data, Mode: 0o400, temp: name + index.StatePart.Suffix()}, err
}

// bootstrapCheckpoint is the file that says how the metadata begins.
func (p *Plan) bootstrapCheckpoint(now func() int64) (File, error) {
	data, err := encodeSnapshot(snapshot.Header{}, p.Bootstrap, now)
	return File{Name: index.BootstrapName, Data: data, Mode: usualMode, temp: index.BootstrapName + vfs.TempSuffix}, err
}

func encodeSnapshot(h snapshot.Header, b *Bootstrap, now func() int64) ([]byte, error) {
	var out bytes.Buffer
	w := snapshot.NewWriter(&out, 0, h, now)
	if b != nil {
		if err := b.each(func(apiKey int16, m kbin.Message) error { return w.Append(apiKey, 0, m) }); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
