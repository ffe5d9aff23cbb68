package dumplog

import (
	"errors"
	"io"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/coordinator"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

// resourceTopic is the resource type of topics in configs and ACLs.
const resourceTopic = 2

// Pattern types of ACLs.
const (
	patternLiteral  = 3
	patternPrefixed = 4
)

// topicSet is what is known of the topic that a filter asks for: the names and
// ids that were given or found. Most records name a topic only by its id, and
// the record that ties the two together may be in another file, so the files
// are looked through for it first.
type topicSet struct {
	names map[string]bool
	ids   map[kbin.UUID]bool
}

// newTopicSet starts with a name, which may also be an id in text form.
func newTopicSet(topic string) *topicSet {
	t := &topicSet{names: map[string]bool{topic: true}, ids: map[kbin.UUID]bool{}}
	if id, err := kbin.ParseUUID(topic); err == nil && !id.IsZero() {
		t.ids[id] = true
	}
	return t
}

// learn looks through a metadata log for the topic's name and ids. A topic that
// was deleted and made again has several ids.
func (t *topicSet) learn(scan *decode.Scanner) error {
	decoder := decode.NewMetadataDecoder()
	r := decode.NewReaderFrom(scan)
	for {
		b, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if b.IsControl() {
			continue
		}
		for rec, err := range r.Records() {
			if err != nil {
				break // damage is reported by the dump itself
			}
			frame, _ := decoder.Decode(rec.Value)
			if m, ok := frame.Message.(*metadata.TopicRecord); ok && (t.names[m.Name] || t.ids[m.TopicID]) {
				t.names[strings.Clone(m.Name)] = true
				t.ids[m.TopicID] = true
			}
		}
	}
}

// about reports whether a record is about the topic.
func (t *topicSet) about(m kbin.Message) bool {
	switch m := m.(type) {
	case *metadata.TopicRecord:
		return t.names[m.Name] || t.ids[m.TopicID]
	case *metadata.PartitionRecord:
		return t.ids[m.TopicID]
	case *metadata.PartitionChangeRecord:
		return t.ids[m.TopicID]
	case *metadata.RemoveTopicRecord:
		return t.ids[m.TopicID]
	case *metadata.ConfigRecord:
		return m.ResourceType == resourceTopic && t.names[m.ResourceName]
	case *metadata.ClearElrRecord:
		return m.TopicName == "" || t.names[m.TopicName]
	case *metadata.AccessControlEntryRecord:
		return m.ResourceType == resourceTopic && t.matches(m.PatternType, m.ResourceName)
	case *coordinator.OffsetCommitKey:
		return t.names[m.Topic]
	case *coordinator.LegacyOffsetCommitKey:
		return t.names[m.Topic]
	case *coordinator.ShareSnapshotKey:
		return t.ids[m.TopicID]
	case *coordinator.ShareUpdateKey:
		return t.ids[m.TopicID]
	}
	return false
}

// matches reports whether an ACL's pattern covers the topic.
func (t *topicSet) matches(pattern int8, resource string) bool {
	switch pattern {
	case patternLiteral:
		return resource == "*" || t.names[resource]
	case patternPrefixed:
		for name := range t.names {
			if strings.HasPrefix(name, resource) {
				return true
			}
		}
	}
	return false
}
