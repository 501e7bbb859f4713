//! The cluster of a run: validated, without a trace of how it was written down.

use super::{ConnectProtocol, Coordinator, KafkaVersion, Ownership, Work, WorkerId, WorkerRules};
use crate::units::{Duration, RecordsPerSec, Spread};

/// A validated Kafka Connect cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The broker side of the group.
    pub broker: Broker,
    /// The workers, by [`WorkerId`].
    pub workers: Vec<Worker>,
    /// The connectors, by [`super::ConnectorId`].
    pub connectors: Vec<Connector>,
    /// All connectors and tasks, numbered.
    pub work: Work,
    /// The members in the order in which their coordinator lists them, where that was seen: it says
    /// what the ids alone do not, which of those in one bucket of its map stands first.
    pub group_order: Option<Vec<WorkerId>>,
    /// Who owns what when a run begins, where that is known; else it is what a group that starts
    /// together is given.
    pub ownership: Option<Ownership>,
    /// How much later than configured each heartbeat comes: 2 ms as measured.
    pub heartbeat_drift: Duration,
    /// Keys of the description whose values nobody could see, so that defaults stand for them.
    pub unseen: Vec<String>,
    /// What was not said and is therefore assumed.
    pub assumed: Vec<Assumption>,
}

/// A value nobody gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The key as the description would name it, e.g. `settings.session.timeout.ms`.
    pub key: String,
    /// The value taken, with its unit, e.g. `10 s`.
    pub value: String,
    /// Where it comes from, e.g. `Kafka's default`.
    pub reason: String,
}

/// What of the brokers matters to the group of workers.
#[derive(Clone, Debug, PartialEq)]
pub struct Broker {
    /// The brokers' version.
    pub version: KafkaVersion,
    /// Which coordinator that version runs.
    pub coordinator: Coordinator,
    /// `group.initial.rebalance.delay.ms`.
    pub initial_rebalance_delay: Duration,
    /// `group.min.session.timeout.ms`: a member with a shorter session is refused.
    pub min_session_timeout: Duration,
    /// `group.max.session.timeout.ms`: a member with a longer session is refused.
    pub max_session_timeout: Duration,
}

/// One worker process and how it restarts.
#[derive(Clone, Debug, PartialEq)]
pub struct Worker {
    /// Its name in the description, unique.
    pub name: String,
    /// The REST address it advertises, if given: by it a running cluster's worker is known.
    pub url: Option<String>,
    /// The host, if given.
    pub host: Option<String>,
    /// The rack, if given.
    pub rack: Option<String>,
    /// The part of its member ids before `-<UUID>`.
    pub client_id: String,
    /// The same of the process after its restart; it differs where the roll changes the
    /// version over 3.7 (KAFKA-15888), the `client.id` or the advertised address.
    pub client_id_after: String,
    /// Its present member id, where known.
    pub member_id: Option<String>,
    /// Whether it leads now; at most one worker does. Drawn if none does.
    pub leads: bool,
    /// Whether it is out of the group or not yet fit at the start (goes first).
    pub unready: bool,
    /// How it runs before its restart.
    pub before: WorkerSetup,
    /// How it runs after its restart.
    pub after: WorkerSetup,
    /// How long its restart takes.
    pub restart: Restart,
}

/// Version and settings of a running worker.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerSetup {
    /// Its Kafka version.
    pub version: KafkaVersion,
    /// What that version decides.
    pub rules: WorkerRules,
    /// Its settings.
    pub settings: WorkerSettings,
}

/// The settings of a worker that matter to its group.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerSettings {
    /// `connect.protocol`.
    pub protocol: ConnectProtocol,
    /// `scheduled.rebalance.max.delay.ms`; the leader's counts.
    pub delay: Duration,
    /// `heartbeat.interval.ms`.
    pub heartbeat_interval: Duration,
    /// `session.timeout.ms`.
    pub session_timeout: Duration,
    /// `rebalance.timeout.ms`.
    pub rebalance_timeout: Duration,
    /// `task.shutdown.graceful.timeout.ms`.
    pub graceful_timeout: Duration,
    /// `worker.sync.timeout.ms`.
    pub sync_timeout: Duration,
    /// `worker.unsync.backoff.ms`.
    pub unsync_backoff: Duration,
    /// `exactly.once.source.support=enabled`.
    pub exactly_once: bool,
}

impl WorkerSettings {
    /// What a worker has of which no file says anything (`DistributedConfig` and
    /// `WorkerConfig` of 4.3.1).
    pub const KAFKAS_DEFAULT: Self = Self {
        protocol: ConnectProtocol::Sessioned,
        delay: Duration::from_secs(300),
        heartbeat_interval: Duration::from_secs(3),
        session_timeout: Duration::from_secs(10),
        rebalance_timeout: Duration::from_secs(60),
        graceful_timeout: Duration::from_secs(5),
        sync_timeout: Duration::from_secs(3),
        unsync_backoff: Duration::from_secs(300),
        exactly_once: false,
    };
}

