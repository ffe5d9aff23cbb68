import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.raft.QuorumConfig;

/**
 * Prints what KafkaConfig makes of good configurations.
 *
 * <pre>Settings OUT FILE...</pre>
 *
 * OUT gets for each file its name, and a line "key TAB value" for every key and for what is worked out of several. Backslashes
 * and line ends of values are escaped.
 */
public final class Settings {
    static PrintStream out;

    static void line(String key, Object value) {
        String s = String.valueOf(value);
        out.println(key + "\t" + s.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"));
    }

    static void endpoints(String key, scala.collection.Iterable<Endpoint> list) {
        StringBuilder b = new StringBuilder();
        list.foreach(e -> b.append(e.listener()).append('|').append(e.host()).append('|').append(e.port()).append('|').append(e.securityProtocol().name).append(' '));
        line(key, b);
    }

    static String voters(KafkaConfig c) {
        StringBuilder b = new StringBuilder();
        try {
            new TreeMap<>(QuorumConfig.parseVoterConnections(c.quorumConfig().voters()))
                .forEach((id, a) -> b.append(id).append('|').append(a.getHostString()).append('|').append(a.getPort()).append(' '));
        } catch (ConfigException e) {
            return "unroutable";
        }
        return b.toString();
    }

    public static void main(String[] args) throws Exception {
        out = new PrintStream(args[0], StandardCharsets.UTF_8);
        for (int i = 1; i < args.length; i++) {
            Properties p = new Properties();
            try (InputStream in = Files.newInputStream(Path.of(args[i]))) {
                p.load(in);
            }
            KafkaConfig c = KafkaConfig.fromProps(p, false);
            out.println(args[i]);
            for (Map.Entry<String, ?> e : new TreeMap<String, Object>(c.values()).entrySet()) {
                line(e.getKey(), e.getValue() instanceof Class ? ((Class<?>) e.getValue()).getName() : e.getValue());
            }
            endpoints("+listeners", c.listeners());
            endpoints("+brokers", c.effectiveAdvertisedBrokerListeners());
            endpoints("+controllers", c.effectiveAdvertisedControllerListeners());
            line("+interbroker", c.interBrokerListenerName().value());
            line("+metadata", c.metadataLogDir());
            line("+dirs", c.logDirs());
            line("+voters", voters(c));
            out.println();
        }
        out.close();
    }
}
