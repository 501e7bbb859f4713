//! Every key of a description: what may stand there, what it means, and its default.

use super::items::{IDS, ITEMS};
use super::settings::{BROKER_SETTINGS, WORKER_SETTINGS};
use super::shape::{Key, Leaf, Shape};

/// A description.
pub(crate) static DESCRIPTION: Shape = Shape::Map(&[
    Key::required("version", &VERSION_ONE, "The version of this format: 1."),
    Key::required(
        "kafka",
        &VERSION,
        "The workers' Kafka version, such as `4.3.1`; vendors' versions such as `7.6.0-ccs` or `3.7.0.redhat-00007` are known too.",
    ),
    Key::new("assumed", &IDS, ASSUMED_DOC),
    Key::new("broker", &BROKER, "The brokers' version, or their version and settings. Default: the workers' version."),
    Key::new("settings", &SETTINGS, WORKER_SETTINGS_DOC),
    Key::new("settings_from", &NAME, SETTINGS_FROM_DOC),
    Key::new("protocol", &PROTOCOL, PROTOCOL_DOC),
    Key::required(
        "workers",
        &WORKERS,
        "The number of workers, which are then called w1, w2 and so on; or a list of them.",
    ),
    Key::new("leader", &NAME, "The worker that leads the group now. Default: drawn in each run."),
    Key::new("group_order", &IDS, GROUP_ORDER_DOC),
    Key::new("delay_left", &TIME, DELAY_LEFT_DOC),
    Key::new("waiting", &ITEMS, WAITING_DOC),
    Key::new("last_round", &TIME, LAST_ROUND_DOC),
    Key::new("restart", &RESTART, RESTART_DOC),
    Key::required(
        "connectors",
        &CONNECTORS,
        "The connectors: a list, or a map from names to numbers of tasks or to connectors.",
    ),
    Key::new("roll", &ROLL, "What the roll changes; without it each worker comes back as it was."),
    Key::new("policy", &POLICY, "What the roll must respect."),
]);

pub(super) static BROKER: Shape = Shape::Any(&[&VERSION, &BROKER_MAP]);

static BROKER_MAP: Shape = Shape::Map(&[
    Key::new("kafka", &VERSION, "The brokers' Kafka version. Default: the workers'."),
    Key::new(
        "settings",
        &Shape::Settings(BROKER_SETTINGS),
        "The brokers' settings that matter to a group of workers, by Kafka's names.",
    ),
]);

static WORKERS: Shape = Shape::Any(&[&Shape::Leaf(Leaf::Count(1, MAX_WORKERS)), &Shape::Filled(&WORKER)]);

pub(super) static WORKER: Shape = Shape::Map(&[
    Key::new(
        "name",
        &NAME,
        "The worker's name, unique. Default: its host; without a host w1, w2 and so on by its place.",
    ),
    Key::new("url", &NAME, URL_DOC),
    Key::new(
        "host",
        &NAME,
        "The host it runs on and, unless settings say otherwise, advertises. Default of the advertised host: its name.",
    ),
    Key::new("rack", &NAME, "Its rack, zone or failure domain; where several go at once, they are of one rack."),
    Key::new("kafka", &VERSION, "Its Kafka version, where it differs from the cluster's."),
    Key::new("protocol", &PROTOCOL, PROTOCOL_DOC),
    Key::new("settings", &SETTINGS, WORKER_SETTINGS_DOC),
    Key::new("settings_from", &NAME, SETTINGS_FROM_DOC),
    Key::new("member", &NAME, "Its present member id, `<client id>-<UUID>`. Default: drawn in each run."),
    Key::new("leader", &FLAG, "Whether it leads the group now; at most one worker does."),
    Key::new("owns", &ITEMS, OWNS_DOC),
    Key::new("unready", &FLAG, "Whether it is out of the group or not fit now; such workers go first. Default: false."),
    Key::new("restart", &RESTART, "How long its restart takes, where that differs from the cluster's."),
]);

static RESTART: Shape = Shape::Map(&[
    Key::new("stop", &SPREAD, "SIGTERM to LeaveGroup, without slow tasks. Default: 1 s."),
    Key::new("down", &SPREAD, "LeaveGroup to the start of the new process. Default: 0 s."),
    Key::new(
        "start",
        &START,
        "Start of the new process to its first JoinGroup, as a whole or in its parts. Default: 5 s.",
    ),
    Key::new("grace", &TIME, GRACE_DOC),
]);

static START: Shape = Shape::Any(&[&Shape::Leaf(Leaf::Spread), &SAMPLES, &START_MAP]);

/// Either the parts of a start or the limits of a range; the reader tells them apart.
static START_MAP: Shape = Shape::Map(&[
    Key::new("jvm", &SPREAD, "Start of the JVM. Default beside another part: 0 s."),
    Key::new("plugin_scan", &SPREAD, "Scan of the plugin path. Default beside another part: 0 s."),
    Key::new("topics", &SPREAD, "Reading the internal topics to their ends. Default beside another part: 0 s."),
    Key::new("from", &TIME, "Least time, if the start is known only as a whole; with `to`."),
    Key::new("to", &TIME, "Most time, if the start is known only as a whole; with `from`."),
]);

