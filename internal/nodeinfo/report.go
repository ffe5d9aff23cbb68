package nodeinfo

// Report is what is known of a node's storage.
type Report struct {
	// Target is the release of Kafka that shall start on it, "4.4".
	Target string `json:"target"`
	// ConfigFile is the configuration, empty if only directories were given.
	ConfigFile string `json:"configFile,omitempty"`
	// ClusterID and NodeID are those of the first directory that has them.
	ClusterID string   `json:"clusterId,omitempty"`
	NodeID    *int32   `json:"nodeId,omitempty"`
	Roles     []string `json:"roles,omitempty"` // "broker", "controller"; of the configuration
	Running   Running  `json:"running"`

	Directories []Directory `json:"directories"` // sorted by path
	Layout      Layout      `json:"layout"`
	// What the metadata directory holds; nil where there is nothing of it.
	Metadata    *Metadata    `json:"metadata,omitempty"`
	Voters      *Voters      `json:"voters,omitempty"`
	QuorumState *QuorumState `json:"quorumState,omitempty"`
	Log         *Log         `json:"log,omitempty"`
	Snapshots   []Snapshot   `json:"snapshots,omitempty"` // by end offset

	// Problems are sorted by severity, the worst first.
	Problems []Problem `json:"problems"`
}

// Running says whether a node holds the lock of a directory.
type Running struct {
	Held bool `json:"held"`
	PID  int  `json:"pid,omitempty"` // 0 if it is not known
}

// The kinds of directories.
const (
	KindMetadata = "metadata" // metadata.log.dir, or the first of log.dirs
	KindData     = "data"
	KindBoth     = "metadata and data"
)

// The states of directories.
const (
	StateFormatted    = "formatted"
	StateNotFormatted = "not formatted" // no meta.properties
	StateUnreadable   = "unreadable"    // it, or its meta.properties
	StateMissing      = "missing"
	StateNoDirectory  = "not a directory"
)

// Directory is a log directory.
type Directory struct {
	Path  string `json:"path"`
	Kind  string `json:"kind"`
	State string `json:"state"`
	// Link is where the path points to if it is a symbolic link.
	Link string `json:"link,omitempty"`
	// Mode is that of the directory, "drwxr-x---"; UID and GID are its owner,
	// where the system has such.
	Mode string  `json:"mode,omitempty"`
	UID  *uint32 `json:"uid,omitempty"`
	GID  *uint32 `json:"gid,omitempty"`
	// Writable: this process may create files in it.
	Writable bool            `json:"writable"`
	Meta     *MetaProperties `json:"meta,omitempty"`
	// CleanShutdown is what .kafka_cleanshutdown says; nil if it is not there.
	CleanShutdown *CleanShutdown `json:"cleanShutdown,omitempty"`
	Partitions    Partitions     `json:"partitions"`
	// MetadataLog: the directory of the metadata log is in it.
	MetadataLog bool `json:"metadataLog"`
	// Bootstrap: bootstrap.checkpoint is in it.
	Bootstrap bool `json:"bootstrap"`

	entries entries
}

// formatted reports whether there is a meta.properties that could be read.
func (d *Directory) formatted() bool { return d.Meta != nil }

// hasMetadata reports whether there is something of the cluster's metadata.
func (d *Directory) hasMetadata() bool { return d.MetadataLog || d.Bootstrap }

// MetaProperties is a meta.properties.
type MetaProperties struct {
	Version     int     `json:"version"` // 0 is that of ZooKeeper clusters
	ClusterID   string  `json:"clusterId,omitempty"`
	NodeID      *int32  `json:"nodeId,omitempty"` // broker.id in version 0
	DirectoryID string  `json:"directoryId,omitempty"`
	Extra       []Extra `json:"extra,omitempty"`
}

// Extra is a key of meta.properties that Kafka does not know.
type Extra struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// CleanShutdown is the mark of a broker that stopped in good order.
type CleanShutdown struct {
	// BrokerEpoch is nil if the file does not say it, which is nothing bad.
	BrokerEpoch *int64 `json:"brokerEpoch,omitempty"`
}

// Partitions counts the directories of partitions, without the metadata log.
type Partitions struct {
	Live    int `json:"live"`
	Future  int `json:"future"`
	Stray   int `json:"stray"`
	Deleted int `json:"deleted"`
	// Bytes is the length of all files in them; nil without Options.Partitions.
	Bytes *int64 `json:"bytes,omitempty"`
}

// The layouts that format has written over the releases.
const (
	LayoutUnified   = "unified"   // 4.4: all in the snapshot 0-0, no bootstrap.checkpoint
	LayoutBootstrap = "bootstrap" // 3.9 to 4.3: bootstrap.checkpoint
	LayoutNone      = "none"      // neither: a broker formatted by 4.4, or not formatted
)

