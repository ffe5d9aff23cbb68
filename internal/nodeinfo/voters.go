package nodeinfo

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"kraftctl/decode/index"
	"kraftctl/decode/quorumstate"
	"kraftctl/internal/kafkaconfig"
)

// checkVoters tells the voter set, and what this node is in it.
func (c *collector) checkVoters() {
	if c.metadata == nil {
		return
	}
	switch c.report.Layout.Quorum {
	case QuorumDynamic:
		c.dynamicVoters()
	case QuorumStatic:
		c.staticVoters()
	}
	c.checkQuorumMissing()
}

// dynamicVoters: the voter set is that of the last VotersRecord, committed or
// not, as for Kafka itself.
func (c *collector) dynamicVoters() {
	s := c.replayed
	dir := filepath.Join(c.metadata.Path, index.MetadataLogDir)
	if len(c.config.Voters) > 0 {
		c.add(staticIgnored, c.o.ConfigFile, "controller.quorum.voters is set, and kraft.version is %d", s.kraft)
	}
	if !s.hasVoters {
		c.noVoters(dir)
		return
	}
	v := &Voters{Source: s.votersFrom, Voters: s.voters}
	c.report.Voters = v
	if c.thisID == nil || !c.metadata.formatted() {
		return
	}
	v.ThisNode = ThisObserver
	for i := range v.Voters {
		x := &v.Voters[i]
		if x.ID != *c.thisID {
			continue
		}
		if x.ThisNode = x.DirectoryID == c.thisDir; x.ThisNode {
			v.ThisNode = ThisVoter
		} else {
			v.ThisNode = ThisOtherDirectory
			c.otherDirectory(x)
		}
	}
	switch {
	case v.ThisNode == ThisObserver && c.config.Roles.Controller:
		c.add(voterNot, dir, "node %d is not among the voters %s", *c.thisID, v)
	case v.ThisNode != ThisObserver && c.known && !c.config.Roles.Controller:
		c.add(voterNoController, c.o.ConfigFile, "node %d is among the voters %s, and process.roles has no controller", *c.thisID, v)
	}
}

// otherDirectory reports a voter whose disk is another one.
func (c *collector) otherDirectory(x *Voter) {
	path := filepath.Join(c.metadata.Path, index.MetaPropertiesName)
	if c.thisDir == "" {
		c.add(voterDirectory, path, "there is no directory.id; voter %d has %s", x.ID, cmp.Or(x.DirectoryID, "none"))
		return
	}
	c.add(voterDirectory, path, "the directory.id is %s; voter %d has %s", c.thisDir, x.ID, cmp.Or(x.DirectoryID, "none"))
}

// staticVoters: the voter set is that of the configuration.
func (c *collector) staticVoters() {
	q := c.report.QuorumState
	if !c.known {
		if q != nil && len(q.Voters) > 0 {
			v := &Voters{Source: quorumstate.FileName, Voters: []Voter{}}
			for _, id := range q.Voters {
				v.Voters = append(v.Voters, Voter{ID: id, Endpoints: []Endpoint{}})
			}
			c.setStatic(v)
		}
		return
	}
	if len(c.config.Voters) == 0 {
		if c.config.Roles.Controller {
			c.add(staticMissing, c.o.ConfigFile, "kraft.version is 0, and controller.quorum.voters is not set")
		}
		return
	}
	v := &Voters{Source: "controller.quorum.voters", Voters: []Voter{}}
	for _, x := range c.config.Voters {
		v.Voters = append(v.Voters, Voter{ID: x.ID, Endpoints: []Endpoint{{Host: x.Host, Port: x.Port}}})
	}
	slices.SortFunc(v.Voters, func(a, b Voter) int { return cmp.Compare(a.ID, b.ID) })
	c.setStatic(v)
	if q == nil || q.Version != 0 || len(q.Voters) == 0 {
		return
	}
	if ids := v.ids(); !slices.Equal(ids, q.Voters) {
		c.add(staticDiffer, filepath.Join(c.metadata.Path, index.MetadataLogDir, quorumstate.FileName),
			"the voters of the last start are %s, those of the configuration %s", idList(q.Voters), idList(ids))
	}
}

func (c *collector) setStatic(v *Voters) {
	c.report.Voters = v
	if c.thisID == nil {
		return
	}
	v.ThisNode = ThisObserver
	for i := range v.Voters {
		if v.Voters[i].ID == *c.thisID {
			v.Voters[i].ThisNode, v.ThisNode = true, ThisVoter
		}
	}
}

// checkQuorumMissing reports a log without a quorum-state.
func (c *collector) checkQuorumMissing() {
	if l := c.report.Log; l != nil && l.EndOffset > 0 && !c.quorumSeen {
		c.add(quorumMissing, filepath.Join(c.metadata.Path, index.MetadataLogDir), "there is a log and no quorum-state")
	}
}

func idList(ids []int32) string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = itoa(id)
	}
	return strings.Join(parts, ",")
}

// String lists the ids of the voters.
func (v *Voters) String() string { return idList(v.ids()) }

func (v *Voters) ids() []int32 {
	ids := make([]int32, len(v.Voters))
	for i := range v.Voters {
		ids[i] = v.Voters[i].ID
	}
	return ids
}

// String is the endpoint as Kafka writes it, "CONTROLLER://host:9093", without
// the name of the listener if there is none.
func (e Endpoint) String() string {
	text := kafkaconfig.JoinHostPort(e.Host, e.Port)
	if e.Name != "" {
		text = e.Name + "://" + text
	}
	return text
}