/// A time that may differ from run to run.
pub(super) static SPREAD: Shape = Shape::Any(&[&Shape::Leaf(Leaf::Spread), &SAMPLES, &FROM_TO]);

static SAMPLES: Shape = Shape::Filled(&TIME);

static FROM_TO: Shape =
    Shape::Map(&[Key::new("from", &TIME, "Least time; with `to`."), Key::new("to", &TIME, "Most time; with `from`.")]);

static CONNECTORS: Shape = Shape::Any(&[&Shape::Filled(&LISTED_CONNECTOR), &Shape::Names(&NAMED_CONNECTOR)]);

pub(super) static NAMED_CONNECTOR: Shape = Shape::Any(&[&TASKS, &Shape::Map(CONNECTOR_KEYS)]);

pub(super) static LISTED_CONNECTOR: Shape = Shape::Map(LISTED_CONNECTOR_KEYS);

const LISTED_CONNECTOR_KEYS: &[Key] = &{
    const OTHERS: usize = CONNECTOR_KEYS.len();
    const FILLER: Key = Key::new("", &NAME, "");
    let mut keys = [const { FILLER }; OTHERS + 2];
    keys[0] = Key::required("name", &NAME, "Its name, unique; with `count`, a pattern such as `sink-{n}`.");
    keys[1] = Key::new(
        "count",
        &Shape::Leaf(Leaf::Count(1, MAX_CONNECTORS)),
        "So many equal connectors, `{n}` in the name being 1, 2 and so on.",
    );
    let mut place = 0;
    while place < OTHERS {
        keys[place + 2] = Key { ..CONNECTOR_KEYS[place] };
        place += 1;
    }
    keys
};

pub(super) const CONNECTOR_KEYS: &[Key] = &[
    Key::new(
        "kind",
        &Shape::Leaf(Leaf::Words(&["source", "sink"])),
        "`source` or `sink`. Default: `sink` if `partitions` or `consumer` is given, else `source`.",
    ),
    Key::new("tasks", &TASKS, "How many tasks it has now; may be left out only if it is stopped."),
    Key::new("tasks_max", &TASKS, "Its `tasks.max`; not less than `tasks`."),
    Key::new(
        "state",
        &STATE,
        "`running`, `paused` (assigned, but does nothing) or `stopped` (has no tasks, KIP-875). Default: running.",
    ),
    Key::new(
        "rate",
        &RATE,
        "Records that arrive for the whole connector, such as `8000/s`. Default: not known; no lag is computed.",
    ),
    Key::new(
        "capacity",
        &RATE,
        "Records that one running task can work off, such as `1000/s`. Default: twice the task's share of `rate`.",
    ),
    Key::new("start", &SPREAD, "From `start()` of a task to its running. Default: 100 ms."),
    Key::new("stop", &SPREAD, "From the order to stop a task to its end. Default: 100 ms."),
    Key::new(
        "exactly_once",
        &FLAG,
        "Whether it is a source that delivers exactly once (KIP-618). Default: what exactly.once.source.support of the workers says.",
    ),
    Key::new(
        "reconfigures_after",
        &SPREAD,
        "How long after each start of its instance it changes its tasks' configs, if it does. Default: it does not.",
    ),
    Key::new(
        "partitions",
        &Shape::Leaf(Leaf::Count(1, MAX_TASKS)),
        "Partitions of all topics of a sink. Default: as many as tasks.",
    ),
    Key::new("consumer", &CONSUMER, "The consumers of a sink."),
];

static CONSUMER: Shape = Shape::Map(&[
    Key::new(
        "assignor",
        &Shape::Leaf(Leaf::Words(&["range", "cooperative-sticky"])),
        "How they share the partitions: `range` or `cooperative-sticky`. Default: range.",
    ),
    Key::new("session.timeout.ms", &SETTING, "Kafka's setting. Default: 45000 from Kafka 3.0 on, 10000 before."),
    Key::new("heartbeat.interval.ms", &SETTING, "Kafka's setting. Default: 3000."),
]);

static ROLL: Shape = Shape::Map(&[
    Key::new("kafka", &VERSION, "The version the workers come back with."),
    Key::new("settings", &SETTINGS, "Settings the workers come back with; the others stay."),
    Key::new(
        "settings_from",
        &NAME,
        "The workers' new .properties file: it takes the place of the files before, and is stronger than `settings` said before.",
    ),
    Key::new("protocol", &PROTOCOL, PROTOCOL_DOC),
    Key::new("workers", &Shape::Names(&ROLL_WORKER), "What is different for one worker."),
]);

static ROLL_WORKER: Shape = Shape::Map(&[
    Key::new("kafka", &VERSION, "The version it comes back with."),
    Key::new("settings", &SETTINGS, "Settings it comes back with."),
    Key::new("settings_from", &NAME, "Its new .properties file."),
    Key::new("protocol", &PROTOCOL, PROTOCOL_DOC),
]);

