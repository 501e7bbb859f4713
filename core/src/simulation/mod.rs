//! A run of a cluster through time: an event queue around the [group](crate::protocol) and
//! its workers.
//!
//! ```text
//!  Schedule ─► operator ──stop──► process ──LeaveGroup──► rounds ◄──► protocol::Group
//!  Replay   ─► script  ──facts──►    │                      │  ▲
//!                                    ▼               assign │  │ JoinGroup, SyncGroup
//!                                instances ◄──start/stop── herder ◄─ heartbeats, deadline
//!                                    └────────► Timeline ◄──┘ ──observe──► Snapshot
//! ```
//!
//! Who owns what is exact. Timing is a model: every member joins a round at its own instant,
//! and the round completes at the latest of them. A member joins at once if it wishes to
//! itself (revocations done, deadline, config record), else at its first heartbeat after the
//! rebalance began; heartbeats count from the answer to the last `JoinGroup`, so that after a
//! round all members share one clock.
//!
//! # Leaves out
//! - the session key of a `sessioned` leader and the extra round it may cost in a fresh cluster
//! - workers that cannot read the config topic (`worker.sync.timeout.ms`, `worker.unsync.backoff.ms`)
//! - a herder that is busy for longer than `rebalance.timeout.ms` between two polls
//! - REST requests and their waking of the herder
//! - start-up and network times that differ between workers, beyond what the description gives

mod chance;
mod configuration;
mod course;
mod driven;
mod herder;
mod history;
mod instances;
mod invariants;
mod latency;
mod observe;
mod operator;
mod process;
mod queue;
mod replay;
mod roll;
mod rounds;
mod schedule;
#[cfg(test)]
pub(crate) mod tests;
mod timeline;
mod worker;
mod world;

pub use chance::{Chance, Seed};
pub use course::Course;
pub use driven::Driven;
pub use history::{Generation, GroupChange, GroupHistory, Part};
pub use observe::observe;
pub use replay::replay;
pub use roll::{simulate, simulate_rest};
pub use schedule::{Aim, Flush, Order, Rest, Schedule, Step, Stop, Turn};
pub use timeline::{
    Cause, Change, ConfigChange, ConnectorChange, Failure, FailureKind, Process, ProcessChange, Round, RoundMember,
    TaskChange, TaskState, Timeline,
};
pub use world::Detail;
