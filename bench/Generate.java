// Writes large inputs with Apache Kafka's own classes, for benchmarks of both sides on the same bytes.
//   java -cp 'LIBS/*' Generate.java snapshot TOPICS PARTITIONS_PER_TOPIC OUT_DIR
//   java -cp 'LIBS/*' Generate.java segment  CODEC(none|gzip|snappy|lz4|zstd) MEGABYTES OUT_DIR
//   java -cp 'LIBS/*' Generate.java metalog  TOPICS MEGABYTES OUT_DIR                (a node's directory: 100 partitions a topic, and what a controller writes)
//   java -cp 'LIBS/*' Generate.java indexed  BATCHES RECORDS_PER_BATCH OUT_DIR      (log, index and time index, an entry each batch)
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.util.*;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.*;
import org.apache.kafka.common.message.*;
import org.apache.kafka.common.protocol.*;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogSegment;

public class Generate {
    static final MetadataRecordSerde SERDE = new MetadataRecordSerde();

    static SimpleRecord frame(ApiMessage message, int version, long now) {
        ApiMessageAndVersion m = new ApiMessageAndVersion(message, (short) version);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(SERDE.recordSize(m, cache));
        SERDE.write(m, cache, new ByteBufferAccessor(buffer));
        buffer.flip();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return new SimpleRecord(now, null, bytes);
    }

