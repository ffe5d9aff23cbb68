package format

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode/control"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// Differences tells where the directories that are formatted already are not
// what the plan's request would have made of them, or not whole: none if they
// are the same. The cluster, the node, the ids of the directories and the files
// that a controller begins with always count. Features, voters and users count
// as long as no node has run on the metadata directory; later they may have
// changed for good reasons.
func (p *Plan) Differences(fsys vfs.FS) ([]string, error) {
	var list []string
	for i := range p.Ensemble.Formatted {
		d := &p.Ensemble.Formatted[i]
		if d.Meta.Version == 0 {
			list = append(list, d.Path+" is formatted for ZooKeeper mode")
		}
		if d.Path != p.Request.MetadataDir {
			continue
		}
		more, err := p.metadataDifferences(fsys, d)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// metadataDifferences looks into the metadata directory.
func (p *Plan) metadataDifferences(fsys vfs.FS, d *FormattedDir) (list []string, err error) {
	differ := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	b, err := begun(fsys, d.Path)
	if err != nil {
		return nil, err
	}
	if me, ok := findVoter(p.Request.InitialControllers, p.Request.NodeID); ok && !p.Request.Standalone && d.Meta.DirectoryID != me.DirectoryID {
		differ("%s has directory.id %s, but --initial-controllers says %s", d.Path, d.Meta.DirectoryID, me.DirectoryID)
	}
	if p.Request.Controller && p.KRaftVersion > 0 && !d.Meta.HasDirectoryID {
		differ("%s has no directory.id, by which the voters of a dynamic quorum know each other", d.Path)
	}
	if p.Request.Source != nil && p.Request.Controller {
		more, err := p.sourceDifferences(fsys, d)
		return append(list, more...), err
	}
	if b.ran {
		return list, nil
	}
	for _, v := range b.voters {
		if v.VoterID == p.Request.NodeID && v.VoterDirectoryID != d.Meta.DirectoryID {
			differ("%s has directory.id %s, but its voter set says %s", d.Path, d.Meta.DirectoryID, v.VoterDirectoryID)
		}
	}
	release := p.Request.Release
	switch {
	case p.Request.Controller && release.Unified && !b.first && !b.bootstrap:
		differ("%s has no %s/%s, with which a controller begins", d.Path, index.MetadataLogDir, FirstSnapshotName)
	case !release.Unified && !b.bootstrap && (p.Request.Controller && !b.features || release.Skips && b.features):
		differ("%s has no %s, with which Kafka %s begins", d.Path, index.BootstrapName, release.Name)
	case !b.bootstrap && !b.first: // a broker, which keeps nothing that could differ
	default:
		list = append(list, p.compare(b)...)
	}
	return list, nil
}

// beginning is how the metadata of a directory begins.
type beginning struct {
	ran       bool // a node has run on it
	first     bool // there is a snapshot at offset 0, which says what kraft.version is
	features  bool // and in it there are features
	bootstrap bool // there is a bootstrap.checkpoint
	levels    map[string]int16
	kraft     int16
	voters    []control.Voter
	users     []*metadata.UserScramCredentialRecord
}

// begun reads the bootstrap metadata of a formatted metadata directory.
func begun(fsys vfs.FS, dir string) (*beginning, error) {
	d := Directory{Path: dir}
	b := &beginning{levels: map[string]int16{}}
	entries, err := fsys.ReadDir(d.path(index.MetadataLogDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		b.first = b.first || e.Name() == FirstSnapshotName
		b.ran = b.ran || e.Name() != FirstSnapshotName && !leftOver(e.Name())
	}
	if b.ran {
		return b, nil
	}
	if b.first {
		if err := b.file(fsys, d.path(index.MetadataLogDir+"/"+FirstSnapshotName)); err != nil {
			return nil, err
		}
		b.features = len(b.levels) > 0
	}
	if _, err := fsys.Stat(d.path(index.BootstrapName)); err == nil {
		b.bootstrap = true
		return b, b.file(fsys, d.path(index.BootstrapName))
	}
	return b, nil
}

// file reads one snapshot, all of it.
func (b *beginning) file(fsys vfs.FS, name string) error {
	line, err := timeline.Open(fsys, name)
	if err != nil {
		return err
	}
	s, err := line.At(context.Background(), timeline.Latest)
	if err != nil {
		return err
	}
	for _, p := range s.Problems {
		if p.Rule != timeline.RuleNone { // voters may be all that is there
			return &corrupt.Error{File: name, Pos: p.Pos, What: p.Text}
		}
	}
	b.kraft = max(b.kraft, s.KRaftVersion)
	if s.Voters != nil {
		b.voters = append(b.voters, s.Voters.Voters...)
	}
	if v, ok := s.Image.MetadataVersion(); ok {
		b.levels[feature.MetadataName] = int16(v)
	}
	for name, level := range s.Image.Features().All() {
		b.levels[name] = level
	}
	for _, c := range s.Image.Scram().All() {
		b.users = append(b.users, c)
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
	list = append(list, p.compareUsers(b.users)...)
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

// compareUsers tells which users are missing, are there in excess, or have another
// password, salt or number of iterations.
func (p *Plan) compareUsers(had []*metadata.UserScramCredentialRecord) []string {
	var hadNames, names []string
	last := map[string]*metadata.UserScramCredentialRecord{} // a later one replaces an earlier one
	for _, r := range had {
		hadNames = append(hadNames, userText(r))
		last[userText(r)] = r
	}
	asked := map[string]*scramUser{}
	for i, r := range p.Bootstrap.Users {
		names = append(names, userText(r))
		if u, err := parseSCRAM(p.Request.SCRAM[i]); err == nil {
			asked[userText(r)] = u
		}
	}
	if had, wanted := sortedText(hadNames), sortedText(names); had != wanted {
		return []string{fmt.Sprintf("SCRAM users are %s, not %s", had, wanted)}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if !asked[name].is(last[name]) {
			list = append(list, "SCRAM user "+name+" has another password, salt or number of iterations")
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
	return r.Name + " (" + metadata.ScramMechanism(r.Mechanism).String() + ")"
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
