//! Quantities with their units, so that no bare number crosses from one room to another.

mod amount;
mod time;

pub use amount::{Records, RecordsPerSec, Share};
pub use time::{Duration, SimTime};