/// The phases of a restart.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// SIGTERM to `LeaveGroup`, the last act of a graceful stop. Slow tasks make it longer.
    pub stop: Spread,
    /// `LeaveGroup` to the start of the new process.
    pub down: Spread,
    /// Start of the new process to its first `JoinGroup`.
    pub start: Start,
    /// SIGTERM to the kill by the service manager, if the process still runs then
    /// (systemd's `TimeoutStopSec`, Kubernetes' `terminationGracePeriodSeconds`); above zero.
    /// Without it nothing kills.
    pub grace: Option<Duration>,
}

impl Cluster {
    /// The name of a worker; `?` if there is none of that number.
    pub fn name_of(&self, worker: WorkerId) -> &str {
        self.workers.get(worker.index()).map_or("?", |worker| &worker.name)
    }

    /// A delay in which a restart is surely back: [`with_room`] above the longest absence of a worker.
    pub fn delay_with_room(&self) -> Duration {
        with_room(self.workers.iter().map(|worker| worker.restart.usually_away()).max().unwrap_or_default())
    }
}

/// Half as long again, in whole tens of seconds.
pub fn with_room(time: Duration) -> Duration {
    Duration::from_millis((time.as_millis() * 3 / 2).div_euclid(10_000) * 10_000 + 10_000)
}

impl Restart {
    /// From `LeaveGroup` to the `JoinGroup` of the new process, not exceeded by about 95 of 100
    /// restarts: the sum of the phases' p95, which is no less than the p95 of the sum.
    pub fn usually_away(&self) -> Duration {
        let start = match &self.start {
            Start::Whole(whole) => whole.p95(),
            Start::Parts { jvm, plugin_scan, topics } => jvm.p95() + plugin_scan.p95() + topics.p95(),
        };
        self.down.p95() + start
    }

    /// The longest time from `LeaveGroup` to the first `JoinGroup` of the new process.
    pub fn away(&self) -> Duration {
        let start = match &self.start {
            Start::Whole(whole) => whole.longest(),
            Start::Parts { jvm, plugin_scan, topics } => jvm.longest() + plugin_scan.longest() + topics.longest(),
        };
        self.down.longest() + start
    }
}

/// What happens between the start of a process and its first `JoinGroup`.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Known only as a whole.
    Whole(Spread),
    /// Known by its parts, which follow one another.
    Parts {
        /// Start of the JVM.
        jvm: Spread,
        /// Scan of the plugin path.
        plugin_scan: Spread,
        /// Reading the internal topics to their ends.
        topics: Spread,
    },
}

/// What a connector is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectorState {
    /// It runs.
    Running,
    /// It is assigned but does nothing.
    Paused,
    /// It has no tasks (KIP-875).
    Stopped,
}

/// A connector and its tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Connector {
    /// Its name.
    pub name: String,
    /// The tasks it has when the run begins; 0 if stopped.
    pub tasks: u32,
    /// `tasks.max`, where given.
    pub tasks_max: Option<u32>,
    /// What it is asked to do.
    pub state: ConnectorState,
    /// From `start()` of a task to its running.
    pub task_start: Spread,
    /// From the order to stop a task to its end, uninterrupted.
    pub task_stop: Spread,
    /// Whether it is a source that delivers exactly once (KIP-618): starts ask the leader for fencing.
    pub exactly_once: bool,
    /// How long after a start of its instance it writes changed task configs, if it does (the second wave).
    pub reconfigures_after: Option<Spread>,
    /// What flows, where given.
    pub flow: Option<Flow>,
    /// The consumer group of a sink; `None` for a source.
    pub sink: Option<Sink>,
}

/// Arrival and capacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// Records that arrive for the whole connector.
    pub arrival: RecordsPerSec,
    /// Records one running task can work off, where given; else it keeps up but never catches up faster than twice its share.
    pub capacity_per_task: RecordsPerSec,
}

/// How the consumers of a sink share its partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsumerAssignor {
    /// The default: every change stops all tasks of the connector (eager).
    Range,
    /// Only partitions that move stop.
    CooperativeSticky,
}

/// The second group of a sink connector: its tasks as consumers.
#[derive(Clone, Debug, PartialEq)]
pub struct Sink {
    /// Partitions of all its topics.
    pub partitions: u32,
    /// How they are shared.
    pub assignor: ConsumerAssignor,
    /// The consumers' `session.timeout.ms`.
    pub session_timeout: Duration,
    /// The consumers' `heartbeat.interval.ms`.
    pub heartbeat_interval: Duration,
}
