package raft

import (
	"strconv"
	"time"

	"kraftctl/decode/kbin"
)

// UUID is a Kafka UUID; a directory id here. Zero is unknown.
type UUID = kbin.UUID

// None is the id of nobody: no leader, no vote.
const None int32 = -1

// Unknown is an offset that is not known.
const Unknown int64 = -1

// Time is an instant in nanoseconds of a clock that never goes back, as the runtime's
// monotonic clock. Its zero point means nothing.
type Time int64

// never is an instant that does not come.
const never = Time(1<<63 - 1)

// after is the instant d later; it stays below never.
func (t Time) after(d time.Duration) Time {
	if d < 0 || t >= never-Time(d) {
		return never - 1
	}
	return t + Time(d)
}

// ReplicaKey is a replica: a node and the directory that holds its log. A node that
// lost its directory comes back as another replica (KIP-853).
type ReplicaKey struct {
	ID        int32
	Directory UUID
}

// String gives id and directory, or the id alone while the directory is not known.
func (k ReplicaKey) String() string {
	s := strconv.Itoa(int(k.ID))
	if k.Directory.IsZero() {
		return s
	}
	return s + "-" + k.Directory.String()
}

// Matches reports whether other is the replica that k stands for: a key without a
// directory, as voters of kraft.version 0 have, stands for any.
func (k ReplicaKey) Matches(other ReplicaKey) bool {
	return k.ID == other.ID && (k.Directory.IsZero() || k.Directory == other.Directory)
}

// less orders replicas by id, then directory.
func (k ReplicaKey) less(other ReplicaKey) bool {
	if k.ID != other.ID {
		return k.ID < other.ID
	}
	return string(k.Directory[:]) < string(other.Directory[:])
}

// Endpoint is where a replica listens.
type Endpoint struct {
	Listener string // name, in upper case
	Host     string
	Port     uint16
}

// endpointFor finds the endpoint of a listener.
func endpointFor(list []Endpoint, listener string) (Endpoint, bool) {
	for _, e := range list {
		if e.Listener == listener {
			return e, true
		}
	}
	return Endpoint{}, false
}

// SnapshotID names a snapshot, and a place in the log: the offset after the last
// record, and the epoch of that record.
type SnapshotID struct {
	EndOffset int64
	Epoch     int32
}

// bootstrapSnapshot is what format writes. It is never served to others (section 8).
var bootstrapSnapshot = SnapshotID{}

// before orders snapshots by offset, then epoch.
func (s SnapshotID) before(o SnapshotID) bool {
	return s.EndOffset < o.EndOffset || s.EndOffset == o.EndOffset && s.Epoch < o.Epoch
}

// String gives offset and epoch.
func (s SnapshotID) String() string {
	return strconv.FormatInt(s.EndOffset, 10) + "/" + strconv.Itoa(int(s.Epoch))
}

// ErrorCode is an error of the Kafka protocol.
type ErrorCode int16

// The errors that replicas tell each other.
const (
	ErrUnknownServer           ErrorCode = -1
	ErrNone                    ErrorCode = 0
	ErrUnknownTopicOrPartition ErrorCode = 3
	ErrNotLeaderOrFollower     ErrorCode = 6
	ErrRequestTimedOut         ErrorCode = 7
	ErrBrokerNotAvailable      ErrorCode = 8
	ErrClusterAuthorization    ErrorCode = 31
	ErrUnsupportedVersion      ErrorCode = 35
	ErrInvalidRequest          ErrorCode = 42
	ErrFencedLeaderEpoch       ErrorCode = 74
	ErrUnknownLeaderEpoch      ErrorCode = 75
	ErrInvalidUpdateVersion    ErrorCode = 95
	ErrSnapshotNotFound        ErrorCode = 98
	ErrPositionOutOfRange      ErrorCode = 99
	ErrInconsistentClusterID   ErrorCode = 104
	ErrInvalidVoterKey         ErrorCode = 125
	ErrDuplicateVoter          ErrorCode = 126
	ErrVoterNotFound           ErrorCode = 127
)

var errorNames = map[ErrorCode]string{
	ErrUnknownServer: "UNKNOWN_SERVER_ERROR", ErrNone: "NONE", ErrUnknownTopicOrPartition: "UNKNOWN_TOPIC_OR_PARTITION",
	ErrNotLeaderOrFollower: "NOT_LEADER_OR_FOLLOWER", ErrRequestTimedOut: "REQUEST_TIMED_OUT", ErrBrokerNotAvailable: "BROKER_NOT_AVAILABLE",
	ErrClusterAuthorization: "CLUSTER_AUTHORIZATION_FAILED", ErrUnsupportedVersion: "UNSUPPORTED_VERSION", ErrInvalidRequest: "INVALID_REQUEST",
	ErrFencedLeaderEpoch: "FENCED_LEADER_EPOCH", ErrUnknownLeaderEpoch: "UNKNOWN_LEADER_EPOCH", ErrInvalidUpdateVersion: "INVALID_UPDATE_VERSION",
	ErrSnapshotNotFound: "SNAPSHOT_NOT_FOUND", ErrPositionOutOfRange: "POSITION_OUT_OF_RANGE", ErrInconsistentClusterID: "INCONSISTENT_CLUSTER_ID",
	ErrInvalidVoterKey: "INVALID_VOTER_KEY", ErrDuplicateVoter: "DUPLICATE_VOTER", ErrVoterNotFound: "VOTER_NOT_FOUND",
}

// String gives Kafka's name of the error.
func (e ErrorCode) String() string {
	if s, ok := errorNames[e]; ok {
		return s
	}
	return "ERROR_" + strconv.Itoa(int(e))
}
