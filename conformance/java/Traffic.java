import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.*;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Has a cluster write random metadata of all kinds, through Kafka's public clients.
 *
 * <pre>Traffic BOOTSTRAP SASL_BOOTSTRAP BROKERS SEED COUNT</pre>
 *
 * BROKERS are ids, separated by commas. Delegation tokens need a client that has logged in: SASL_BOOTSTRAP takes alice, with
 * alice-secret, by PLAIN. Several requests are on their way at a time. What is drawn depends on the seed alone; what comes of it,
 * not quite. "half" is printed in the middle; in the end a line for each kind of request: its name, how many were accepted, how many
 * refused, and an example why, separated by tabs.
 */
public final class Traffic {
    /** Names that need care where they are shown, typed, sorted or quoted. */
    private static final String[] NAMES = {"alice", "bob", "CN=dave,OU=x y,O=z", "ümläut", "日本", "a b", "a.b", "a(b", "a)b", "(x)", "back\\slash", "co:lon",
        "co::lon:", "per%cent", "quote'd", "dou\"ble", "st*r", "qu?stion", "{brace,x}", "[x]", "$dollar", "tilde~", "𝄞clef", "-dash", "#hash", "a&b;c", "under_score"};
    private static final String[] TOPICS = {"orders", "a.b.c", "logs.app-1_x", "UPPER", "z", "_one", "10", "2", "x-y", "audit"};

    private final Random random;
    private final Admin admin, tokens;
    private final List<Integer> brokers;
    private final Map<String, int[]> counts = new TreeMap<>();
    private final Map<String, String> reasons = new HashMap<>();
    private final Map<String, Integer> topics = new TreeMap<>(); // partitions, as far as they were asked for
    private final List<AclBinding> acls = new ArrayList<>();
    private final List<byte[]> made = new ArrayList<>();
    private final List<Map.Entry<String, KafkaFuture<?>>> waiting = new ArrayList<>();

    private Traffic(Admin admin, Admin tokens, List<Integer> brokers, long seed) {
        this.admin = admin;
        this.tokens = tokens;
        this.brokers = brokers;
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        Properties p = new Properties();
        p.put("bootstrap.servers", args[0]);
        p.put("default.api.timeout.ms", 20000);
        p.put("request.timeout.ms", 10000);
        Properties sasl = new Properties();
        sasl.putAll(p);
        sasl.put("bootstrap.servers", args[1]);
        sasl.put("security.protocol", "SASL_PLAINTEXT");
        sasl.put("sasl.mechanism", "PLAIN");
        sasl.put("sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"alice\" password=\"alice-secret\";");
        List<Integer> brokers = List.of(args[2].split(",")).stream().map(Integer::valueOf).collect(Collectors.toList());
        int count = Integer.parseInt(args[4]);
        try (Admin admin = Admin.create(p); Admin tokens = Admin.create(sasl)) {
            Traffic t = new Traffic(admin, tokens, brokers, Long.parseLong(args[3]));
            t.createTopic("orders");
            t.settle();
            t.produce(p);
            for (int i = 0; i < count; i++) {
                if (i == count / 2) {
                    System.out.println("half");
                    System.out.flush();
                }
                // Each kind once, then any.
                t.request(i < KINDS ? i : t.random.nextInt(KINDS));
                if (t.waiting.size() >= 1 + t.random.nextInt(8)) {
                    t.settle();
                }
            }
            t.settle();
            t.counts.forEach((kind, n) -> System.out.println(kind + "\t" + n[0] + "\t" + n[1] + "\t" + t.reasons.getOrDefault(kind, "")));
        }
    }

    private static final int KINDS = 17;

    private void request(int kind) {
        switch (kind) {
            case 0: case 1: case 2: createTopic(topicName()); break;
            case 3: deleteTopic(); break;
            case 4: createPartitions(); break;
            case 5: case 6: configs(); break;
            case 7: case 8: createAcls(); break;
            case 9: deleteAcls(); break;
            case 10: case 11: quotas(); break;
            case 12: scram(); break;
            case 13: token(); break;
            case 14: reassign(); break;
            case 15: elect(); break;
            default: feature(); break;
        }
    }

    private void sent(String kind, KafkaFuture<?> future) {
        waiting.add(Map.entry(kind, future));
    }

