//! What was observed in a cluster, by the logs of its tasks, workers and broker.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What was observed, each list in the order of time.
#[derive(Clone, Debug, Deserialize)]
pub struct Events {
    /// The tasks' own log.
    pub tasks: Vec<TaskEvent>,
    /// Completed rounds.
    pub rounds: Vec<Round>,
    /// What the group's coordinator said.
    pub group: Vec<GroupAct>,
    /// What was done to processes, and which ended.
    pub acts: Vec<Act>,
}

/// A line of a task's own log.
#[derive(Clone, Debug, Deserialize)]
pub struct TaskEvent {
    /// When.
    pub t: i64,
    /// `alpha-3`.
    pub task: String,
    /// What it did.
    pub what: TaskAct,
    /// On which worker.
    pub worker: String,
    /// The partitions a sink's task opened or closed.
    #[serde(default)]
    pub partitions: Vec<String>,
}

/// What a task may log. It runs from `StartReturned` to `StopCalled`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TaskAct {
    /// Its `start()` begins.
    #[serde(rename = "start called")]
    StartCalled,
    /// Its `start()` is over.
    #[serde(rename = "start returned")]
    StartReturned,
    /// Its `stop()` begins.
    #[serde(rename = "stop called")]
    StopCalled,
    /// Its `stop()` is over.
    #[serde(rename = "stop returned")]
    StopReturned,
    /// A sink's task got partitions.
    #[serde(rename = "opened")]
    Opened,
    /// A sink's task lost partitions.
    #[serde(rename = "closed")]
    Closed,
    /// The worker says that it failed.
    #[serde(rename = "failed")]
    Failed,
}

/// A completed round, by the broker's and the workers' logs.
#[derive(Clone, Debug, Deserialize)]
pub struct Round {
    /// When the coordinator had all joins.
    pub t: i64,
    /// Its generation.
    pub generation: u32,
    /// Who led it; none if no worker got its assignment.
    pub leader: Option<String>,
    /// The delay it announced; 0 is none.
    pub delay: i64,
    /// What each worker held after it.
    pub owns: BTreeMap<String, Vec<String>>,
    /// What each worker had to give up.
    pub revoked: BTreeMap<String, Vec<String>>,
    /// The workers that got their assignment.
    pub synced: Vec<String>,
    /// The members in the coordinator's order, if it is known.
    pub members: Option<Vec<RoundMember>>,
}

/// A member of a round.
#[derive(Clone, Debug, Deserialize)]
pub struct RoundMember {
    /// Its member id.
    pub id: String,
    /// Whose it is.
    pub worker: Option<String>,
    /// What it said it owned when it joined.
    pub owned: Vec<String>,
}

/// A line of the coordinator's log.
#[derive(Clone, Debug, Deserialize)]
pub struct GroupAct {
    /// When.
    pub t: i64,
    /// `join`, `leave`, `expire`, `lapse`, `prepare`, `stabilized`, `assigned`, `loaded` or `up`.
    pub kind: String,
    /// Whom it is about.
    pub worker: Option<String>,
    /// That worker's member id.
    pub member: Option<String>,
    /// The generation it is about.
    pub generation: Option<u32>,
}

/// What was done to a process, or became of it.
#[derive(Clone, Debug, Deserialize)]
pub struct Act {
    /// When.
    pub t: i64,
    /// `start`, `term`, `kill`, `freeze`, `thaw`, `exited` or `config`.
    pub kind: String,
    /// Which process.
    pub worker: Option<String>,
}

/// What a disturbance cost, as `tests/lab/lab/figures.py` computes it.
#[derive(Clone, Debug, Deserialize)]
pub struct Figures {
    /// How many tasks there are.
    pub tasks: u32,
    /// The sum of all tasks' times without a running instance.
    pub task_seconds: f64,
    /// The longest such time.
    pub longest_s: f64,
    /// How many at the same time.
    pub at_once: AtOnce,
    /// From the first stop to the last start; none while a task is down.
    pub duration_s: Option<f64>,
    /// Completed rounds.
    pub rounds: u32,
    /// Starts of tasks.
    pub starts: u32,
    /// Starts on another worker than before.
    pub moves: u32,
    /// The sum of all tasks' times with more than one running instance.
    pub twice_seconds: f64,
    /// Tasks that are down now.
    pub down_now: Vec<String>,
}

/// How many tasks were down at once.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct AtOnce {
    /// At one instant.
    pub peak: u32,
    /// For five seconds on end.
    pub held_5s: u32,
}
