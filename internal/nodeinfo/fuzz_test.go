package nodeinfo

import (
	"encoding/json"
	"testing"
	"time"

	"kraftctl/internal/kafkaconfig"
)

// FuzzCollect puts any bytes into the files of a node: a report comes of it, in
// bounded time, and nothing is written.
func FuzzCollect(f *testing.F) {
	d, s := dynamicScene(), staticScene()
	f.Add(d.files[meta1], d.files[first], d.files[segment0], d.files[quorum], s.files[boot], []byte(`{"version":0,"brokerEpoch":17}`))
	f.Add(s.files[meta1], []byte{}, s.files[segment0], s.files[quorum], s.files[boot], []byte{})
	f.Add([]byte("version=0\nbroker.id=1\n"), d.files[first][:100], make([]byte, 100), []byte("{}"), []byte("x"), []byte("{}"))
	config := d.options().Config
	f.Fuzz(func(t *testing.T, meta, snapshot, log, quorumState, bootstrap, clean []byte) {
		s := dynamicScene()
		s.files = map[string][]byte{meta1: meta, meta2: meta, first: snapshot, segment0: log, quorum: quorumState, boot: bootstrap,
			"/d2/.kafka_cleanshutdown": clean, "/d2/t-0/00000000000000000000.log": log}
		for _, c := range []*kafkaconfig.Config{config, nil} {
			o := CheckOptions{Options: Options{Config: c, Dirs: []string{"/d1", "/d2"}, Partitions: true}, SkipFsck: c == nil}
			o.Fsck.MaxDecompressed = 1 << 20
			began := time.Now()
			v, err := Check(t.Context(), readOnly(t, s.write(t)), o)
			if err != nil || v.Report == nil || len(v.Report.Directories) != 2 {
				t.Fatalf("%v, %+v", err, v)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%d bytes took %s", len(snapshot)+len(log)+len(bootstrap), took)
			}
			if _, err := json.Marshal(v); err != nil {
				t.Error(err)
			}
			for _, p := range v.Report.Problems {
				if k := kindsByID[p.ID]; k.Severity != p.Severity || p.Remedy == "" {
					t.Errorf("%+v", p)
				}
			}
		}
	})
}
