package dumplog

import (
	"bytes"
	"strconv"

	"kraftctl/decode/coordinator"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
)

// plainValue prints a value's message as it is.
func plainValue(dst []byte, m kbin.Message, version int16) []byte {
	return m.AppendJSON(dst, version)
}

// consumerProtocolType is the protocol type of classic consumer groups, whose
// members' subscription and assignment bytes are messages themselves.
const consumerProtocolType = "consumer"

// groupValue prints a value of __consumer_offsets. In the metadata of a classic
// consumer group the members' subscriptions and assignments are decoded.
func groupValue(dst []byte, m kbin.Message, version int16) []byte {
	g, ok := m.(*coordinator.GroupMetadataValue)
	if !ok || g.ProtocolType != consumerProtocolType || len(g.Members) == 0 {
		return m.AppendJSON(dst, version)
	}
	// The members are the last field, and their two byte fields the last ones of
	// each: print them empty, cut them off and put the decoded ones there.
	members := g.Members
	g.Members = g.Members[:0]
	dst = g.AppendJSON(dst, version)
	g.Members = members
	dst = bytes.TrimSuffix(dst, []byte("]}"))
	for i := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		member := members[i]
		member.Subscription, member.Assignment = []byte{}, []byte{}
		dst = member.AppendJSON(dst, version)
		dst = bytes.TrimSuffix(dst, []byte(`"","assignment":""}`))
		dst = appendProtocol(dst, members[i].Subscription, new(coordinator.ConsumerProtocolSubscription))
		dst = append(dst, `,"assignment":`...)
		dst = appendProtocol(dst, members[i].Assignment, new(coordinator.ConsumerProtocolAssignment))
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// appendProtocol decodes a message of the consumer protocol: an int16 version
// and the fields. What cannot be decoded is printed as bytes.
func appendProtocol(dst, field []byte, m kbin.Message) []byte {
	r := kbin.Reader{Src: field, Alias: true, AnyVersion: true}
	version := r.Int16()
	if r.OK() && m.Read(&r, version) == nil {
		return m.AppendJSON(dst, version)
	}
	return jsonw.AppendBase64(dst, field)
}

var transactionStates = [...]string{"Empty", "Ongoing", "PrepareCommit", "PrepareAbort",
	"CompleteCommit", "CompleteAbort", "Dead", "PrepareEpochFence"}

// transactionValue prints a value of __transaction_state with the name of the
// state instead of its number.
func transactionValue(dst []byte, m kbin.Message, version int16) []byte {
	start := len(dst)
	dst = m.AppendJSON(dst, version)
	t, ok := m.(*coordinator.TransactionLogValue)
	if !ok {
		return dst
	}
	// Only numbers come before this field, so the label cannot be a topic's name.
	label := []byte(`"transactionStatus":`)
	at := bytes.Index(dst[start:], label)
	if at < 0 {
		return dst
	}
	at += start + len(label)
	number := strconv.Itoa(int(t.TransactionStatus))
	rest := append([]byte(nil), dst[at+len(number):]...)
	dst = append(dst[:at], '"')
	if s := int(t.TransactionStatus); s >= 0 && s < len(transactionStates) {
		dst = append(dst, transactionStates[s]...)
	} else {
		dst = append(dst, number...)
	}
	dst = append(dst, '"')
	return append(dst, rest...)
}
