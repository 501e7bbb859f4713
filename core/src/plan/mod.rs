//! In which order and at which pace to restart: candidates, simulated many times, held against the
//! policy, and explained.
//!
//! What decides the harm is where the leader and its successors stand in the order, and how long
//! is waited between two restarts, because the scheduled delay is one shared window in the
//! leader's memory: a follower's tasks wait for its end, and it ends when the leader goes.
//!
//! A plan is a rule plus its expected course: who leads after the first change of leader depends
//! on the hash of member ids that do not exist yet, so the rule says "whoever leads then".

mod budget;
mod candidates;
mod delays;
mod limits;
mod reason;
mod search;

pub use budget::{Budget, Progress};
pub use candidates::candidates;
pub use delays::{DelayPrice, absences, delays, present_delays, price_delays};
pub use limits::{Breach, Limit, breaches};
pub use reason::Reason;
pub use search::{Candidate, NoPlan, Plan, plan, price};

#[cfg(test)]
pub(crate) mod tests;
