package format

import (
	"io"
	"time"

	"kraftctl/decode/kbin"
	"kraftctl/internal/feature"
)

// Request is what is asked for: a node, its directories and how its cluster begins.
type Request struct {
	// Release is the release that is to start on the directories.
	Release *feature.Release

	ClusterID string
	NodeID    int32
	// Controller: process.roles has the controller role.
	Controller bool

	// Dirs are the log directories; MetadataDir, the one for the metadata log, is
	// among them or comes on top.
	Dirs        []string
	MetadataDir string

	// ListenerName is the first of controller.listener.names.
	ListenerName string
	// StaticVoters: the quorum is in controller.quorum.voters. Otherwise it is
	// dynamic (kraft.version 1).
	StaticVoters bool
	// InitialControllers is the first voter set of a dynamic quorum. It is empty
	// for a node that finds its quorum later.
	InitialControllers []Voter
	// Standalone: InitialControllers is this node, with a directory id made up.
	Standalone bool

	// MetadataVersion is the level of metadata.version, 0 for the release's default.
	MetadataVersion feature.MetadataVersion
	// Levels are the features that were asked for by name.
	Levels map[string]int16
	// Unstable permits levels that are not ready for production.
	Unstable bool
	// SCRAM are users, as --add-scram takes them.
	SCRAM []string

	// Source is metadata of another cluster that this one begins with; nil: with none.
	Source *Source

	// Keep keeps what is in directories that are not formatted: a metadata log that
	// is there goes on, and only meta.properties is written. Its directory gets
	// KeptDirectoryID, which is what the voters of the log know it by, or a new id
	// if that is zero.
	Keep            bool
	KeptDirectoryID kbin.UUID

	// IgnoreFormatted passes over directories that are formatted already.
	IgnoreFormatted bool
}

// Env is what formatting takes from the world beside files.
type Env struct {
	Now    func() time.Time
	Random io.Reader
}
