//! Quantities with their units, so that no bare number crosses from one room to another.

mod amount;
mod names;
mod spread;
mod time;
mod timestamp;
mod words;

pub use amount::{Records, RecordsPerSec, Share};
pub use names::told_apart;
pub use spread::Spread;
pub use time::{Duration, SimTime};
pub use timestamp::Timestamp;
pub use words::{count, part_of, seconds, task_seconds};
