package shell

import (
	"strconv"

	"kraftctl/internal/timeline"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/node"
)

// local is what /local shows: the tool, and where the metadata comes from.
func (s *Shell) local(state *timeline.State) node.Node {
	entries := []imagetree.Entry{}
	if s.ClusterID != "" {
		entries = append(entries, imagetree.Entry{Name: "clusterId", Node: node.File(s.ClusterID)})
	}
	entries = append(entries,
		imagetree.Entry{Name: "kraftVersion", Node: node.File(strconv.Itoa(int(state.KRaftVersion)))})
	if l := state.Leader; l != nil {
		entries = append(entries, imagetree.Entry{Name: "leader", Node: node.File("node " + strconv.Itoa(int(l.ID)) + ", epoch " + strconv.Itoa(int(l.Epoch)) + ", since " + imagetree.Time(l.Time))})
	}
	entries = append(entries,
		imagetree.Entry{Name: "offset", Node: node.File(strconv.FormatInt(state.Offset(), 10))},
		imagetree.Entry{Name: "problems", Node: node.File(strconv.Itoa(len(state.Problems) + state.More))},
		imagetree.Entry{Name: "snapshot", Node: node.File(state.Snapshot)},
		imagetree.Entry{Name: "source", Node: node.File(s.source.Path())})
	if state.Time >= 0 {
		entries = append(entries, imagetree.Entry{Name: "time", Node: node.File(imagetree.Time(state.Time))})
	}
	entries = append(entries, imagetree.Entry{Name: "version", Node: node.File(s.Version)})
	if v := state.Voters; v != nil {
		var voters []imagetree.Entry
		for _, x := range v.Voters {
			text := "directory " + x.VoterDirectoryID.String()
			for _, e := range x.Endpoints {
				text += ", " + e.Name + "://" + e.Host + ":" + strconv.Itoa(int(e.Port))
			}
			voters = append(voters, imagetree.Entry{Name: strconv.Itoa(int(x.VoterID)), Node: node.File(text)})
		}
		entries = append(entries, imagetree.Entry{Name: "voters", Node: imagetree.Fixed(voters...)})
	}
	return imagetree.Fixed(entries...)
}
