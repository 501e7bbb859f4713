//! For people at a terminal.

mod parts;
mod plan;
mod replay;
mod simulate;

use super::words;

pub(super) use parts::headroom;
pub use plan::alternatives;
pub use plan::{no_plan, plan};
pub(super) use plan::{plan_how_we_know, plan_summary, reasons};
pub use replay::replay;
pub(super) use replay::{replay_how_we_know, replay_rounds, replay_summary};
pub use simulate::simulate;
pub(super) use simulate::{how_we_know, summary};

/// What a shortened table says about the rows left out.
fn rest(number: usize, one: &str) -> String {
    format!("{}; -o json has them all", words::count(number, one))
}

/// Rows of the table of steps.
const MOST_STEPS: usize = 24;

/// Rows of the table of rounds.
const MOST_ROUNDS: usize = 30;

/// Rows of the table of lags.
const MOST_CONNECTORS: usize = 12;
