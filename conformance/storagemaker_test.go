//go:build conformance

package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// storageMaker draws nodes and command lines.
type storageMaker struct{ *rand.Rand }

func (m storageMaker) one(list ...string) string { return list[m.IntN(len(list))] }

func (m storageMaker) in(n int) bool { return m.IntN(n) == 0 }

const (
	theCluster   = "XcZZOzUqS4yHOjhMQB6JLQ"
	otherCluster = "QAAAAAAAQAAAAAAAAAAAAA"
)

// node is a configuration that Kafka accepts, and its directories.
func (m storageMaker) node(id string) (config string, dirs []string, static bool) {
	roles := m.one("controller", "broker", "broker,controller", "controller,broker")
	static = m.in(2)
	listeners, node := "CONTROLLER://"+m.one("localhost", "", "127.1", "host.example.com", "[::1]", "0.0.0.0")+":9093", "1"
	if static {
		listeners = "CONTROLLER://localhost:9093"
	}
	switch {
	case roles == "broker":
		listeners, node = "PLAINTEXT://localhost:9092", m.one("2", "5", "2147483647")
	case len(roles) > len("controller"):
		listeners = "PLAINTEXT://localhost:9092," + listeners
	}
	names := []string{"d1", "d2", "z9", "Aa", "BB", "C#", "a/b/c", "deep/../d3", "md", "ä", "d4/", "x//y"}
	m.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, n := range names[:1+m.IntN(4)] {
		dirs = append(dirs, id+"/"+n)
	}
	quorum := "controller.quorum.bootstrap.servers=localhost:9093"
	if static {
		quorum = "controller.quorum.voters=1@localhost:9093,3@localhost:9094"
	}
	config = fmt.Sprintf("process.roles=%s\nnode.id=%s\n%s\nlisteners=%s\ncontroller.listener.names=CONTROLLER\nlog.dirs=%s\n",
		roles, node, quorum, listeners, strings.Join(dirs, m.one(",", " , ")))
	if m.in(4) {
		// One of the log directories, or another one.
		metadata := m.one(append(dirs, id+"/metadata")...)
		config += "metadata.log.dir=" + metadata + "\n"
		dirs = append(dirs, metadata)
	}
	if m.in(10) {
		config += "unstable.feature.versions.enable=true\n"
	}
	// The file is read as ISO-8859-1.
	return strings.ReplaceAll(config, "ä", "\\u00e4"), dirs, static
}

// metaProperties is a meta.properties of this node, or not quite.
func (m storageMaker) metaProperties(node string) string {
	id := m.one("j3Dhkz9zTyGDpKGdR5xC4Q", "W1YjkfGjQU6Ht3WDPRnZ1Q", "07R5amHmR32VDA6jHkGbTA", "MvDxzVmcRsaTz33bUuRU6A")
	lines := []string{"version=1", "cluster.id=" + theCluster, "node.id=" + node, "directory.id=" + id}
	switch m.IntN(12) {
	case 0:
		lines[0] = "version=" + m.one("0", "2", "x", "", " 1", "-1", "99999999999")
	case 1:
		lines[1] = "cluster.id=" + m.one(otherCluster, "", "x y")
	case 2:
		lines[2] = "node.id=" + m.one("9", "-1", "x", "", "+1", "2147483648", ".5", "0001")
	case 3:
		lines[3] = "directory.id=" + m.one("AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAQ", "notauuid", "", "A", "AA==A", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "!!!!")
	case 4:
		lines = append(lines[:m.IntN(4)], lines[m.IntN(4):]...)
	case 5:
		lines = []string{"version=0", "broker.id=" + m.one(node, "9", "x"), "cluster.id=" + m.one(theCluster, otherCluster)}
	case 6:
		lines = append(lines, "zz=1", "# c", "broker.id=5")
	}
	return strings.Join(lines, "\n") + "\n"
}

// states puts something into the directories.
func (m storageMaker) states(c *storageCase, node string, dirs []string) {
	for _, dir := range dirs {
		dir = strings.ReplaceAll(strings.TrimSuffix(dir, "/"), "deep/../", "")
		if strings.Contains(dir, "//") {
			continue
		}
		switch m.IntN(10) {
		case 0, 1, 2:
			c.files[dir+"/meta.properties"] = m.metaProperties(node)
		case 3:
			c.files[dir+"/"] = ""
		case 4:
			c.files[dir] = "a file"
		case 5:
			c.files[dir+"/orders-0/00000000000000000000.log"] = "x"
		case 6:
			c.files[dir+"/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"] = "x"
			c.files[dir+"/bootstrap.checkpoint"] = "x"
		}
	}
	// A file cannot have others below it.
	for name := range c.files {
		for other := range c.files {
			if strings.HasPrefix(other, name+"/") {
				delete(c.files, name)
			}
		}
	}
}

