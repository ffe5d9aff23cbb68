import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.common.message.AbortedTxn;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.BatchMetadata;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.TransactionIndex;

/**
 * Writes random files as a Kafka node leaves them, with Kafka's own classes, and damaged copies of them.
 *
 * <pre>Make DIR SEED CASES</pre>
 *
 * DIR gets directories g00001, g00002, ... and cases.tsv with CASES lines: an id and the arguments of dump-log, separated by
 * tabs, its files relative to DIR; and notes.tsv: the id and what the case is. The same seed makes the same files.
 */
public final class Make {
    private final Path dir;
    private final Random r;
    private final int wanted;
    private final List<String> cases = new ArrayList<>(), notes = new ArrayList<>();
    private int groups;

    private Make(Path dir, long seed, int wanted) {
        this.dir = dir;
        this.r = new Random(seed);
        this.wanted = wanted;
    }

    public static void main(String[] args) throws Exception {
        Make m = new Make(Path.of(args[0]), Long.parseLong(args[1]), Integer.parseInt(args[2]));
        int kind = 0;
        while (m.cases.size() < m.wanted) m.group(kind++);
        Files.write(m.dir.resolve("cases.tsv"), m.cases);
        Files.write(m.dir.resolve("notes.tsv"), m.notes);
        System.out.println(m.cases.size() + " cases on " + m.groups + " directories");
    }

    private Path next() throws IOException {
        Path p = dir.resolve(String.format("g%05d", ++groups));
        Files.createDirectories(p);
        return p;
    }

    private void add(String note, String... args) {
        if (cases.size() == wanted) return;
        String id = String.format("c%05d", cases.size() + 1);
        cases.add(id + "\t" + String.join("\t", args));
        notes.add(id + "\t" + note);
    }

    /** One directory of files of one kind, the cases on it, and damaged copies with their cases. */
    private void group(int kind) throws Exception {
        Topics topics = new Topics(r);
        long base = r.nextInt(3) == 0 ? 0 : r.nextInt(3) == 0 ? r.nextLong() >>> 24 : r.nextInt(100000);
        Batches b = new Batches(r, base);
        switch (kind % 18) {
            case 0: case 1: case 2:
                segment("data", b, b.data(1 + r.nextInt(8)), base, "--print-data-log");
                break;
            case 3: segment("metadata", b, b.of(topics.metadata(), false), base, "--cluster-metadata-decoder"); break;
            case 4: {
                List<MemoryRecords> l = topics.control(b);
                l.addAll(b.of(topics.metadata().subList(0, 5), false));
                segment("control", b, l, base, "--cluster-metadata-decoder");
                break;
            }
            case 5: snapshot(topics, b); break;
            case 6: segment("group", b, b.of(topics.group(), true), base, "--offsets-decoder"); break;
            case 7: segment("txn", b, b.of(topics.transactions(), true), base, "--transaction-log-decoder"); break;
            case 8: segment("share", b, b.of(topics.share(), true), base, "--share-group-state-decoder"); break;
            case 9: segment("remote", b, b.of(r.nextInt(4) == 0 ? topics.remoteAny() : topics.remote(), true), base, "--remote-log-metadata-decoder"); break;
            case 10: {
                int which = r.nextInt(3);
                String decoder = new String[] {"--offsets-decoder", "--transaction-log-decoder", "--share-group-state-decoder"}[which];
                segment("odd", b, b.of(topics.odd(which == 0 ? topics.group() : which == 1 ? topics.transactions() : topics.share()), true), base, decoder);
                break;
            }
            case 11: states(); break;
            case 12: for (int n = 0; n < 5; n++) raw("odd", new Odd(r, base).modern(1 + r.nextInt(3)), base, "--print-data-log"); break;
            case 13: for (int n = 0; n < 6; n++) raw("odd legacy", new Odd(r, base).legacy(1 + r.nextInt(3)), base, "--print-data-log"); break;
            case 14: for (int n = 0; n < 5; n++) raw("odd control", new Odd(r, base).control(1 + r.nextInt(4)), base, "--cluster-metadata-decoder"); break;
            case 15:
                raw("odd metadata", new Batches(r, base).of(topics.oddMetadata(), true), base, "--cluster-metadata-decoder");
                for (int n = 0; n < 2; n++) raw("odd remote", new Batches(r, base).of(topics.oddRemote(), true), base, "--remote-log-metadata-decoder");
                break;
            case 16: for (int n = 0; n < 3; n++) indexed(topics, new Batches(r, base), base); break;
            default: paths(b, base);
        }
    }