static POLICY: Shape = Shape::Map(&[
    Key::new(
        "max_share",
        &Shape::Any(&[&Shape::Leaf(Leaf::Words(&[ONE_WORKER])), &Shape::Leaf(Leaf::Share)]),
        "Largest share of all tasks without an owner for longer than a hand-over, such as `25%`; `one-worker` is the largest single worker's share. Default: one-worker.",
    ),
    Key::new("max_unassigned", &TIME, "Longest time one task may be without an owner. Default: no limit."),
    Key::new(
        "max_lag",
        &Shape::Leaf(Leaf::Count(0, u32::MAX)),
        "Largest backlog of one connector, in records. Default: no limit.",
    ),
    Key::new("window", &TIME, "Longest duration of the whole roll. Default: no limit."),
    Key::new(
        "at_once",
        &Shape::Leaf(Leaf::Count(1, MAX_WORKERS)),
        "How many workers may be stopped at once, at most all of them. Default: 1.",
    ),
    Key::new(
        "wait",
        &Shape::Any(&[&Shape::Leaf(Leaf::Words(&["back", "settled"])), &TIME]),
        "The wait before the next restart: `back` (in the group again), `settled` (all runs, nothing moves), or a time after it is back. Default: free for the search.",
    ),
    Key::new("during_delay", &FLAG, "Whether the next restart may begin while a rebalance delay runs. Default: true."),
    Key::new(
        "leader_again",
        &FLAG,
        "Whether the leader may be restarted once more to end a pending delay. Default: true.",
    ),
]);

pub(super) static VERSION: Shape = Shape::Leaf(Leaf::Version);
pub(super) static VERSION_ONE: Shape = Shape::Leaf(Leaf::Count(1, 1));
pub(super) static NAME: Shape = Shape::Leaf(Leaf::Name);
pub(super) static SETTING: Shape = Shape::Leaf(Leaf::Setting);
pub(super) static SETTINGS: Shape = Shape::Settings(WORKER_SETTINGS);
pub(super) static PROTOCOL: Shape = Shape::Leaf(Leaf::Words(&["eager", "compatible", "sessioned"]));
pub(super) static STATE: Shape = Shape::Leaf(Leaf::Words(&["running", "paused", "stopped"]));
pub(super) static TASKS: Shape = Shape::Leaf(Leaf::Count(0, MAX_TASKS));
static TIME: Shape = Shape::Leaf(Leaf::Time);
pub(super) static FLAG: Shape = Shape::Leaf(Leaf::Flag);
static RATE: Shape = Shape::Leaf(Leaf::Rate);

/// The share of the worker that has most.
pub(super) const ONE_WORKER: &str = "one-worker";

/// More than any group has.
pub(super) const MAX_WORKERS: u32 = 10_000;
/// More connectors than any cluster has.
pub(super) const MAX_CONNECTORS: u32 = 1_000_000;
/// More tasks, or partitions, than any connector has.
pub(super) const MAX_TASKS: u32 = 1_000_000;

const PROTOCOL_DOC: &str = "`connect.protocol`: `eager`, `compatible` or `sessioned`. Default: sessioned.";
const URL_DOC: &str = "The REST address it advertises, such as `http://10.0.0.1:8083`, unique: by it the worker of a running cluster is known.";
const ASSUMED_DOC: &str = "Keys such as `settings.scheduled.rebalance.max.delay.ms` or `restart.start` whose values nobody could see: what is written for them is a default, and reports say so.";
const GROUP_ORDER_DOC: &str = "The workers in the order in which DescribeGroups lists their members, whose ids are given: if the leader leaves, the first of the others leads. Default: by the hashes of the ids, which decide it but for members in one bucket.";
const OWNS_DOC: &str = "The connectors and tasks it owns now, in its own order (newest first), such as `[orders, orders-0]`; of all workers in the group or of none. Default: what a group that starts together is given.";
const DELAY_LEFT_DOC: &str =
    "What is left of the rebalance delay that runs now, such as `240s`; with `owns`. Default: none runs.";
const WAITING_DOC: &str = "Connectors and tasks that nobody owns and that wait for the end of that delay.";
const LAST_ROUND_DOC: &str = "How long ago the group completed its last rebalance, if that was seen: all heartbeats count from it for half an hour; with `owns`. Default: each worker's are drawn in each run.";
const RESTART_DOC: &str =
    "How long a restart takes, by its phases; each a time `5s`, a range `4s..9s`, or measured samples `[4s, 5s, 7s]`.";
const GRACE_DOC: &str = "How long the service manager waits after SIGTERM before it kills: TimeoutStopSec of systemd (90 s unless set), terminationGracePeriodSeconds of Kubernetes (30 s unless set). Default: nothing kills.";
pub(super) const WORKER_SETTINGS_DOC: &str = "Worker settings by Kafka's own names and in Kafka's units, such as `scheduled.rebalance.max.delay.ms: 300000`; stronger than `settings_from`.";
pub(super) const SETTINGS_FROM_DOC: &str =
    "A worker's .properties file, such as connect-distributed.properties; its path from this file's folder.";
