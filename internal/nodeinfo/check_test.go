package nodeinfo

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/fsck"
	"kraftctl/internal/vfs"
)

func (s *scene) check(t testing.TB, o CheckOptions) *Verdict {
	t.Helper()
	o.Options = s.options()
	v, err := Check(context.Background(), readOnly(t, s.write(t)), o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCheck(t *testing.T) {
	const data = "/d2/t-0/00000000000000000000.log"
	broken := startLog(1)
	broken[len(broken)-1] ^= 1
	for _, k := range []struct {
		name   string
		do     func(s *scene)
		ok     bool
		reason string // of the first; "" if there is none
	}{
		{"sound", func(*scene) {}, true, ""},
		{"notes do not count", text("/d2/readme.txt", ""), true, ""},
		{"a warning is told", set("log.retention.hour", "1"), true, "warning: node.properties: no release of Kafka knows the key log.retention.hour: did you mean log.retention.hours? Correct the name of the key [config-key-unknown]"},
		{"storage", drop(meta2), false, "error: /d2: there is no meta.properties"},
		{"configuration", func(s *scene) { s.config, s.o = nil, Options{ConfigErr: errors.New("bad port"), ConfigFile: "c"} }, false, "error: c: bad port"},
		{"fsck", file(data, broken), false, "error: " + data + ": checksum of a batch is wrong"},
		{"a metadata log of another topic", text(logDir+"partition.metadata", "version: 0\ntopic_id: "+otherID.String()), false, "error: " + logDir + "partition.metadata"},
		{"an error before a warning", all(set("log.retention.hour", "1"), file(data, broken)), false, "error: " + data},
		{"a snapshot is told once", text(first, strings.Repeat("garbage", 20)), false, "error: " + first},
		{"a log is told once", file(segment0, broken), false, "error: " + segment0},
		{"meta.properties is told once", text(meta2, "version=7"), false, "error: " + meta2},
		{"a quorum-state is told once", text(quorum, ""), false, "error: " + quorum},
	} {
		t.Run(k.name, func(t *testing.T) {
			s := dynamicScene()
			// What fsck wants to see beside a log.
			s.files[logDir+"00000000000000000000.index"] = nil
			s.files[logDir+"00000000000000000000.timeindex"] = nil
			s.files[logDir+"leader-epoch-checkpoint"] = []byte("0\n1\n1 0\n")
			k.do(s)
			v := s.check(t, CheckOptions{})
			if v.OK != k.ok {
				t.Errorf("ok %v", v.OK)
			}
			if (k.reason == "") != (len(v.Reasons) == 0) || k.reason != "" && !strings.HasPrefix(v.Reasons[0].Line(), k.reason) {
				for _, r := range v.Reasons {
					t.Errorf("%s: %s", r.Source, r.Line())
				}
			}
			errs := 0
			for _, r := range v.Reasons {
				if r.Severity == Error {
					errs++
				}
			}
			if !k.ok && errs != 1 {
				t.Errorf("%d errors for one damage", errs)
				for _, r := range v.Reasons {
					t.Logf("%s: %s", r.Source, r.Line())
				}
			}
			if k.name != "configuration" && v.Files == 0 {
				t.Error("fsck looked at nothing")
			}
		})
	}
}

func TestCheckWithoutFsck(t *testing.T) {
	s := dynamicScene()
	s.files["/d2/t-0/00000000000000000000.log"] = []byte("x")
	if v := s.check(t, CheckOptions{SkipFsck: true}); !v.OK || v.Files != 0 {
		t.Errorf("%+v", v)
	}
}

// TestCheckReplays finds records that do not fit, once a file, and not where
// something before them is missing.
func TestCheckReplays(t *testing.T) {
	remove := &metadata.RemoveTopicRecord{}
	log := func(base int64) []byte {
		return batches(base, 1, leaderChange(1), features(33), dataRecords{recordOf(t, remove), recordOf(t, remove)})
	}
	s := dynamicScene()
	s.files[segment0] = log(0)
	v := s.check(t, CheckOptions{SkipFsck: true})
	if v.OK || len(v.Reasons) != 1 || v.Reasons[0].ID != metadataReplay || v.Reasons[0].More != 1 || v.Reasons[0].Source != FromStorage ||
		!strings.HasPrefix(v.Reasons[0].What, "the record at offset 2 does not fit what is there before it: RemoveTopicRecord: there is no topic") {
		t.Errorf("%+v", v.Reasons)
	}
	s = dynamicScene()
	delete(s.files, segment0)
	s.files[logDir+"00000000000000000009.log"] = log(9)
	for _, r := range s.check(t, CheckOptions{SkipFsck: true}).Reasons {
		if r.ID == metadataReplay {
			t.Errorf("behind a gap: %s", r.What)
		}
	}
}

// recordOf is a metadata record.
func recordOf(t *testing.T, m interface {
	kbin.Message
	APIKey() int16
}) decode.Record {
	t.Helper()
	value, err := decode.AppendFrame(nil, m.APIKey(), 0, m)
	if err != nil {
		t.Fatal(err)
	}
	return decode.Record{Value: value}
}

// TestRulesOfFsck: the rules that are named here are fsck's.
func TestRulesOfFsck(t *testing.T) {
	for id := range told {
		if _, ok := fsck.Lookup(id); !ok {
			t.Errorf("fsck has no rule %s", id)
		}
	}
	for id, problems := range twins {
		if _, ok := fsck.Lookup(id); !ok {
			t.Errorf("fsck has no rule %s", id)
		}
		for _, p := range problems {
			if _, ok := kindsByID[p]; !ok {
				t.Errorf("no problem %s", p)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := dynamicScene()
	if _, err := Collect(ctx, s.write(t), s.options()); !errors.Is(err, context.Canceled) {
		t.Errorf("Collect: %v", err)
	}
	if _, err := Check(ctx, s.write(t), CheckOptions{Options: s.options()}); !errors.Is(err, context.Canceled) {
		t.Errorf("Check: %v", err)
	}
	// at any operation: nothing but the error, and no problem that is not there
	for n := int64(0); ; n++ {
		ctx, cancel := context.WithCancel(context.Background())
		var seen atomic.Int64
		fsys := vfs.Inject(s.write(t), func(vfs.Op, string) error {
			if seen.Add(1) > n {
				cancel()
			}
			return nil
		})
		_, err := Check(ctx, fsys, CheckOptions{Options: s.options()})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || n > 10_000 {
			t.Fatalf("after %d operations: %v", n, err)
		}
	}
}
