package index

import (
	"strconv"
	"strings"
)

// MetadataTopic is the topic of the KRaft log. It has one partition, 0, whose
// directory the raft client manages; the broker's log manager leaves it alone.
const MetadataTopic = "__cluster_metadata"

// MetadataLogDir is that directory, in the metadata directory of a node.
const MetadataLogDir = MetadataTopic + "-0"

// RemoteIndexCacheDir is a directory of tiered storage (KIP-405) that stands
// among those of the partitions and is none.
const RemoteIndexCacheDir = "remote-log-index-cache"

// maxDirName is the longest name that Kafka gives to a directory, in characters.
const maxDirName = 255

// DirState says what is going on with a partition directory.
type DirState uint8

// The states of a partition directory.
const (
	DirLive   DirState = iota
	DirDelete          // -delete: scheduled for removal
	DirFuture          // -future: being filled, will replace the live one in another log directory
	DirStray           // -stray: the controller has not assigned the partition to this broker
)

var dirSuffixes = [...]string{DirLive: "", DirDelete: "-delete", DirFuture: "-future", DirStray: "-stray"}

// Suffix is what the name ends in, "" for a live directory.
func (s DirState) Suffix() string {
	if int(s) < len(dirSuffixes) {
		return dirSuffixes[s]
	}
	return ""
}

// DirName is the name of a partition directory.
//
//	orders-0
//	orders-0.1f3b5a6c7d8e9f0a1b2c3d4e5f6a7b8c-delete
//	└topic┘│ └─────────── unique ───────────┘└state┘
//	       partition
type DirName struct {
	Topic     string
	Partition int32
	State     DirState
	// Unique is a random UUID without dashes, "" in the name of a live directory.
	Unique string
}

// String gives the name. As in Kafka the topic is cut where the name of a
// deleted or stray directory would be longer than 255 characters.
func (d DirName) String() string {
	tail := "-" + strconv.FormatInt(int64(d.Partition), 10)
	if d.State != DirLive {
		tail += "." + d.Unique + d.State.Suffix()
	}
	topic := d.Topic
	if keep := max(0, maxDirName-len(tail)); d.State != DirLive && d.State != DirFuture && len(topic) > keep {
		topic = topic[:keep]
	}
	return topic + tail
}

// ParseDirName reads the name of a directory as the broker does at its start.
// The error is a *CorruptError for a name that is not that of a partition; a
// broker that meets one (lost+found is the classic) does not start.
// RemoteIndexCacheDir is such a name: callers leave it out, as the broker does.
//
// The broker does not look at the characters of the topic, and neither does
// this; see ValidTopic.
func ParseDirName(name string) (DirName, error) {
	var d DirName
	rest := name
	for s := DirDelete; s <= DirStray; s++ {
		base, ok := strings.CutSuffix(name, s.Suffix())
		if !ok {
			continue
		}
		d.State = s
		if !somethingDashSomethingDotSomething(base) {
			return DirName{}, badDir(name)
		}
		dot := strings.LastIndexByte(base, '.')
		rest, d.Unique = base[:dot], base[dot+1:]
		break
	}
	dash := strings.LastIndexByte(rest, '-')
	if dash <= 0 {
		return DirName{}, badDir(name)
	}
	partition, ok := parseInt(rest[dash+1:], 32)
	if !ok {
		return DirName{}, badDir(name)
	}
	d.Topic, d.Partition = rest[:dash], int32(partition)
	return d, nil
}

// somethingDashSomethingDotSomething is Kafka's regular expression for what
// stands before the suffix, ^(\S+)-(\S+)\.(\S+). It does not say that these are
// the topic, the partition and the unique part: dashes and dots of the topic
// will do.
func somethingDashSomethingDotSomething(s string) bool {
	if strings.ContainsFunc(s, isJavaSpace) || len(s) < 5 {
		return false
	}
	dash := 1 + strings.IndexByte(s[1:], '-')
	if dash == 0 || dash+2 > len(s) {
		return false
	}
	dot := strings.IndexByte(s[dash+2:], '.')
	return dot >= 0 && dash+2+dot < len(s)-1
}

func badDir(name string) error {
	return &CorruptError{File: name, Pos: -1, What: "directory name", Want: "TOPIC-PARTITION or TOPIC-PARTITION.UNIQUE-delete"}
}

// ValidTopic reports whether a topic of this name can be created: 1 to 249 of
// the characters a-z, A-Z, 0-9, '.', '_' and '-', and neither "." nor "..".
func ValidTopic(name string) bool {
	if name == "" || name == "." || name == ".." || len(name) > 249 {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}
