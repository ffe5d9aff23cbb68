package zookeeper

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestStatsLikeReal holds what is told of nodes that came after the migration, by
// dual write, against what ZooKeeper tells: the same moment, the same order, the same
// children.
func TestStatsLikeReal(t *testing.T) {
	before := parseTree(t, fixture(t, "tree-migrated.json"))
	for dir, tree := range map[string]string{"kraft2": "tree-migrated2.json", "kraft3": "tree-migrated3.json"} {
		got, real := view(t, sourceOf(t, dir)), parseTree(t, fixture(t, tree))
		var common []string
		for p := range got {
			_, old := before[p]
			if _, ok := real[p]; ok && !old && !strings.HasPrefix(p, "/brokers/ids/") { // brokers write theirs themselves
				common = append(common, p)
			}
		}
		if len(common) < 60 {
			t.Errorf("%s: %d nodes", dir, len(common))
		}
		for _, p := range common {
			g, r := got[p], real[p]
			if late := r.CTime - g.CTime; late < 0 || late > 500 {
				t.Errorf("%s: %s was created %d ms later", dir, p, late)
			}
			if r.MTime < g.MTime {
				t.Errorf("%s: %s was changed %d ms earlier", dir, p, g.MTime-r.MTime)
			}
			if g.CVersion != r.CVersion || g.NumChildren != r.NumChildren || r.Data != nil && *r.Data == *g.Data && g.DataLength != r.DataLength {
				t.Errorf("%s: %s: %+v, real %+v", dir, p, g, r)
			}
			if g.Version > r.Version && !strings.HasSuffix(p, "/state") {
				t.Errorf("%s: %s: version %d, real %d", dir, p, g.Version, r.Version)
			}
			for _, q := range common {
				// What came in one batch has no order.
				if g.CTime < got[q].CTime && r.CZxid > real[q].CZxid || g.CZxid > got[q].CZxid && g.CTime < got[q].CTime {
					t.Errorf("%s: %s is older than %s", dir, p, q)
				}
			}
		}
	}
}

// TestStats: testdata/stats.txt has what "stat" prints of a node of each kind.
func TestStats(t *testing.T) {
	tree := New(sourceOf(t, "kraft3"))
	c := &ZkCli{Znodes: tree}
	var b bytes.Buffer
	for _, p := range []string{
		"/", "/admin", "/brokers", "/brokers/ids", "/brokers/ids/1", "/brokers/topics", "/brokers/topics/dual", "/brokers/topics/dual/partitions",
		"/brokers/topics/dual/partitions/0", "/brokers/topics/dual/partitions/0/state", "/cluster/id", "/config/brokers", "/config/brokers/1", "/config/topics",
		"/config/topics/dual", "/config/topics/cfg", "/config/topics/recreated", "/config/users", "/config/users/alice", "/config/users/erin", "/config/users/erin/clients",
		"/config/users/%C3%BCn%C3%AF", "/config/clients/<default>", "/config/ips/127.0.0.8", "/controller", "/controller_epoch", "/delegation_token/tokens", "/delegation_token/tokens/Kc-ZnORlRB6d8LuhqjZugg",
		"/feature", "/kafka-acl", "/kafka-acl/Topic", "/kafka-acl/Topic/orders", "/kafka-acl-extended/prefixed/Topic/pay", "/latest_producer_id_block",
	} {
		fmt.Fprintf(&b, "== %s\n", p)
		if err := c.Stat(&b, p); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	checkGolden(t, "testdata/stats.txt", b.Bytes())
	// Without marks there is little to tell, and of that nothing is wrong.
	bare := New(Source{Image: tree.image, Leader: tree.source.Leader})
	with, without := view(t, tree.source), view(t, bare.source)
	delete(with, "/cluster/id")
	if !slices.Equal(slices.Sorted(maps.Keys(with)), slices.Sorted(maps.Keys(without))) {
		t.Error("the marks make other nodes")
	}
	for p, z := range without {
		if !strings.HasPrefix(p, "/controller") && (z.CZxid != 0 || z.CTime != 0) || z.NumChildren != with[p].NumChildren && p != "/cluster" {
			t.Errorf("%s: %+v", p, z)
		}
	}
}

// TestStatText: dates are those of the given zone, as Java's Date prints them.
func TestStatText(t *testing.T) {
	s := Stat{CZxid: 0x8a, MZxid: -1, CTime: 1795961221000, EphemeralOwner: 1<<40 + 1}
	got := string(appendStat(nil, &s, time.FixedZone("CET", 3600)))
	for _, want := range []string{"cZxid = 0x8a\nctime = Sun Nov 29 15:07:01 CET 2026\nmZxid = 0xffffffffffffffff\nmtime = Thu Jan 01 01:00:00 CET 1970\n", "\nephemeralOwner = 0x10000000001\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\ndoes not have\n%s", got, want)
		}
	}
}
