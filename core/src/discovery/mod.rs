//! From what was seen of a running cluster to what a description says of it.
//!
//! Everything that decides succession and ownership is in the group's own bytes: who is a
//! member under which id, who leads, who owns what, whether a delay runs. What no request tells
//! (settings, times of restarts, rates) is left to the description's defaults, and marked there.
//! What cannot be described truly is refused, with what to do about it.
//!
//! # Leaves out
//! - workers of different `connect.protocol`: the group names only the weakest of them
//! - since when a delay runs: what is left of it is said as the leader computed it in the last
//!   round, unless the caller saw that round, so that it is the most that can be left
//! - whether a task really runs: what a worker owns counts as running, and what the status topic
//!   claims otherwise is a remark

mod connectors;
mod find;
mod group;
mod names;
mod update;
mod versions;

pub use find::{Found, FoundConnector, FoundWorker, Unclear, find};
pub use update::with_seen;