    /** A segment of batches that LogSegment may not take. */
    private void raw(String what, List<MemoryRecords> batches, long base, String decoder) throws IOException {
        Path p = next();
        String name = String.format("%020d", base), rel = dir.relativize(p) + "/" + name + ".log";
        Files.write(p.resolve(name + ".log"), Batches.bytes(batches));
        add(what, decoder, "--files", rel);
        if (r.nextInt(3) == 0) add(what, "--files", rel);
        if (r.nextInt(6) == 0) add(what, decoder, "--skip-record-metadata", "--files", rel);
        if (r.nextInt(10) == 0) add(what + ", another decoder", DECODERS[r.nextInt(DECODERS.length)], "--files", rel);
    }

    /** Indexes with odd entries over a segment of any kind, which may be damaged behind the indexed batches. */
    private void indexed(Topics topics, Batches b, long base) throws Exception {
        List<MemoryRecords> batches;
        switch (r.nextInt(8)) {
            case 0: batches = topics.control(b); break;
            case 1: batches = b.of(topics.group(), true); break;
            case 2: batches = new Odd(r, base).legacy(4); break;
            case 3: batches = new Odd(r, base).modern(4); break;
            case 4: batches = new Odd(r, base).control(4); break;
            default: batches = b.data(3 + r.nextInt(10));
        }
        List<Indexes.Place> places;
        try {
            places = Indexes.places(batches);
        } catch (RuntimeException e) { // a batch that cannot even be listed
            return;
        }
        if (places.isEmpty()) return;
        Indexes x = new Indexes(r, base, places);
        Path p = next();
        String name = String.format("%020d", base), rel = dir.relativize(p) + "/" + name;
        byte[] log = Batches.bytes(batches);
        boolean damaged = r.nextBoolean();
        Files.write(p.resolve(name + ".log"), damaged ? x.behind(log) : log);
        Files.write(p.resolve(name + ".index"), x.offsets(r.nextInt(3) == 0));
        Files.write(p.resolve(name + ".timeindex"), x.times(r.nextInt(3) == 0));
        Files.write(p.resolve(name + ".txnindex"), x.transactions());
        String what = damaged ? "odd indexes, damage behind" : "odd indexes";
        for (String ext : new String[] {".index", ".timeindex"}) {
            add(what, "--files", rel + ext);
            if (r.nextInt(3) == 0) add(what, r.nextBoolean() ? "--verify-index-only" : "--index-sanity-check", "--files", rel + ext);
        }
        add(what, "--files", rel + ".txnindex");
        int size = places.get(r.nextInt(places.size())).size;
        int limit = r.nextBoolean() ? size - 1 + r.nextInt(3) : new int[] {0, 1, 16, 17, 18, 25, 26, 60, 61, -1}[r.nextInt(10)];
        add(what, "--max-message-size", Integer.toString(limit), "--files", rel + ".index");
    }

    /** Files as people name them, and limits at the seams between batches. */
    private void paths(Batches b, long base) throws IOException {
        Path p = next();
        List<MemoryRecords> batches = b.data(2 + r.nextInt(4));
        List<Indexes.Place> places = Indexes.places(batches);
        Indexes x = new Indexes(r, base, places);
        String d = dir.relativize(p).toString(), name = String.format("%020d", base);
        Files.write(p.resolve(name + ".log"), Batches.bytes(batches));
        Files.write(p.resolve(name + ".index"), x.offsets(false));
        Files.write(p.resolve(name + ".timeindex"), x.times(false));
        String[] names = {name + ".log", name + ".index", name + ".timeindex", "gone.log", "5.log", "none", "", "7.txt", name + ".log.deleted", "."};
        String[] dirs = {d + "/", "./" + d + "//", d + "/../" + d + "/", d + "/./", ".//" + d + "/..///" + d + "/", dir.toRealPath() + "/" + d + "/", "//" + p.toRealPath() + "//"};
        for (int n = 4; n > 0; n--) {
            List<String> files = new ArrayList<>();
            for (int i = 1 + r.nextInt(r.nextInt(2) + 3); i > 0; i--) {
                String file = names[r.nextInt(3) == 0 ? r.nextInt(names.length) : r.nextInt(3)];
                files.add(r.nextInt(12) == 0 ? "" : dirs[r.nextInt(dirs.length)] + file + (r.nextInt(5) == 0 ? "/".repeat(1 + r.nextInt(2)) : ""));
            }
            add("paths", "--files", String.join(",", files));
        }
        Indexes.Place seam = places.get(r.nextInt(places.size()));
        int limit = (r.nextInt(3) == 0 ? seam.position + new int[] {11, 12, 16, 17, 18, 26, 60, 61}[r.nextInt(8)] : seam.position + seam.size) + r.nextInt(3) - 1;
        add("--max-bytes", "--print-data-log", "--max-bytes", Integer.toString(limit), "--files", d + "/" + name + ".log");
        add("--max-bytes", "--max-bytes", Integer.toString(limit), "--files", d + "/" + name + ".log");
    }

