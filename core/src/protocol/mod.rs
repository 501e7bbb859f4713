//! How a group agrees: deterministic machines, inputs in, effects out.
//!
//! A machine knows neither a queue nor a clock. Its driver hands it an [`Input`] with the
//! instant at which the broker processes it and carries out the [`Effect`]s: it lets members
//! learn of a rebalance at their heartbeats, answers them, and brings timers back.

mod classic;
mod member_map;

pub use classic::{Effect, Group, GroupState, Input, JoinRequest, Timer};
pub use member_map::MemberMap;
