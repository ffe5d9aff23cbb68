package nodeinfo

import (
	"fmt"
	"io/fs"
	"path/filepath"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// owners checks who owns the files of a directory, and what the owner may do
// with them.
func (c *collector) owners(d *Directory, list []fs.DirEntry) {
	o := ownerCheck{dir: d}
	if info, err := c.fs.Stat(d.Path); err == nil {
		o.mode("the directory itself", info)
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			o.look(e.Name(), info)
		}
	}
	if d.MetadataLog {
		// Its directory is the one whose files a format by another user spoils.
		if inner, err := c.fs.ReadDir(filepath.Join(d.Path, index.MetadataLogDir)); err == nil {
			for _, e := range inner {
				if info, err := e.Info(); err == nil {
					o.look(filepath.Join(index.MetadataLogDir, e.Name()), info)
				}
			}
		}
	}
	if o.others.n > 0 {
		c.add(ownerDiffers, d.Path, "the directory is owned by %d:%d, other users own %s", *d.UID, *d.GID, o.others.String())
	}
	if o.modes.n > 0 {
		c.add(modeWrong, d.Path, "the owner may not read or write %s", o.modes.String())
	}
}

type ownerCheck struct {
	dir           *Directory
	others, modes names
}

func (o *ownerCheck) look(name string, info fs.FileInfo) {
	if uid, gid, ok := vfs.Owner(info); ok && o.dir.UID != nil && uid != *o.dir.UID {
		o.others.add(fmt.Sprintf("%s (%d:%d)", name, uid, gid))
	}
	o.mode(name, info)
}

// mode checks the permission bits of the owner: 0700 for directories, 0600 for
// what is written in place, 0400 for all else.
func (o *ownerCheck) mode(name string, info fs.FileInfo) {
	want := fs.FileMode(0o400)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return
	case info.IsDir():
		want = 0o700
	default:
		if n, err := index.ParseFileName(filepath.Base(name)); err == nil && n.Kind >= index.KindLog && n.Kind <= index.KindTxnIndex {
			want = 0o600
		}
	}
	if info.Mode().Perm()&want != want {
		o.modes.add(fmt.Sprintf("%s (%04o)", name, info.Mode().Perm()))
	}
}

// compareOwners checks that all directories belong to one user.
func (c *collector) compareOwners() {
	var first *Directory
	for i := range c.report.Directories {
		d := &c.report.Directories[i]
		switch {
		case d.UID == nil:
		case first == nil:
			first = d
		case *d.UID != *first.UID:
			c.add(ownerDirs, d.Path, "its owner is %d:%d, that of %s is %d:%d", *d.UID, *d.GID, first.Path, *first.UID, *first.GID)
		}
	}
}
