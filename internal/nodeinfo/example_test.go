package nodeinfo_test

import (
	"context"
	"fmt"

	"kraftctl/internal/nodeinfo"
	"kraftctl/internal/vfs"
)

func ExampleCollect() {
	fsys := vfs.NewMem() // vfs.OS for the disk
	write := func(name, text string) {
		if err := vfs.WriteFileAtomic(fsys, name, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	for _, dir := range []string{"/disk1", "/disk2"} {
		if err := fsys.MkdirAll(dir, 0o755); err != nil {
			panic(err)
		}
	}
	write("/disk1/meta.properties", "version=1\nnode.id=7\ncluster.id=5rZSHTKpSimOh2vG4q_E6Q\ndirectory.id=TI99wFpxT7yXOuDCe2ci2g\n")
	write("/disk2/meta.properties", "version=1\nnode.id=7\ncluster.id=5rZSHTKpSimOh2vG4q_E6Q\ndirectory.id=TI99wFpxT7yXOuDCe2ci2g\n")

	report, err := nodeinfo.Collect(context.Background(), fsys, nodeinfo.Options{Dirs: []string{"/disk1", "/disk2"}})
	if err != nil {
		panic(err)
	}
	fmt.Println("node", *report.NodeID, "of cluster", report.ClusterID)
	for _, p := range report.Problems {
		fmt.Println(p.Line())
	}
	// Output:
	// node 7 of cluster 5rZSHTKpSimOh2vG4q_E6Q
	// error: /disk2/meta.properties: /disk1 has the same directory.id TI99wFpxT7yXOuDCe2ci2g. Find out which is the copy; give it an id of its own, or leave it out of log.dirs [directory-id-duplicate]
}
