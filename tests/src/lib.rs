//! Harness of the tests: the repository's files, the compiled command, comparisons.

mod command;
mod compare;
pub mod creations;
mod described;
pub mod known;
pub mod lab;
mod observed;
pub mod oracle;
mod repository;
mod scenarios;
mod schedule;
pub mod scripted;

pub use command::{Outcome, Rollgate};
pub use compare::{assert_same, difference};
pub use described::survives;
pub use observed::{as_seen, drawn_cluster, observe};
pub use repository::{read, root, tracked_files};
pub use scenarios::*;
pub use schedule::{ScheduleWritten, course};