    /** Appends the batches through Kafka's own LogSegment, which writes the log and both indexes. */
    private void segment(String what, Batches b, List<MemoryRecords> batches, long base, String decoder) throws Exception {
        Path p = next();
        String name = String.format("%020d", base);
        Path log = p.resolve(name + ".log");
        boolean indexed = r.nextInt(3) != 0;
        if (indexed) {
            Map<String, String> conf = new HashMap<>();
            conf.put("index.interval.bytes", Integer.toString(r.nextBoolean() ? 1 : 300 + r.nextInt(4000)));
            conf.put("segment.index.bytes", Integer.toString(120 * (1 + r.nextInt(60))));
            try (LogSegment s = LogSegment.open(p.toFile(), base, new LogConfig(conf), Time.SYSTEM, 0, false)) {
                for (MemoryRecords m : batches) {
                    RecordBatch last = null;
                    for (RecordBatch x : m.batches()) last = x;
                    s.append(last.lastOffset(), m);
                }
                if (r.nextBoolean()) s.onBecomeInactiveSegment(); // forces the last time index entry, trims
                s.flush();
            } catch (RuntimeException e) { // an index that is too small, an offset out of reach: as good a file as any
                indexed = Files.exists(p.resolve(name + ".index"));
            }
        }
        if (!indexed || !Files.exists(log) || Files.size(log) == 0) Files.write(log, Batches.bytes(batches));
        String rel = dir.relativize(p) + "/" + name;
        boolean small = Files.size(log) < 60000;
        add(what, "--files", rel + ".log");
        add(what, decoder, "--files", rel + ".log");
        if (r.nextInt(4) == 0) add(what, decoder, "--skip-record-metadata", "--files", rel + ".log");
        if (r.nextInt(6) == 0) add(what, "--deep-iteration", "--files", rel + ".log");
        if (r.nextInt(8) == 0) add(what, decoder, "--max-bytes", Integer.toString(r.nextInt(3000)), "--files", rel + ".log");
        if (r.nextInt(10) == 0) add(what + ", another decoder", DECODERS[r.nextInt(DECODERS.length)], "--files", rel + ".log");
        if (indexed) indexes(what, rel, r.nextInt(3) == 0);
        for (int n = small ? 1 + r.nextInt(4) : 1; n > 0; n--) damaged(what, p, name, ".log", decoder);
        if (indexed) damaged(what, p, name, r.nextBoolean() ? ".index" : ".timeindex", decoder);
    }

    private static final String[] DECODERS = {"--print-data-log", "--cluster-metadata-decoder", "--offsets-decoder", "--transaction-log-decoder", "--share-group-state-decoder", "--remote-log-metadata-decoder"};

    private void indexes(String what, String rel, boolean more) {
        if (more) {
            String option = new String[] {"--verify-index-only", "--index-sanity-check"}[r.nextInt(2)];
            add(what, option, "--files", rel + ".index," + rel + ".timeindex");
            add(what, "--max-message-size", Integer.toString(60 + r.nextInt(2000)), "--files", rel + ".index");
            add(what, "--deep-iteration", "--files", rel + ".log," + rel + ".index," + rel + ".timeindex");
        }
        add(what, "--files", rel + ".index");
        add(what, "--files", rel + ".timeindex");
    }

