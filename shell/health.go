package shell

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
	"kraftctl/shell/imagetree"
)

// Finding is something about a cluster that wants attention.
type Finding struct {
	// Check is its name: offline, under-min-isr.
	Check string
	// Error: data cannot be read or written, or may be lost by one more failure.
	// Else it is a warning.
	Error bool
	Text  string
	// Paths are the nodes that it is about, at most maxPaths of Count.
	Paths []string
	Count int
}

// maxPaths is how many paths a finding lists.
const maxPaths = 1000

// skewTolerance is by how much more than its share of leaders or replicas a broker
// may have, and skewFrom from how many on it counts.
const (
	skewTolerance = 1.2
	skewFrom      = 10
)

// checks gathers what is found.
type checks struct {
	img      *image.Image
	findings []*Finding
	byName   map[string]*Finding
}

// add notes a node for a check.
func (h *checks) add(check string, isError bool, text, path string) {
	f := h.byName[check]
	if f == nil {
		f = &Finding{Check: check, Error: isError, Text: text}
		h.byName[check] = f
		h.findings = append(h.findings, f)
	}
	f.Count++
	if len(f.Paths) < maxPaths {
		f.Paths = append(f.Paths, path)
	}
}

// Health looks for what wants attention in the metadata as of a state: errors
// first, in a fixed order of checks.
func Health(state *timeline.State) []*Finding {
	h := &checks{img: state.Image, byName: map[string]*Finding{}}
	h.brokers()
	h.partitions()
	h.controllers(state)
	h.features()
	slices.SortStableFunc(h.findings, func(a, b *Finding) int {
		return cmp.Compare(order(a), order(b))
	})
	return h.findings
}

func order(f *Finding) int {
	if f.Error {
		return 0
	}
	return 1
}

func brokerPath(id int32) string { return "/image/cluster/brokers/" + strconv.Itoa(int(id)) }

func (h *checks) brokers() {
	racks, without := map[string]bool{}, 0
	for id, b := range h.img.Brokers().All() {
		switch {
		case b.Fenced:
			h.add("fenced", false, "brokers that are fenced: they are down, or have not caught up", brokerPath(id))
		case b.InControlledShutdown:
			h.add("controlled-shutdown", false, "brokers that are shutting down", brokerPath(id))
		}
		if len(b.CordonedLogDirs) > 0 {
			h.add("cordoned", false, "brokers with log directories that take no new replicas", brokerPath(id))
		}
		if b.Rack == nil {
			without++
		} else {
			racks[*b.Rack] = true
		}
	}
	if without > 0 && len(racks) > 0 {
		for id, b := range h.img.Brokers().All() {
			if b.Rack == nil {
				h.add("no-rack", false, "brokers without a rack, while others have one", brokerPath(id))
			}
		}
	}
}

// load is what a broker carries.
type load struct{ leaders, preferred, replicas int }

func (h *checks) partitions() {
	loads := map[int32]*load{}
	of := func(id int32) *load {
		l := loads[id]
		if l == nil {
			l = &load{}
			loads[id] = l
		}
		return l
	}
	rack := map[int32]string{}
	racks := map[string]bool{}
	for id, b := range h.img.Brokers().All() {
		of(id)
		if b.Rack != nil {
			rack[id], racks[*b.Rack] = *b.Rack, true
		}
	}
	total := 0
	for _, id := range h.img.TopicIDs().All() {
		t, _ := h.img.Topics().Get(id)
		least := h.minISR(t.Name())
		for n, p := range t.Partitions() {
			total++
			for _, r := range p.Replicas {
				of(r).replicas++
			}
			if p.Leader >= 0 {
				of(p.Leader).leaders++
			}
			if len(p.Replicas) > 0 {
				of(p.Replicas[0]).preferred++
			}
			h.partition(t, n, p, least, rack, len(racks))
		}
	}
	h.balance(loads, total)
}

