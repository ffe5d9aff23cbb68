import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerProtocolAssignment;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;
import org.apache.kafka.common.message.KRaftVersionRecord;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.SnapshotFooterRecord;
import org.apache.kafka.common.message.SnapshotHeaderRecord;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.coordinator.group.generated.GroupMetadataKey;
import org.apache.kafka.coordinator.group.generated.GroupMetadataValue;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogValue;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;

/** Random records of the topics that dump-log has decoders for: every type in every version. */
final class Topics {
    private static final long T0 = 1_711_111_111_000L;
    private final Random r;
    private final Messages messages;

    Topics(Random r) {
        this.r = r;
        this.messages = new Messages(r);
    }

    private SimpleRecord record(byte[] key, byte[] value) {
        return new SimpleRecord(T0 + r.nextInt(100000), key, value);
    }

    /** The frame of the metadata and remote log metadata topics: its version, the api key, the version, the message. */
    private static byte[] framed(int frame, int apiKey, Message m, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer b = ByteBuffer.allocate(m.size(cache, version) + 20);
        ByteBufferAccessor a = new ByteBufferAccessor(b);
        a.writeUnsignedVarint(frame);
        a.writeUnsignedVarint(apiKey);
        a.writeUnsignedVarint(version);
        m.write(a, cache, version);
        byte[] x = new byte[b.position()];
        b.flip();
        b.get(x);
        return x;
    }

    /** A frame whose numbers may be over-long, out of range, or newer than the message knows. */
    private byte[] oddFrame(int apiKey, Message m, short version) {
        byte[] body = Messages.bytes(m, version);
        int[] numbers = {1, apiKey, r.nextInt(3) == 0 ? version : new int[] {version + 1, m.highestSupportedVersion() + 1 + r.nextInt(3), 100, 32767}[r.nextInt(4)]};
        if (r.nextInt(8) == 0) numbers[r.nextInt(3)] = new int[] {0, 2, 99, 300, 32767, 32768, 65536, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}[r.nextInt(10)];
        ByteBuffer b = ByteBuffer.allocate(body.length + 40);
        for (int n : numbers) Odd.overlong(b, n, r.nextInt(8) == 0 ? 1 + r.nextInt(5) : 0);
        b.put(body);
        return java.util.Arrays.copyOf(b.array(), r.nextInt(20) == 0 ? r.nextInt(6) : b.position());
    }

    List<SimpleRecord> oddMetadata() throws ReflectiveOperationException {
        List<SimpleRecord> list = new ArrayList<>();
        for (MetadataRecordType t : MetadataRecordType.values()) {
            short v = (short) (t.lowestSupportedVersion() + r.nextInt(1 + t.highestSupportedVersion() - t.lowestSupportedVersion()));
            Message m = messages.fill(t.newMetadataRecord(), v);
            if (Messages.fits(m, v)) list.add(record(null, spoil(oddFrame(t.id(), m, v))));
        }
        Collections.shuffle(list, r);
        return list;
    }

    /** Few, as the tool dies of most. */
    List<SimpleRecord> oddRemote() {
        List<SimpleRecord> sound = remote().subList(0, 4), list = new ArrayList<>(sound);
        for (int n = 1 + r.nextInt(2); n > 0; n--) {
            ByteBuffer b = sound.get(r.nextInt(4)).value().duplicate();
            b.get(); // the frame version, the api key and the version are one byte each here
            int apiKey = b.get(), version = b.get();
            var t = org.apache.kafka.server.log.remote.metadata.storage.generated.MetadataRecordType.fromId((short) apiKey);
            ApiMessage m = t.newMetadataRecord();
            m.read(new ByteBufferAccessor(b), (short) version);
            list.add(r.nextInt(list.size() + 1), record(null, oddFrame(apiKey, m, (short) version)));
        }
        return list;
    }

    /** Now and then a value is cut, changed, extended, empty or missing: decoders must say so and go on. */
    private byte[] spoil(byte[] value) {
        if (r.nextInt(15) != 0) return value;
        switch (r.nextInt(6)) {
            case 0: return null;
            case 1: return new byte[0];
            case 2: return java.util.Arrays.copyOf(value, r.nextInt(value.length + 1));
            case 3: return java.util.Arrays.copyOf(value, value.length + 1 + r.nextInt(4));
            default:
                byte[] b = value.clone();
                if (b.length > 0) b[r.nextInt(b.length)] ^= (byte) (1 << r.nextInt(8));
                return b;
        }
    }

    List<SimpleRecord> metadata() throws ReflectiveOperationException {
        List<SimpleRecord> list = new ArrayList<>();
        for (MetadataRecordType t : MetadataRecordType.values()) {
            for (short v = t.lowestSupportedVersion(); v <= t.highestSupportedVersion(); v++) {
                Message m = messages.fill(t.newMetadataRecord(), v);
                if (Messages.fits(m, v)) list.add(record(null, spoil(framed(1, t.id(), m, v))));
            }
        }
        Collections.shuffle(list, r);
        return list;
    }

