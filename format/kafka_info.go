package format

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/javatext"
	"kraftctl/internal/vfs"
)

// KafkaInfo is what kafka-storage info prints for the log directories of a
// node, and whether it found no problem. kraft is whether process.roles is set.
// The error is Kafka's exception; what was printed before it is returned with it.
func KafkaInfo(fsys vfs.FS, dirs []string, kraft bool) (text string, ok bool, err error) {
	k := kafkaInfo{fs: fsys}
	sorted := slices.Clone(dirs)
	slices.SortFunc(sorted, javatext.Compare)
	for _, dir := range slices.Compact(sorted) {
		if err := k.directory(javaPath(dir)); err != nil {
			return k.out.String(), false, err
		}
	}
	switch {
	case k.meta == nil:
	case kraft && k.meta.Version == 0:
		k.problem("The kafka configuration file appears to be for a cluster in KRaft mode, but the directories are formatted for legacy mode.")
	case !kraft && k.meta.Version == 1:
		k.problem("The kafka configuration file appears to be for a legacy cluster, but the directories are formatted for a cluster in KRaft mode.")
	}
	if len(dirs) == 0 {
		k.out.WriteString("No directories specified.\n")
		return k.out.String(), true, nil
	}
	k.list("Found log director", "y:", "ies:", k.found)
	if k.meta != nil {
		k.out.WriteString("Found metadata: " + metaText(k.meta) + "\n\n")
	}
	k.list("Found problem", ":", "s:", k.problems)
	return k.out.String(), len(k.problems) == 0, nil
}

type kafkaInfo struct {
	fs       vfs.FS
	out      strings.Builder
	found    []string
	problems []string
	meta     *index.MetaProperties // of the first directory that has one
}

func (k *kafkaInfo) problem(text string) { k.problems = append(k.problems, text) }

// list prints a heading and lines, or nothing.
func (k *kafkaInfo) list(head, one, many string, lines []string) {
	if len(lines) == 0 {
		return
	}
	if len(lines) > 1 {
		one = many
	}
	k.out.WriteString(head + one + "\n")
	for _, l := range lines {
		k.out.WriteString("  " + l + "\n")
	}
	k.out.WriteString("\n")
}

func (k *kafkaInfo) directory(dir string) error {
	if strings.Contains(dir, "\x00") {
		return javaerr.New("java.nio.file.InvalidPathException", "Nul character not allowed: "+dir)
	}
	info, err := k.fs.Stat(dir)
	switch {
	case err != nil:
		k.problem(dir + " does not exist")
		return nil
	case !info.IsDir():
		k.problem(dir + " is not a directory")
		return nil
	}
	k.found = append(k.found, dir)
	file := metaPath(dir)
	if info, err := k.fs.Stat(file); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		k.problem(dir + " is not formatted.")
		return nil
	}
	data, err := vfs.ReadFile(k.fs, file, maxMetaProperties)
	if err != nil {
		return javaerr.File(file, err)
	}
	meta, err := index.ParseMetaProperties(data, file)
	if err != nil {
		return k.damaged(file, err)
	}
	if k.meta == nil {
		k.meta = &meta
		return nil
	}
	if k.meta.ClusterID != meta.ClusterID || k.meta.HasClusterID != meta.HasClusterID {
		k.problem("Mismatched cluster IDs between storage directories.")
		return nil
	}
	if k.meta.NodeID != meta.NodeID || k.meta.HasNodeID != meta.HasNodeID {
		k.problem("Mismatched node IDs between storage directories.")
	}
	return nil
}

// damaged shows a meta.properties that makes no sense: a stack trace first, and a
// problem in the end.
func (k *kafkaInfo) damaged(file string, err error) error {
	var damage *corrupt.Error
	if !errors.As(err, &damage) || damage.What == "properties" {
		return javaerr.New(javaerr.IllegalArgument, "Malformed \\uxxxx encoding.")
	}
	message, trace := metaTrace(damage)
	k.out.WriteString(trace)
	k.problem("Error loading " + file + ": " + message)
	return nil
}

// metaText shows a meta.properties as the map that Kafka keeps it in.
func metaText(m *index.MetaProperties) string {
	var list []string
	if m.Version == 0 && m.HasNodeID {
		list = append(list, "broker.id="+strconv.Itoa(int(m.NodeID)))
	}
	if m.HasClusterID {
		list = append(list, "cluster.id="+m.ClusterID)
	}
	if m.HasDirectoryID {
		list = append(list, "directory.id="+m.DirectoryID.String())
	}
	if m.Version > 0 && m.HasNodeID {
		list = append(list, "node.id="+strconv.Itoa(int(m.NodeID)))
	}
	return "{" + strings.Join(append(list, "version="+strconv.Itoa(m.Version)), ", ") + "}"
}
