package format

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/javahash"
	"kraftctl/internal/javatext"
	"kraftctl/internal/vfs"
)

// maxMetaProperties bounds what is read of one, in bytes.
const maxMetaProperties = 1 << 20

// Ensemble is what the directories of a node are before they are formatted.
// Each list is in the order in which Kafka goes through it: the formatted ones
// sorted, the others as a hash set has them.
type Ensemble struct {
	Formatted []FormattedDir
	Empty     []string
	Failed    []FailedDir
}

// FormattedDir is a directory with a meta.properties.
type FormattedDir struct {
	Path string
	Meta index.MetaProperties
}

// FailedDir is a directory whose meta.properties cannot be read.
type FailedDir struct {
	Path string
	Err  error
}

// ReadEnsemble looks for the meta.properties of the directories.
func ReadEnsemble(fsys vfs.FS, dirs []string) *Ensemble {
	e := &Ensemble{}
	for _, dir := range hashOrder(dirs) {
		file := metaPath(dir)
		data, err := vfs.ReadFile(fsys, file, maxMetaProperties)
		if errors.Is(err, fs.ErrNotExist) {
			e.Empty = append(e.Empty, dir)
			continue
		}
		var meta index.MetaProperties
		if err == nil {
			meta, err = index.ParseMetaProperties(data, file)
		}
		if err != nil {
			e.Failed = append(e.Failed, FailedDir{dir, err})
			continue
		}
		e.Formatted = append(e.Formatted, FormattedDir{dir, meta})
	}
	slices.SortFunc(e.Formatted, func(a, b FormattedDir) int { return javatext.Compare(a.Path, b.Path) })
	return e
}

// hashOrder gives directories in the order in which Kafka formats them: sorted
// into a hash map.
func hashOrder(dirs []string) []string {
	sorted := slices.Clone(dirs)
	slices.SortFunc(sorted, javatext.Compare)
	return javahash.Grown(slices.Compact(sorted), javahash.String)
}

// Verify holds the formatted directories against the node that they are to belong
// to, and against each other. Errors are Kafka's exceptions.
func (e *Ensemble) Verify(clusterID string, nodeID int32) error {
	seen := map[kbin.UUID]string{}
	for _, d := range e.Formatted {
		switch m := &d.Meta; {
		case m.HasClusterID && m.ClusterID != clusterID:
			return javaerr.New(javaerr.Runtime, "Invalid cluster.id in: "+metaPath(d.Path)+". Expected "+clusterID+", but read "+m.ClusterID)
		case m.HasNodeID && m.NodeID != nodeID:
			return javaerr.New(javaerr.Runtime, "Stored node id "+strconv.Itoa(int(m.NodeID))+" doesn't match previous node id "+strconv.Itoa(int(nodeID))+
				" in "+metaPath(d.Path)+". If you moved your data, make sure your configured node id matches. If you intend to create a new node,"+
				" you should remove all data in your data directories.")
		case !m.HasDirectoryID:
		case index.ReservedDirectoryID(m.DirectoryID):
			return javaerr.New(javaerr.Runtime, "Invalid reserved directory ID "+m.DirectoryID.String()+" found in "+d.Path)
		default:
			if other, ok := seen[m.DirectoryID]; ok {
				return javaerr.New(javaerr.Runtime, "Duplicate directory ID Optional["+m.DirectoryID.String()+"] found. It was the ID of "+other+
					", but also of "+d.Path)
			}
			seen[m.DirectoryID] = d.Path
		}
	}
	return nil
}

// named is the formatted directory that Kafka's tool names when it finds some: the
// first of a hash map that is a copy of the sorted one.
func (e *Ensemble) named() string {
	return javahash.Copied(e.Formatted, func(d FormattedDir) uint32 { return javahash.String(d.Path) })[0].Path
}

// uses reports whether a directory has the id already.
func (e *Ensemble) uses(id kbin.UUID) bool {
	return slices.ContainsFunc(e.Formatted, func(d FormattedDir) bool { return d.Meta.HasDirectoryID && d.Meta.DirectoryID == id })
}

// metaPath is the name of a directory's meta.properties.
func metaPath(dir string) string { return join(dir, index.MetaPropertiesName) }