// The kinds of quorums.
const (
	QuorumDynamic = "dynamic" // kraft.version 1: the voters are in the log (KIP-853)
	QuorumStatic  = "static"  // kraft.version 0: the voters are in the configuration
	QuorumUnknown = "unknown"
)

// Layout says how the node was formatted.
type Layout struct {
	Name         string `json:"name"`
	Quorum       string `json:"quorum"`
	KRaftVersion *int16 `json:"kraftVersion,omitempty"`
	Text         string `json:"text"` // the same in words
}

// Metadata is the state of the cluster as far as this package follows it.
type Metadata struct {
	Version  *Version  `json:"version,omitempty"` // metadata.version
	Features []Feature `json:"features"`          // all others that are not 0, by name; kraft.version is in Layout
	// Source says where the version comes from: a file, or an offset of the log.
	Source string `json:"source"`
	// AsOf is the first offset that is not in it. Whether all of those before it
	// are committed is not known.
	AsOf  int64       `json:"asOf"`
	SCRAM []SCRAMUser `json:"scram"`
	// ZKMigration is the state of a migration from ZooKeeper, empty if none was recorded.
	ZKMigration string `json:"zkMigration,omitempty"`
	// OpenTransaction: the log ends in a metadata transaction; its changes are
	// left out.
	OpenTransaction bool `json:"openTransaction,omitempty"`
	// More counts users and features that were left out of the lists.
	More int `json:"more,omitempty"`
}

// Version is a metadata version.
type Version struct {
	Level int16  `json:"level"`
	Name  string `json:"name"` // "4.4-IV2", or "UNKNOWN 99"
}

// Feature is a finalized feature.
type Feature struct {
	Name  string `json:"name"`
	Level int16  `json:"level"`
}

// SCRAMUser is a user with SCRAM credentials. The credentials are secret.
type SCRAMUser struct {
	Name       string   `json:"name"`
	Mechanisms []string `json:"mechanisms"` // "SCRAM-SHA-256", "SCRAM-SHA-512"
}

// What this node is in a quorum.
const (
	ThisVoter          = "voter"
	ThisObserver       = "observer"        // its id is not among the voters
	ThisOtherDirectory = "other directory" // its id is, with another directory id
)

// Voters is the voter set of the KRaft quorum.
type Voters struct {
	// Source is "controller.quorum.voters", a snapshot, or an offset of the log.
	Source   string  `json:"source"`
	ThisNode string  `json:"thisNode,omitempty"` // empty if the node's id is not known
	Voters   []Voter `json:"voters"`             // by id
}

// Voter is a voter.
type Voter struct {
	ID          int32      `json:"id"`
	DirectoryID string     `json:"directoryId,omitempty"` // dynamic quorums only
	Endpoints   []Endpoint `json:"endpoints"`
	ThisNode    bool       `json:"thisNode"` // id and directory id are those of this node
}

// Endpoint is where a voter listens.
type Endpoint struct {
	Name string `json:"name,omitempty"` // of the listener; dynamic quorums only
	Host string `json:"host"`
	Port int    `json:"port"`
}

// QuorumState is the file quorum-state: what the node must not forget about
// elections.
type QuorumState struct {
	Version          int16   `json:"version"`
	LeaderID         int32   `json:"leaderId"`
	LeaderEpoch      int32   `json:"leaderEpoch"`
	VotedID          int32   `json:"votedId"`
	VotedDirectoryID string  `json:"votedDirectoryId,omitempty"`
	Voters           []int32 `json:"voters,omitempty"` // version 0 only, ascending
	// Fields are all fields of the file with what they mean.
	Fields []ExplainedField `json:"fields"`
	// Start says as what the node begins at its next start.
	Start string `json:"start"`
}

// ExplainedField is a field of quorum-state in words.
type ExplainedField struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Meaning string `json:"meaning"`
}

// Log is the metadata log.
type Log struct {
	Path        string `json:"path"`
	Segments    int    `json:"segments"`
	StartOffset int64  `json:"startOffset"` // of the first segment; 0 if there is none
	EndOffset   int64  `json:"endOffset"`   // exclusive
	LastEpoch   int32  `json:"lastEpoch"`   // of the last batch, -1 if there is none
	Bytes       int64  `json:"bytes"`       // of the segments, without their indexes
	// Read is how many bytes were looked at: what lies behind the snapshot.
	Read int64 `json:"read"`
}

// The states of snapshots.
const (
	SnapshotComplete = "complete" // read to its footer
	SnapshotDamaged  = "damaged"
	SnapshotOlder    = "older" // not read
)

// Snapshot is a snapshot of the metadata log.
type Snapshot struct {
	Name      string `json:"name"`
	EndOffset int64  `json:"endOffset"` // exclusive
	Epoch     int32  `json:"epoch"`     // of its last record
	Bytes     int64  `json:"bytes"`
	State     string `json:"state"`
}
