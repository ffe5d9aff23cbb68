package nodeinfo

import (
	"errors"
	"io/fs"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/vfs"
)

// problemCase changes a sound node; want are the problems that it has then, and
// says is in the text of the first of them.
type problemCase struct {
	name   string
	static bool
	do     func(s *scene)
	want   []string
	says   string
}

func drop(names ...string) func(*scene) {
	return func(s *scene) {
		for _, n := range names {
			delete(s.files, n)
		}
	}
}

func file(name string, data []byte) func(*scene) { return func(s *scene) { s.files[name] = data } }

func text(name, data string) func(*scene) { return file(name, []byte(data)) }

func set(key, value string) func(*scene) {
	return func(s *scene) {
		if s.config[key] = value; value == "" {
			delete(s.config, key)
		}
	}
}

func target(name string) func(*scene) {
	return func(s *scene) { s.o.Target = feature.ByReleaseName(name) }
}

func all(list ...func(*scene)) func(*scene) {
	return func(s *scene) {
		for _, f := range list {
			f(s)
		}
	}
}

func after(f func(m *vfs.Mem) error) func(*scene) {
	return func(s *scene) {
		s.after = func(m *vfs.Mem) {
			if err := f(m); err != nil {
				panic(err)
			}
		}
	}
}

func chmod(name string, mode fs.FileMode) func(*scene) {
	return after(func(m *vfs.Mem) error { return m.Chmod(name, mode) })
}

const hex32 = "0123456789abcdef0123456789abcdef"

var (
	footless  = snapshotOf(0, kraftVersion(1), voters(1, dirID1, 2, otherID), features(33))
	migrating = func() dataRecords {
		m := metadata.NewZkMigrationStateRecord()
		m.ZkMigrationState = zkMigration
		return dataRecords{dataRecord(m.APIKey(), m)}
	}()
)

// toJoin has the node look for controllers elsewhere.
var toJoin = set("controller.quorum.bootstrap.servers", "localhost:9093,localhost:9094")

// controllerSASL has controllers log in to each other.
func controllerSASL(protocol, mechanism string) func(*scene) {
	return all(set("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:"+protocol), set("sasl.mechanism.controller.protocol", mechanism))
}