    List<SimpleRecord> group() throws ReflectiveOperationException {
        List<SimpleRecord> list = new ArrayList<>();
        for (var t : org.apache.kafka.coordinator.group.generated.CoordinatorRecordType.values()) {
            for (short v = t.lowestSupportedVersion(); v <= t.highestSupportedVersion(); v++) {
                Message key = messages.fill(t.newRecordKey(), (short) 0), value = messages.fill(t.newRecordValue(), v);
                byte[] k = Messages.prefixed(t.id(), key, (short) 0);
                if (Messages.fits(value, v)) list.add(record(k, r.nextInt(12) == 0 ? null : Messages.prefixed(v, value, v)));
            }
        }
        for (int i = 0; i < 8; i++) list.add(classic());
        Collections.shuffle(list, r);
        return list;
    }

    /** A classic group with real payloads of the consumer protocol inside, which are decoded too. */
    private SimpleRecord classic() throws ReflectiveOperationException {
        short v = (short) r.nextInt(4), inner = (short) r.nextInt(4), claimed = (short) (r.nextInt(5) == 0 ? r.nextInt(9) - 2 : inner);
        GroupMetadataValue value = messages.fill(new GroupMetadataValue(), v);
        value.setProtocolType(new String[] {"consumer", "consumer", "connect", ""}[r.nextInt(4)]);
        for (GroupMetadataValue.MemberMetadata m : value.members()) {
            byte[] sub = Messages.prefixed(claimed, messages.fill(new ConsumerProtocolSubscription(), inner), inner);
            byte[] asg = Messages.prefixed(claimed, messages.fill(new ConsumerProtocolAssignment(), inner), inner);
            m.setSubscription(r.nextInt(6) == 0 ? messages.bytes() : sub).setAssignment(r.nextInt(6) == 0 ? messages.bytes() : asg);
        }
        byte[] key = Messages.prefixed((short) 2, new GroupMetadataKey().setGroup(messages.string()), (short) 0);
        return record(key, Messages.prefixed(v, value, v));
    }

