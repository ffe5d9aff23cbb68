import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.Node;

/**
 * Asks running nodes questions through Kafka's public Admin client, all from one JVM: the command line tools cost a second each.
 *
 * <pre>Ask</pre>
 *
 * A line on standard input is a number, a bootstrap address ("broker" or "controller", and HOST:PORT), a properties file for the
 * client or nothing, a question and its arguments, separated by tabs. A line on standard output is the number and the answer in
 * JSON; {"error": ...} if there is none. Each question has a thread of its own, so that one that waits for a node does not hold
 * up the others.
 */
public final class Ask {
    private static final int TIMEOUT_MS = 60_000;

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split("\t", -1);
            Thread t = new Thread(() -> reply(words));
            t.setDaemon(true);
            t.start();
        }
    }

    private static void reply(String[] words) {
        Admin admin = null;
        String answer;
        try {
            admin = Admin.create(settings(words[1], words[2], words[3]));
            answer = ask(admin, words[4], Arrays.copyOfRange(words, 5, words.length));
        } catch (ExecutionException e) {
            answer = "{" + pair("error", e.getCause()) + "}";
        } catch (Throwable e) { // whatever it is, somebody waits for an answer
            answer = "{" + pair("error", e) + "}";
        }
        synchronized (System.out) {
            System.out.println(words[0] + "\t" + answer);
            System.out.flush();
        }
        if (admin != null) {
            admin.close(Duration.ZERO); // without it, one that could not log in waits for ever
        }
    }

    private static Properties settings(String kind, String address, String file) throws Exception {
        Properties p = new Properties();
        if (!file.isEmpty()) {
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                p.load(in);
            }
        }
        p.put(kind.equals("broker") ? AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG : AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, address);
        p.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        p.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
        // A node that is starting is asked again soon.
        p.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
        p.put(AdminClientConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 200);
        return p;
    }

    private static String ask(Admin admin, String question, String[] args) throws Exception {
        switch (question) {
            case "create-topic": // NAME PARTITIONS REPLICAS
                admin.createTopics(List.of(new NewTopic(args[0], Integer.parseInt(args[1]), Short.parseShort(args[2])))).all().get();
                return "{}";
            case "topics":
                return topics(admin);
            case "partitions":
                return partitions(admin);
            case "features":
                return features(admin);
            case "users":
                return users(admin);
            case "quorum":
                return quorum(admin);
            default:
                throw new IllegalArgumentException("no such question: " + question);
        }
    }

    /** {"NAME": [LEADER OF PARTITION 0, ...]} */
    private static String topics(Admin admin) throws Exception {
        Map<String, String> out = new TreeMap<>();
        admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().forEach((name, topic) -> out.put(name,
            list(topic.partitions().stream().map(p -> p.leader() == null ? "-1" : p.leader().idString()).collect(Collectors.toList()))));
        return object(out);
    }

    /** {"NAME": {"PARTITION": {"leader": , "replicas": [], "isr": []}}} */
    private static String partitions(Admin admin) throws Exception {
        Map<String, String> out = new TreeMap<>();
        admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().forEach((name, topic) -> {
            Map<String, String> list = new TreeMap<>();
            topic.partitions().forEach(p -> list.put("" + p.partition(), object(Map.of("leader", p.leader() == null ? "-1" : p.leader().idString(),
                "replicas", ids(p.replicas()), "isr", ids(p.isr())))));
            out.put(name, object(list));
        });
        return object(out);
    }

    private static String ids(List<Node> nodes) {
        return list(nodes.stream().map(Node::idString).collect(Collectors.toList()));
    }

    /** {"finalized": {"NAME": LEVEL}, "supported": {"NAME": HIGHEST LEVEL}} */
    private static String features(Admin admin) throws Exception {
        var metadata = admin.describeFeatures().featureMetadata().get();
        Map<String, String> finalized = new TreeMap<>(), supported = new TreeMap<>();
        metadata.finalizedFeatures().forEach((name, range) -> finalized.put(name, "" + range.maxVersionLevel()));
        metadata.supportedFeatures().forEach((name, range) -> supported.put(name, "" + range.maxVersion()));
        return object(Map.of("finalized", object(finalized), "supported", object(supported)));
    }

    /** {"NAME": {"MECHANISM": ITERATIONS}} */
    private static String users(Admin admin) throws Exception {
        Map<String, String> out = new TreeMap<>();
        admin.describeUserScramCredentials().all().get().forEach((name, user) -> {
            Map<String, String> credentials = new TreeMap<>();
            user.credentialInfos().forEach(c -> credentials.put(c.mechanism().mechanismName(), "" + c.iterations()));
            out.put(name, object(credentials));
        });
        return object(out);
    }

    /** {"leaderId": , "leaderEpoch": , "highWatermark": , "voters": [{"id": , "directoryId": , "logEndOffset": }], "observers": [...]} */
    private static String quorum(Admin admin) throws Exception {
        QuorumInfo q = admin.describeMetadataQuorum().quorumInfo().get();
        Map<String, String> out = new TreeMap<>();
        out.put("leaderId", "" + q.leaderId());
        out.put("leaderEpoch", "" + q.leaderEpoch());
        out.put("highWatermark", "" + q.highWatermark());
        out.put("voters", replicas(q.voters()));
        out.put("observers", replicas(q.observers()));
        return object(out);
    }

    private static String replicas(List<QuorumInfo.ReplicaState> replicas) {
        List<String> out = new ArrayList<>();
        for (QuorumInfo.ReplicaState r : replicas) {
            out.add(object(Map.of("id", "" + r.replicaId(), "directoryId", text(r.replicaDirectoryId()), "logEndOffset", "" + r.logEndOffset())));
        }
        return list(out);
    }

    private static String object(Map<String, String> members) {
        return members.entrySet().stream().map(e -> text(e.getKey()) + ":" + e.getValue()).collect(Collectors.joining(",", "{", "}"));
    }

    private static String list(List<String> items) {
        return String.join(",", items).transform(s -> "[" + s + "]");
    }

    private static String pair(String name, Object value) {
        return text(name) + ":" + text(value);
    }

    private static String text(Object value) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : Optional.ofNullable(value).map(Object::toString).orElse("").toCharArray()) {
            if (c == '"' || c == '\\') {
                b.append('\\').append(c);
            } else if (c < ' ') {
                b.append(String.format("\\u%04x", (int) c));
            } else {
                b.append(c);
            }
        }
        return b.append('"').toString();
    }
}