    private void settle() throws InterruptedException {
        for (Map.Entry<String, KafkaFuture<?>> w : waiting) {
            int[] n = counts.computeIfAbsent(w.getKey(), k -> new int[2]);
            try {
                w.getValue().get();
                n[0]++;
            } catch (ExecutionException e) {
                n[1]++;
                reasons.put(w.getKey(), String.valueOf(e.getCause()).replaceAll("\\s+", " "));
            }
        }
        waiting.clear();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String any(String... list) {
        return list[random.nextInt(list.length)];
    }

    private String name() {
        String s = any(NAMES);
        return random.nextInt(4) == 0 ? s + random.nextInt(20) : s;
    }

    /** Topics that were there before come again. */
    private String topicName() {
        String s = any(TOPICS);
        return random.nextInt(3) == 0 ? s : s + any("-", ".", "_", "") + random.nextInt(60);
    }

    private String topic() {
        return any(new ArrayList<>(topics.keySet()));
    }

    private List<Integer> replicas() {
        List<Integer> list = new ArrayList<>(brokers);
        java.util.Collections.shuffle(list, random);
        return list.subList(0, 1 + random.nextInt(list.size()));
    }

    private void createTopic(String name) {
        int partitions = 1 + random.nextInt(4);
        NewTopic t;
        if (random.nextBoolean()) {
            int factor = 1 + random.nextInt(brokers.size());
            t = new NewTopic(name, IntStream.range(0, partitions).boxed().collect(Collectors.toMap(i -> i, i -> {
                List<Integer> list = new ArrayList<>(brokers);
                java.util.Collections.shuffle(list, random);
                return list.subList(0, factor);
            })));
        } else {
            t = new NewTopic(name, partitions, (short) (1 + random.nextInt(brokers.size())));
        }
        if (random.nextBoolean()) {
            Map<String, String> configs = new HashMap<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                String[] c = topicConfig();
                configs.put(c[0], c[1]);
            }
            t.configs(configs);
        }
        topics.putIfAbsent(name, partitions);
        sent("create topic", admin.createTopics(List.of(t)).all());
    }

    private void deleteTopic() {
        if (topics.size() > 3) {
            String name = topic();
            topics.remove(name);
            sent("delete topic", admin.deleteTopics(List.of(name)).all());
            if (random.nextBoolean()) {
                createTopic(name);
            }
        }
    }

    private void createPartitions() {
        String name = topic();
        int n = topics.get(name) + 1 + random.nextInt(2);
        topics.put(name, n);
        sent("create partitions", admin.createPartitions(Map.of(name, NewPartitions.increaseTo(n))).all());
    }

    private String[] topicConfig() {
        switch (random.nextInt(10)) {
            case 0: return new String[] {"retention.ms", "" + (random.nextInt(1000000) - 1)};
            case 1: return new String[] {"cleanup.policy", any("delete", "compact", "compact,delete")};
            case 2: return new String[] {"compression.type", any("zstd", "lz4", "producer")};
            case 3: return new String[] {"min.insync.replicas", "" + (1 + random.nextInt(2))};
            case 4: return new String[] {"leader.replication.throttled.replicas", any("*", "0:1,1:2", "0:1")};
            case 5: return new String[] {"follower.replication.throttled.replicas", any("*", "0:2,1:1")};
            case 6: return new String[] {"max.message.bytes", "" + (1000 + random.nextInt(100000))};
            case 7: return new String[] {"min.cleanable.dirty.ratio", "0." + (1 + random.nextInt(8))};
            case 8: return new String[] {"leader.replication.throttled.replicas", ""};
            default: return new String[] {"unclean.leader.election.enable", "" + random.nextBoolean()};
        }
    }

