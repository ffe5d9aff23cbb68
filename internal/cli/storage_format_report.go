package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"kraftctl/decode/metadata"
	"kraftctl/format"
)

// formattedNode is what kraftctl storage format says it did, or would do.
type formattedNode struct {
	DryRun          bool             `json:"dryRun"`
	Release         string           `json:"release"`
	ClusterID       string           `json:"clusterId"`
	NodeID          int32            `json:"nodeId"`
	MetadataVersion string           `json:"metadataVersion"`
	Features        map[string]int16 `json:"features"`
	Voters          []string         `json:"voters"`
	Users           []formattedUser  `json:"users"`
	Directories     []formattedDir   `json:"directories"`
	// Differences are what --if-needed found not to be as asked.
	Differences []string `json:"differences"`
}

type formattedUser struct {
	Name       string `json:"name"`
	Mechanism  string `json:"mechanism"`
	Iterations int32  `json:"iterations"`
}

type formattedDir struct {
	Path        string          `json:"path"`
	Kind        string          `json:"kind,omitempty"`
	State       string          `json:"state"`
	DirectoryID string          `json:"directoryId,omitempty"`
	Files       []formattedFile `json:"files,omitempty"`
}

type formattedFile struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
	Mode  string `json:"mode,omitempty"` // where it is not what the process's mask leaves
}

// States of directories in the report.
const (
	stateFormatted = "formatted"
	stateAlready   = "already formatted"
	stateWould     = "to be formatted"
)

func formatReport(p *format.Plan, differences []string, dryRun bool) *formattedNode {
	r := &formattedNode{DryRun: dryRun, Release: p.Request.Release.Name, ClusterID: p.Request.ClusterID, NodeID: p.Request.NodeID,
		MetadataVersion: p.Bootstrap.MetadataVersion.String(), Features: map[string]int16{"kraft.version": p.KRaftVersion},
		Voters: []string{}, Users: []formattedUser{}, Directories: []formattedDir{}, Differences: []string{}}
	r.Differences = append(r.Differences, differences...)
	for _, f := range p.Bootstrap.Features {
		r.Features[f.Name] = f.FeatureLevel
	}
	for _, v := range p.Request.InitialControllers {
		text := v.String()
		if p.Request.Standalone && (dryRun || !slices.ContainsFunc(p.Dirs, func(d format.Directory) bool { return d.ID == v.DirectoryID })) {
			// Its directory has an id already, or gets another one when it counts.
			text = strings.TrimSuffix(text, ":"+v.DirectoryID.String())
		}
		r.Voters = append(r.Voters, text)
	}
	for _, u := range p.Bootstrap.Users {
		r.Users = append(r.Users, formattedUser{u.Name, metadata.ScramMechanism(u.Mechanism).String(), u.Iterations})
	}
	for _, d := range p.Ensemble.Formatted {
		dir := formattedDir{Path: d.Path, State: stateAlready}
		if d.Meta.HasDirectoryID {
			dir.DirectoryID = d.Meta.DirectoryID.String()
		}
		r.Directories = append(r.Directories, dir)
	}
	state := stateFormatted
	if dryRun || len(differences) > 0 {
		state = stateWould
	}
	for _, d := range p.Dirs {
		dir := formattedDir{Path: d.Path, Kind: d.Kind.String(), State: state, DirectoryID: d.ID.String()}
		for _, f := range d.Files {
			dir.Files = append(dir.Files, formattedFile{f.Name, len(f.Data), modeText(f.Mode)})
		}
		if dryRun && (p.Request.Standalone || d.Kind != format.DynamicMetadataVoterDirectory) {
			dir.DirectoryID = "" // it is drawn anew when it counts
		}
		r.Directories = append(r.Directories, dir)
	}
	return r
}

// modeText is the mode of files that have one of their own.
func modeText(mode fs.FileMode) string {
	if mode&0o200 != 0 {
		return ""
	}
	return fmt.Sprintf("%04o", mode)
}

// print shows the report to a person. Salts and keys are not part of it.
func (r *formattedNode) print(e *Env) error {
	var b bytes.Buffer
	for _, d := range r.Directories {
		switch d.State {
		case stateAlready:
			fmt.Fprintf(&b, "%s: already formatted, directory.id %s\n", d.Path, cmp.Or(d.DirectoryID, "none"))
			continue
		case stateWould:
			fmt.Fprintf(&b, "%s: would be formatted, %s\n", d.Path, d.Kind)
		default:
			fmt.Fprintf(&b, "%s: formatted, %s, directory.id %s\n", d.Path, d.Kind, d.DirectoryID)
		}
		if r.DryRun {
			for _, f := range d.Files {
				fmt.Fprintf(&b, "  %-4s %6d bytes  %s\n", f.Mode, f.Bytes, f.Name)
			}
		}
	}
	fmt.Fprintf(&b, "cluster %s, node %d, for Kafka %s\n", r.ClusterID, r.NodeID, r.Release)
	if !slices.ContainsFunc(r.Directories, func(d formattedDir) bool { return d.State != stateAlready }) && len(r.Differences) == 0 {
		b.WriteString("nothing to do\n")
		_, err := b.WriteTo(e.Streams.Out)
		return ignorePipe(err)
	}
	fmt.Fprintf(&b, "metadata.version %s", r.MetadataVersion)
	for _, name := range slices.Sorted(maps.Keys(r.Features)) {
		if name != "metadata.version" {
			fmt.Fprintf(&b, ", %s %d", name, r.Features[name])
		}
	}
	b.WriteString("\n")
	for _, v := range r.Voters {
		b.WriteString("voter " + v + "\n")
	}
	for _, u := range r.Users {
		fmt.Fprintf(&b, "user %s, %s, %d iterations\n", u.Name, u.Mechanism, u.Iterations)
	}
	switch {
	case len(r.Differences) > 0:
		b.WriteString("nothing was written, since what is there is not what was asked for:\n  " + strings.Join(r.Differences, "\n  ") + "\n")
	case r.DryRun:
		b.WriteString("nothing was written (--dry-run)\n")
	}
	_, err := b.WriteTo(e.Streams.Out)
	return ignorePipe(err)
}
