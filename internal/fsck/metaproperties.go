package fsck

import (
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
)

// metaFile is a meta.properties that could be read.
type metaFile struct {
	index.MetaProperties
	path string
}

// readMeta checks a meta.properties by itself; nil if it cannot be read.
func (c *checker) readMeta(s *sink, path string) *metaFile {
	data, ok := c.readSmall(s, path)
	if !ok {
		return nil
	}
	m, err := index.ParseMetaProperties(data, path)
	if err != nil {
		s.add(damage(metaBad, path, err))
		return nil
	}
	at := func(rule ID, message string) Finding {
		return Finding{Rule: rule, File: path, Position: -1, Offset: -1, Message: message}
	}
	switch {
	case m.Version == 0:
		s.add(at(metaVersion, "the version is 0"))
	case !m.HasDirectoryID:
		s.add(at(metaNoDirectoryID, "there is no directory.id"))
	}
	if m.HasDirectoryID && index.ReservedDirectoryID(m.DirectoryID) {
		f := at(directoryReserved, "the directory.id is reserved")
		f.Got = m.DirectoryID.String()
		s.add(f)
	}
	return &metaFile{m, path}
}

// compareMeta checks that all directories belong to one node of one cluster.
func compareMeta(s *sink, dirs []*logDir) {
	var cluster, node *metaFile // the first that have one
	ids := make(map[kbin.UUID]string)
	for _, d := range dirs {
		m := d.meta
		if m == nil {
			continue
		}
		add := func(rule ID, message, want, got string) {
			s.add(Finding{Rule: rule, File: m.path, Position: -1, Offset: -1, Message: message, Want: want, Got: got})
		}
		if m.HasClusterID {
			if cluster == nil {
				cluster = m
			}
			if m.ClusterID != cluster.ClusterID {
				add(clusterMismatch, "the cluster.id is "+m.ClusterID+"; in "+cluster.path+" it is "+cluster.ClusterID, cluster.ClusterID, m.ClusterID)
			}
		}
		if m.HasNodeID {
			if node == nil {
				node = m
			}
			if m.NodeID != node.NodeID {
				add(nodeMismatch, "the node id is "+itoa(m.NodeID)+"; in "+node.path+" it is "+itoa(node.NodeID), itoa(node.NodeID), itoa(m.NodeID))
			}
		}
		if m.HasDirectoryID {
			if other, ok := ids[m.DirectoryID]; ok {
				add(directoryDuplicate, other+" has the same directory.id", "", m.DirectoryID.String())
			} else {
				ids[m.DirectoryID] = m.path
			}
		}
	}
}
