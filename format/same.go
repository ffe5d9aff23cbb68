package format

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/metadata"
	"kraftctl/internal/vfs"
)

// Differences tells where the directories that are formatted already are not
// what the plan's request would have made of them: none if they are the same.
// The cluster, the node and the ids of the directories always count. Features,
// voters and users count as long as no node has run on the metadata directory;
// later they may have changed for good reasons.
func (p *Plan) Differences(fsys vfs.FS) ([]string, error) {
	var list []string
	differ := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for i := range p.Ensemble.Formatted {
		d := &p.Ensemble.Formatted[i]
		if d.Meta.Version == 0 {
			differ("%s is formatted for ZooKeeper mode", d.Path)
		}
		if d.Path != p.Request.MetadataDir {
			continue
		}
		if me, ok := findVoter(p.Request.InitialControllers, p.Request.NodeID); ok && !p.Request.Standalone && d.Meta.DirectoryID != me.DirectoryID {
			differ("%s has directory.id %s, but --initial-controllers says %s", d.Path, d.Meta.DirectoryID, me.DirectoryID)
		}
		begun, err := p.begun(fsys, d.Path)
		if err != nil {
			return nil, err
		}
		if begun == nil || begun.ran {
			continue
		}
		list = append(list, p.compare(begun)...)
	}
	return list, nil
}

// beginning is how the metadata of a directory begins.
type beginning struct {
	ran    bool // a node has run on it
	first  bool // there is a snapshot at offset 0, which says what kraft.version is
	levels map[string]int16
	kraft  int16
	voters []control.Voter
	users  []string
}

// begun reads the bootstrap metadata of a formatted metadata directory; nil if
// there is none, as on brokers.
func (p *Plan) begun(fsys vfs.FS, dir string) (*beginning, error) {
	d := Directory{Path: dir}
	b := &beginning{levels: map[string]int16{}}
	entries, err := fsys.ReadDir(d.path(MetadataPartitionDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		b.first = b.first || e.Name() == FirstSnapshotName
		b.ran = b.ran || e.Name() != FirstSnapshotName
	}
	found := false
	for _, file := range []string{BootstrapName, MetadataPartitionDir + "/" + FirstSnapshotName} {
		f, err := fsys.Open(d.path(file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = true
		if err := errors.Join(b.read(f, d.path(file)), f.Close()); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, nil
	}
	return b, nil
}

// read gathers what a snapshot says.
func (b *beginning) read(f vfs.File, name string) error {
	size, err := vfs.Size(f)
	if err != nil {
		return err
	}
	r := decode.NewReaderAt(f, size, name)
	frames := decode.NewMetadataDecoder()
	for {
		batch, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && !batch.Valid() {
			err = &corrupt.Error{File: name, Pos: batch.Position, What: "checksum of a batch"}
		}
		if err != nil {
			return err
		}
		for record, err := range r.Records() {
			switch {
			case err != nil:
			case batch.IsControl():
				err = b.control(record)
			default:
				err = b.data(record, frames)
			}
			if err != nil {
				return err
			}
		}
	}
}

func (b *beginning) control(r *decode.Record) error {
	c, err := decode.DecodeControl(r)
	if err != nil {
		return err
	}
	switch m := c.Message.(type) {
	case *control.KRaftVersionRecord:
		b.kraft = m.KRaftVersion
	case *control.VotersRecord:
		b.voters = append(b.voters, m.Voters...)
	}
	return nil
}

func (b *beginning) data(r *decode.Record, frames *decode.FrameDecoder) error {
	frame, err := frames.Decode(r.Value)
	if err != nil {
		return err
	}
	switch m := frame.Message.(type) {
	case *metadata.FeatureLevelRecord:
		b.levels[m.Name] = m.FeatureLevel
	case *metadata.UserScramCredentialRecord:
		b.users = append(b.users, userText(m))
	}
	return nil
}

// compare tells where a beginning is not that of the plan.
func (p *Plan) compare(b *beginning) (list []string) {
	want := map[string]int16{}
	for _, f := range p.Bootstrap.Features {
		want[f.Name] = f.FeatureLevel
	}
	for _, name := range slices.Sorted(maps.Keys(mergedKeys(want, b.levels))) {
		if want[name] != b.levels[name] {
			list = append(list, fmt.Sprintf("%s is %d, not %d", name, b.levels[name], want[name]))
		}
	}
	if b.first && b.kraft != p.KRaftVersion {
		list = append(list, fmt.Sprintf("kraft.version is %d, not %d", b.kraft, p.KRaftVersion))
	}
	var users []string
	for _, u := range p.Bootstrap.Users {
		users = append(users, userText(u))
	}
	if had, wanted := sortedText(b.users), sortedText(users); had != wanted {
		list = append(list, fmt.Sprintf("SCRAM users are %s, not %s", had, wanted))
	}
	// A quorum without a voter set says nothing about it here.
	if record := p.votersRecord(); record != nil || len(b.voters) > 0 {
		var asked []control.Voter
		if record != nil {
			asked = record.Voters
		}
		if had, wanted := p.voterTexts(b.voters), p.voterTexts(asked); had != wanted {
			list = append(list, fmt.Sprintf("the voters are %s, not %s", had, wanted))
		}
	}
	return list
}

// voterTexts shows voters, without their directories where those are random.
func (p *Plan) voterTexts(voters []control.Voter) string {
	var list []string
	for _, v := range voters {
		text := strconv.Itoa(int(v.VoterID)) + "@"
		for _, e := range v.Endpoints {
			text += e.Host + ":" + strconv.Itoa(int(e.Port))
		}
		if !p.Request.Standalone {
			text += ":" + v.VoterDirectoryID.String()
		}
		list = append(list, text)
	}
	return sortedText(list)
}

// userText names a credential without giving it away.
func userText(r *metadata.UserScramCredentialRecord) string {
	return r.Name + " (" + Mechanism(r.Mechanism).String() + ")"
}

func sortedText(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(list))), ", ")
}

func mergedKeys(a, b map[string]int16) map[string]int16 {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
