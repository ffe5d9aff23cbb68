package index

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestFileNames(t *testing.T) {
	for name, want := range map[string]FileName{
		"00000000000000000042.log":                           {Kind: KindLog, Offset: 42},
		"00000000000000000042.index":                         {Kind: KindOffsetIndex, Offset: 42},
		"00000000000000000042.timeindex.deleted":             {Kind: KindTimeIndex, State: StateDeleted, Offset: 42},
		"00000000000000000042.txnindex.swap":                 {Kind: KindTxnIndex, State: StateSwap, Offset: 42},
		"09223372036854775807.log.cleaned":                   {Kind: KindLog, State: StateCleaned, Offset: math.MaxInt64},
		"00000000000000000042.snapshot":                      {Kind: KindProducerSnapshot, Offset: 42},
		"00000000000000000042.snapshot.deleted":              {Kind: KindProducerSnapshot, State: StateDeleted, Offset: 42},
		"00000000000000000005-0000000003.checkpoint":         {Kind: KindSnapshot, Offset: 5, Epoch: 3},
		"00000000000000000005-0000000003.checkpoint.deleted": {Kind: KindSnapshot, State: StateDeleted, Offset: 5, Epoch: 3},
		"00000000000000000005-0000000003-98.checkpoint.part": {Kind: KindSnapshot, State: StatePart, Offset: 5, Epoch: 3, Unique: "98"},
		"00000000000000000005-0000000003.checkpoint.part":    {Kind: KindSnapshot, State: StatePart, Offset: 5, Epoch: 3},
		"leader-epoch-checkpoint":                            {Kind: KindEpochCheckpoint},
		"leader-epoch-checkpoint.tmp":                        {Kind: KindEpochCheckpoint, State: StateTemp},
		"partition.metadata":                                 {Kind: KindPartitionMetadata},
		"quorum-state.tmp":                                   {Kind: KindQuorumState, State: StateTemp},
		"meta.properties":                                    {Kind: KindMetaProperties},
		"bootstrap.checkpoint":                               {Kind: KindBootstrap},
		"replication-offset-checkpoint":                      {Kind: KindReplicationOffsets},
		"recovery-point-offset-checkpoint":                   {Kind: KindRecoveryPointOffsets},
		"log-start-offset-checkpoint":                        {Kind: KindLogStartOffsets},
		"cleaner-offset-checkpoint":                          {Kind: KindCleanerOffsets},
		".kafka_cleanshutdown":                               {Kind: KindCleanShutdown},
		".lock":                                              {Kind: KindLock},
	} {
		got, err := ParseFileName(name)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
		if got.String() != name {
			t.Errorf("%s: became %s", name, got)
		}
	}
	// What Kafka reads and does not write.
	for name, want := range map[string]FileName{
		"7.log":         {Kind: KindLog, Offset: 7},
		"-5.log":        {Kind: KindLog, Offset: -5},
		"12.34.log":     {Kind: KindLog, Offset: 12},
		"+7.index.swap": {Kind: KindOffsetIndex, State: StateSwap, Offset: 7},
		"00000000000000000005+0000000003x.checkpoint": {Kind: KindSnapshot, Offset: 5, Epoch: 3, Unique: "x"},
	} {
		if got, err := ParseFileName(name); err != nil || got != want || got.String() == name {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	for _, name := range []string{"", ".", "x", "noextension", "00000000000000000000.txt", "00000000000000000000.cleaned",
		"00000000000000000000.log.tmp", "00000000000000000000.snapshot.swap", "meta.properties.deleted", "bootstrap.checkpoint.part.x",
		"00000000000000000000.log.deleted.swap", "LEADER-EPOCH-CHECKPOINT", "00000000000000000000.log~"} {
		if got, err := ParseFileName(name); err != nil || got != (FileName{}) || got.String() != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, name := range []string{"abc.log", ".log", ".index", "x.checkpoint", "99999999999999999999.log", "a b.log", "é.log", "x.snapshot",
		"bootstrap.checkpoint.part", "00000000000000000005-000000000x.checkpoint", "00000000000000000005-9999999999.checkpoint"} {
		_, err := ParseFileName(name)
		var e *CorruptError
		if !errors.As(err, &e) || e.File != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKindAndStateNames(t *testing.T) {
	seen := map[string]bool{}
	for k := KindUnknown; k <= KindLock; k++ {
		if s := k.String(); s == "" || seen[s] {
			t.Errorf("kind %d is called %q", k, s)
		} else {
			seen[s] = true
		}
	}
	if Kind(200).String() != "unknown" || State(200).Suffix() != "" || DirState(200).Suffix() != "" {
		t.Error("values out of range")
	}
}

func TestDirNames(t *testing.T) {
	const id = "1f3b5a6c7d8e9f0a1b2c3d4e5f6a7b8c"
	for name, want := range map[string]DirName{
		"orders-0":                     {Topic: "orders"},
		"__cluster_metadata-0":         {Topic: MetadataTopic},
		"a-b.c_d-12":                   {Topic: "a-b.c_d", Partition: 12},
		"a-delete-0":                   {Topic: "a-delete"},
		"orders-3." + id + "-delete":   {Topic: "orders", Partition: 3, State: DirDelete, Unique: id},
		"or.de-rs-3." + id + "-future": {Topic: "or.de-rs", Partition: 3, State: DirFuture, Unique: id},
		"or-d.ers-3.-stray":            {Topic: "or-d.ers", Partition: 3, State: DirStray},
		"orders-2147483647.x-stray":    {Topic: "orders", Partition: math.MaxInt32, State: DirStray, Unique: "x"},
		"orders-3." + id + "-delete-0": {Topic: "orders-3." + id + "-delete"},
		"orders--1":                    {Topic: "orders-", Partition: 1},
		"a b-0":                        {Topic: "a b"},
	} {
		got, err := ParseDirName(name)
		if err != nil || got != want || got.String() != name {
			t.Errorf("%s: %+v (%s), %v; want %+v", name, got, got, err, want)
		}
	}
	for _, name := range []string{"", "-", "-0", "orders", "orders-", "orders-x", "lost+found", RemoteIndexCacheDir, "orders-2147483648",
		"orders-0-delete", "orders-0." + "-delete", "orders.x-delete", "-0.x-delete", "a b-0.x-stray", "orders-0.y.-future", ".snapshot"} {
		_, err := ParseDirName(name)
		var e *CorruptError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestLongDirNamesAreCut(t *testing.T) {
	topic := strings.Repeat("t", 249)
	d := DirName{Topic: topic, Partition: 10, State: DirDelete, Unique: strings.Repeat("0", 32)}
	if s := d.String(); len(s) != 255 || !strings.HasSuffix(s, "t-10."+d.Unique+"-delete") {
		t.Errorf("%d: %s", len(s), s)
	}
	d.State = DirFuture
	if s := d.String(); !strings.HasPrefix(s, topic+"-10.") {
		t.Errorf("%s", s)
	}
	d.Unique, d.State = strings.Repeat("0", 300), DirStray
	if s := d.String(); s[0] != '-' {
		t.Errorf("%s", s)
	}
}

func TestValidTopic(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "A.b_C-9": true, "": false, ".": false, "..": false, "...": true,
		"a b": false, "é": false, strings.Repeat("x", 249): true, strings.Repeat("x", 250): false} {
		if got := ValidTopic(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
