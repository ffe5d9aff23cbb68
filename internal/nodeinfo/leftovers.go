package nodeinfo

import (
	"io/fs"
	"path/filepath"

	"kraftctl/decode/index"
)

// entries is what the names in a directory tell: those worth a word, by the
// problem that they are.
type entries struct {
	problems []string // in the order in which they were met
	names    map[string]*names
}

func (e *entries) add(problem, name string) {
	if e.names == nil {
		e.names = map[string]*names{}
	}
	if e.names[problem] == nil {
		e.names[problem] = &names{}
		e.problems = append(e.problems, problem)
	}
	e.names[problem].add(name)
}

// entries goes through the names in a log directory.
func (c *collector) entries(d *Directory, list []fs.DirEntry) {
	var bytes int64
	for _, e := range list {
		if isDir(c, d.Path, e) {
			if c.directoryEntry(d, e.Name()) && c.o.Partitions {
				bytes += c.sizes(filepath.Join(d.Path, e.Name()))
			}
		} else {
			fileEntry(d, e.Name())
		}
	}
	if c.o.Partitions {
		d.Partitions.Bytes = &bytes
	}
	c.reportEntries(d.Path, &d.entries)
}

// isDir follows a symbolic link, as Kafka does.
func isDir(c *collector, dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := c.fs.Stat(filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

// directoryEntry handles a directory in a log directory. It reports whether it
// is that of a partition other than the metadata log.
func (c *collector) directoryEntry(d *Directory, name string) bool {
	switch name {
	case index.MetadataLogDir:
		d.MetadataLog = true
		return false
	case index.RemoteIndexCacheDir:
		return false
	case index.BootstrapName, index.MetaPropertiesName, index.LockName: // it stands where a file should be, see their readers
		d.Bootstrap = d.Bootstrap || name == index.BootstrapName
		return false
	}
	n, err := index.ParseDirName(name)
	if err != nil {
		if c.known && c.config.Roles.Controller && !c.config.Roles.Broker {
			d.entries.add(foreignDirOK, name)
		} else {
			d.entries.add(foreignDir, name)
		}
		return false
	}
	switch n.State {
	case index.DirDelete:
		d.Partitions.Deleted++
		d.entries.add(leftPartition, name)
	case index.DirFuture:
		d.Partitions.Future++
		d.entries.add(leftFuture, name)
	case index.DirStray:
		d.Partitions.Stray++
		d.entries.add(leftStray, name)
	default:
		d.Partitions.Live++
	}
	return true
}

// fileEntry handles a plain file in a log directory.
func fileEntry(d *Directory, name string) {
	n, err := index.ParseFileName(name)
	switch {
	case err == nil && n.State == index.StateTemp:
		d.entries.add(leftTemp, name)
	case err == nil && n.Kind == index.KindBootstrap:
		d.Bootstrap = true
	case err == nil && n.Kind >= index.KindMetaProperties:
	default:
		d.entries.add(foreignFile, name)
	}
}

// texts of the problems with names.
var entryTexts = map[string]string{
	leftTemp:      "not completed: ",
	leftPart:      "not completed: ",
	leftDeleted:   "about to be deleted: ",
	leftCleaned:   "of a compaction: ",
	leftPartition: "about to be deleted: ",
	leftFuture:    "moving here: ",
	leftStray:     "set aside: ",
	foreignDir:    "not the name of a partition: ",
	foreignDirOK:  "not the name of a partition: ",
	foreignFile:   "not Kafka's: ",
	snapshotName:  "no offset and epoch in the name: ",
}

func (c *collector) reportEntries(path string, e *entries) {
	for _, id := range e.problems {
		c.add(id, path, "%s%s", entryTexts[id], e.names[id])
	}
}

// sizes sums up the files of a partition directory.
func (c *collector) sizes(path string) (bytes int64) {
	list, err := c.fs.ReadDir(path)
	if err != nil {
		return 0
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
}
