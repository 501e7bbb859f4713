package org.apache.kafka.connect.runtime.distributed;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.storage.*;
import org.apache.kafka.connect.util.ConnectorTaskId;

/**
 * Answers rounds with Kafka's own assignors, through the real serialisation of metadata and
 * assignments. One line a command:
 *
 * <pre>
 * H                                  a new history: forgets processes, connectors and members
 * C NAME                             the next connector, numbered from 0
 * M ID                               the next member id, numbered from 0
 * R PROCESS MAX_DELAY NOW LAST_GENERATION GENERATION PROTOCOL LEADER CONFIG MEMBERS
 *                                    a round that this process leads; CONFIG is c:tasks,... and
 *                                    MEMBERS is m/c,.../c.t,...;... in the coordinator's order; - is empty
 * J                                  prints the version of Java
 * F                                  prints the answers so far
 * B                                  prints the bytes of the last round instead of its answer, in
 *                                    hexadecimal: m/metadata/assignment;... in the coordinator's order
 * T SECONDS                          times the last of the two rounds that were asked; see Timing
 * </pre>
 *
 * The answer to a round: DELAY and, for each member, m/assigned connectors/tasks/revoked connectors/tasks.
 */
public final class Oracle {
    private final List<String> connectors = new ArrayList<>();
    private final Map<String, Integer> connectorNumbers = new HashMap<>();
    private final List<String> members = new ArrayList<>();
    private final Map<Integer, Process> processes = new HashMap<>();
    private final StringBuilder answers = new StringBuilder();
    private String bytes = "";
    /** The words of the last two rounds. */
    private String[][] asked = new String[2][];
    private long now;
    final Time time = (Time) Proxy.newProxyInstance(
        Oracle.class.getClassLoader(), new Class<?>[] {Time.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("milliseconds"))
                return now;
            throw new UnsupportedOperationException(method.getName());
        });

    /** The two assignors of one worker process. */
    private final class Process {
        final ConnectAssignor incremental;
        final ConnectAssignor eager;

        Process(int maxDelay) throws ReflectiveOperationException {
            Constructor<?> constructor = IncrementalCooperativeAssignor.class.getConstructors()[0];
            Object log = constructor.getParameterTypes()[0].getConstructor().newInstance();
            incremental = (ConnectAssignor) constructor.newInstance(log, time, maxDelay);
            eager = (ConnectAssignor) EagerAssignor.class.getConstructors()[0].newInstance(log);
        }
    }

    /** Only what an assignor asks of its coordinator; made without a constructor. */
    static final class Coordinator extends WorkerCoordinator {
        ClusterConfigState config;
        int lastGeneration;
        int generation;

        private Coordinator() {
            super(null, null, null, null, null, null, null, null, null, null, 0);
        }

        @Override
        public ClusterConfigState configSnapshot() {
            return config;
        }

        @Override
        public int lastCompletedGenerationId() {
            return lastGeneration;
        }

        @Override
        public int generationId() {
            return generation;
        }

        @Override
        public String memberId() {
            return "";
        }

        @Override
        public void leaderState(LeaderState update) {
        }
    }

    private void round(String[] words) throws ReflectiveOperationException {
        now = Long.parseLong(words[3]);
        int maxDelay = Integer.parseInt(words[2]);
        Process process = processes.get(Integer.parseInt(words[1]));
        if (process == null) {
            process = new Process(maxDelay);
            processes.put(Integer.parseInt(words[1]), process);
        }
        Coordinator coordinator = coordinator(Integer.parseInt(words[4]), Integer.parseInt(words[5]), config(words[8]));
        ConnectProtocolCompatibility protocol = new ConnectProtocolCompatibility[] {
            ConnectProtocolCompatibility.EAGER, ConnectProtocolCompatibility.COMPATIBLE, ConnectProtocolCompatibility.SESSIONED
        }[Integer.parseInt(words[6])];
        List<JoinGroupResponseMember> joined = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        List<String> metadataOf = new ArrayList<>();
        for (String member : words[9].split(";")) {
            String[] parts = member.split("/");
            order.add(Integer.parseInt(parts[0]));
            ExtendedAssignment owns = new ExtendedAssignment((short) 1, (short) 0, "leader", "url", OFFSET,
                connectors(parts[1]), tasks(parts[2]), List.of(), List.of(), 0);
            ExtendedWorkerState state = new ExtendedWorkerState("url", OFFSET, owns);
            ByteBuffer metadata = protocol == ConnectProtocolCompatibility.EAGER
                ? ConnectProtocol.serializeMetadata(state)
                : IncrementalCooperativeConnectProtocol.serializeMetadata(state, protocol == ConnectProtocolCompatibility.SESSIONED);
            byte[] bytes = new byte[metadata.remaining()];
            metadata.get(bytes);
            metadataOf.add(HexFormat.of().formatHex(bytes));
            joined.add(new JoinGroupResponseMember().setMemberId(members.get(Integer.parseInt(parts[0]))).setMetadata(bytes));
        }
        ConnectAssignor assignor = protocol == ConnectProtocolCompatibility.EAGER ? process.eager : process.incremental;
        Map<String, ByteBuffer> assigned = perform(assignor, members.get(Integer.parseInt(words[7])), protocol, joined, coordinator);
        keep(order, metadataOf, assigned);
        answer(order, assigned);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ByteBuffer> perform(ConnectAssignor assignor, String leader, ConnectProtocolCompatibility protocol,
                                                   List<JoinGroupResponseMember> joined, WorkerCoordinator coordinator)
        throws ReflectiveOperationException {
        for (Method method : ConnectAssignor.class.getMethods()) {
            if (method.getName().equals("performAssignment")) {
                method.setAccessible(true);
                Object name = method.getParameterTypes()[1] == String.class ? protocol.protocol() : protocol;
                return (Map<String, ByteBuffer>) method.invoke(assignor, leader, name, joined, coordinator);
            }
        }
        throw new NoSuchMethodException("performAssignment");
    }

    private void answer(List<Integer> order, Map<String, ByteBuffer> assigned) {
        int delay = 0;
        StringBuilder all = new StringBuilder();
        for (int member : order) {
            ExtendedAssignment given = IncrementalCooperativeConnectProtocol.deserializeAssignment(assigned.get(members.get(member)));
            if (given.error() != 0)
                throw new IllegalStateException("error " + given.error());
            delay = given.delay();
            all.append(all.length() == 0 ? ' ' : ';').append(member);
            print(given.connectors(), given.tasks(), all);
            print(given.revokedConnectors(), given.revokedTasks(), all);
        }
        answers.append(delay).append(all).append('\n');
    }

    private void keep(List<Integer> order, List<String> metadata, Map<String, ByteBuffer> assigned) {
        List<String> all = new ArrayList<>();
        for (int place = 0; place < order.size(); place++) {
            ByteBuffer given = assigned.get(members.get(order.get(place))).duplicate();
            byte[] bytes = new byte[given.remaining()];
            given.get(bytes);
            all.add(order.get(place) + "/" + metadata.get(place) + "/" + HexFormat.of().formatHex(bytes));
        }
        this.bytes = String.join(";", all);
    }

    private void print(Collection<String> names, Collection<ConnectorTaskId> ids, StringBuilder into) {
        char before = '/';
        for (String name : names) {
            into.append(before).append(connectorNumbers.get(name));
            before = ',';
        }
        into.append(names.isEmpty() ? "/-" : "");
        before = '/';
        for (ConnectorTaskId id : ids) {
            into.append(before).append(connectorNumbers.get(id.connector())).append('.').append(id.task());
            before = ',';
        }
        into.append(ids.isEmpty() ? "/-" : "");
    }

    String member(String number) {
        return members.get(Integer.parseInt(number));
    }

    List<String> connectors(String list) {
        List<String> result = new ArrayList<>();
        if (!list.equals("-"))
            for (String number : list.split(","))
                result.add(connectors.get(Integer.parseInt(number)));
        return result;
    }

    List<ConnectorTaskId> tasks(String list) {
        List<ConnectorTaskId> result = new ArrayList<>();
        if (!list.equals("-"))
            for (String task : list.split(",")) {
                int dot = task.indexOf('.');
                result.add(new ConnectorTaskId(connectors.get(Integer.parseInt(task.substring(0, dot))),
                    Integer.parseInt(task.substring(dot + 1))));
            }
        return result;
    }

    /** Its constructor has grown from version to version; the first two maps are the same in all. */
    ClusterConfigState config(String list) throws ReflectiveOperationException {
        Map<String, Integer> tasks = new HashMap<>();
        Map<String, Map<String, String>> configs = new LinkedHashMap<>();
        if (!list.equals("-"))
            for (String entry : list.split(",")) {
                String[] parts = entry.split(":");
                String name = connectors.get(Integer.parseInt(parts[0]));
                tasks.put(name, Integer.parseInt(parts[1]));
                configs.put(name, Map.of());
            }
        Constructor<?> shortest = null;
        for (Constructor<?> constructor : ClusterConfigState.class.getConstructors())
            if (shortest == null || constructor.getParameterCount() < shortest.getParameterCount())
                shortest = constructor;
        Object[] arguments = new Object[shortest.getParameterCount()];
        int maps = 0;
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = shortest.getParameterTypes()[i];
            if (type == long.class)
                arguments[i] = OFFSET;
            else if (type == Map.class)
                arguments[i] = ++maps == 1 ? tasks : maps == 2 ? configs : Map.of();
            else if (type == java.util.Set.class)
                arguments[i] = java.util.Set.of();
        }
        return (ClusterConfigState) shortest.newInstance(arguments);
    }

    static Coordinator coordinator(int lastGeneration, int generation, ClusterConfigState config) throws ReflectiveOperationException {
        var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Coordinator coordinator = (Coordinator) ((sun.misc.Unsafe) field.get(null)).allocateInstance(Coordinator.class);
        coordinator.lastGeneration = lastGeneration;
        coordinator.generation = generation;
        coordinator.config = config;
        return coordinator;
    }

    private void forget() {
        connectors.clear();
        connectorNumbers.clear();
        members.clear();
        processes.clear();
    }

    public static void main(String[] arguments) throws Exception {
        Oracle oracle = new Oracle();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            switch (line.charAt(0)) {
                case 'H' -> oracle.forget();
                case 'C' -> {
                    oracle.connectorNumbers.put(line.substring(2), oracle.connectors.size());
                    oracle.connectors.add(line.substring(2));
                }
                case 'M' -> oracle.members.add(line.substring(2));
                case 'R' -> {
                    oracle.asked = new String[][] {oracle.asked[1], line.split(" ")};
                    try {
                        oracle.round(line.split(" "));
                    } catch (Exception failure) {
                        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                        oracle.answers.append("failed: ").append(cause.toString().replace('\n', ' ')).append('\n');
                    }
                }
                case 'F' -> {
                    out.print(oracle.answers);
                    out.flush();
                    oracle.answers.setLength(0);
                }
                case 'B' -> {
                    oracle.answers.setLength(0);
                    out.println(oracle.bytes);
                    out.flush();
                }
                case 'J' -> {
                    out.println(Runtime.version().feature());
                    out.flush();
                }
                case 'T' -> {
                    out.println(new Timing(oracle, oracle.asked).run(Integer.parseInt(line.substring(2))));
                    out.flush();
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    private static final long OFFSET = 1;
}
