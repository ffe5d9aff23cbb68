package format

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// UnusableError is a directory that cannot or should not be formatted, found out
// before anything was written.
type UnusableError struct {
	Dir string
	// Found is what is wrong; Remedy what to do.
	Found, Remedy string
	// Err is what the system said, if it did.
	Err error
}

// Error names the directory and what was found.
func (e *UnusableError) Error() string { return e.Dir + ": " + e.Found }

// Unwrap gives what the system said.
func (e *UnusableError) Unwrap() error { return e.Err }

// block is what a file system hands out at least for a file or a directory.
const block = 4 << 10

// Preflight looks for what would keep the directories of the plan from being
// formatted: no permission, a read-only file system, no room, a file where a
// directory should be. It writes nothing. The error is an *UnusableError.
func (p *Plan) Preflight(fsys vfs.FS) error {
	for i := range p.Dirs {
		if err := p.Dirs[i].preflight(fsys); err != nil {
			return err
		}
	}
	return nil
}

func (d *Directory) preflight(fsys vfs.FS) error {
	base, err := existing(fsys, physical(d.Path))
	if err != nil {
		return err
	}
	if err := writable(fsys, d.Path, base); err != nil {
		return err
	}
	log := d.path(index.MetadataLogDir)
	if info, err := fsys.Stat(log); err == nil {
		if !info.IsDir() {
			return &UnusableError{Dir: d.Path, Found: index.MetadataLogDir + " is not a directory", Remedy: "remove it"}
		}
		if err := writable(fsys, d.Path, log); err != nil {
			return err
		}
	}
	need := uint64(2 * block) // the directory and that of the metadata log
	for _, f := range d.Files {
		need += (uint64(len(f.Data)) + block - 1) / block * block
		if info, err := vfs.Lstat(fsys, d.path(f.Name)); err == nil && info.IsDir() {
			return &UnusableError{Dir: d.Path, Found: f.Name + " is a directory", Remedy: "move it away"}
		}
	}
	if free, err := vfs.Free(fsys, base); err == nil && free < need {
		return &UnusableError{Dir: d.Path, Found: fmt.Sprintf("no room: %d bytes are free, %d are wanted", free, need), Remedy: "make room on this disk"}
	}
	return nil
}

// existing gives the directory itself, or the nearest one above it that exists.
func existing(fsys vfs.FS, dir string) (string, error) {
	if _, err := fsys.Stat(dir); err != nil && slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "..") {
		return "", &UnusableError{Dir: dir, Found: "it does not exist, and cannot be made since the path has .. in it", Remedy: "give the path without .., or make the directory", Err: err}
	}
	for at := dir; ; at = parent(at) {
		info, err := fsys.Stat(at)
		switch {
		case err == nil && info.IsDir():
			return at, nil
		case err == nil:
			return "", &UnusableError{Dir: dir, Found: at + " is a file, not a directory", Remedy: "remove the file, or correct log.dirs", Err: errNotDirectory}
		case !errors.Is(err, fs.ErrNotExist):
			return "", &UnusableError{Dir: dir, Found: err.Error(), Remedy: "check the path and its permissions", Err: err}
		case at == parent(at):
			return "", &UnusableError{Dir: dir, Found: "there is no directory to make it in", Remedy: "check the path", Err: err}
		}
		if to, ok := vfs.Link(fsys, at); ok {
			return "", &UnusableError{Dir: dir, Found: at + " is a symbolic link to " + to + ", which does not exist",
				Remedy: "make that directory, or remove the link", Err: fs.ErrExist}
		}
	}
}

var errNotDirectory = errors.New("not a directory")

func writable(fsys vfs.FS, dir, at string) error {
	err := vfs.Writable(fsys, at)
	if err == nil {
		return nil
	}
	remedy := "mount the file system for writing, or name another directory"
	if errors.Is(err, fs.ErrPermission) {
		remedy = "run this as the user that Kafka runs as, and give that user the directory (chown)"
	}
	return &UnusableError{Dir: dir, Found: fmt.Sprintf("files cannot be created in %s: %v", at, vfs.Cause(err)), Remedy: remedy, Err: err}
}

// Allow says what Suspicious lets pass.
type Allow struct {
	Symlinks bool // log directories that are symbolic links to directories
	Data     bool // files in directories that are not formatted; Request.Keep keeps them
}

// Suspicious looks for what Kafka's own tool formats over without a word: files
// that are not those of an interrupted format, symbolic links, directories that
// are the same one, directories that Kafka does not start with. The error is an
// *UnusableError.
func (p *Plan) Suspicious(fsys vfs.FS, allow Allow) error {
	for _, f := range p.Ensemble.Failed {
		return &UnusableError{Dir: f.Path, Found: fmt.Sprintf("%s cannot be read: %v", index.MetaPropertiesName, f.Err), Err: f.Err,
			Remedy: "Kafka leaves such a directory out; repair it, or take it out of log.dirs"}
	}
	if err := p.sameDirs(fsys); err != nil {
		return err
	}
	if !allow.Data {
		if err := p.lostLog(fsys); err != nil {
			return err
		}
	}
	for i := range p.Dirs {
		d := &p.Dirs[i]
		if d.Path == "" {
			return &UnusableError{Dir: "log.dirs or metadata.log.dir", Found: "one of the directories has no name", Remedy: "give its path"}
		}
		for _, name := range []string{d.Path, d.path(index.MetaPropertiesName), d.path(index.MetadataLogDir), d.path(index.BootstrapName)} {
			if name == d.Path && allow.Symlinks {
				continue
			}
			if to, ok := vfs.Link(fsys, name); ok {
				return &UnusableError{Dir: d.Path, Found: name + " is a symbolic link to " + to,
					Remedy: "give the real path in log.dirs, or allow links with --follow-symlinks"}
			}
		}
		if err := d.foreign(fsys, p.Request.Release.Unified, allow.Data); err != nil {
			return err
		}
	}
	return nil
}

