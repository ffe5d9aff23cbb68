package format

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"kraftctl/internal/feature"
)

const clusterID = "XcZZOzUqS4yHOjhMQB6JLQ"

// mode is a kind of node with the directories that it has.
type mode struct {
	name    string
	request Request
}

// modes are all kinds of nodes, for one release.
func modes(t testing.TB, release *feature.Release) []mode {
	t.Helper()
	voters, err := ParseVoters("1@localhost:9093:JEXY6aqzQY-32P5TStzaFg,2@localhost:9094:MvDxzVmcRsaTz33bUuRU6A,3@[::1]:9095:07R5amHmR32VDA6jHkGbTA")
	if err != nil {
		t.Fatal(err)
	}
	node := func(name string, change func(r *Request)) mode {
		r := Request{Release: release, ClusterID: clusterID, NodeID: 1, Controller: true, Dirs: []string{"/data/d1"}, MetadataDir: "/data/d1",
			ListenerName: "CONTROLLER", SCRAM: []string{"SCRAM-SHA-256=[name=alice,salt=YQ==,saltedpassword=YQ==]"}}
		change(&r)
		return mode{name, r}
	}
	return []mode{
		node("static", func(r *Request) { r.StaticVoters = true }),
		node("static with a metadata directory of its own", func(r *Request) {
			r.StaticVoters, r.Dirs, r.MetadataDir = true, []string{"/data/d1", "/data/d2"}, "/metadata/log"
		}),
		node("standalone", func(r *Request) { r.InitialControllers, r.Dirs = voters[:1], []string{"/data/d2", "/data/d1"} }),
		node("initial controllers", func(r *Request) { r.InitialControllers = voters }),
		node("initial controllers without this node", func(r *Request) { r.InitialControllers = voters[1:] }),
		node("no initial controllers", func(r *Request) {}),
		node("broker", func(r *Request) { r.Controller, r.Dirs = false, []string{"/data/d1", "/data/d3", "/data/d2"} }),
	}
}

// testEnv gives a time and random numbers that are the same every time for a seed.
func testEnv(seed uint64) Env {
	now := time.Date(2026, 11, 29, 12, 0, int(seed), 0, time.UTC)
	return Env{Now: func() time.Time { return now }, Random: seededReader(seed)}
}

func seededReader(seed uint64) *rand.ChaCha8 {
	return rand.NewChaCha8([32]byte(bytes.Repeat([]byte{byte(seed), byte(seed >> 8), 7, 9}, 8)))
}