    List<SimpleRecord> transactions() throws ReflectiveOperationException {
        List<SimpleRecord> list = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            for (var t : org.apache.kafka.coordinator.transaction.generated.CoordinatorRecordType.values()) {
                for (short v = t.lowestSupportedVersion(); v <= t.highestSupportedVersion(); v++) {
                    Message key = messages.fill(t.newRecordKey(), (short) 0), value = messages.fill(t.newRecordValue(), v);
                    if (value instanceof TransactionLogValue) ((TransactionLogValue) value).setTransactionStatus((byte) r.nextInt(8));
                    byte[] val = r.nextInt(8) == 0 ? null : Messages.prefixed(v, value, v);
                    list.add(record(Messages.prefixed(t.id(), key, (short) 0), val));
                }
            }
        }
        return list;
    }

    List<SimpleRecord> share() throws ReflectiveOperationException {
        List<SimpleRecord> list = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            for (var t : org.apache.kafka.coordinator.share.generated.CoordinatorRecordType.values()) {
                for (short v = t.lowestSupportedVersion(); v <= t.highestSupportedVersion(); v++) {
                    Message key = messages.fill(t.newRecordKey(), (short) 0), value = messages.fill(t.newRecordValue(), v);
                    list.add(record(Messages.prefixed(t.id(), key, (short) 0), r.nextInt(8) == 0 ? null : Messages.prefixed(v, value, v)));
                }
            }
        }
        return list;
    }

    /** Records with an odd key or value version; a tool may report them or die of them. */
    List<SimpleRecord> odd(List<SimpleRecord> of) {
        List<SimpleRecord> list = new ArrayList<>(of.subList(0, Math.min(of.size(), 6)));
        for (int n = 1 + r.nextInt(3); n > 0; n--) {
            SimpleRecord s = list.get(r.nextInt(list.size()));
            byte[] k = array(s.key()), v = array(s.value());
            switch (r.nextInt(8)) {
                case 0: if (k != null && k.length > 1) k[1] = (byte) (50 + r.nextInt(50)); break;
                case 1: if (v != null && v.length > 1) v[1] = (byte) (50 + r.nextInt(50)); break;
                case 6: if (v != null && v.length > 1) v[1] = (byte) r.nextInt(6); break;
                case 7: if (v != null && v.length > 1) v[0] = (byte) r.nextInt(); break;
                case 2: if (k != null) k = java.util.Arrays.copyOf(k, r.nextInt(k.length + 1)); break;
                case 3: if (v != null) v = java.util.Arrays.copyOf(v, r.nextInt(v.length + 1)); break;
                case 4: if (v != null) v = java.util.Arrays.copyOf(v, v.length + 3); break;
                default: if (k != null) k = java.util.Arrays.copyOf(k, k.length + 2);
            }
            list.add(r.nextInt(list.size() + 1), record(k, v));
        }
        return list;
    }

    private static byte[] array(ByteBuffer b) {
        if (b == null) return null;
        byte[] x = new byte[b.remaining()];
        b.duplicate().get(x);
        return x;
    }

    /** Values that the remote log metadata classes accept: they check what they are made of. */
    List<SimpleRecord> remote() {
        List<SimpleRecord> list = new ArrayList<>();
        RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
        for (int i = 0; i < 5; i++) {
            TopicIdPartition tp = new TopicIdPartition(new Uuid(r.nextLong(), r.nextLong()), r.nextInt(100), "topic-" + r.nextInt(50));
            RemoteLogSegmentId id = new RemoteLogSegmentId(tp, new Uuid(r.nextLong(), r.nextLong()));
            Map<Integer, Long> epochs = new TreeMap<>();
            long start = r.nextInt(1000);
            for (int n = 1 + r.nextInt(4); n > 0; n--) epochs.put(r.nextInt(100), start + r.nextInt(50));
            RemoteLogSegmentMetadata md = new RemoteLogSegmentMetadata(id, start, start + r.nextInt(1000), T0 + r.nextInt(), r.nextInt(9), T0 + r.nextInt(), r.nextInt(1 << 30), epochs, r.nextBoolean());
            var custom = r.nextBoolean() ? Optional.<RemoteLogSegmentMetadata.CustomMetadata>empty() : Optional.of(new RemoteLogSegmentMetadata.CustomMetadata(messages.bytes()));
            RemoteLogSegmentState state = RemoteLogSegmentState.values()[1 + r.nextInt(RemoteLogSegmentState.values().length - 1)];
            RemoteLogSegmentMetadataUpdate update = new RemoteLogSegmentMetadataUpdate(id, T0 + r.nextInt(), custom, state, r.nextInt(9));
            RemotePartitionDeleteState deleted = RemotePartitionDeleteState.values()[r.nextInt(RemotePartitionDeleteState.values().length)];
            list.add(record(null, serde.serialize(md)));
            list.add(record(null, serde.serialize(update)));
            list.add(record(r.nextBoolean() ? null : messages.bytes(), serde.serialize(md.createWithUpdates(update))));
            list.add(record(null, serde.serialize(new RemotePartitionDeleteMetadata(tp, deleted, T0 + r.nextInt(), r.nextInt(9)))));
        }
        return list;
    }

    /** Remote log metadata of any content, which the classes may refuse. */
    List<SimpleRecord> remoteAny() throws ReflectiveOperationException {
        List<SimpleRecord> list = new ArrayList<>();
        for (var t : org.apache.kafka.server.log.remote.metadata.storage.generated.MetadataRecordType.values()) {
            for (short v = t.lowestSupportedVersion(); v <= t.highestSupportedVersion(); v++) {
                ApiMessage m = messages.fill(t.newMetadataRecord(), v);
                for (Method q : m.getClass().getMethods()) {
                    if (q.getName().equals("setRemoteLogSegmentState") || q.getName().equals("setRemotePartitionDeleteState")) q.invoke(m, (byte) r.nextInt(6));
                }
                if (Messages.fits(m, v)) list.add(record(null, spoil(framed(1, m.apiKey(), m, v))));
            }
        }
        Collections.shuffle(list, r);
        return list;
    }

    /** The control records of the KRaft log, each in a batch of its own. */
    List<MemoryRecords> control(Batches b) throws ReflectiveOperationException {
        List<MemoryRecords> list = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LeaderChangeMessage leader = messages.fill(new LeaderChangeMessage(), (short) 0); // it is written in version 0 always
            if (Messages.fits(leader, (short) 0)) list.add(MemoryRecords.withLeaderChangeMessage(b.offset++, b.now, b.epoch, ByteBuffer.allocate(1 << 20), leader));
            list.add(MemoryRecords.withKRaftVersionRecord(b.offset++, b.now, b.epoch, ByteBuffer.allocate(512), new KRaftVersionRecord().setVersion((short) 0).setKRaftVersion((short) r.nextInt(3))));
            VotersRecord voters = messages.fill(new VotersRecord(), (short) 0).setVersion((short) 0);
            if (Messages.fits(voters, (short) 0)) list.add(MemoryRecords.withVotersRecord(b.offset++, b.now, b.epoch, ByteBuffer.allocate(1 << 20), voters));
        }
        return list;
    }

    MemoryRecords snapshotHeader(Batches b) {
        return MemoryRecords.withSnapshotHeaderRecord(b.offset++, b.now, b.epoch, ByteBuffer.allocate(512), new SnapshotHeaderRecord().setVersion((short) 0).setLastContainedLogTimestamp(r.nextLong() >> 8));
    }

    MemoryRecords snapshotFooter(Batches b) {
        return MemoryRecords.withSnapshotFooterRecord(b.offset++, b.now, b.epoch, ByteBuffer.allocate(512), new SnapshotFooterRecord().setVersion((short) 0));
    }
}
