package raft

import (
	"errors"
	"fmt"
	"time"
)

// Config is what a replica is given. The defaults are Kafka's (section 1).
type Config struct {
	// Self is this replica. ID None is an observer that has no id.
	Self      ReplicaKey
	ClusterID string
	// Listener is the name of the controller listener that replicas use with each
	// other: the first of controller.listener.names.
	Listener string
	// Endpoints are where this replica can be reached, for voters: one per controller
	// listener.
	Endpoints []Endpoint
	// MinVersion and MaxVersion are the levels of kraft.version that the node supports.
	MinVersion, MaxVersion int16
	// Bootstrap are the replicas to ask while no leader is known. Without any, the
	// voters of the configuration are asked.
	Bootstrap []Endpoint
	// AutoJoin lets an observer add itself to the voters (KIP-1186).
	AutoJoin bool

	ElectionTimeout    time.Duration // controller.quorum.election.timeout.ms
	FetchTimeout       time.Duration // controller.quorum.fetch.timeout.ms
	ElectionBackoffMax time.Duration // controller.quorum.election.backoff.max.ms
	Linger             time.Duration // controller.quorum.append.linger.ms
	RequestTimeout     time.Duration // controller.quorum.request.timeout.ms
	RetryBackoff       time.Duration // controller.quorum.retry.backoff.ms
	FetchMaxWait       time.Duration // how long a leader may keep a fetch that has nothing to get
	FetchMaxBytes      int32         // controller.quorum.fetch.max.bytes
	SnapshotMaxBytes   int32         // controller.quorum.fetch.snapshot.max.bytes
	MaxBatchBytes      int           // largest batch
	MaxPendingBytes    int           // of proposals that are not in the log yet

	// Rand gives a number in [0, n). Elections need it to differ between replicas.
	Rand func(n int64) int64

	// Break breaks rules on purpose: for tests alone.
	Break Rules
}

// Defaults fills in Kafka's values where there are none.
func (c *Config) Defaults() {
	set := func(d *time.Duration, ms int64) {
		if *d == 0 {
			*d = time.Duration(ms) * time.Millisecond
		}
	}
	set(&c.ElectionTimeout, 1000)
	set(&c.FetchTimeout, 2000)
	set(&c.ElectionBackoffMax, 1000)
	set(&c.RequestTimeout, 2000)
	set(&c.RetryBackoff, 20)
	set(&c.FetchMaxWait, 500)
	if c.FetchMaxBytes == 0 {
		c.FetchMaxBytes = 1 << 20
	}
	if c.SnapshotMaxBytes == 0 {
		c.SnapshotMaxBytes = 1 << 20
	}
	if c.MaxBatchBytes == 0 {
		c.MaxBatchBytes = 8 << 20
	}
	if c.MaxPendingBytes == 0 {
		c.MaxPendingBytes = 5 * 8 << 20
	}
	if c.MaxVersion == 0 && c.MinVersion == 0 {
		c.MaxVersion = 1
	}
}

func (c *Config) check() error {
	switch {
	case c.Rand == nil:
		return errors.New("a replica needs a source of random numbers")
	case c.Self.ID < None:
		return fmt.Errorf("node id %d", c.Self.ID)
	case c.Self.ID != None && c.Self.Directory.IsZero():
		return errors.New("the directory id of a replica must not be zero")
	case c.ElectionTimeout < 0 || c.FetchTimeout <= 0 || c.Linger < 0 || c.RequestTimeout <= 0 || c.RetryBackoff <= 0 || c.FetchMaxWait < 0:
		return errors.New("a timeout is negative, or zero where it must not be")
	case c.MinVersion < 0 || c.MinVersion > c.MaxVersion:
		return fmt.Errorf("kraft.version from %d to %d", c.MinVersion, c.MaxVersion)
	}
	return nil
}

// Boot is what a replica finds on its disk.
type Boot struct {
	Election ElectionState // Epoch 0, Leader and Voted.ID None if there is no file
	// Start, End, Epochs and Snapshots describe the log, all of it durable.
	Start, End int64
	Epochs     []EpochStart
	Snapshots  []Snapshot
	// Static are the voters of the configuration, which count while neither log nor
	// snapshot has any: kraft.version 0.
	Static VoterSet
	// Voters and Versions are what log and snapshots say, by offset.
	Voters   []VotersAt
	Versions []VersionAt
}

// NoElection is the election state of a replica that has none on disk.
func NoElection() ElectionState { return ElectionState{Leader: None, Voted: ReplicaKey{ID: None}} }
