package org.apache.kafka.connect.runtime.distributed;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.connect.runtime.distributed.WorkerCoordinator.ConnectorsAndTasks;
import org.apache.kafka.connect.storage.*;
import org.apache.kafka.connect.util.ConnectorTaskId;

/**
 * Computes two rounds in turn with one assignor and times the second, from decoded lists to ordered
 * lists: neither copying the input nor serialisation counts. Only for versions whose assignor has such
 * a method (3.3 and later).
 */
final class Timing {
    private final Map<String, List<String>>[] connectors = maps();
    private final Map<String, List<ConnectorTaskId>>[] tasks = maps();
    private final ClusterConfigState[] configs = new ClusterConfigState[2];
    private final Object assignor;
    private final MethodHandle assign;
    private int generation;

    Timing(Oracle oracle, String[][] asked) throws ReflectiveOperationException {
        for (int i = 0; i < 2; i++) {
            configs[i] = oracle.config(asked[i][8]);
            for (String member : asked[i][9].split(";")) {
                String[] parts = member.split("/");
                connectors[i].put(oracle.member(parts[0]), oracle.connectors(parts[1]));
                tasks[i].put(oracle.member(parts[0]), oracle.tasks(parts[2]));
            }
        }
        Constructor<?> constructor = IncrementalCooperativeAssignor.class.getConstructors()[0];
        Object log = constructor.getParameterTypes()[0].getConstructor().newInstance();
        assignor = constructor.newInstance(log, oracle.time, Integer.parseInt(asked[1][2]));
        Method method = IncrementalCooperativeAssignor.class.getDeclaredMethod(
            "performTaskAssignment", ClusterConfigState.class, int.class, int.class, Map.class);
        assign = MethodHandles.lookup().unreflect(method).bindTo(assignor);
    }

    /** Median in nanoseconds, then items assigned, items revoked and the delay of the timed round. */
    String run(int seconds) throws Exception {
        List<Long> times = new ArrayList<>();
        String outcome = "";
        for (boolean warm : new boolean[] {false, true}) {
            long end = System.nanoTime() + seconds * 1_000_000_000L;
            times.clear();
            while (System.nanoTime() < end || times.size() < 20) {
                compute(0);
                Map<String, ConnectorsAndTasks> input = copy(1);
                generation++;
                long start = System.nanoTime();
                Object result = call(1, input);
                times.add(System.nanoTime() - start);
                if (warm && outcome.isEmpty())
                    outcome = say(result);
            }
        }
        long[] sorted = times.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] + " " + outcome;
    }

    private void compute(int round) {
        Map<String, ConnectorsAndTasks> input = copy(round);
        generation++;
        call(round, input);
    }

    private Object call(int round, Map<String, ConnectorsAndTasks> input) {
        try {
            return assign.invoke(configs[round], generation - 1, generation, input);
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The assignor changes its input. */
    private Map<String, ConnectorsAndTasks> copy(int round) {
        Map<String, ConnectorsAndTasks> result = new HashMap<>();
        connectors[round].forEach((member, list) ->
            result.put(member, new ConnectorsAndTasks.Builder().with(list, tasks[round].get(member)).build()));
        return result;
    }

    private String say(Object result) throws ReflectiveOperationException {
        long assigned = count(result, "newlyAssignedConnectors") + count(result, "newlyAssignedTasks");
        long revoked = count(result, "newlyRevokedConnectors") + count(result, "newlyRevokedTasks");
        return assigned + " " + revoked + " " + ((IncrementalCooperativeAssignor) assignor).delay;
    }

    private static long count(Object result, String name) throws ReflectiveOperationException {
        Method method = result.getClass().getMethod(name);
        method.setAccessible(true);
        long count = 0;
        for (Object list : ((Map<?, ?>) method.invoke(result)).values())
            count += ((Collection<?>) list).size();
        return count;
    }

    @SuppressWarnings("unchecked")
    private static <T> Map<String, List<T>>[] maps() {
        return new Map[] {new HashMap<String, List<T>>(), new HashMap<String, List<T>>()};
    }
}
