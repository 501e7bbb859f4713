package lab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What source and sink have in common: the log of their starts and stops, and how long these take. */
final class Lab {
    private static final Logger LOG = LoggerFactory.getLogger("lab.task");

    private Lab() { }

    /** One configuration a task, each with the task's name, at most {@code tasks} of them. */
    static List<Map<String, String>> configs(Map<String, String> settings, int maxTasks) {
        int count = Math.min(maxTasks, Integer.parseInt(settings.getOrDefault("tasks", "1000")));
        List<Map<String, String>> configs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, String> config = new HashMap<>(settings);
            config.put("task", settings.get("name") + "-" + i);
            configs.add(config);
        }
        return configs;
    }

    /** Says that a task is called to start or stop, waits as long as {@code <what>.ms} tells, and says that it returns. */
    static void logged(Map<String, String> settings, String what) {
        String name = settings.get("task");
        LOG.info("{} {} called", name, what);
        sleep(number(settings, what + ".ms", 0));
        LOG.info("{} {} returned", name, what);
    }

    /** Says what else a task did. */
    static void log(Map<String, String> settings, String what, Object about) {
        LOG.info("{} {} {}", settings.get("task"), what, about);
    }

    static long number(Map<String, String> settings, String key, long otherwise) {
        String text = settings.get(key);
        return text == null ? otherwise : Long.parseLong(text);
    }

    static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