var problemCases = []problemCase{
	{name: "sound", do: func(*scene) {}},
	{name: "sound static", static: true, do: func(*scene) {}},

	// the configuration
	{name: "config wrong", do: func(s *scene) { s.config, s.o = nil, Options{ConfigErr: errors.New("bad port"), ConfigFile: "c"} },
		want: []string{configInvalid}, says: "bad port"},
	{name: "key misspelt", do: set("log.retention.hour", "1"), want: []string{configKeyUnknown}, says: "did you mean log.retention.hours?"},
	{name: "key of a plugin", do: set("com.example.secret", "hunter2"), want: []string{configKeyForeign}, says: "com.example.secret"},
	{name: "key of an older release", do: set("inter.broker.protocol.version", "3.9"), want: []string{configKeyOther}, says: "3.9.1"},
	{name: "key of ZooKeeper", do: set("zookeeper.connect", "zk:2181"), want: []string{configZooKeeper}, says: "zookeeper.connect"},
	{name: "no directories", do: func(s *scene) { s.config = nil }, want: []string{configNoDirs}},

	// how controllers log in
	{name: "SCRAM of voters", do: controllerSASL("SASL_SSL", "SCRAM-SHA-512"), want: []string{controllerSCRAM}, says: "the 2 controllers log in to each other with SCRAM-SHA-512 over the listener CONTROLLER"},
	{name: "SCRAM of static voters", static: true, do: controllerSASL("SASL_PLAINTEXT", "SCRAM-SHA-256"), want: []string{controllerSCRAM}},
	{name: "SCRAM of static voters never started", static: true, do: all(controllerSASL("SASL_PLAINTEXT", "SCRAM-SHA-256"), drop(boot, segment0, quorum),
		file(first, snapshotOf(0, nil, nil, append(features(33), scramRecord("bob", 1))))), want: []string{controllerSCRAM}},
	{name: "SCRAM with users in bootstrap.checkpoint", static: true, do: all(controllerSASL("SASL_PLAINTEXT", "SCRAM-SHA-256"), drop(segment0, quorum),
		file(boot, snapshotOf(0, nil, nil, append(features(30), scramRecord("bob", 1))))), want: []string{controllerSCRAM}},
	{name: "SCRAM of those to join", do: all(toJoin, controllerSASL("SASL_SSL", "SCRAM-SHA-512"), drop(segment0, quorum), file(first, snapshotOf(0, kraftVersion(1), nil, features(33)))),
		want: []string{controllerSCRAMRun, voterNone}},
	{name: "SCRAM and no metadata", static: true, do: all(controllerSASL("SASL_SSL", "SCRAM-SHA-512"), drop(meta1, boot, segment0, quorum)), want: []string{dirUnformatted, controllerSCRAM}},
	{name: "SCRAM with users", do: all(controllerSASL("SASL_SSL", "SCRAM-SHA-256"), file(segment0, batches(0, 1, leaderChange(1), append(features(33), scramRecord("bob", 1))))),
		want: []string{controllerSCRAMRun}},
	{name: "SCRAM with users of the other mechanism", do: all(controllerSASL("SASL_SSL", "SCRAM-SHA-512"), file(segment0, batches(0, 1, leaderChange(1), append(features(33), scramRecord("bob", 1))))),
		want: []string{controllerSCRAM}},
	{name: "SCRAM of one", do: all(controllerSASL("SASL_SSL", "SCRAM-SHA-512"), file(first, snapshotOf(0, kraftVersion(1), voters(1, dirID1), features(33))))},
	{name: "SCRAM and no SASL", do: controllerSASL("SSL", "SCRAM-SHA-512")},
	{name: "PLAIN of voters", do: controllerSASL("SASL_SSL", "PLAIN")},
	{name: "SCRAM of a broker", do: all(controllerSASL("SASL_SSL", "SCRAM-SHA-512"), set("process.roles", "broker"), set("listeners", "PLAINTEXT://localhost:9092"),
		file(first, snapshotOf(0, kraftVersion(1), voters(2, dirID1, 3, otherID), features(33))))},

	// directories
	{name: "a directory for the lock", do: text("/d2/.lock/", ""), want: []string{lockDirectory}},
	{name: "missing", do: all(drop(meta2), after(func(m *vfs.Mem) error { return m.Remove("/d2") })), want: []string{dirMissing}, says: "/d2: it does not exist"},
	{name: "a file", do: all(drop(meta2), func(s *scene) {
		s.after = func(m *vfs.Mem) {
			_ = m.Remove("/d2")
			f, _ := m.Create("/d2", 0o644)
			_ = f.Close()
		}
	}), want: []string{dirNoDirectory}},
	{name: "not formatted", do: drop(meta2), want: []string{dirUnformatted}, says: "/d2"},
	{name: "metadata directory not formatted", do: drop(meta1), want: []string{dirUnformatted}, says: "/d1"},
	{name: "not writable", do: chmod("/d2", 0o500), want: []string{dirNotWritable, modeWrong}},
	{name: "lock left", do: text("/d1/.lock", ""), want: []string{lockLeft}},
	{name: "running", do: all(text("/d1/.lock", ""), text("/d2/.lock", ""), text("/d2/t-0/00000000000000000000.log", ""),
		after(func(m *vfs.Mem) error {
			_, err1 := m.Lock("/d1/.lock")
			_, err2 := m.Lock("/d2/.lock")
			return errors.Join(err1, err2)
		})), want: []string{nodeRunning}},
	{name: "not stopped", do: text("/d2/t-0/00000000000000000000.log", ""), want: []string{uncleanStop}},
	{name: "stopped", do: all(text("/d2/t-0/00000000000000000000.log", ""), text("/d2/.kafka_cleanshutdown", `{"version":0,"brokerEpoch":17}`))},
	{name: "mode", do: chmod(segment0, 0o400), want: []string{modeWrong}, says: "00000000000000000000.log (0400)"},
	{name: "mode of a snapshot", do: chmod(first, 0o400)},

	// meta.properties
	{name: "meta unreadable", do: text(meta2, "version=7\n"), want: []string{metaUnreadable}, says: "unknown version 7"},
	{name: "meta too large", do: file(meta2, make([]byte, 2<<20)), want: []string{metaUnreadable}, says: "too large"},
	{name: "meta v0", do: text(meta2, "version=0\nbroker.id=1\ncluster.id="+clusterID+"\n"), want: []string{metaZooKeeper, directoryNone}},
	{name: "meta broker.id", do: text(meta2, string(metaText("1", "1", clusterID, dirID2.String()))+"broker.id=1\n"), want: []string{metaZooKeeper}},
	{name: "meta extra", do: text(meta2, string(metaText("1", "1", clusterID, dirID2.String()))+"zz=1\n"), want: []string{metaExtra}, says: "zz"},
	{name: "cluster differs", do: file(meta2, metaText("1", "1", "other", dirID2.String())), want: []string{clusterMismatch}},
	{name: "node differs", do: all(file(meta2, metaText("1", "2", clusterID, dirID2.String()))), want: []string{nodeConfig, nodeMismatch}},
	{name: "node of the config", do: set("node.id", "2"), want: []string{nodeConfig, nodeConfig, voterDirectory}},
	{name: "no directory id", do: file(meta2, metaText("1", "1", clusterID, "")), want: []string{directoryNone}},
	{name: "directory id reserved", do: file(meta2, metaText("1", "1", clusterID, "AAAAAAAAAAAAAAAAAAAAAQ")), want: []string{directoryReserved}},
	{name: "directory id twice", do: file(meta2, metaText("1", "1", clusterID, dirID1.String())), want: []string{directoryDuplicate}},

	// leftovers
	{name: "temporary", do: text(meta1+".tmp", ""), want: []string{leftTemp}},
	{name: "temporary quorum-state", do: text(quorum+".tmp", ""), want: []string{leftTemp}},
	{name: "part", do: text(logDir+"00000000000000000007-0000000001-123.checkpoint.part", ""), want: []string{leftPart}},
	{name: "deleted snapshot", do: text(logDir+"00000000000000000007-0000000001.checkpoint.deleted", ""), want: []string{leftDeleted}},
	{name: "compaction", do: text(logDir+"00000000000000000007.log.swap", ""), want: []string{leftCleaned}},
	{name: "deleted partition", do: text("/d2/t-0."+hex32+"-delete/", ""), want: []string{leftPartition}},
	{name: "future partition", do: text("/d2/t-0."+hex32+"-future/", ""), want: []string{leftFuture}},
	{name: "stray partition", do: text("/d2/t-0."+hex32+"-stray/", ""), want: []string{leftStray}},
	{name: "lost+found", do: text("/d2/lost+found/", ""), want: []string{foreignDir}, says: "lost+found"},
	{name: "lost+found of a controller", do: all(text("/d2/lost+found/", ""), set("process.roles", "controller"), set("listeners", "CONTROLLER://localhost:9093")),
		want: []string{foreignDirOK}},
	{name: "foreign file", do: text("/d2/readme.txt", ""), want: []string{foreignFile}},
	{name: "foreign file in the log", do: text(logDir+"readme.txt", ""), want: []string{foreignFile}},

	// the metadata log
	{name: "misplaced", do: text("/d2/__cluster_metadata-0/", ""), want: []string{metadataMisplaced}, says: "/d2/__cluster_metadata-0"},
	{name: "twice", do: all(text("/d2/__cluster_metadata-0/", ""), func(s *scene) { s.config, s.o.Dirs = nil, []string{"/d1", "/d2"} }),
		want: []string{metadataTwice}},
	{name: "gap", do: all(drop(segment0), file(logDir+"00000000000000000100.log", batches(100, 1, leaderChange(1)))), want: []string{metadataGap}, says: "100"},
	{name: "damaged log", do: func(s *scene) { s.files[segment0][len(s.files[segment0])-1] ^= 1 }, want: []string{metadataDamaged}, says: "checksum"},
	{name: "garbage at the end of the log", do: func(s *scene) {
		s.files[segment0] = append(s.files[segment0], []byte(strings.Repeat("x", 100))...)
	}, want: []string{metadataDamaged}},
	{name: "zeros at the end of the log", do: func(s *scene) { s.files[segment0] = append(s.files[segment0], make([]byte, 100)...) },
		want: []string{metadataTorn}, says: "zeros"},
	{name: "torn", do: func(s *scene) { s.files[segment0] = append(s.files[segment0], s.files[segment0][:40]...) }, want: []string{metadataTorn}},
	{name: "torn in the middle", do: func(s *scene) {
		s.files[segment0] = append(s.files[segment0], s.files[segment0][:40]...)
		s.files[logDir+"00000000000000000004.log"] = batches(4, 1, leaderChange(1))
	}, want: []string{metadataDamaged}},
	{name: "damaged snapshot", do: text(first, strings.Repeat("garbage", 10)), want: []string{snapshotDamaged}},
	{name: "snapshot without a header", do: file(first, batches(0, 0, leaderChange(1))), want: []string{snapshotDamaged}, says: "snapshot header"},
	{name: "snapshot without a footer", do: file(first, footless[:len(footless)-76]), want: []string{snapshotIncomplete}},
	{name: "snapshot cut", do: file(first, footless[:len(footless)-10]), want: []string{snapshotIncomplete}},
	{name: "snapshot cut before the start", do: all(drop(segment0, quorum), file(first, footless[:len(footless)-1])), want: []string{snapshotIncomplete}},
	{name: "snapshot without a footer before the start", do: all(drop(segment0, quorum), file(first, footless[:len(footless)-75])), want: []string{snapshotIncomplete}},
	{name: "snapshot cut before the start, static", static: true, do: all(drop(boot, segment0, quorum), file(first, footless[:len(footless)-1])), want: []string{snapshotIncomplete}},
	{name: "snapshot empty", do: text(first, ""), want: []string{snapshotIncomplete}},
	{name: "snapshot name", do: text(logDir+"x.checkpoint", ""), want: []string{snapshotName}},
	{name: "bootstrap inside", do: text(logDir+"bootstrap.checkpoint", ""), want: []string{bootstrapInside}},
	{name: "bootstrap damaged", static: true, do: text(boot, "xx"), want: []string{bootstrapDamaged}},
	{name: "bootstrap damaged before the start", static: true, do: all(drop(segment0, quorum), text(boot, "xx")), want: []string{bootstrapDamaged}},
	{name: "bootstrap without a version", static: true, do: file(boot, snapshotOf(0, nil, nil)), want: []string{bootstrapDamaged}, says: "no metadata version"},
	{name: "bootstrap missing", static: true, do: drop(boot, segment0, quorum), want: []string{bootstrapMissing}},
	{name: "started without bootstrap", static: true, do: drop(boot)},
	{name: "broker never started", do: all(drop(first, segment0, quorum), set("process.roles", "broker"), set("listeners", "PLAINTEXT://localhost:9092")),
		want: []string{versionUnknown}},
	{name: "layout newer", do: all(drop(segment0, quorum), target("4.2"), file(first, snapshotOf(0, kraftVersion(1), voters(1, dirID1), features(29)))),
		want: []string{layoutNewer}},
	{name: "layout skipped", do: all(drop(segment0, quorum), target("4.3"), file(first, snapshotOf(0, kraftVersion(1), voters(1, dirID1), features(30)))),
		want: []string{layoutSkipped}},
	{name: "layout skipped by a leader, too", do: all(target("4.3"), file(first, snapshotOf(0, kraftVersion(1), voters(1, dirID1), features(30))),
		file(segment0, batches(0, 1, leaderChange(1)))), want: []string{layoutSkipped}},
	{name: "layout outgrown", do: all(file(first, snapshotOf(0, kraftVersion(1), voters(1, dirID1), features(25))),
		file(segment0, batches(0, 1, leaderChange(1), dataRecords{scramRecord("bob", 2)}))), want: []string{layoutOutgrown}},
	{name: "layout not outgrown yet", do: all(target("4.2"), file(first, snapshotOf(0, kraftVersion(1), voters(1, dirID1), features(25))),
		file(segment0, batches(0, 1, leaderChange(1), dataRecords{scramRecord("bob", 2)})))},
	{name: "unknown record", do: func(s *scene) {
		s.files[segment0] = batches(0, 1, leaderChange(1), append(features(33), decode.Record{Value: []byte{1, 99, 0}}))
	}, want: []string{recordUnknown}, says: "record 2"},

	// features
	{name: "version too new", do: target("4.0"), want: []string{versionTooNew, featureUnknown}, says: "the metadata version is 4.4-IV2, but Kafka 4.0 knows up to 4.0-IV3"},
	{name: "version unstable", do: file(segment0, batches(0, 1, leaderChange(1), features(34))), want: []string{versionUnstable}},
	{name: "version unstable allowed", do: all(file(segment0, batches(0, 1, leaderChange(1), features(34))), set("unstable.feature.versions.enable", "true"))},
	{name: "version too old", do: file(segment0, batches(0, 1, leaderChange(1), features(6))), want: []string{versionTooOld}},
	{name: "feature unknown", do: file(segment0, batches(0, 1, leaderChange(1), features(33, "new.version", 1))), want: []string{featureUnknown}},
	{name: "feature too new", do: file(segment0, batches(0, 1, leaderChange(1), features(33, "group.version", 9))), want: []string{featureTooNew}},
	{name: "kraft.version too new", do: file(first, snapshotOf(0, kraftVersion(2), voters(1, dirID1), features(33))), want: []string{featureTooNew}},
	{name: "migration", do: file(segment0, batches(0, 1, leaderChange(1), append(features(33), migrating...))), want: []string{migrationOpen}},

	// voters
	{name: "to join", do: all(toJoin, drop(segment0, quorum), file(first, snapshotOf(0, kraftVersion(1), nil, features(33)))), want: []string{voterNone}},
	{name: "to join, formatted for 4.3", do: all(toJoin, drop(first, segment0, quorum), file(boot, snapshotOf(0, nil, nil, features(30)))), want: []string{voterNone}},
	{name: "nobody to join", do: all(drop(segment0, quorum), file(first, snapshotOf(0, kraftVersion(1), nil, features(33)))), want: []string{voterAlone},
		says: "names no other controller: localhost:9093"},
	{name: "nobody to join by another name", do: all(set("listeners", "PLAINTEXT://:9092,CONTROLLER://:9093"), set("advertised.listeners", "PLAINTEXT://a:9092"), set("controller.quorum.bootstrap.servers", "127.0.0.1:9093"),
		drop(segment0, quorum), file(first, snapshotOf(0, kraftVersion(1), nil, features(33)))), want: []string{voterAlone}},
	{name: "nobody to join in another case", do: all(set("listeners", "PLAINTEXT://localhost:9092,CONTROLLER://kafka1:9093"), set("controller.quorum.bootstrap.servers", "KAFKA1:9093"),
		drop(segment0, quorum), file(first, snapshotOf(0, kraftVersion(1), nil, features(33)))), want: []string{voterAlone}},
	{name: "perhaps somebody to join", do: all(set("controller.quorum.bootstrap.servers", "other:9093"),
		drop(segment0, quorum), file(first, snapshotOf(0, kraftVersion(1), nil, features(33)))), want: []string{voterNone}},
	{name: "nobody to join, formatted for 4.3", do: all(drop(first, segment0, quorum), file(boot, snapshotOf(0, nil, nil, features(30)))), want: []string{voterAlone}},
	{name: "voters lost, and alone", do: drop(first, segment0, quorum), want: []string{voterAlone}},
	{name: "voters lost", do: all(toJoin, drop(first, segment0, quorum)), want: []string{voterLost}},
	{name: "voters lost, and an empty log", do: all(toJoin, drop(first, quorum), file(segment0, nil)), want: []string{voterLost}},
	{name: "voters lost by a broker", do: all(drop(first, segment0, quorum), set("process.roles", "broker"), set("listeners", "PLAINTEXT://localhost:9092")), want: []string{versionUnknown}},
	{name: "bootstrap missing, voters there", do: all(drop(segment0, quorum), file(first, snapshotOf(0, kraftVersion(1), voters(1, dirID1)))), want: []string{bootstrapMissing}},
	{name: "observer", do: file(first, snapshotOf(0, kraftVersion(1), voters(2, otherID, 3, otherID), features(33))), want: []string{voterNot}, says: "2,3"},
	{name: "other directory", do: file(first, snapshotOf(0, kraftVersion(1), voters(1, otherID), features(33))), want: []string{voterDirectory}, says: "voter 1 has " + otherID.String()},
	{name: "lost directory id", do: file(meta1, metaText("1", "1", clusterID, "")), want: []string{voterDirectory, directoryNone}, says: "there is no directory.id"},
	{name: "voter no controller", do: all(set("process.roles", "broker"), set("listeners", "PLAINTEXT://localhost:9092")), want: []string{voterNoController}},
	{name: "voters ignored", do: all(set("controller.quorum.voters", "1@localhost:9093"), set("controller.quorum.bootstrap.servers", "")), want: []string{staticIgnored}},
	{name: "voters missing", static: true, do: all(set("controller.quorum.voters", ""), set("controller.quorum.bootstrap.servers", "localhost:9093")), want: []string{staticMissing}},
	{name: "voters differ", static: true, do: set("controller.quorum.voters", "1@localhost:9093,3@localhost:9095"), want: []string{staticDiffer}, says: "are 1,2, those of the configuration 1,3"},
	{name: "quorum-state damaged", do: text(quorum, "garbage"), want: []string{quorumDamaged}},
	{name: "quorum-state impossible", do: text(quorum, `{"leaderId":-7,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}`), want: []string{quorumDamaged}},
	{name: "quorum-state missing", do: drop(quorum), want: []string{quorumMissing}},
	{name: "quorum-state missing before the start", do: drop(quorum, segment0)},
	{name: "quorum-state of the other version", do: func(s *scene) { s.files[quorum] = staticScene().files[quorum] }, want: []string{quorumOtherVersion}},
	{name: "quorum-state behind", do: file(segment0, startLog(5)), want: []string{quorumBehind}},
	{name: "vote of another directory", do: text(quorum, `{"leaderId":-1,"leaderEpoch":2,"votedId":1,"votedDirectoryId":"`+otherID.String()+`","data_version":1}`), want: []string{quorumOtherID}},
}

