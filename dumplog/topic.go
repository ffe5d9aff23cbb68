package dumplog

import (
	"path/filepath"
	"strings"
	"sync/atomic"

	"kraftctl/decode"
	"kraftctl/decode/coordinator"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/remotelog"
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
// the record that ties the two together may be in another file. So all segments
// and snapshots of the directories are looked through for it first, whichever
// of them are to be shown. Of standard input there is only one pass: there, the
// ids are learned on the way.
type topicSet struct {
	names map[string]bool
	ids   map[kbin.UUID]bool
	// learning says that what is being shown is to be learned from. Then there
	// is only one worker; else nothing is changed while there are several.
	learning bool
	matched  atomic.Bool // a record was about the topic
}

// newTopicSet starts with a name, which may also be an id in text form.
func newTopicSet(topic string) *topicSet {
	t := &topicSet{names: map[string]bool{topic: true}, ids: map[kbin.UUID]bool{}}
	if id, err := kbin.ParseUUID(topic); err == nil && !id.IsZero() {
		t.ids[id] = true
	}
	return t
}

// learnTopic looks for the ids of the topic that the filter asks for. What
// cannot be read is skipped: the dump reports it, if it was asked for.
func (d *dump) learnTopic(inputs []input) error {
	d.topic = newTopicSet(d.o.Filter.Topic)
	looked, searched := map[string]bool{}, map[string]bool{}
	for _, in := range inputs {
		if d.decoder(in) != DecodeMetadata || !isSegment(in.name.Kind) {
			continue
		}
		if in.stream != nil {
			d.note("", "topic "+d.o.Filter.Topic+": on standard input, records before the one that tells the topic's id cannot be known to be about it")
			continue
		}
		dir := filepath.Dir(in.path)
		files := []input{in}
		if !searched[dir] {
			searched[dir] = true
			d.searched = append(d.searched, dir)
			files = append(files, d.metadataFiles(dir)...)
		}
		for _, file := range files {
			if looked[file.path] {
				continue
			}
			looked[file.path] = true
			if err := d.learnFile(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// metadataFiles lists the segments and snapshots of a directory, also those that
// are about to be deleted: what they say of ids holds.
func (d *dump) metadataFiles(dir string) []input {
	entries, err := d.fs.ReadDir(dir)
	if err != nil {
		return nil
	}
	var files []input
	for _, e := range entries {
		plain, _ := uncompressedName(e.Name())
		name, err := index.ParseFileName(plain)
		if err == nil && !e.IsDir() && isSegment(name.Kind) && (name.State == index.StateLive || name.State == index.StateDeleted) {
			files = append(files, input{path: filepath.Join(dir, e.Name()), name: name})
		}
	}
	return files
}

// learnFile learns from one file, as far as it can be read. The error is that
// of the context.
func (d *dump) learnFile(in input) error {
	f, err := d.open(in)
	if err != nil {
		return nil
	}
	defer f.Close()
	scan := f.scanner(decode.ScanOptions{Resync: f.at != nil})
	decoder, recs := decode.NewMetadataDecoder(), decode.NewRecords(d.o.MaxDecompressed)
	var c decode.Chunk
	for d.ctx.Err() == nil && scan.Next(&c) {
		if c.Load() != nil {
			break
		}
		var b decode.Batch
		for i := range c.Len() {
			if c.Batch(i, &b) != nil || b.IsControl() {
				continue
			}
			for recs.Reset(&b); recs.Next(); {
				d.topic.learn(decoder, &recs.Record)
			}
		}
	}
	return d.ctx.Err()
}

// learn takes the topic's name and id from a record that tells them. A topic
// that was deleted and made again has several ids.
func (t *topicSet) learn(decoder *decode.FrameDecoder, r *decode.Record) {
	frame, _ := decoder.Decode(r.Value) // damage is reported by the dump itself
	if m, ok := frame.Message.(*metadata.TopicRecord); ok && (t.names[m.Name] || t.ids[m.TopicID]) {
		t.names[strings.Clone(m.Name)] = true
		t.ids[m.TopicID] = true
	}
}

// topicNote tells that a topic was not found, lest an empty output be taken for
// "nothing happened to it".
func (d *dump) topicNote() {
	if len(d.searched) > 0 && len(d.topic.ids) == 0 && !d.topic.matched.Load() {
		d.note("", "topic "+d.o.Filter.Topic+": no id found in "+strings.Join(d.searched, ", "))
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
	case *remotelog.RemoteLogSegmentMetadataRecord:
		p := &m.RemoteLogSegmentID.TopicIDPartition
		return t.names[p.Name] || t.ids[p.ID]
	case *remotelog.RemoteLogSegmentMetadataUpdateRecord:
		p := &m.RemoteLogSegmentID.TopicIDPartition
		return t.names[p.Name] || t.ids[p.ID]
	case *remotelog.RemotePartitionDeleteMetadataRecord:
		return t.names[m.TopicIDPartition.Name] || t.ids[m.TopicIDPartition.ID]
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
