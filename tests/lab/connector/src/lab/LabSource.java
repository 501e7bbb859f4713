package lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        int count = Math.min(maxTasks, Integer.parseInt(settings.getOrDefault("tasks", "1000")));
        List<Map<String, String>> configs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, String> config = new java.util.HashMap<>(settings);
            config.put("task", settings.get("name") + "-" + i);
            // Task configs that differ at every instance start make the workers restart all tasks.
            if (Boolean.parseBoolean(settings.get("reconfigures"))) config.put("instance", Long.toString(instance));
            configs.add(config);
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

    /** Sends a record every {@code record.ms} (0: none). */
    public static final class LabTask extends SourceTask {
        private static final Logger LOG = LoggerFactory.getLogger("lab.task");
        private String name;
        private Map<String, String> settings;
        private long recordMs;
        private long next;

        @Override
        public void start(Map<String, String> settings) {
            this.settings = settings;
            name = settings.get("task");
            recordMs = Long.parseLong(settings.getOrDefault("record.ms", "0"));
            LOG.info("{} start called", name);
            sleep(Long.parseLong(settings.getOrDefault("start.ms", "0")));
            LOG.info("{} start returned", name);
        }

        @Override
        public List<SourceRecord> poll() {
            sleep(100);
            if (recordMs == 0 || System.currentTimeMillis() < next) return null;
            next = System.currentTimeMillis() + recordMs;
            return List.of(new SourceRecord(Map.of("task", name), Map.of("at", next), "records", 0, Schema.STRING_SCHEMA, name));
        }

        @Override
        public void stop() {
            LOG.info("{} stop called", name);
            sleep(Long.parseLong(settings.getOrDefault("stop.ms", "0")));
            LOG.info("{} stop returned", name);
        }

        @Override
        public String version() { return "1"; }

        private static void sleep(long ms) {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
