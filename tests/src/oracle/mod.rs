//! Random histories of a group, computed by our assignors and by Kafka's own.
//!
//! `tests/oracle/prepare` puts Kafka's classes where [`Kafka::start`] finds them.

mod course;
mod draw;
mod history;
mod kafka;
mod scenario;
mod shrink;

pub use course::{Course, Step, run, run_from_memory, run_on};
pub use draw::{draw, number_from_environment, seed_of_run};
pub use history::{Event, History};
pub use kafka::{Difference, Kafka, rules, versions};
pub use scenario::{ExpectedRound, Outcome, Scenario};
pub use shrink::shrink;
