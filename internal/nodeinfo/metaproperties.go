package nodeinfo

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/vfs"
)

// readMeta reads the meta.properties of a directory.
func (c *collector) readMeta(d *Directory) {
	path := filepath.Join(d.Path, index.MetaPropertiesName)
	if to, ok := vfs.Link(c.fs, path); ok {
		c.add(metaLink, path, "it is a symbolic link to %s", quoteName(to))
	}
	data, err := vfs.ReadFile(c.fs, path, maxMetaProperties)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.add(dirUnformatted, d.Path, "there is no meta.properties: it is not formatted")
		return
	case err != nil:
		d.State = StateUnreadable
		c.add(metaUnreadable, path, "it cannot be read: %s", vfs.Cause(err))
		return
	}
	m, err := index.ParseMetaProperties(data, path)
	if err != nil {
		d.State = StateUnreadable
		c.add(metaUnreadable, path, "%s", damageText(err))
		return
	}
	d.State = StateFormatted
	d.Meta = &MetaProperties{Version: m.Version, ClusterID: m.ClusterID}
	if m.HasNodeID {
		d.Meta.NodeID = &m.NodeID
	}
	if m.HasDirectoryID {
		d.Meta.DirectoryID = m.DirectoryID.String()
	}
	c.checkMeta(path, d.Meta, m)
}

// checkMeta checks a meta.properties by itself and against the configuration.
func (c *collector) checkMeta(path string, meta *MetaProperties, m index.MetaProperties) {
	brokerKey := false
	var extra names
	for _, x := range m.Extra {
		brokerKey = brokerKey || x.Key == "broker.id"
		meta.Extra = append(meta.Extra, Extra{x.Key, x.Value})
		extra.add(x.Key)
	}
	switch {
	case m.Version == 0:
		c.add(metaZooKeeper, path, "the version is 0")
	case brokerKey:
		c.add(metaZooKeeper, path, "it has the key broker.id next to node.id")
	case extra.n > 0:
		c.add(metaExtra, path, "keys that Kafka does not know: %s", extra.String())
	}
	switch {
	case !m.HasDirectoryID:
		c.add(directoryNone, path, "there is no directory.id")
	case index.ReservedDirectoryID(m.DirectoryID):
		c.add(directoryReserved, path, "the directory.id %s is reserved", m.DirectoryID)
	}
	if c.known && c.config.NodeID >= 0 && m.HasNodeID && m.NodeID != c.config.NodeID {
		c.add(nodeConfig, path, "the node id is %d, that of the configuration is %d", m.NodeID, c.config.NodeID)
	}
}

// compareMeta checks that all directories belong to one node of one cluster.
func (c *collector) compareMeta() {
	var cluster, node *Directory // the first that have one
	ids := map[string]string{}
	for i := range c.report.Directories {
		d := &c.report.Directories[i]
		m := d.Meta
		if m == nil {
			continue
		}
		path := filepath.Join(d.Path, index.MetaPropertiesName)
		if m.ClusterID != "" {
			if cluster == nil {
				cluster = d
			}
			if m.ClusterID != cluster.Meta.ClusterID {
				c.add(clusterMismatch, path, "the cluster.id is %s; in %s it is %s", quoteName(m.ClusterID), cluster.Path, quoteName(cluster.Meta.ClusterID))
			}
		}
		if m.NodeID != nil {
			if node == nil {
				node = d
			}
			if *m.NodeID != *node.Meta.NodeID {
				c.add(nodeMismatch, path, "the node id is %d; in %s it is %d", *m.NodeID, node.Path, *node.Meta.NodeID)
			}
		}
		if id := m.DirectoryID; id != "" {
			if other, ok := ids[id]; ok {
				c.add(directoryDuplicate, path, "%s has the same directory.id %s", other, id)
			} else {
				ids[id] = d.Path
			}
		}
	}
}

// damageText is what an error about damage says, without the file.
func damageText(err error) string {
	var e *index.CorruptError
	if !errors.As(err, &e) {
		return err.Error()
	}
	short := *e
	short.File = ""
	return strings.TrimSpace(short.Error())
}

// uuidText shows an id, "" for the zero id, which is none.
func uuidText(id kbin.UUID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}
