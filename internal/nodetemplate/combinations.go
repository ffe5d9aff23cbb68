package nodetemplate

import "iter"

// Combinations are options of every kind, one of each: for tests that hold all
// templates against Kafka.
func Combinations() iter.Seq[Options] {
	return func(yield func(Options) bool) {
		for _, roles := range [][]string{{"broker"}, {"controller"}, {"broker", "controller"}} {
			for _, quorum := range [][]string{{"localhost:9093"}, {"a:1", "b:2", "[::1]:3"}, {"1@localhost:9093", "2@b:9093"}} {
				for _, security := range Securities {
					for _, mechanism := range Mechanisms {
						o := Options{Roles: roles, NodeID: 1, Quorum: quorum, LogDirs: []string{"/a", "/b"}, Security: security, Mechanism: mechanism,
							Rack: "r1", Host: "host.example.com", AutoJoin: true, MetadataLogDir: "/m"}
						if len(roles) == 1 && roles[0] == "broker" {
							o.NodeID = 7 // not among the static voters
						}
						if !yield(o) {
							return
						}
					}
				}
			}
		}
	}
}
