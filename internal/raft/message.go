package raft

import "time"

// Request is what a replica asks another: one of the types below. The partition is
// always that of the metadata log; OtherTopic says that a request was for anything
// else, or for more than one, which the replica has to refuse in its turn.
type Request interface{ request() }

// Response is the answer to a Request.
type Response interface{ response() }

// Target is what nearly all requests begin with.
type Target struct {
	// ClusterID is that of the sender's cluster; nil passes everywhere.
	ClusterID  *string
	OtherTopic bool
}

// LeaderHint is what nearly all answers tell of the leader.
type LeaderHint struct {
	LeaderID int32 // None if it is not known
	Epoch    int32
	// Endpoint is that of the leader on the listener that the request came to.
	Endpoint    Endpoint
	HasEndpoint bool
}

// VoteRequest is Vote (52): section 4.
type VoteRequest struct {
	Target
	Voter    ReplicaKey // who is asked; ID None if the sender does not say
	Epoch    int32      // the candidate's: with PreVote its current one
	From     ReplicaKey
	Last     SnapshotID // end of the candidate's log and the epoch of its last record
	PreVote  bool
	HasVoter bool
}

// VoteResponse answers a VoteRequest.
type VoteResponse struct {
	TopError ErrorCode
	Error    ErrorCode
	LeaderHint
	Granted bool
}

// BeginQuorumEpochRequest is BeginQuorumEpoch (53): a new leader tells a voter.
type BeginQuorumEpochRequest struct {
	Target
	Voter     ReplicaKey
	HasVoter  bool
	Leader    int32
	Epoch     int32
	Endpoints []Endpoint // of the leader
}

// EndQuorumEpochRequest is EndQuorumEpoch (54): a leader resigns.
type EndQuorumEpochRequest struct {
	Target
	Leader     int32
	Epoch      int32
	Candidates []ReplicaKey // who should take over, best first
	Endpoints  []Endpoint
}

// QuorumEpochResponse answers BeginQuorumEpoch and EndQuorumEpoch.
type QuorumEpochResponse struct {
	TopError ErrorCode
	Error    ErrorCode
	LeaderHint
}

// FetchRequest is Fetch (1) of the metadata log: section 6.
type FetchRequest struct {
	Target
	From      ReplicaKey // ID None for one that is no replica
	Epoch     int32      // the leader epoch that the sender knows
	Offset    int64      // of the next record: all below it is durable at the sender
	LastEpoch int32      // of the record before it
	MaxWait   time.Duration
	MaxBytes  int32
	// HighWatermark is the sender's, Unknown before it has one; MaxInt64 from a
	// sender that does not tell (before version 18).
	HighWatermark int64
}

// FetchResponse answers a FetchRequest: with records, or the end of the epoch in
// which the logs part, or a snapshot to fetch first.
type FetchResponse struct {
	TopError ErrorCode
	Error    ErrorCode
	LeaderHint
	HighWatermark int64 // Unknown if the leader has none yet
	LogStart      int64
	Diverging     *SnapshotID // offset and epoch up to which the sender may keep its log
	Snapshot      *SnapshotID
	Batches       []Batch // as received; a reply tells what to read by [Reply.Read]
}

// FetchSnapshotRequest is FetchSnapshot (59).
type FetchSnapshotRequest struct {
	Target
	From     ReplicaKey
	Epoch    int32
	ID       SnapshotID
	Position int64 // byte
	MaxBytes int32
}

// FetchSnapshotResponse answers a FetchSnapshotRequest with a piece.
type FetchSnapshotResponse struct {
	TopError ErrorCode
	Error    ErrorCode
	LeaderHint
	ID       SnapshotID
	Size     int64 // of the whole snapshot
	Position int64
	Data     []byte // as received; a reply tells what to read by [Reply.Read]
}

// DescribeQuorumRequest is DescribeQuorum (55).
type DescribeQuorumRequest struct{ OtherTopic bool }

// ReplicaStatus is what a leader knows of a replica.
type ReplicaStatus struct {
	Key ReplicaKey
	// EndOffset of its log, Unknown before its first fetch.
	EndOffset int64
	// LastFetch is when it fetched, LastCaughtUp when it last had all that the leader
	// had; negative if it never did. They are times of the replica's clock.
	LastFetch, LastCaughtUp Time
}

// DescribeQuorumResponse answers a DescribeQuorumRequest.
type DescribeQuorumResponse struct {
	Error ErrorCode
	LeaderHint
	HighWatermark int64
	Voters        []ReplicaStatus
	Observers     []ReplicaStatus
	Nodes         []Voter // endpoints of the voters
}

// AddVoterRequest is AddRaftVoter (80): section 9.
type AddVoterRequest struct {
	ClusterID *string
	Timeout   time.Duration
	Voter     ReplicaKey
	Endpoints []Endpoint
	// AckWhenAppended asks for the answer before the change is committed.
	AckWhenAppended bool
}

// RemoveVoterRequest is RemoveRaftVoter (81).
type RemoveVoterRequest struct {
	ClusterID *string
	Voter     ReplicaKey
}

// UpdateVoterRequest is UpdateRaftVoter (82).
type UpdateVoterRequest struct {
	ClusterID *string
	Epoch     int32
	Voter     Voter
}

// VoterResponse answers the three requests about voters. The hint belongs to
// UpdateRaftVoter.
type VoterResponse struct {
	Error   ErrorCode
	Message string
	LeaderHint
}

// VersionsRequest is ApiVersions (18), by which a leader asks a new voter which levels
// of kraft.version it supports.
type VersionsRequest struct{}

// VersionsResponse answers a VersionsRequest. A replica that does not know
// kraft.version supports level 0 alone.
type VersionsResponse struct {
	Error                  ErrorCode
	MinVersion, MaxVersion int16
}

// UpgradeRequest asks the leader to raise kraft.version (UpdateFeatures). It comes
// from the controller of the same node, not over the network.
type UpgradeRequest struct {
	Level        int16
	ValidateOnly bool
}

func (*VoteRequest) request()             {}
func (*BeginQuorumEpochRequest) request() {}
func (*EndQuorumEpochRequest) request()   {}
func (*FetchRequest) request()            {}
func (*FetchSnapshotRequest) request()    {}
func (*DescribeQuorumRequest) request()   {}
func (*AddVoterRequest) request()         {}
func (*RemoveVoterRequest) request()      {}
func (*UpdateVoterRequest) request()      {}
func (*VersionsRequest) request()         {}
func (*UpgradeRequest) request()          {}

func (*VoteResponse) response()           {}
func (*QuorumEpochResponse) response()    {}
func (*FetchResponse) response()          {}
func (*FetchSnapshotResponse) response()  {}
func (*DescribeQuorumResponse) response() {}
func (*VoterResponse) response()          {}
func (*VersionsResponse) response()       {}
