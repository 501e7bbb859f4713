//! What a simulated run did: changes, not samples.

use crate::assignor::Items;
use crate::model::{ConnectProtocol, ConnectorId, TaskId, WorkerId};
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
    /// What became of the worker processes.
    pub processes: Vec<ProcessChange>,
    /// When the first worker was stopped.
    pub began: SimTime,
    /// When everything ran again and nothing more would move; `None` if that never came.
    pub settled: Option<SimTime>,
    /// The end of the simulated time.
    pub ended: SimTime,
}

/// One completed rebalance.
#[derive(Clone, Debug)]
pub struct Round {
    /// When its last member joined.
    pub at: SimTime,
    /// Its generation.
    pub generation: i32,
    /// The worker whose member leads it.
    pub leader: WorkerId,
    /// Its protocol.
    pub protocol: ConnectProtocol,
    /// The rest of the scheduled delay the leader announced; zero under eager.
    pub delay: Duration,
    /// What brought it about, in words: `w2 left`, `the delay is over`.
    pub cause: String,
    /// What each member owns after it and what was taken from it, by worker.
    pub members: Vec<RoundMember>,
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