    /** A copy of the directory in which one file is damaged. */
    private void damaged(String what, Path from, String name, String ext, String decoder) throws IOException {
        Path to = next();
        for (File f : from.toFile().listFiles()) Files.copy(f.toPath(), to.resolve(f.getName()));
        Path file = to.resolve(name + ext);
        Damage d = new Damage(r);
        Files.write(file, d.damage(Files.readAllBytes(file), ext.equals(".log") || ext.equals(".checkpoint")));
        String rel = dir.relativize(to) + "/" + name + ext, note = what + ext + ": " + d.last;
        if (ext.equals(".log") || ext.equals(".checkpoint")) {
            add(note, decoder, "--files", rel);
            if (r.nextInt(3) == 0) add(note, "--files", rel);
            if (r.nextInt(10) == 0) add(note, decoder, "--max-bytes", Integer.toString(r.nextInt(3000)), "--files", rel);
        } else {
            add(note, "--files", rel);
            if (r.nextInt(3) == 0) add(note, r.nextBoolean() ? "--verify-index-only" : "--index-sanity-check", "--files", rel);
        }
    }

    private void snapshot(Topics topics, Batches b) throws Exception {
        b.offset = 0;
        List<MemoryRecords> list = new ArrayList<>();
        list.add(topics.snapshotHeader(b));
        if (r.nextBoolean()) list.addAll(topics.control(b));
        list.addAll(b.of(topics.metadata(), false));
        if (r.nextInt(5) != 0) list.add(topics.snapshotFooter(b));
        Path p = next();
        String name = r.nextInt(5) == 0 ? "bootstrap" : String.format("%020d-%010d", r.nextInt(100000), r.nextInt(1000));
        Files.write(p.resolve(name + ".checkpoint"), Batches.bytes(list));
        String rel = dir.relativize(p) + "/" + name + ".checkpoint";
        add("snapshot", "--cluster-metadata-decoder", "--files", rel);
        add("snapshot", "--files", rel);
        if (r.nextInt(3) == 0) add("snapshot", "--cluster-metadata-decoder", "--skip-record-metadata", "--files", rel);
        for (int n = r.nextInt(3); n > 0; n--) damaged("snapshot", p, name, ".checkpoint", "--cluster-metadata-decoder");
    }

    /** Producer snapshots and transaction indexes. */
    private void states() throws Exception {
        Path p = next();
        String name = String.format("%020d", r.nextInt(1000000));
        Map<Long, ProducerStateEntry> producers = new HashMap<>();
        for (int n = r.nextInt(12); n > 0; n--) {
            long id = r.nextInt(4) == 0 ? r.nextLong() >>> 1 : r.nextInt(10000);
            OptionalLong txn = r.nextInt(3) == 0 ? OptionalLong.of(r.nextInt(100000)) : OptionalLong.empty();
            BatchMetadata last = null;
            if (r.nextInt(4) != 0) {
                int delta = r.nextInt(50), seq = r.nextInt(4) == 0 ? r.nextInt(20) : r.nextInt() >>> 1;
                last = new BatchMetadata(seq, r.nextInt(4) == 0 ? delta : r.nextLong() >>> 10, delta, r.nextLong() >> 20);
            }
            ProducerStateEntry e = new ProducerStateEntry(id, (short) r.nextInt(Short.MAX_VALUE), r.nextInt(100) - 1, r.nextLong() >> 20, txn);
            if (last != null) addBatch(e, last);
            producers.put(id, e);
        }
        ProducerStateManager.writeSnapshot(p.resolve(name + ".snapshot").toFile(), producers, false);
        try (TransactionIndex index = new TransactionIndex(0, p.resolve(name + ".txnindex").toFile())) {
            long last = r.nextInt(100);
            for (int n = r.nextInt(10); n > 0; n--) {
                last += 1 + r.nextInt(1000);
                index.append(new AbortedTxn().setProducerId(r.nextLong() >>> r.nextInt(64)).setFirstOffset(r.nextInt(100)).setLastOffset(last).setLastStableOffset(last - r.nextInt(50)));
            }
        }
        for (String ext : new String[] {".snapshot", ".txnindex"}) {
            if (!Files.exists(p.resolve(name + ext))) continue;
            add("state" + ext, "--files", dir.relativize(p) + "/" + name + ext);
            for (int n = 1 + r.nextInt(3); n > 0; n--) damaged("state", p, name, ext, null);
        }
    }

    /** What the broker does inside its own package. */
    private static void addBatch(ProducerStateEntry e, BatchMetadata b) throws ReflectiveOperationException {
        Method m = ProducerStateEntry.class.getDeclaredMethod("addBatch", short.class, int.class, long.class, int.class, long.class);
        m.setAccessible(true);
        m.invoke(e, e.producerEpoch(), b.lastSeq(), b.lastOffset(), b.offsetDelta(), b.timestamp());
    }
}
