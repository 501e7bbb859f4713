//! What the front ends call: files and options in, a report out.
//!
//! The command and the wasm bindings are a few lines over these functions, so that both
//! give the same bytes. Everything that is read or decided is in the other rooms.

mod chart;
mod chart_options;
mod compare;
mod describe;
mod discover;
mod explain;
mod foreseen;
mod illustrated;
mod lint;
mod next;
mod observe;
mod observed;
mod options;
mod plan;
mod refusal;
mod replay;
mod simulate;
mod timeout;

pub use chart::chart;
pub use chart_options::{ChartOptions, Figure};
pub use compare::{CompareOptions, compare, compare_picture};
pub use describe::describe;
pub use discover::{DiscoverOptions, discover, discover_seen, live_description};
pub use explain::{ExplainOptions, explain, rules_page};
pub use foreseen::foreseen;
pub use illustrated::{Illustrated, Picture, PictureOptions, illustrated_plan, illustrated_simulate};
pub use lint::{LintFormat, LintOptions, Linting, lint};
pub use next::{NextOptions, next, next_seen};
pub use observe::{observe, observed};
pub use observed::{Observed, snapshot_of};
pub use options::{DEFAULT_SEED, ExecutorOption, OptionError, PlanOptions, ReplayOptions, SimulateOptions};
pub use plan::plan;
pub use refusal::Refusal;
pub use replay::replay;
pub use simulate::simulate;
pub use timeout::{TimeoutOptions, timeout};

/// What a verb gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The report in the form that was asked for.
    pub report: String,
    /// Whether the answer is yes: where something was asked, it can be had.
    pub yes: bool,
}
