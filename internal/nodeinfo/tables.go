package nodeinfo

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Row is a label and its value in a table.
type Row struct{ Label, Value string }

// Summary is what there is once for a node, in the order in which people ask.
func (r *Report) Summary() []Row {
	var rows []Row
	add := func(label, format string, args ...any) {
		rows = append(rows, Row{label, fmt.Sprintf(format, args...)})
	}
	if r.ClusterID != "" {
		add("Cluster id", "%s", r.ClusterID)
	}
	if r.NodeID != nil {
		add("Node id", "%d", *r.NodeID)
	}
	if len(r.Roles) > 0 {
		add("Roles", "%s", strings.Join(r.Roles, ", "))
	}
	switch {
	case r.Running.PID > 0:
		add("Running", "yes, process %d", r.Running.PID)
	case r.Running.Held:
		add("Running", "yes")
	default:
		add("Running", "no")
	}
	add("Layout", "%s", r.Layout.Text)
	r.metadataRows(add)
	if v := r.Voters; v != nil {
		add("Voters", "%s (%s)", v, v.Source)
		if v.ThisNode != "" {
			add("This node", "%s", v.ThisNode)
		}
	}
	if q := r.QuorumState; q != nil {
		add("Starts as", "%s", q.Start)
	}
	return rows
}

func (r *Report) metadataRows(add func(label, format string, args ...any)) {
	if m := r.Metadata; m != nil {
		if m.Version != nil {
			add("Metadata version", "%s (level %d, from %s)", m.Version.Name, m.Version.Level, m.Source)
		}
		var list []string
		for _, f := range m.Features {
			list = append(list, fmt.Sprintf("%s=%d", f.Name, f.Level))
		}
		if len(list) > 0 {
			add("Features", "%s", strings.Join(list, ", "))
		}
		list = nil
		for _, u := range m.SCRAM {
			list = append(list, quoteName(u.Name)+" ("+strings.Join(u.Mechanisms, ", ")+")")
		}
		if len(list) > 0 {
			add("SCRAM users", "%s", strings.Join(list, ", "))
		}
		if m.AsOf > 0 {
			add("As of", "offset %d, not all of which may be committed", m.AsOf)
		}
	}
	if l := r.Log; l != nil {
		add("Metadata log", "offsets %d to %d, last epoch %d, %s, %d bytes", l.StartOffset, l.EndOffset, l.LastEpoch, counted(l.Segments, "segment"), l.Bytes)
	}
	if n := len(r.Snapshots); n > 0 {
		x := r.Snapshots[n-1]
		add("Snapshots", "%d, the latest up to offset %d, epoch %d, %d bytes, %s", n, x.EndOffset, x.Epoch, x.Bytes, x.State)
	}
}

// DirectoryHeader are the titles of Directory.Cells.
func DirectoryHeader() []string {
	return []string{"DIRECTORY", "KIND", "STATE", "DIRECTORY ID", "OWNER", "MODE", "PARTITIONS", "BYTES", "CLEAN SHUTDOWN"}
}

// Cells is the directory as a row of a table.
func (d *Directory) Cells() []string {
	id, owner, bytes, clean := "", "", "", "no"
	if d.Meta != nil {
		id = d.Meta.DirectoryID
	}
	if d.UID != nil {
		owner = fmt.Sprintf("%d:%d", *d.UID, *d.GID)
	}
	if d.Partitions.Bytes != nil {
		bytes = fmt.Sprint(*d.Partitions.Bytes)
	}
	switch s := d.CleanShutdown; {
	case s == nil:
	case s.BrokerEpoch != nil:
		clean = fmt.Sprintf("yes, broker epoch %d", *s.BrokerEpoch)
	default:
		clean = "yes"
	}
	path := d.Path
	if d.Link != "" {
		path += " -> " + d.Link
	}
	return []string{oneLine(path), d.Kind, d.State, id, owner, d.Mode, d.Partitions.String(), bytes, clean}
}

// String counts the partitions: "12", "12, 1 future, 2 stray".
func (p Partitions) String() string {
	text := fmt.Sprint(p.Live)
	for _, x := range []struct {
		n    int
		name string
	}{{p.Future, "future"}, {p.Stray, "stray"}, {p.Deleted, "deleted"}} {
		if x.n > 0 {
			text += fmt.Sprintf(", %d %s", x.n, x.name)
		}
	}
	return text
}

// VoterHeader are the titles of Voter.Cells.
func VoterHeader() []string { return []string{"VOTER", "DIRECTORY ID", "ENDPOINTS", "THIS NODE"} }

// Cells is the voter as a row of a table.
func (v *Voter) Cells() []string {
	var endpoints []string
	for _, e := range v.Endpoints {
		endpoints = append(endpoints, oneLine(e.String()))
	}
	this := ""
	if v.ThisNode {
		this = "yes"
	}
	return []string{itoa(v.ID), v.DirectoryID, strings.Join(endpoints, ", "), this}
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func trimStop(s string) string { return strings.TrimSuffix(s, ".") }

func cleanPath(p string) string {
	if p == "" {
		return ""
	}
	return filepath.Clean(p)
}
