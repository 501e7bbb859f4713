//! Given facts instead of chance: what is known of a group and what happened to it.

use super::{Cluster, Configured, ConnectorId, ConnectorState, Items, WorkerId, WorkerSetup};
use crate::units::SimTime;

/// A validated replay file.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The workers as they run at time 0, and every connector that exists at any time, each with the
    /// largest number of tasks it ever has. What exists at time 0 is in `configured`.
    pub cluster: Cluster,
    /// What is configured at time 0.
    pub configured: Configured,
    /// The generation of the last round before time 0, where known.
    pub generation: Option<i32>,
    /// When that round completed; `None` if it was not seen.
    pub last_round: Option<SimTime>,
    /// What the leader remembers; `None` if nothing is pending.
    pub memory: Option<ReplayMemory>,
    /// The buckets of the coordinator's member map, if it ever held more members than now.
    pub map_buckets: Option<usize>,
    /// The members in the coordinator's order.
    pub members: Vec<ReplayMember>,
    /// What happened, by time.
    pub events: Vec<ReplayEvent>,
    /// Rounds that were really seen, by time.
    pub observed: Vec<Observed>,
}

/// A member of the group at time 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayMember {
    /// Its member id.
    pub id: String,
    /// Its worker.
    pub worker: WorkerId,
    /// Whether it leads.
    pub leader: bool,
    /// What it owns, in its own order (newest first).
    pub owns: Items,
}

/// The leader's memory at time 0 (`IncrementalCooperativeAssignor`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayMemory {
    /// Work that nobody owns and that waits for the delay to end.
    pub lost: Items,
    /// When the delay ends.
    pub due: Option<SimTime>,
    /// Member ids that will get what is lost, in order.
    pub candidates: Vec<String>,
    /// What the last round revoked.
    pub revoked: Items,
    /// Whether the last round revoked to even out the load.
    pub revoked_last: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayEvent {
    /// When, as the broker saw it.
    pub at: SimTime,
    /// What.
    pub kind: ReplayEventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayEventKind {
    /// The broker processed a member's `LeaveGroup`.
    Leave(String),
    /// A process joined under a new member id.
    Join {
        /// The new id.
        id: String,
        /// Its worker.
        worker: WorkerId,
        /// How the process runs, if its restart changed that.
        setup: Option<WorkerSetup>,
        /// What it reports to own because its process lived on; `None` for a new process.
        owns: Option<Items>,
    },
    /// A member's session ran out.
    Expire(String),
    /// A worker's process was killed.
    Kill(WorkerId),
    /// A known member's `JoinGroup` was seen at the broker.
    Rejoin(String),
    /// The configuration changed; `None` deletes.
    Config(Vec<(ConnectorId, Option<ConnectorConfig>)>),
    /// The coordinator went away.
    CoordinatorAway,
    /// The coordinator is back.
    CoordinatorBack,
    /// A worker's process stands still.
    Freeze(WorkerId),
    /// It goes on.
    Thaw(WorkerId),
}

/// A connector's new configuration; what is not given stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectorConfig {
    /// Its number of tasks.
    pub tasks: Option<u32>,
    /// What it is asked to do.
    pub state: Option<ConnectorState>,
}

/// A round that was really seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// When it completed.
    pub at: SimTime,
    /// Its generation.
    pub generation: i32,
    /// Which workers got the assignment; `None` for all, empty for nobody.
    pub synced: Option<Vec<WorkerId>>,
}