    private void configs() {
        ConfigResource r;
        String[] c;
        switch (random.nextInt(6)) {
            case 0: case 1:
                r = new ConfigResource(ConfigResource.Type.TOPIC, topic());
                c = topicConfig();
                break;
            case 2:
                r = new ConfigResource(ConfigResource.Type.BROKER, any("", "" + any(brokers)));
                c = any(List.of(new String[] {"leader.replication.throttled.rate", "" + (1000000 + random.nextInt(1000000))}, new String[] {"log.cleaner.threads", "2"},
                    new String[] {"log.retention.ms", "" + (60000 + random.nextInt(100000))}, new String[] {"max.connections.per.ip.overrides", "127.0.0.7:100,10.0.0.1:7"}));
                break;
            case 3:
                r = new ConfigResource(ConfigResource.Type.GROUP, name());
                c = any(List.of(new String[] {"consumer.session.timeout.ms", "" + (45000 + random.nextInt(10000))}, new String[] {"consumer.heartbeat.interval.ms", "" + (5000 + random.nextInt(9000))}));
                break;
            case 4:
                r = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, name());
                c = any(List.of(new String[] {"interval.ms", "" + (10000 + random.nextInt(10000))}, new String[] {"metrics", "org.apache.kafka.consumer.,org.apache.kafka.producer."},
                    new String[] {"match", "client_software_name=apache-kafka-java,client_source_address=127\\.0\\.0\\.1"}));
                break;
            default:
                r = new ConfigResource(ConfigResource.Type.BROKER, "" + any(brokers));
                c = new String[] {"listener.name.absent.ssl.key.password", any("pass word", "p=,#'", "")};
                break;
        }
        OpType op = random.nextInt(4) == 0 ? OpType.DELETE : OpType.SET;
        sent("configs of " + r.type(), admin.incrementalAlterConfigs(Map.of(r, (Collection<AlterConfigOp>) List.of(
            new AlterConfigOp(new ConfigEntry(c[0], op == OpType.DELETE ? null : c[1]), op)))).all());
    }

    private void createAcls() {
        List<AclBinding> list = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            ResourceType type = any(List.of(ResourceType.TOPIC, ResourceType.GROUP, ResourceType.CLUSTER, ResourceType.TRANSACTIONAL_ID, ResourceType.DELEGATION_TOKEN, ResourceType.USER));
            String name = type == ResourceType.CLUSTER ? "kafka-cluster" : type == ResourceType.USER ? "User:" + name() : any("*", name(), name(), topicName());
            PatternType pattern = type == ResourceType.CLUSTER || name.equals("*") || random.nextBoolean() ? PatternType.LITERAL : PatternType.PREFIXED;
            list.add(new AclBinding(new ResourcePattern(type, name, pattern), new AccessControlEntry(any("User:", "User:", "Group:") + any("*", name(), name()),
                any("*", "10.0.0.1", "fe80::1"), any(operations(type)), any(List.of(AclPermissionType.ALLOW, AclPermissionType.DENY)))));
        }
        acls.addAll(list);
        sent("create ACLs", admin.createAcls(list).all());
    }

    /** What kafka-acls takes for a type of resource. */
    private static List<AclOperation> operations(ResourceType type) {
        switch (type) {
            case TOPIC: return List.of(AclOperation.READ, AclOperation.WRITE, AclOperation.CREATE, AclOperation.DESCRIBE, AclOperation.DELETE, AclOperation.ALTER,
                AclOperation.DESCRIBE_CONFIGS, AclOperation.ALTER_CONFIGS, AclOperation.ALL);
            case GROUP: return List.of(AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DELETE, AclOperation.DESCRIBE_CONFIGS, AclOperation.ALTER_CONFIGS, AclOperation.ALL);
            case CLUSTER: return List.of(AclOperation.CREATE, AclOperation.CLUSTER_ACTION, AclOperation.DESCRIBE_CONFIGS, AclOperation.ALTER_CONFIGS, AclOperation.IDEMPOTENT_WRITE,
                AclOperation.ALTER, AclOperation.DESCRIBE, AclOperation.ALL);
            case TRANSACTIONAL_ID: return List.of(AclOperation.DESCRIBE, AclOperation.WRITE, AclOperation.TWO_PHASE_COMMIT, AclOperation.ALL);
            case DELEGATION_TOKEN: return List.of(AclOperation.DESCRIBE, AclOperation.ALL);
            default: return List.of(AclOperation.CREATE_TOKENS, AclOperation.DESCRIBE_TOKENS, AclOperation.ALL);
        }
    }

    private void deleteAcls() {
        if (!acls.isEmpty()) {
            sent("delete ACLs", admin.deleteAcls(List.of(acls.remove(random.nextInt(acls.size())).toFilter())).all());
        }
    }

    private void quotas() {
        Map<String, String> entity = new HashMap<>();
        String key;
        if (random.nextInt(4) == 0) {
            entity.put("ip", any(null, "127.0.0.1", "10.1.2.3", "10.1.2." + random.nextInt(9)));
            key = "connection_creation_rate";
        } else {
            int which = 1 + random.nextInt(3);
            if ((which & 1) != 0) {
                entity.put("user", random.nextInt(4) == 0 ? null : name());
            }
            if ((which & 2) != 0) {
                entity.put("client-id", random.nextInt(4) == 0 ? null : name());
            }
            key = any("producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate");
        }
        Double value = null; // deletes it
        if (random.nextInt(4) != 0) {
            boolean fraction = key.startsWith("request") || key.startsWith("controller");
            // Java 17 writes some doubles with a digit too much; none of these.
            value = fraction ? (1 + random.nextInt(4000)) / 8.0 : any(List.of(1024.0, 1e7, 12345678.0, 1e15, (double) (1 + random.nextInt(1 << 30))));
            if (entity.containsKey("ip") || entity.containsValue(null)) {
                value = (double) (1000000 + random.nextInt(100000)); // they are for clients of this test as well
            }
        }
        sent("quotas of " + new java.util.TreeSet<>(entity.keySet()), admin.alterClientQuotas(List.of(
            new ClientQuotaAlteration(new ClientQuotaEntity(entity), List.of(new ClientQuotaAlteration.Op(key, value))))).all());
    }

    private void scram() {
        ScramMechanism m = any(List.of(ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512));
        String user = name();
        if (random.nextInt(3) == 0) {
            sent("delete SCRAM user", admin.alterUserScramCredentials(List.of(new UserScramCredentialDeletion(user, m))).all());
        } else {
            byte[] salt = new byte[16];
            random.nextBytes(salt);
            sent("SCRAM user", admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, new ScramCredentialInfo(m, 4096), "secret".getBytes(), salt))).all());
        }
    }

    private void token() {
        int n = random.nextInt(4);
        if (made.isEmpty() || n < 2) {
            CreateDelegationTokenOptions o = new CreateDelegationTokenOptions().maxLifetimeMs(3600000 + random.nextInt(1000));
            if (random.nextBoolean()) {
                o.renewers(List.of(new org.apache.kafka.common.security.auth.KafkaPrincipal("User", name()), new org.apache.kafka.common.security.auth.KafkaPrincipal("User", name())));
            }
            KafkaFuture<org.apache.kafka.common.security.token.delegation.DelegationToken> f = tokens.createDelegationToken(o).delegationToken();
            sent("delegation token", f);
            try {
                made.add(f.get().hmac());
            } catch (ExecutionException | InterruptedException e) {
                // it is counted
            }
        } else if (n == 2) {
            sent("renew token", tokens.renewDelegationToken(any(made), new RenewDelegationTokenOptions().renewTimePeriodMs(1800000)).expiryTimestamp());
        } else {
            sent("expire token", tokens.expireDelegationToken(made.remove(0), new ExpireDelegationTokenOptions().expiryTimePeriodMs(-1)).expiryTimestamp());
        }
    }

    private void reassign() {
        String name = topic();
        TopicPartition p = new TopicPartition(name, random.nextInt(topics.get(name)));
        Optional<NewPartitionReassignment> to = random.nextInt(8) == 0 ? Optional.empty() : Optional.of(new NewPartitionReassignment(replicas()));
        sent(to.isEmpty() ? "cancel reassignment" : "reassignment", admin.alterPartitionReassignments(Map.of(p, to)).all());
    }

    private void elect() {
        String name = topic();
        TopicPartition p = new TopicPartition(name, random.nextInt(topics.get(name)));
        boolean unclean = random.nextInt(4) == 0;
        sent(unclean ? "unclean election" : "preferred election", admin.electLeaders(unclean ? ElectionType.UNCLEAN : ElectionType.PREFERRED, Set.of(p)).all());
    }

    private void feature() {
        String name = any("eligible.leader.replicas.version", "transaction.version", "group.version");
        short level = (short) random.nextInt(2);
        // One that is already at the level is refused, unless the other type is meant.
        FeatureUpdate.UpgradeType type = level == 0 ? FeatureUpdate.UpgradeType.UNSAFE_DOWNGRADE : FeatureUpdate.UpgradeType.UPGRADE;
        sent("feature", admin.updateFeatures(Map.of(name, new FeatureUpdate(level, type)), new UpdateFeaturesOptions()).all());
    }

    /** The first producer has the controller give out a block of producer ids. */
    private void produce(Properties p) throws Exception {
        Properties q = new Properties();
        q.putAll(p);
        q.remove("default.api.timeout.ms");
        q.put("delivery.timeout.ms", 20000);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(q, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new org.apache.kafka.clients.producer.ProducerRecord<>("orders", new byte[1])).get();
        }
    }
}