func TestProblems(t *testing.T) {
	met := map[string]bool{}
	for _, k := range problemCases {
		t.Run(k.name, func(t *testing.T) {
			s := dynamicScene()
			if k.static {
				s = staticScene()
			}
			k.do(s)
			r := s.collect(t)
			for _, id := range ids(r) {
				met[id] = true
			}
			got, want := slices.Sorted(slices.Values(ids(r))), slices.Sorted(slices.Values(k.want))
			if !slices.Equal(got, want) {
				t.Errorf("problems %v, want %v", got, want)
				for _, p := range r.Problems {
					t.Log(p.Line())
				}
			}
			if k.says != "" && (len(r.Problems) == 0 || !strings.Contains(r.Problems[0].Line(), k.says)) {
				t.Errorf("%q is not in the first of %v", k.says, r.Problems)
			}
		})
	}
	elsewhere := []string{dirLink, metaLink, dirUnreadable, ownerDiffers, ownerDirs, metadataUnreadable, quorumUnreadable, configRolesMissing, metadataReplay}
	for _, k := range Catalogue() {
		if !met[k.ID] && !slices.Contains(elsewhere, k.ID) {
			t.Errorf("no case has the problem %s", k.ID)
		}
	}
}

// TestUnreadable meets an error of the operating system at each file.
func TestUnreadable(t *testing.T) {
	for _, k := range []struct{ path, want string }{
		{"/d2", dirUnreadable}, {meta2, metaUnreadable}, {first, metadataUnreadable}, {segment0, metadataUnreadable},
		{quorum, quorumUnreadable}, {strings.TrimSuffix(logDir, "/"), metadataUnreadable},
	} {
		t.Run(k.path, func(t *testing.T) {
			s := dynamicScene()
			fsys := vfs.Inject(s.write(t), func(op vfs.Op, path string) error {
				if path == k.path && (op == vfs.OpOpen || op == vfs.OpReadDir || op == vfs.OpRead) {
					return &fs.PathError{Op: op.String(), Path: path, Err: fs.ErrPermission}
				}
				return nil
			})
			r, err := Collect(t.Context(), fsys, s.options())
			if err != nil || !slices.Contains(ids(r), k.want) {
				t.Errorf("%v, %v; want %s", ids(r), err, k.want)
			}
			for _, p := range r.Problems {
				if p.ID == k.want && (p.Path != k.path || !strings.Contains(p.What, "permission denied")) {
					t.Errorf("%s", p.Line())
				}
			}
		})
	}
}

