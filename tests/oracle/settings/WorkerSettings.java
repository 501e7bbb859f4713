import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Prints every setting that Kafka's own definitions know, a line for each: whose it is, its name,
 * its type, and its default, or `required`.
 */
public final class WorkerSettings {
    private static final String[][] DEFINITIONS = {
        {"worker", "org.apache.kafka.connect.runtime.distributed.DistributedConfig"},
        {"standalone", "org.apache.kafka.connect.runtime.standalone.StandaloneConfig"},
        {"client", "org.apache.kafka.clients.producer.ProducerConfig"},
        {"client", "org.apache.kafka.clients.consumer.ConsumerConfig"},
        {"client", "org.apache.kafka.clients.admin.AdminClientConfig"},
        {"connector", "org.apache.kafka.connect.runtime.ConnectorConfig"},
        {"connector", "org.apache.kafka.connect.runtime.SourceConnectorConfig"},
        {"connector", "org.apache.kafka.connect.runtime.SinkConnectorConfig"},
    };

    private WorkerSettings() {
    }

    public static void main(String[] args) throws Exception {
        TreeSet<String> lines = new TreeSet<>();
        for (String[] named : DEFINITIONS) {
            for (ConfigDef.ConfigKey key : definition(Class.forName(named[1])).configKeys().values()) {
                String value = key.hasDefault() ? String.valueOf(key.defaultValue) : "required";
                lines.add(named[0] + " " + key.name + " " + key.type + " " + value.replaceAll("\\s+", " "));
            }
        }
        lines.forEach(System.out::println);
    }

    /** A constant in most classes and versions; made by a method that takes the platform's crypto from 3.4 on. */
    private static ConfigDef definition(Class<?> of) throws Exception {
        for (Field field : of.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigDef.class) {
                field.setAccessible(true);
                return (ConfigDef) field.get(null);
            }
        }
        for (Method method : of.getDeclaredMethods()) {
            boolean makes = Modifier.isStatic(method.getModifiers()) && method.getReturnType() == ConfigDef.class;
            if (!makes || !method.getName().matches("config|configDef")) {
                continue;
            }
            method.setAccessible(true);
            if (method.getParameterCount() == 0) {
                return (ConfigDef) method.invoke(null);
            }
            Class<?> only = method.getParameterTypes()[0];
            if (method.getParameterCount() == 1 && only.getSimpleName().equals("Crypto")) {
                return (ConfigDef) method.invoke(null, only.getField("SYSTEM").get(null));
            }
        }
        throw new IllegalStateException(of + " has no definition that is known here");
    }
}
