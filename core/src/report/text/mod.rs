//! For people at a terminal.

mod compare;
mod describe;
mod explain;
mod gate;
mod lint;
mod next;
mod no_plan;
mod observe;
mod parts;
mod plan;
mod replay;
mod simulate;
mod timeout;

use super::words;

pub use compare::compare;
pub use describe::describe;
pub(super) use describe::describe_summary;
pub use explain::{explain, topics};
pub use gate::{gate_answer, gate_line, gate_rest};
pub use lint::lint;
pub(super) use lint::summary as lint_summary;
pub use next::next;
pub use no_plan::no_plan;
pub use observe::observe;
pub(super) use parts::{headroom, pauses, races, risks};
pub use plan::alternatives;
pub use plan::plan;
pub(super) use plan::{changes_markdown, each_step, plan_how_we_know, plan_summary, reasons};
pub use replay::replay;
pub(super) use replay::{replay_how_we_know, replay_rounds, replay_summary};
pub use simulate::simulate;
pub(super) use simulate::{how_we_know, summary};
pub use timeout::timeout;

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