func TestOwners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no owners")
	}
	s := dynamicScene()
	s.after = func(m *vfs.Mem) {
		for _, name := range []string{"/d1", meta1, logDir, segment0, quorum} {
			_ = m.Chown(name, 1000, 1000)
		}
		_ = m.Chown(first, 0, 0)
		_ = m.Chown("/d2", 1001, 1001)
		_ = m.Chown(meta2, 1001, 1001)
	}
	r := s.collect(t)
	if got, want := ids(r), []string{ownerDiffers, ownerDirs}; !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", r.Problems, want)
	}
	if p := r.Problems[0]; p.Path != "/d1" || !strings.Contains(p.What, "00000000000000000000-0000000000.checkpoint (0:0)") {
		t.Errorf("%s", p.Line())
	}
	if d := r.Directories[0]; *d.UID != 1000 || *d.GID != 1000 {
		t.Errorf("owner %d:%d", *d.UID, *d.GID)
	}
}

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Catalogue() {
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(k.ID) || seen[k.ID] {
			t.Errorf("id %q", k.ID)
		}
		seen[k.ID] = true
		if k.Severity != Error && k.Severity != Warning && k.Severity != Note {
			t.Errorf("%s: severity %q", k.ID, k.Severity)
		}
		if !strings.HasSuffix(k.Meaning, ".") && !strings.HasSuffix(k.Meaning, ".)") || k.Remedy == "" || strings.HasSuffix(k.Remedy, ".") {
			t.Errorf("%s: meaning %q, remedy %q", k.ID, k.Meaning, k.Remedy)
		}
	}
}

// TestManyLeftovers: a directory full of them is one problem, on one line.
func TestManyLeftovers(t *testing.T) {
	s := dynamicScene()
	for i := range 5000 {
		s.files["/d2/t-"+itoa(int32(i))+"."+hex32+"-stray/"] = nil
	}
	s.files["/d2/evil\nname \x1b[31m"] = nil
	r := s.collect(t)
	if len(r.Problems) != 2 || !strings.Contains(r.Problems[0].What, "and 4997 more") || r.Directories[1].Partitions.Stray != 5000 {
		t.Errorf("%v", r.Problems)
	}
	for _, p := range r.Problems {
		if strings.ContainsAny(p.Line(), "\n\x1b") {
			t.Errorf("%q", p.Line())
		}
	}
}
