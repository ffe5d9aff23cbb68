package producerstate

import (
	"bytes"
	"encoding/hex"
	"hash/crc32"
	"testing"

	"kraftctl/decode/kbin"
)

// A snapshot without its version: producer 1000, epoch 4, no batch yet.
func TestGolden(t *testing.T) {
	body, err := hex.DecodeString("0e160eee" + "00000001" + "00000000000003e8" + "0004" + "ffffffff" + "ffffffffffffffff" +
		"00000000" + "0000018bcfe56800" + "ffffffff" + "ffffffffffffffff")
	if err != nil {
		t.Fatal(err)
	}
	m := NewProducerSnapshot()
	r := kbin.Reader{Src: body}
	if err := m.Read(&r, 1); err != nil || r.Remaining() != 0 {
		t.Fatalf("%v, %d bytes left", err, r.Remaining())
	}
	if sum := crc32.Checksum(body[4:], crc32.MakeTable(crc32.Castagnoli)); sum != m.CRC {
		t.Errorf("crc %08x, want %08x", m.CRC, sum)
	}
	const want = `{"crc":236326638,"producerEntries":[{"producerId":1000,"epoch":4,"lastSequence":-1,"lastOffset":-1,` +
		`"offsetDelta":0,"timestamp":1700000000000,"coordinatorEpoch":-1,"currentTxnFirstOffset":-1}]}`
	if got := m.AppendJSON(nil, 1); string(got) != want {
		t.Errorf("%s", got)
	}
	if got, err := m.Append(nil, 1); err != nil || !bytes.Equal(got, body) {
		t.Errorf("%x, %v", got, err)
	}
}
