package lab;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** A source of {@code tasks} tasks that log when they start and stop, and take as long for it as they are told. */
public final class LabSource extends SourceConnector {
    private Map<String, String> settings;
    private long instance;

    @Override
    public void start(Map<String, String> settings) {
        this.settings = settings;
        this.instance = System.currentTimeMillis();
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        List<Map<String, String>> configs = Lab.configs(settings, maxTasks);
        // Task configs that differ at every instance start make the workers restart all tasks.
        if (Boolean.parseBoolean(settings.get("reconfigures"))) {
            configs.forEach(config -> config.put("instance", Long.toString(instance)));
        }
        return configs;
    }

    @Override
    public void stop() { }

    @Override
    public Class<? extends Task> taskClass() { return LabTask.class; }

    @Override
    public ConfigDef config() { return new ConfigDef(); }

    @Override
    public String version() { return "1"; }

    /** Sends a record every {@code record.ms} (0: none) to the {@code topic}, to each of its {@code partitions} in turn. */
    public static final class LabTask extends SourceTask {
        private Map<String, String> settings;
        private long recordMs;
        private long next;
        private long sent;

        @Override
        public void start(Map<String, String> settings) {
            this.settings = settings;
            recordMs = Lab.number(settings, "record.ms", 0);
            Lab.logged(settings, "start");
        }

        @Override
        public List<SourceRecord> poll() {
            Lab.sleep(100);
            long now = System.currentTimeMillis();
            if (recordMs == 0 || now < next) return null;
            next = now + recordMs;
            String name = settings.get("task");
            int partition = (int) (sent++ % Lab.number(settings, "partitions", 1));
            String topic = settings.getOrDefault("topic", "records");
            return List.of(new SourceRecord(Map.of("task", name), Map.of("at", next), topic, partition, Schema.STRING_SCHEMA, name));
        }

        @Override
        public void stop() { Lab.logged(settings, "stop"); }

        @Override
        public String version() { return "1"; }
    }
}
