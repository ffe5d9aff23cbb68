package format

import (
	"io/fs"
	"slices"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/vfs"
)

// Kind is what a directory is to the node.
type Kind uint8

// The kinds of directories. Their texts are Kafka's.
const (
	DataDirectory                 Kind = iota
	MetadataDirectory                  // no voter set is written
	DynamicMetadataVoterDirectory      // this node is in the voter set
	DynamicMetadataDirectory           // this node is not in it
)

var kindNames = [...]string{"data directory", "metadata directory", "dynamic metadata voter directory", "dynamic metadata directory"}

// String is the kind in Kafka's words.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// Plan is what will be written, and what is there already.
type Plan struct {
	Request   Request
	Bootstrap *Bootstrap
	// KRaftVersion is the level of kraft.version.
	KRaftVersion int16
	// Ensemble is what the directories were when the plan was made.
	Ensemble *Ensemble
	// Dirs are the directories to be formatted, in Kafka's order.
	Dirs []Directory
}

// Directory is a directory to be formatted.
type Directory struct {
	Path string
	Kind Kind
	ID   kbin.UUID
	// Files are what is written, in the order in which they take their names. It is
	// empty for a directory that another one of the plan is by another name.
	Files []File
	// keeps: there is a metadata log that goes on.
	keeps bool
}

// usualMode is the mode of files, before the process's mask.
const usualMode fs.FileMode = 0o666

// File is a file to be written.
type File struct {
	Name string // relative to the directory
	Data []byte
	Mode fs.FileMode
	// temp is the name under which it is written, relative to the directory.
	temp string
}

// NewPlan decides on everything that is to be written; it reads the directories
// but changes nothing. The checks come in the order of Kafka's tool: features,
// users, directories. A plan whose directories are all formatted has no Dirs.
func NewPlan(fsys vfs.FS, r Request, env Env) (*Plan, error) {
	l, err := resolveLevels(&r)
	if err != nil {
		return nil, err
	}
	b, err := newBootstrap(&r, l, env)
	if err != nil {
		return nil, err
	}
	p := &Plan{Request: r, Bootstrap: b, KRaftVersion: l.kraft}
	p.Ensemble = ReadEnsemble(fsys, append(slices.Clone(r.Dirs), r.MetadataDir))
	if err := p.Ensemble.Verify(r.ClusterID, r.NodeID); err != nil {
		return p, err
	}
	if len(p.Ensemble.Formatted) > 0 && !r.IgnoreFormatted {
		return p, &FormattedError{p.Ensemble.named()}
	}
	if len(p.Ensemble.Formatted)+len(p.Ensemble.Empty) == 0 {
		return p, refuse("No available log directories to format.")
	}
	for _, path := range p.Ensemble.Empty {
		if err := p.addDirectory(fsys, path, env); err != nil {
			return p, err
		}
	}
	return p, nil
}

// addDirectory plans a directory that is not formatted.
func (p *Plan) addDirectory(fsys vfs.FS, path string, env Env) (err error) {
	d := Directory{Path: path, Kind: p.kind(path)}
	d.keeps = p.Request.Keep && d.Kind != DataDirectory && d.hasLog(fsys)
	if d.keeps && p.Request.Source != nil {
		return &UnusableError{Dir: path, Found: "there is a metadata log in it, which would go on, and not the metadata of --from",
			Remedy: "leave out --from, or move " + index.MetadataLogDir + " away"}
	}
	me, voter := findVoter(p.Request.InitialControllers, p.Request.NodeID)
	taken := func(id kbin.UUID) bool {
		return p.Ensemble.uses(id) || slices.ContainsFunc(p.Dirs, func(d Directory) bool { return d.ID == id })
	}
	switch {
	case d.keeps && !p.Request.KeptDirectoryID.IsZero():
		d.ID = p.Request.KeptDirectoryID
	case d.Kind == DynamicMetadataVoterDirectory && voter && !d.keeps:
		d.ID = me.DirectoryID
	default:
		if d.ID, err = randomDirectoryID(env.Random, taken); err != nil {
			return err
		}
	}
	if d.Files, err = p.files(fsys, &d, env); err != nil {
		return err
	}
	for i := range p.Dirs {
		// One directory by two names: the last one is what Kafka's tool leaves.
		if javaPath(p.Dirs[i].Path) == javaPath(path) {
			p.Dirs[i].Files = nil
		}
	}
	p.Dirs = append(p.Dirs, d)
	return nil
}

// hasLog reports whether there is something of a metadata log in a directory.
func (d *Directory) hasLog(fsys vfs.FS) bool {
	entries, err := fsys.ReadDir(d.path(index.MetadataLogDir))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !leftOver(e.Name()) })
}

// FormattedError is a directory that is formatted already.
type FormattedError struct{ Dir string }

// Error is Kafka's text.
func (e *FormattedError) Error() string {
	return "Log directory " + e.Dir + " is already formatted. Use --ignore-formatted to ignore this directory and format the others."
}

// kind says what a directory is to the node.
func (p *Plan) kind(dir string) Kind {
	switch {
	case dir != p.Request.MetadataDir:
		return DataDirectory
	case len(p.Request.InitialControllers) == 0:
		return MetadataDirectory
	}
	if _, ok := findVoter(p.Request.InitialControllers, p.Request.NodeID); ok {
		return DynamicMetadataVoterDirectory
	}
	return DynamicMetadataDirectory
}

// metaProperties is the file that comes last.
func (p *Plan) metaProperties(d *Directory, env Env) File {
	meta := &index.MetaProperties{Version: 1, ClusterID: p.Request.ClusterID, HasClusterID: true, NodeID: p.Request.NodeID, HasNodeID: true,
		DirectoryID: d.ID, HasDirectoryID: true}
	return File{
		Name: index.MetaPropertiesName,
		Data: index.AppendMetaProperties(nil, meta, index.MetaLayout{Date: env.Now()}),
		Mode: usualMode,
		temp: index.MetaPropertiesName + vfs.TempSuffix,
	}
}

// path is the name of a file of a directory.
func (d *Directory) path(name string) string { return join(d.Path, name) }