func (h *checks) partition(t *image.Topic, n int32, p *image.Partition, least int, rack map[int32]string, racks int) {
	path := "/image/topics/byName/" + t.Name() + "/" + strconv.Itoa(int(n))
	switch {
	case p.Leader == image.NoLeader && len(p.ELR)+len(p.ISR) == 0:
		h.add("no-safe-leader", true, "partitions without a leader, and no replica in sync that could be one: only an unclean election helps", path)
	case p.Leader == image.NoLeader:
		h.add("offline", true, "partitions without a leader: they cannot be read or written", path)
	}
	if p.Recovering {
		h.add("recovering", false, "partitions whose leader was elected uncleanly and has not recovered", path)
	}
	if imagetree.UnderReplicated(p) {
		h.add("under-replicated", false, "partitions with replicas that are not in sync", path)
	}
	// Of fewer replicas than min.insync.replicas no more can be in sync.
	switch isr := len(p.ISR); {
	case p.Leader != image.NoLeader && isr < least:
		h.add("under-min-isr", true, "partitions with fewer replicas in sync than min.insync.replicas: writes with acks=all fail", path)
	case p.Leader != image.NoLeader && isr == least && len(p.Replicas) > least:
		h.add("at-min-isr", false, "partitions with just min.insync.replicas in sync: one more failure, and writes with acks=all fail", path)
	}
	if len(p.Replicas) == 1 {
		h.add("single-replica", false, "partitions with one replica", path)
	}
	if p.Leader >= 0 && len(p.Replicas) > 0 && p.Leader != p.Replicas[0] {
		h.add("leader-not-preferred", false, "partitions that are not led by their preferred replica", path)
	}
	if len(p.AddingReplicas)+len(p.RemovingReplicas) > 0 {
		h.add("reassigning", false, "partitions that are being reassigned", path)
	}
	for _, r := range p.Replicas {
		if _, ok := h.img.Brokers().Get(r); !ok {
			h.add("unknown-broker", true, "partitions with replicas on brokers that are not registered", path)
			break
		}
	}
	if racks > 1 && len(p.Replicas) > 1 {
		used := map[string]bool{}
		for _, r := range p.Replicas {
			used[rack[r]] = true
		}
		if len(used) < min(racks, len(p.Replicas)) {
			h.add("rack-spread", false, "partitions whose replicas are in fewer racks than they could be", path)
		}
	}
}

// minISR is min.insync.replicas of a topic, as far as it is a dynamic configuration.
func (h *checks) minISR(topic string) int {
	const key = "min.insync.replicas"
	for _, r := range []image.Resource{{Type: image.TopicResource, Name: topic}, {Type: image.BrokerResource}} {
		if v, ok := h.img.Config(r).Values().Get(key); ok {
			if n, err := strconv.Atoi(v); err == nil {
				return n
			}
		}
	}
	return 1
}

// balance compares what brokers carry.
func (h *checks) balance(loads map[int32]*load, partitions int) {
	var ids []int32
	live, replicas := 0, 0
	for id, l := range loads {
		ids = append(ids, id)
		replicas += l.replicas
		if b, ok := h.img.Brokers().Get(id); ok && !b.Fenced {
			live++
		}
	}
	slices.Sort(ids)
	if live < 2 {
		return
	}
	for _, id := range ids {
		l := loads[id]
		b, ok := h.img.Brokers().Get(id)
		if !ok || b.Fenced {
			continue
		}
		if above(l.preferred, partitions, live) {
			h.add("preferred-leader-skew", false, "brokers that are the preferred leader of far more partitions than others", brokerPath(id))
		}
		if above(l.leaders, partitions, live) {
			h.add("leader-skew", false, "brokers that lead far more partitions than others", brokerPath(id))
		}
		if above(l.replicas, replicas, live) {
			h.add("replica-skew", false, "brokers with far more replicas than others", brokerPath(id))
		}
	}
}

func above(n, total, brokers int) bool {
	return n >= skewFrom && float64(n)*float64(brokers) > skewTolerance*float64(total)
}

// controllers looks for registrations that outlived their node: they count when
// features are upgraded.
func (h *checks) controllers(state *timeline.State) {
	if state.Voters == nil {
		return
	}
	voter := map[int32]bool{}
	for _, v := range state.Voters.Voters {
		voter[v.VoterID] = true
		if _, ok := h.img.Controllers().Get(v.VoterID); !ok && h.img.Controllers().Len() > 0 {
			h.add("voter-not-registered", false, "voters that are not registered: features cannot be upgraded until they are", "/local/voters/"+strconv.Itoa(int(v.VoterID)))
		}
	}
	for id := range h.img.Controllers().All() {
		if !voter[id] {
			h.add("ghost-controller", false, "registered controllers that are no voters: if they are gone for good, they can block an upgrade", "/image/cluster/controllers/"+strconv.Itoa(int(id)))
		}
	}
}

// features looks for nodes that do not support what is finalized.
func (h *checks) features() {
	levels := map[string]int16{}
	if v, ok := h.img.MetadataVersion(); ok {
		levels[feature.MetadataName] = int16(v)
	}
	for name, level := range h.img.Features().All() {
		levels[name] = level
	}
	for id, b := range h.img.Brokers().All() {
		var missing []string
		for _, f := range b.Features {
			if level, ok := levels[f.Name]; ok && (level < f.MinSupportedVersion || level > f.MaxSupportedVersion) {
				missing = append(missing, f.Name)
			}
		}
		if len(missing) > 0 {
			h.add("unsupported-feature", true, "brokers that do not support the level of a feature ("+strings.Join(missing, ", ")+")", brokerPath(id))
		}
	}
}
