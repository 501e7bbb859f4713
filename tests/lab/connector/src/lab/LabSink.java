package lab;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** A sink whose tasks log when they start and stop, and which partitions they open and close. */
public final class LabSink extends SinkConnector {
    private Map<String, String> settings;

    @Override
    public void start(Map<String, String> settings) { this.settings = settings; }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) { return Lab.configs(settings, maxTasks); }

    @Override
    public void stop() { }

    @Override
    public Class<? extends Task> taskClass() { return LabTask.class; }

    @Override
    public ConfigDef config() { return new ConfigDef(); }

    @Override
    public String version() { return "1"; }

    /** Takes {@code put.ms} for each record (0: no time). */
    public static final class LabTask extends SinkTask {
        private Map<String, String> settings;
        private long putMs;

        @Override
        public void start(Map<String, String> settings) {
            this.settings = settings;
            putMs = Lab.number(settings, "put.ms", 0);
            Lab.logged(settings, "start");
        }

        @Override
        public void open(Collection<TopicPartition> partitions) { Lab.log(settings, "opened", names(partitions)); }

        @Override
        public void put(Collection<SinkRecord> records) {
            if (putMs > 0) Lab.sleep(putMs * records.size());
        }

        @Override
        public void close(Collection<TopicPartition> partitions) { Lab.log(settings, "closed", names(partitions)); }

        @Override
        public void stop() { Lab.logged(settings, "stop"); }

        @Override
        public String version() { return "1"; }

        private static String names(Collection<TopicPartition> partitions) {
            return partitions.stream().map(TopicPartition::toString).sorted().collect(Collectors.joining(" "));
        }
    }
}
