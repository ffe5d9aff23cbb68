import java.lang.reflect.Field;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Prints the keys of a node's configuration as one release of Kafka defines them, in the order in which it checks them,
 * as tab-separated fields with Java's escapes: name, type, default ("-" if there is none, "null", or "=" and the value),
 * class of the validator, its text, whether the key is internal. See README.md for the command.
 */
public final class Defs {
    static String escape(String s) {
        return s.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
    }

    static String className(Object o) {
        String s = o.getClass().getName();
        int lambda = s.indexOf("$$Lambda");
        return lambda < 0 ? s : s.substring(0, lambda) + "$$Lambda";
    }

    /** The validator's own words; a list of valid strings does not tell what it says of empty lists, but its fields do. */
    static String text(Object o) throws Exception {
        String s = o.toString();
        if (s.contains("$$Lambda") || s.contains("@")) {
            s = "";
        }
        for (Field f : o.getClass().getDeclaredFields()) {
            if (f.getType() == boolean.class) {
                f.setAccessible(true);
                s += " " + f.getName() + "=" + f.get(o);
            }
        }
        return s.strip();
    }

    public static void main(String[] args) throws Exception {
        ConfigDef def = (ConfigDef) Class.forName("kafka.server.KafkaConfig").getMethod("configDef").invoke(null);
        for (Map.Entry<String, ConfigDef.ConfigKey> e : def.configKeys().entrySet()) {
            ConfigDef.ConfigKey k = e.getValue();
            String or = !k.hasDefault() ? "-" : k.defaultValue == null ? "null" : "=" + ConfigDef.convertToString(k.defaultValue, k.type);
            String validator = k.validator == null ? "" : className(k.validator);
            String text = k.validator == null ? "" : text(k.validator);
            System.out.println(k.name + "\t" + k.type + "\t" + escape(or) + "\t" + validator + "\t" + escape(text) + "\t" + k.internalConfig);
        }
    }
}