    static void snapshot(int topics, int partitions, Path dir) throws Exception {
        long now = 1700000000000L;
        Path out = dir.resolve("00000000000001000000-0000000007.checkpoint");
        Files.deleteIfExists(out);
        Random random = new Random(42);
        long offset = 0;
        try (FileRecords file = FileRecords.open(out.toFile())) {
            ByteBuffer header = ByteBuffer.allocate(512);
            try (MemoryRecordsBuilder b = new MemoryRecordsBuilder(header, RecordBatch.CURRENT_MAGIC_VALUE, Compression.NONE,
                    TimestampType.CREATE_TIME, offset, now, -1, (short) -1, -1, false, true, 7, header.capacity())) {
                b.appendSnapshotHeaderMessage(now, new SnapshotHeaderRecord().setVersion((short) 0).setLastContainedLogTimestamp(now));
                file.append(b.build());
            }
            offset = 1;
            List<SimpleRecord> batch = new ArrayList<>();
            batch.add(frame(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 25), 0, now));
            for (int broker = 0; broker < 30; broker++) {
                RegisterBrokerRecord.BrokerEndpointCollection ends = new RegisterBrokerRecord.BrokerEndpointCollection();
                ends.add(new RegisterBrokerRecord.BrokerEndpoint().setName("PLAINTEXT").setHost("broker" + broker).setPort(9092).setSecurityProtocol((short) 0));
                batch.add(frame(new RegisterBrokerRecord().setBrokerId(broker).setIncarnationId(new Uuid(broker + 1, 7)).setBrokerEpoch(broker)
                    .setEndPoints(ends).setRack("r" + broker % 3).setFenced(false).setLogDirs(List.of(new Uuid(1000 + broker, 9))), 3, now));
            }
            for (int t = 0; t < topics; t++) {
                Uuid id = new Uuid(random.nextLong(), random.nextLong());
                batch.add(frame(new TopicRecord().setName("topic-" + t).setTopicId(id), 0, now));
                for (int p = 0; p < partitions; p++) {
                    int a = random.nextInt(30);
                    List<Integer> replicas = List.of(a, (a + 1) % 30, (a + 2) % 30);
                    batch.add(frame(new PartitionRecord().setPartitionId(p).setTopicId(id).setReplicas(replicas).setIsr(replicas)
                        .setLeader(a).setLeaderEpoch(random.nextInt(50)).setPartitionEpoch(random.nextInt(90))
                        .setDirectories(List.of(new Uuid(1000 + a, 9), new Uuid(1001 + a, 9), new Uuid(1002 + a, 9))), 1, now));
                    if (batch.size() >= 1000) { offset += append(file, batch, offset, Compression.NONE); batch.clear(); }
                }
                if (t % 10 == 0) batch.add(frame(new ConfigRecord().setResourceType((byte) 2).setResourceName("topic-" + t).setName("retention.ms").setValue("86400000"), 0, now));
            }
            if (!batch.isEmpty()) offset += append(file, batch, offset, Compression.NONE);
            ByteBuffer footer = ByteBuffer.allocate(512);
            try (MemoryRecordsBuilder b = new MemoryRecordsBuilder(footer, RecordBatch.CURRENT_MAGIC_VALUE, Compression.NONE,
                    TimestampType.CREATE_TIME, offset, now, -1, (short) -1, -1, false, true, 7, footer.capacity())) {
                b.appendSnapshotFooterMessage(now, new SnapshotFooterRecord().setVersion((short) 0));
                file.append(b.build());
            }
        }
        System.out.println(out.getFileName() + " " + Files.size(out) + " bytes, " + offset + " records");
    }

    static int append(FileRecords file, List<SimpleRecord> batch, long offset, Compression compression) throws Exception {
        file.append(MemoryRecords.withRecords(RecordBatch.CURRENT_MAGIC_VALUE, offset, compression, TimestampType.CREATE_TIME,
            -1L, (short) -1, -1, 7, false, batch.toArray(new SimpleRecord[0])));
        return batch.size();
    }

    static void segment(String codec, int megabytes, Path dir) throws Exception {
        Compression compression = Compression.of(CompressionType.forName(codec)).build();
        Path out = dir.resolve("00000000000000000000.log");
        Files.deleteIfExists(out);
        Random random = new Random(7);
        long offset = 0, now = 1700000000000L, raw = 0;
        String[] words = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar".split(" ");
        try (FileRecords file = FileRecords.open(out.toFile())) {
            while (raw < (long) megabytes << 20) {
                List<SimpleRecord> batch = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    StringBuilder v = new StringBuilder("{\"id\":").append(offset + i);
                    while (v.length() < 400) v.append(",\"").append(words[random.nextInt(words.length)]).append("\":").append(random.nextInt());
                    byte[] value = v.append('}').toString().getBytes("UTF-8");
                    byte[] key = ("key-" + random.nextInt(100000)).getBytes("UTF-8");
                    raw += value.length + key.length;
                    batch.add(new SimpleRecord(now + offset + i, key, value));
                }
                offset += append(file, batch, offset, compression);
            }
        }
        System.out.println(out.getFileName() + " " + Files.size(out) + " bytes, " + raw + " raw, " + offset + " records");
    }

    /** Topics, and then changes of in-sync replicas and leaders in small batches, as brokers come and go. */
    static void metalog(int topics, int megabytes, Path dir) throws Exception {
        int partitions = 100;
        Path log = Files.createDirectories(dir.resolve("__cluster_metadata-0")).resolve("00000000000000000000.log");
        Random random = new Random(11);
        long offset = 0, now = 1700000000000L, bytes = 0;
        Uuid[] ids = new Uuid[topics];
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(log), 1 << 20)) {
            List<SimpleRecord> batch = new ArrayList<>();
            batch.add(frame(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 25), 0, now));
            for (int t = 0; bytes < (long) megabytes << 20; ) {
                if (t < topics) {
                    ids[t] = new Uuid(random.nextLong(), random.nextLong());
                    batch.add(frame(new TopicRecord().setName("topic-" + t).setTopicId(ids[t]), 0, now));
                    for (int p = 0; p < partitions; p++) {
                        int a = random.nextInt(30);
                        List<Integer> replicas = List.of(a, (a + 1) % 30, (a + 2) % 30);
                        batch.add(frame(new PartitionRecord().setPartitionId(p).setTopicId(ids[t]).setReplicas(replicas).setIsr(replicas).setLeader(a)
                            .setDirectories(List.of(new Uuid(1000 + a, 9), new Uuid(1001 + a, 9), new Uuid(1002 + a, 9))), 1, now));
                    }
                    t++;
                } else {
                    for (int i = random.nextInt(8); i >= 0; i--) {
                        int a = random.nextInt(30);
                        batch.add(frame(new PartitionChangeRecord().setTopicId(ids[random.nextInt(topics)]).setPartitionId(random.nextInt(partitions))
                            .setIsr(List.of(a, (a + 1) % 30)).setLeader(random.nextInt(4) == 0 ? a : -2), 0, now));
                    }
                }
                MemoryRecords r = MemoryRecords.withRecords(RecordBatch.CURRENT_MAGIC_VALUE, offset, Compression.NONE, TimestampType.CREATE_TIME,
                    -1L, (short) -1, -1, 7, false, batch.toArray(new SimpleRecord[0]));
                out.write(r.buffer().array(), r.buffer().arrayOffset() + r.buffer().position(), r.sizeInBytes());
                bytes += r.sizeInBytes();
                offset += batch.size();
                batch.clear();
                now += 5;
            }
        }
        System.out.println(log.getFileName() + " " + bytes + " bytes, " + offset + " records");
    }

    static void indexed(int batches, int records, Path dir) throws Exception {
        for (String ext : List.of("log", "index", "timeindex")) Files.deleteIfExists(dir.resolve("00000000000000000000." + ext));
        long offset = 0, now = 1700000000000L;
        Map<String, String> conf = Map.of("index.interval.bytes", "1", "segment.index.bytes", "10485760");
        try (LogSegment segment = LogSegment.open(dir.toFile(), 0, new LogConfig(conf), Time.SYSTEM, 0, false)) {
            for (int i = 0; i < batches; i++) {
                SimpleRecord[] batch = new SimpleRecord[records];
                for (int k = 0; k < records; k++) batch[k] = new SimpleRecord(now + offset + k, null, ("value " + (offset + k)).getBytes("UTF-8"));
                offset += records;
                segment.append(offset - 1, MemoryRecords.withRecords(offset - records, Compression.NONE, 7, batch));
            }
            segment.onBecomeInactiveSegment();
            segment.flush();
        }
        System.out.println(batches + " batches, " + offset + " records");
    }

    public static void main(String[] args) throws Exception {
        Path dir = Paths.get(args[3]);
        Files.createDirectories(dir);
        if (args[0].equals("metalog")) metalog(Integer.parseInt(args[1]), Integer.parseInt(args[2]), dir);
        else if (args[0].equals("indexed")) indexed(Integer.parseInt(args[1]), Integer.parseInt(args[2]), dir);
        else if (args[0].equals("snapshot")) snapshot(Integer.parseInt(args[1]), Integer.parseInt(args[2]), dir);
        else segment(args[1], Integer.parseInt(args[2]), dir);
    }
}