// lostLog looks for a metadata directory that would be made anew for a node that
// has run already: its metadata log was lost, or is somewhere else.
func (p *Plan) lostLog(fsys vfs.FS) error {
	if !slices.ContainsFunc(p.Dirs, func(d Directory) bool { return d.Path == p.Request.MetadataDir }) {
		return nil
	}
	for _, f := range p.Ensemble.Formatted {
		entries, err := fsys.ReadDir(f.Path)
		if err != nil {
			return &UnusableError{Dir: f.Path, Found: err.Error(), Remedy: "check its permissions", Err: err}
		}
		for _, e := range entries {
			if name := e.Name(); name != index.MetaPropertiesName && name != index.BootstrapName && name != index.MetaPropertiesName+vfs.TempSuffix {
				return &UnusableError{Dir: p.Request.MetadataDir, Found: fmt.Sprintf("it is not formatted, but this node has run: %s has %s", f.Path, name),
					Remedy: "bring the metadata directory back, or correct metadata.log.dir; if its log is lost and other nodes have it, make it anew with --keep-data"}
			}
		}
	}
	return nil
}

// sameDirs looks for directories that are one.
func (p *Plan) sameDirs(fsys vfs.FS) error {
	type place struct {
		dir, abs string
		info     fs.FileInfo
	}
	var seen []place
	all := slices.Clone(p.Ensemble.Empty)
	for _, d := range p.Ensemble.Formatted {
		all = append(all, d.Path)
	}
	for _, dir := range all {
		here := place{dir: dir, abs: javaPath(dir)}
		if abs, err := filepath.Abs(dir); err == nil && !strings.Contains(dir, "..") {
			here.abs = abs
		}
		here.info, _ = fsys.Stat(dir)
		for _, other := range seen {
			if other.abs == here.abs || other.info != nil && here.info != nil && vfs.Same(other.info, here.info) {
				return &UnusableError{Dir: dir, Found: "it is the same directory as " + other.dir, Remedy: "name it once in log.dirs and metadata.log.dir"}
			}
		}
		seen = append(seen, here)
	}
	return nil
}

// foreign looks for files that formatting would not have left. Those that Kafka
// does not start with are never allowed.
func (d *Directory) foreign(fsys vfs.FS, unified, data bool) error {
	entries, err := fsys.ReadDir(d.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &UnusableError{Dir: d.Path, Found: err.Error(), Remedy: "check the directory's permissions", Err: err}
	}
	var found []string
	for _, e := range entries {
		switch name := e.Name(); name {
		case index.MetaPropertiesName + vfs.TempSuffix, index.BootstrapName + vfs.TempSuffix, index.BootstrapName + asideSuffix:
		case index.BootstrapName:
			if unified {
				return &UnusableError{Dir: d.Path, Found: "it has a " + index.BootstrapName + ", from which Kafka would take the features and users",
					Remedy: "remove the file, or format for the release that it is from with --target"}
			}
		case "lost+found":
			return &UnusableError{Dir: d.Path, Found: "it is the top of a file system: Kafka does not start with a lost+found among its partitions",
				Remedy: "use a directory below it in log.dirs"}
		case index.MetadataLogDir:
			inside, err := d.foreignInLog(fsys)
			if err != nil {
				return err
			}
			found = append(found, inside...)
		default:
			found = append(found, name)
		}
	}
	if len(found) == 0 || data {
		return nil
	}
	const most = 3
	text := strings.Join(found[:min(most, len(found))], ", ")
	if len(found) > most {
		text += fmt.Sprintf(" and %d more", len(found)-most)
	}
	return &UnusableError{Dir: d.Path, Found: "it is not formatted, but not empty: " + text,
		Remedy: "use an empty directory; if these are this node's own files whose meta.properties was lost, keep them with --keep-data"}
}

// foreignInLog looks into the directory of the metadata log.
func (d *Directory) foreignInLog(fsys vfs.FS) ([]string, error) {
	entries, err := fsys.ReadDir(d.path(index.MetadataLogDir))
	if err != nil {
		return nil, &UnusableError{Dir: d.Path, Found: err.Error(), Remedy: "check its permissions", Err: err}
	}
	var found []string
	for _, e := range entries {
		if name := e.Name(); name != FirstSnapshotName && !leftOver(name) {
			found = append(found, index.MetadataLogDir+"/"+name)
		}
	}
	return found, nil
}

// leftOver reports whether a file of the metadata log is one that an interrupted
// format leaves, and that counts for nothing.
func leftOver(name string) bool {
	return strings.HasSuffix(name, index.StatePart.Suffix()) || strings.HasSuffix(name, asideSuffix)
}
