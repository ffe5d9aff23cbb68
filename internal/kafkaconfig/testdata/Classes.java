import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints the classes of Kafka's jars that the keys of type CLASS are meant for, one a line, with "serde" behind those that
 * are a KafkaPrincipalSerde. The argument is the directory of the jars. See README.md for the command.
 */
public final class Classes {
    static final String[] KINDS = {"org.apache.kafka.server.policy.CreateTopicPolicy", "org.apache.kafka.server.policy.AlterConfigPolicy",
        "org.apache.kafka.server.quota.ClientQuotaCallback", "org.apache.kafka.common.security.auth.KafkaPrincipalBuilder",
        "org.apache.kafka.common.security.auth.SslEngineFactory", "org.apache.kafka.common.security.auth.AuthenticateCallbackHandler",
        "org.apache.kafka.common.security.auth.Login", "org.apache.kafka.common.security.oauthbearer.JwtRetriever",
        "org.apache.kafka.common.security.oauthbearer.JwtValidator", "org.apache.kafka.common.config.provider.ConfigProvider",
        "org.apache.kafka.coordinator.group.api.assignor.PartitionAssignor", "org.apache.kafka.coordinator.group.api.streams.assignor.TaskAssignor"};

    public static void main(String[] args) throws Exception {
        List<Class<?>> kinds = new ArrayList<>();
        for (String k : KINDS) {
            kinds.add(Class.forName(k));
        }
        Class<?> serde = Class.forName("org.apache.kafka.common.security.auth.KafkaPrincipalSerde");
        TreeSet<String> out = new TreeSet<>();
        try (Stream<Path> jars = Files.list(Path.of(args[0]))) {
            for (Path jar : (Iterable<Path>) jars.filter(p -> p.getFileName().toString().startsWith("kafka"))::iterator) {
                try (FileSystem fs = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
                     Stream<Path> files = Files.walk(fs.getPath("/"))) {
                    files.map(Path::toString).filter(s -> s.endsWith(".class") && (s.contains("kafka/"))).forEach(s -> {
                        String name = s.substring(1, s.length() - 6).replace('/', '.');
                        try {
                            Class<?> c = Class.forName(name, false, Classes.class.getClassLoader());
                            if (kinds.stream().anyMatch(k -> k.isAssignableFrom(c)) && !c.isAnonymousClass() && Modifier.isPublic(c.getModifiers())) {
                                out.add(name + (serde.isAssignableFrom(c) ? " serde" : ""));
                            }
                        } catch (LinkageError | ClassNotFoundException e) {
                            // Needs something that the jars do not bring along: nobody can load it.
                        }
                    });
                }
            }
        }
        out.forEach(System.out::println);
    }
}
