package nodeinfo

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// Limits of the small files that are read whole, in bytes.
const (
	maxMetaProperties = 1 << 20
	maxQuorumState    = 1 << 20
	maxCleanShutdown  = 64 << 10
)

// directory looks at one directory.
func (c *collector) directory(path string) Directory {
	d := Directory{Path: path, Kind: KindData, State: StateNotFormatted}
	if to, ok := vfs.Link(c.fs, path); ok {
		d.Link = cmp.Or(to, "?")
		c.add(dirLink, path, "it is a symbolic link to %s", d.Link)
	}
	info, err := c.fs.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.State = StateMissing
		c.add(dirMissing, path, "it does not exist")
		return d
	case err != nil:
		d.State = StateUnreadable
		c.add(dirUnreadable, path, "it cannot be looked at: %s", vfs.Cause(err))
		return d
	case !info.IsDir():
		d.State = StateNoDirectory
		c.add(dirNoDirectory, path, "it is not a directory")
		return d
	}
	d.Mode = info.Mode().String()
	if uid, gid, ok := vfs.Owner(info); ok {
		d.UID, d.GID = &uid, &gid
	}
	list, err := c.fs.ReadDir(path)
	if err != nil {
		d.State = StateUnreadable
		c.add(dirUnreadable, path, "it cannot be listed: %s", vfs.Cause(err))
		return d
	}
	if err := vfs.Writable(c.fs, path); err != nil {
		c.add(dirNotWritable, path, "files cannot be created in it: %s", vfs.Cause(err))
	} else {
		d.Writable = true
	}
	c.readMeta(&d)
	c.lock(&d)
	c.entries(&d, list)
	c.cleanShutdown(&d)
	c.owners(&d, list)
	return d
}

// lock looks whether a node is running.
func (c *collector) lock(d *Directory) {
	path := filepath.Join(d.Path, index.LockName)
	if info, err := c.fs.Stat(path); err == nil && info.IsDir() {
		c.add(lockDirectory, path, "it is a directory")
		return
	}
	h, err := vfs.Locked(c.fs, path)
	switch {
	case err != nil: // no file, or nobody can tell
	case !h.Held:
		c.add(lockLeft, path, "the file is there, and nobody holds the lock")
	case !c.report.Running.Held:
		c.report.Running = Running{Held: true, PID: h.PID}
		if h.PID > 0 {
			c.add(nodeRunning, path, "a node is running, process %d", h.PID)
		} else {
			c.add(nodeRunning, path, "a node is running")
		}
	}
}

// cleanShutdown reads the mark of a broker that stopped in good order.
func (c *collector) cleanShutdown(d *Directory) {
	path := filepath.Join(d.Path, index.CleanShutdownName)
	data, err := vfs.ReadFile(c.fs, path, maxCleanShutdown)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if d.Partitions.Live > 0 && !c.report.Running.Held {
			c.add(uncleanStop, d.Path, "there are partitions and no .kafka_cleanshutdown")
		}
	case err != nil:
		d.CleanShutdown = &CleanShutdown{} // that it is there is what counts
	default:
		d.CleanShutdown = &CleanShutdown{}
		if s, err := index.ParseCleanShutdown(data, path); err == nil {
			d.CleanShutdown.BrokerEpoch = &s.BrokerEpoch
		}
	}
}
