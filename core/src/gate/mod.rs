//! May this worker be stopped now? Is the cluster whole again?
//!
//! A machine that is fed with snapshots and answers from what the group itself says. It knows
//! no plan, no simulator and no clock: what a step asks, what stopping a worker would do and
//! what time it is are arguments. It can be written to a file between two looks and goes on
//! from there.
//!
//! What it does not know never opens it. A worker's port that answers, or a status that says
//! RUNNING, is no evidence by itself: statuses say RUNNING through a whole delay, and carry the
//! same address before and after a restart. So everything has to be with the owner that the
//! group names, claimed by that owner, by a claim that cannot be of its last life, for the
//! whole calm window.
//!
//! # Leaves out
//! - whether a source makes progress: Kafka does not say how far it is behind
//! - whether all members would name the same leader: the coordinator's word stands for theirs

mod baseline;
mod checks;
mod clock;
mod conditions;
mod decision;
mod kinds;
mod machine;
mod memory;
mod reason;
mod serial;
mod state;
mod view;
mod words;
mod work;

#[cfg(test)]
mod tests;

pub use baseline::{Baseline, ConnectorBefore, GroupBefore, SinkBefore, WorkerBefore};
pub use conditions::{After, Before, Conditions, Foreseen, Known, Limits, RestOnly, Sight, Until, Waiting, Which};
pub use decision::{Decision, Verdict};
pub use machine::{Gate, NotAcceptable, Observation, Worker};
pub use reason::{Rated, Reason, Way};
pub use state::{IllegalMove, Move, State};
pub use work::{Part, Work};
