//! What a simulated run did: changes, not samples.

use super::{GroupHistory, Step};
use crate::model::{ConnectProtocol, ConnectorId, Items, TaskId, WorkerId};
use crate::units::{Duration, SimTime};

/// Everything that happened in one run, each list in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// Completed rebalances.
    pub rounds: Vec<Round>,
    /// Starts and stops of tasks.
    pub tasks: Vec<Change<TaskId, TaskState>>,
    /// Starts and stops of connector instances.
    pub connectors: Vec<Change<ConnectorId, TaskState>>,
    /// Changes of the configuration.
    pub configs: Vec<ConfigChange>,
    /// Starts that failed.
    pub failures: Vec<Failure>,
    /// What became of the worker processes.
    pub processes: Vec<ProcessChange>,
    /// The restarts of the roll, as they came about.
    pub steps: Vec<Step>,
    /// Leaves that lay behind a waiting `JoinGroup` of the same worker: read right after the round
    /// they fell into, they are a race of milliseconds with the leader's `SyncGroup`.
    pub races: Vec<SimTime>,
    /// What the coordinator would have shown; empty but for [`Detail::Full`](super::Detail::Full).
    pub group: GroupHistory,
    /// When the first worker was stopped.
    pub began: SimTime,
    /// When everything ran again and nothing more would move; `None` if that never came.
    pub settled: Option<SimTime>,
    /// The end of the simulated time.
    pub ended: SimTime,
}

impl Timeline {
    /// The last instant at which anything changed.
    pub fn last_change(&self) -> SimTime {
        let tasks = self.tasks.last().map(|change| change.at);
        let connectors = self.connectors.last().map(|change| change.at);
        let rounds = self.rounds.last().map(|round| round.seen_at.unwrap_or(round.at));
        [tasks, connectors, rounds].into_iter().flatten().max().unwrap_or(self.began)
    }
}

/// One completed rebalance.
#[derive(Clone, Debug)]
pub struct Round {
    /// When its last member joined, as computed.
    pub at: SimTime,
    /// When it was really seen, if a replay says so; what follows counts from there.
    pub seen_at: Option<SimTime>,
    /// Its generation.
    pub generation: i32,
    /// The worker whose member leads it.
    pub leader: WorkerId,
    /// Its protocol.
    pub protocol: ConnectProtocol,
    /// The rest of the scheduled delay the leader announced; zero under eager.
    pub delay: Duration,
    /// What brought it about.
    pub causes: Vec<Cause>,
    /// What each member owns after it and what was taken from it, by worker.
    pub members: Vec<RoundMember>,
}

/// What makes a group rebalance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A member left.
    Left(WorkerId),
    /// A member's session ran out.
    Expired(WorkerId),
    /// A new member joined.
    Joined(WorkerId),
    /// The scheduled delay is over.
    DelayOver,
    /// Members gave up what was revoked from them.
    Revoked,
    /// Connectors or task configs changed.
    ConfigChanged,
    /// An assignment never reached its members.
    AssignmentLost,
    /// The coordinator is back after an outage.
    CoordinatorBack,
}

/// A change of what is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigChange {
    /// When it was written.
    pub at: SimTime,
    /// Which connector.
    pub connector: ConnectorId,
    /// Its number of tasks from then on; `None` if it is deleted.
    pub tasks: Option<u32>,
}

/// A start that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// When.
    pub at: SimTime,
    /// Which task.
    pub task: TaskId,
    /// On which worker.
    pub worker: WorkerId,
    /// Why.
    pub kind: FailureKind,
}

/// Why a start failed. Nothing heals it but a move or a restart by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// "Task already exists in this worker": the old instance goes on, the status says FAILED.
    AlreadyExists,
    /// An exactly-once source asked for its fence while no leader answered.
    NoLeaderToFence,
}

/// One member's part in a round.
#[derive(Clone, Debug)]
pub struct RoundMember {
    /// Its worker.
    pub worker: WorkerId,
    /// Whether it got its assignment (its `SyncGroup` succeeded).
    pub synced: bool,
    /// What it holds afterwards, newest first.
    pub owns: Items,
    /// What it was told to give up.
    pub revoked: Items,
}

/// A change of one work unit on one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<I, S> {
    /// When.
    pub at: SimTime,
    /// Which work unit.
    pub item: I,
    /// On which worker.
    pub worker: WorkerId,
    /// What the instance on that worker became.
    pub state: S,
}

/// A change of a task.
pub type TaskChange = Change<TaskId, TaskState>;

/// A change of a connector instance.
pub type ConnectorChange = Change<ConnectorId, TaskState>;

/// What an instance of a task on a worker can be. Several workers may hold one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// Its `start()` was called.
    Starting,
    /// Its `start()` returned: it works. (A paused connector's task also counts as running.)
    Running,
    /// It was told to stop: it works no more, although its process may still hold it.
    Stopped,
    /// Its process was killed or frozen: it works no more, and nobody was told.
    Vanished,
    /// It failed and stays so until it is moved or restarted by hand.
    Failed,
}

/// What a worker process can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// SIGTERM received.
    Stopping,
    /// Gone.
    Down,
    /// The new process has begun to start.
    Starting,
    /// It sent its first `JoinGroup`.
    Joining,
    /// It is a member of a completed generation.
    Member,
    /// It stands still (SIGSTOP, a long garbage collection).
    Frozen,
}

/// A change of a worker process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessChange {
    /// When.
    pub at: SimTime,
    /// Which worker.
    pub worker: WorkerId,
    /// What it became.
    pub process: Process,
}
