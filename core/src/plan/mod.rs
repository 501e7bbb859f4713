//! In which order and at which pace to restart: candidates, simulated many times, held against the
//! policy, and explained.
//!
//! What decides the harm is where the leader and its successors stand in the order, and how long
//! is waited between two restarts, because the scheduled delay is one shared window in the
//! leader's memory: a follower's tasks wait for its end, and it ends when the leader goes.
//!
//! A plan is a rule plus its expected course: who leads after the first change of leader depends
//! on the hash of member ids that do not exist yet, so the rule says "whoever leads then".

mod advice;
mod budget;
mod candidates;
mod delays;
mod exact;
mod goes_now;
mod limits;
mod moment;
mod next;
mod none;
mod priced;
mod reason;
mod search;
mod steps;
mod unseen;

pub use advice::{Advice, Change};
pub use budget::{Budget, Progress, SoFar};
pub use candidates::{Executor, candidates, fixed_policies};
pub use delays::{DelayPrice, absences, delays, present_delays, price_delays};
pub use exact::{Lists, best_list};
pub use goes_now::{GoesNow, goes_now};
pub use limits::{Breach, Limit, breaches};
pub use moment::{Moment, NoMoment, Side};
pub use next::{Next, NextStep, Turned, next};
pub use none::NoPlan;
pub use priced::{Candidate, price};
pub use reason::Reason;
pub use search::{Plan, plan};
pub use steps::{Before, PlannedStep, Seen};
pub use unseen::UnseenDelay;

#[cfg(test)]
pub(crate) mod tests;