var (
	releases = []string{"3.3", "3.3-IV3", "3.4", "3.5", "3.5-IV1", "3.7", "3.8", "3.9", "3.9-IV0", "4.0", "4.0-IV0", "4.0.0", "4.1", "4.2-IV0", "4.3", "4.4", "4.4-IV1", "4.5-IV0", "4.5", "x", ""}
	features = []string{"kraft.version=0", "kraft.version=1", "kraft.version=2", "transaction.version=0", "transaction.version=1", "transaction.version=2", "transaction.version=3",
		"group.version=0", "group.version=1", "eligible.leader.replicas.version=0", "eligible.leader.replicas.version=1", "share.version=0", "share.version=1", "share.version=2",
		"streams.version=0", "streams.version=1", "metadata.version=20", "metadata.version=30", "metadata.version=34", "metadata.version=6", "nope=1", "x", "group.version=x", " group.version = 1 "}
	users = []string{"SCRAM-SHA-256=[name=alice,password=secret]", `SCRAM-SHA-512=[name=bob,iterations=8192,salt="YQ==",saltedpassword="YQ=="]`, "SCRAM-SHA-256=[name=ä,password=ä]",
		"SCRAM-SHA-256=[name=alice]", "SCRAM-SHA-256=[name=a,password=b,iterations=1]", "SCRAM-SHA-256=[name=a,password=b,x=1]", "x", "SCRAM-SHA-1=[name=a,password=b]",
		"SCRAM-SHA-256=[name=a,password=b,salt=!]", "SCRAM-SHA-256=[name=a,password=b,iterations=x,salt=!]"}
	voters = []string{"1@localhost:9093:JEXY6aqzQY-32P5TStzaFg", "2@b.example.com:9094:MvDxzVmcRsaTz33bUuRU6A", "17@[::1]:9095:07R5amHmR32VDA6jHkGbTA", "33@127.1:9095:07R5amHmR32VDA6jHkGbTQ",
		"16@h:1:W1YjkfGjQU6Ht3WDPRnZ1Q", "100@h:1:j3Dhkz9zTyGDpKGdR5xC4Q", "3@h:2:OQvwFbNQ3vrdABqEfTYTPA", "8@h:3:zqsHk6KUY7NKGoeZvAWoDg"}
	badVoters = []string{"", "x", "1@h", "1@h:x:JEXY6aqzQY-32P5TStzaFg", "1@h:1:x", "1@h:99999:JEXY6aqzQY-32P5TStzaFg", "1@h:1:JEXY6aqzQY-32P5TStzaFg,1@h:1:JEXY6aqzQY-32P5TStzaFg"}
)

// quorumFlags are those that the kind of node asks for, or not quite.
func (m storageMaker) quorumFlags(static bool, bad int) []string {
	pick := m.IntN(3)
	if static && !m.in(bad) || m.in(bad) {
		return nil
	}
	switch pick {
	case 0:
		return []string{"--standalone"}
	case 1:
		return []string{"--no-initial-controllers"}
	}
	if m.in(bad) {
		return []string{"--initial-controllers=" + m.one(badVoters...)}
	}
	list := append([]string{}, voters...)
	m.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:1+m.IntN(len(list))]
	return []string{"--initial-controllers", strings.Join(list, ",")}
}

// levels are release versions and features; one argument in bad is odd.
func (m storageMaker) levels(bad int) (args []string) {
	draw := func(list []string, good int) string {
		if m.in(bad) {
			return m.one(list...)
		}
		return m.one(list[:good]...)
	}
	if m.in(3) {
		args = append(args, "--release-version", draw(releases, 12))
	}
	for m.in(4) {
		args = append(args, "--feature", draw(features[1:], 14))
	}
	for m.in(4) {
		args = append(args, "--add-scram", draw(users, 3))
	}
	return args
}

// any is any node, any directories, any command line.
func (m storageMaker) any(id string) storageCase {
	config, dirs, static := m.node(id)
	c := storageCase{id: id, files: map[string]string{id + "/node.properties": config}}
	_, rest, _ := strings.Cut(config, "node.id=")
	node, _, _ := strings.Cut(rest, "\n")
	if m.in(2) {
		m.states(&c, node, dirs)
	}
	if m.in(3) {
		c.args = []string{"info", "-c", id + "/node.properties"}
		return c
	}
	c.args = []string{"format", "-c", id + "/node.properties", "-t", m.one(theCluster, theCluster, theCluster, otherCluster, "x", "")}
	if m.in(3) {
		c.args = append(c.args, "--ignore-formatted")
	}
	c.args = append(append(c.args, m.quorumFlags(static, 8)...), m.levels(6)...)
	return c
}

// fresh is a node with nothing in its directories, and a sensible command line.
func (m storageMaker) fresh(id string) storageCase {
	config, _, static := m.node(id)
	config = strings.ReplaceAll(config, "unstable.feature.versions.enable=true\n", "")
	config = strings.ReplaceAll(config, "[::1]", "localhost")
	c := storageCase{id: id, files: map[string]string{id + "/node.properties": config}}
	c.args = []string{"format", "-c", id + "/node.properties", "-t", theCluster}
	c.args = append(append(c.args, m.quorumFlags(static, 1000)...), m.levels(1000)...)
	return c
}
