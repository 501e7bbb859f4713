//! Quantities with their units, so that no bare number crosses from one room to another.

mod amount;
mod spread;
mod time;

pub use amount::{Records, RecordsPerSec, Share};
pub use spread::Spread;
pub use time::{Duration, SimTime};
