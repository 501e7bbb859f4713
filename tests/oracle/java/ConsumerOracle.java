import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.TopicPartition;

/**
 * Answers rounds of a consumer group on one topic with Kafka's own assignors, line by line.
 *
 * Question: `range|sticky PARTITIONS ID=P,P,... ID=...`, each member with what it owns.
 * Answer: the places of the members in the order in which the leader's map iterates them,
 * and for each member what it is assigned: `1,0|0,2|1`.
 */
public final class ConsumerOracle {
    private static final String TOPIC = "t";

    private ConsumerOracle() {
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(line.split(" ")));
        }
    }

    private static String answer(String[] words) {
        List<String> ids = new ArrayList<>();
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (int word = 2; word < words.length; word++) {
            int split = words[word].indexOf('=');
            String id = words[word].substring(0, split);
            List<TopicPartition> owned = new ArrayList<>();
            for (String partition : words[word].substring(split + 1).split(",")) {
                if (!partition.isEmpty()) {
                    owned.add(new TopicPartition(TOPIC, Integer.parseInt(partition)));
                }
            }
            ids.add(id);
            subscriptions.put(id, new Subscription(List.of(TOPIC), null, owned));
        }
        // The assignor fills its own map from the given one.
        Map<String, Boolean> filled = new HashMap<>();
        subscriptions.keySet().forEach(id -> filled.put(id, true));
        Map<String, Integer> partitions = new HashMap<>(Map.of(TOPIC, Integer.parseInt(words[1])));
        Map<String, List<TopicPartition>> assigned = words[0].equals("range")
            ? new RangeAssignor().assign(partitions, subscriptions)
            : new CooperativeStickyAssignor().assign(partitions, subscriptions);
        String order = filled.keySet().stream().map(id -> Integer.toString(ids.indexOf(id))).collect(Collectors.joining(","));
        return order + ids.stream().map(id -> "|" + assigned.get(id).stream()
            .map(partition -> Integer.toString(partition.partition())).collect(Collectors.joining(","))).collect(Collectors.joining());
    }
}
