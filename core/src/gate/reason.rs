//! Why a gate does not open: what was seen, what is allowed, as data.

use serde::{Deserialize, Serialize};

use super::serial::{millis, millis_if_known};
use super::work::Work;
use crate::snapshot::{GroupState, NoAnswer};
use crate::units::Duration;

/// One reason. In JSON an object with its `kind`; as text a sentence that says what to do.
/// Workers are named as the description names them, else as `host:port`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// Nobody looked, or nobody could.
    SnapshotMissing {},
    /// The snapshot is not of now, or took too long to be of one moment.
    SnapshotStale {
        /// From its first question until now; negative if it is dated in the future.
        #[serde(with = "millis", rename = "age_ms")]
        age: Duration,
        /// From its first question to its last answer.
        #[serde(with = "millis", rename = "took_ms")]
        took: Duration,
        /// The most that either may be.
        #[serde(with = "millis", rename = "allowed_ms")]
        allowed: Duration,
    },
    /// The same snapshot as before: it is no second look.
    SnapshotRepeated {},
    /// A snapshot in a format that this version does not read.
    SnapshotVersion {
        /// What was seen.
        seen: u32,
        /// What this program reads.
        known: u32,
    },
    /// Nobody says which Kafka cluster this is.
    ClusterUnknown {
        /// Why, as a clause.
        why: String,
    },
    /// It is another Kafka cluster.
    ClusterOther {
        /// What was seen.
        seen: String,
        /// What the baseline has.
        expected: String,
    },
    /// The group cannot be seen.
    GroupUnknown {
        /// Why, as a clause.
        why: String,
    },
    /// It is another group.
    GroupOther {
        /// What was seen.
        seen: String,
        /// What the baseline has.
        expected: String,
    },
    /// The group is in a state of which nothing is known here.
    GroupStateUnknown {
        /// The state.
        state: String,
    },
    /// A rebalance is under way.
    GroupNotStable {
        /// The state.
        state: GroupState,
    },
    /// What a member says could not be read.
    MemberUnreadable {
        /// Their member ids.
        members: Vec<String>,
        /// Why, as a clause.
        why: String,
    },
    /// The statuses cannot be seen.
    StatusesUnknown {
        /// Why, as a clause.
        why: String,
    },
    /// The statuses were asked of a worker that is itself being restarted: it may not have read
    /// the topics yet.
    StatusesFromRestarted {
        /// The worker.
        worker: String,
    },
    /// An answer without a part that is needed.
    AnswerIncomplete {
        /// The connectors.
        connectors: Vec<String>,
        /// What is not in it.
        lacks: String,
    },
    /// A state of which nothing is known here.
    StateUnknown {
        /// The connectors and tasks.
        work: Work,
        /// The states they are in.
        states: Vec<String>,
    },
    /// Workers of the baseline are no members.
    WorkerMissing {
        /// The workers.
        workers: Vec<String>,
        /// Those of them whose REST port answers all the same.
        answering: Vec<String>,
    },
    /// One address, several members: a ghost of the last life, or two processes.
    WorkerTwice {
        /// The workers.
        workers: Vec<String>,
    },
    /// The leader could not assign, as the members have read the config topic to different
    /// offsets.
    AssignmentFailed {
        /// The workers.
        workers: Vec<String>,
    },
    /// Workers that own nothing where the plan counts on them.
    OwnsNothing {
        /// The workers.
        workers: Vec<String>,
    },
    /// Work that was revoked and that the next round hands out.
    BetweenRounds {
        /// The connectors and tasks.
        work: Work,
    },
    /// A delay runs.
    DelayRunning {
        /// How long it runs on at most.
        #[serde(with = "millis", rename = "left_at_most_ms")]
        left_at_most: Duration,
        /// Whether its beginning was seen: else it may be over much sooner.
        exact: bool,
        /// What the members were told, which does not count down.
        #[serde(with = "millis", rename = "value_ms")]
        value: Duration,
        /// What waits for it.
        waiting: Work,
        /// Who leads.
        leader: String,
    },
    /// Work that nobody has.
    NoOwner {
        /// The connectors and tasks.
        work: Work,
        /// Whether a delay runs, whose end hands it out.
        delay_runs: bool,
    },
    /// Work that two have.
    OwnedTwice {
        /// The connectors and tasks.
        work: Work,
        /// The workers.
        workers: Vec<String>,
    },
    /// Work that is not in the state it was in.
    NotRunning {
        /// The connectors and tasks.
        work: Work,
        /// The states they are in.
        states: Vec<String>,
        /// Whether it has been so for longer than a start takes, with nothing going on.
        overdue: bool,
    },
    /// Work whose state a person changed since the baseline.
    StateAsked {
        /// The connectors and tasks.
        work: Work,
        /// The states they are in.
        states: Vec<String>,
    },
    /// Configured work without a status.
    NoStatus {
        /// The connectors and tasks.
        work: Work,
    },
    /// Work that the status topic has elsewhere than the group.
    Disagreement {
        /// The connectors and tasks.
        work: Work,
        /// The workers that the status topic names.
        claimed: Vec<String>,
        /// The workers that the group names.
        owners: Vec<String>,
    },
    /// Work whose status may be that of its worker's last life.
    MayBeStale {
        /// The connectors and tasks.
        work: Work,
        /// How long that can last, at most.
        #[serde(with = "millis", rename = "left_ms")]
        left: Duration,
    },
    /// Connectors whose instance has only just started: their tasks may be stopped once more.
    SecondWave {
        /// The connectors.
        connectors: Vec<String>,
        /// How long that can come, at most.
        #[serde(with = "millis", rename = "left_ms")]
        left: Duration,
    },
    /// Work that failed since the baseline.
    Failed {
        /// The connectors and tasks.
        work: Work,
        /// Whether nothing is going on in the group, so that a restart call is of use.
        quiet: bool,
        /// Whether tasks of an exactly-once source are among it.
        exactly_once: bool,
    },
    /// More work waits than the step allows.
    TooManyWaiting {
        /// How many tasks.
        tasks: usize,
        /// The most that is allowed.
        allowed: usize,
        /// The connectors and tasks.
        work: Work,
    },
    /// A larger share of the tasks waits than the limit allows.
    ShareWaiting {
        /// How many tasks.
        tasks: usize,
        /// Of how many.
        of: usize,
        /// The most that is allowed.
        allowed: f64,
    },
    /// Tasks of exactly-once sources are starting, and the leader is to go.
    ExactlyOnceStarting {
        /// The connectors and tasks.
        work: Work,
    },
    /// A sink's consumer group cannot be seen.
    SinkUnknown {
        /// The connector.
        connector: String,
        /// Why, as a clause.
        why: String,
    },
    /// A sink's consumers are in a rebalance, or gone.
    SinkNotStable {
        /// The connector.
        connector: String,
        /// The state.
        state: GroupState,
    },
    /// Partitions of a sink that nobody reads.
    SinkUnread {
        /// The connector.
        connector: String,
        /// Those that are known, as `topic-number`.
        partitions: Vec<String>,
        /// How many are read.
        read: usize,
        /// How many were read in the baseline.
        before: usize,
    },
    /// It is not known how far a sink is behind.
    LagUnknown {
        /// The connector.
        connector: String,
        /// Why, as a clause.
        why: String,
    },
    /// A sink is too far behind.
    Lag {
        /// The connector.
        connector: String,
        /// In all its partitions.
        records: i64,
        /// The most that is allowed.
        allowed: i64,
        /// The partition that is furthest behind, as `topic-number`.
        furthest: String,
        /// How far.
        furthest_records: i64,
    },
    /// Nobody computed what the next stop would do.
    ForeseenMissing {},
    /// The next stop would leave too many tasks without an owner at once.
    ForeseenShare {
        /// How many tasks.
        tasks: usize,
        /// Of how many.
        of: usize,
        /// The most that is allowed.
        allowed: f64,
    },
    /// The next stop would leave a task without an owner for too long.
    ForeseenLongest {
        /// How long that would be.
        #[serde(with = "millis", rename = "seen_ms")]
        seen: Duration,
        /// The most that is allowed.
        #[serde(with = "millis", rename = "allowed_ms")]
        allowed: Duration,
    },
    /// The next stop would take all tasks of a connector at once.
    ForeseenConnectors {
        /// The connectors.
        connectors: Vec<String>,
    },
    /// The plan counts on a leader here, or on a follower.
    LeaderUnexpected {
        /// The workers of the step.
        workers: Vec<String>,
        /// Who leads.
        leader: String,
        /// Whether the plan counts on one of them to lead.
        expected: bool,
    },
    /// The worker is not back yet.
    WorkerAway {
        /// The workers.
        workers: Vec<String>,
        /// Since the stop, or since the last look.
        #[serde(with = "millis", rename = "for_ms")]
        for_now: Duration,
        /// Those of them whose REST port answers: up, and not in the group.
        answering: Vec<String>,
    },
    /// The worker is a member as before its restart.
    StillMember {
        /// The workers.
        workers: Vec<String>,
        /// Since the stop, or since the last look.
        #[serde(with = "millis", rename = "for_ms")]
        for_now: Duration,
        /// Those of them whose REST port is closed: a shutdown that hangs, unless it ends soon.
        port_closed: Vec<String>,
    },
    /// A member without a REST port.
    NoRestPort {
        /// The worker.
        worker: String,
        /// How it does not answer.
        how: Option<NoAnswer>,
    },
    /// Back, and for less long than the step asks.
    BackFor {
        /// What has passed.
        #[serde(with = "millis", rename = "passed_ms")]
        passed: Duration,
        /// What the step asks.
        #[serde(with = "millis", rename = "asked_ms")]
        asked: Duration,
    },
    /// Without the group, only time tells that nothing waits.
    TooSoon {
        /// What has passed.
        #[serde(with = "millis", rename = "passed_ms")]
        passed: Duration,
        /// What has to pass.
        #[serde(with = "millis", rename = "needed_ms")]
        needed: Duration,
    },
    /// Without the group and without its delay, nothing tells.
    DelayUnknown {},
    /// Without the group, nobody saw the worker go.
    RestartUnseen {
        /// The workers.
        workers: Vec<String>,
    },
    /// All is met, and not for long enough yet.
    Calm {
        /// For how long all has been met.
        #[serde(with = "millis", rename = "held_ms")]
        held: Duration,
        /// For how long it has to be.
        #[serde(with = "millis", rename = "window_ms")]
        window: Duration,
    },
    /// A running sink that has no tasks.
    NoTasks {
        /// The connectors.
        connectors: Vec<String>,
    },

    /// The whole step took too long.
    DeadlinePassed {
        /// What has passed.
        #[serde(with = "millis", rename = "passed_ms")]
        passed: Duration,
        /// The most that is allowed.
        #[serde(with = "millis", rename = "allowed_ms")]
        allowed: Duration,
        /// What was not met then.
        unmet: Vec<Self>,
    },
    /// The worker did not come back in time.
    NotBackInTime {
        /// The workers.
        workers: Vec<String>,
        /// What has passed.
        #[serde(with = "millis", rename = "passed_ms")]
        passed: Duration,
        /// The most that is allowed.
        #[serde(with = "millis", rename = "allowed_ms")]
        allowed: Duration,
        /// The task-seconds that each further minute of waiting costs, if somebody computed it.
        #[serde(default)]
        waiting_per_minute: Option<f64>,
        /// The task-seconds that going on without it costs, if somebody computed it.
        #[serde(default)]
        without: Option<f64>,
        /// What was not met then.
        unmet: Vec<Self>,
    },
    /// The cluster was not whole again in time.
    NotSettledInTime {
        /// What has passed.
        #[serde(with = "millis", rename = "passed_ms")]
        passed: Duration,
        /// The most that is allowed.
        #[serde(with = "millis", rename = "allowed_ms")]
        allowed: Duration,
        /// What was not met then.
        unmet: Vec<Self>,
    },

    /// Another worker leads.
    LeaderMoved {
        /// Before.
        from: String,
        /// Now.
        to: String,
        /// What it means for the roll.
        rated: Rated,
    },
    /// A worker that was not there in the baseline.
    WorkerAdded {
        /// The workers.
        workers: Vec<String>,
        /// What it means for the roll.
        rated: Rated,
    },
    /// The members agreed on another protocol.
    ProtocolChanged {
        /// Before.
        from: String,
        /// Now.
        to: String,
        /// What it means for the roll.
        rated: Rated,
    },
    /// Connectors that were not there in the baseline.
    ConnectorAdded {
        /// The connectors.
        connectors: Vec<String>,
        /// What it means for the roll.
        rated: Rated,
    },
    /// Connectors of the baseline that neither statuses nor group know.
    ConnectorGone {
        /// The connectors.
        connectors: Vec<String>,
        /// What it means for the roll.
        rated: Rated,
    },
    /// A connector has other tasks than in the baseline.
    TasksChanged {
        /// The connector.
        connector: String,
        /// Before.
        from: usize,
        /// Now.
        to: usize,
        /// What it means for the roll.
        rated: Rated,
    },
    /// Connectors whose configuration was edited.
    ConfigEdited {
        /// The connectors.
        connectors: Vec<String>,
        /// What it means for the roll.
        rated: Rated,
    },
    /// Something was written to the config topic.
    ConfigTopicMoved {
        /// Before.
        from: i64,
        /// Now.
        to: i64,
        /// What it means for the roll.
        rated: Rated,
    },
    /// Statuses of tasks that are no longer configured.
    LeftOverStatus {
        /// The connectors and tasks.
        work: Work,
    },
    /// Work that was not as it should be in the baseline already: nobody waits for it.
    BrokenBefore {
        /// The connectors and tasks.
        work: Work,
    },
    /// Sinks whose partitions and lag are not watched, as the baseline does not have them.
    SinkNotWatched {
        /// The connectors.
        connectors: Vec<String>,
    },
    /// The wall clock went back, or ahead, while the steady one went on.
    ClockJumped {
        /// By how much; negative if it went back.
        #[serde(with = "millis", rename = "by_ms")]
        by: Duration,
    },
    /// Nobody looked for longer than it may be, or the time since the last look is not known.
    NotWatched {
        /// Since the stop, or since the last look.
        #[serde(with = "millis_if_known", rename = "for_ms")]
        for_now: Option<Duration>,
        /// The most that is allowed.
        #[serde(with = "millis", rename = "allowed_ms")]
        allowed: Duration,
    },
}

/// What a difference to the baseline means for the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rated {
    /// The plan holds.
    Harmless,
    /// The plan was made for another cluster: what it says of the next steps may be wrong.
    PlanAgain,
    /// Something is being lost: nobody should restart anything before a person has looked.
    Stop,
}

/// What a reason asks of whoever reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// To know it.
    Note,
    /// To wait.
    Wait,
    /// To see to it that it can be seen.
    Unknown,
    /// To do something, and to ask again: waiting does not change it.
    Act,
    /// To begin again.
    Never,
}
