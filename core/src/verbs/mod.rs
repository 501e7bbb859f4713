//! What the front ends call: files and options in, a report out.
//!
//! The command and the wasm bindings are a few lines over these functions, so that both
//! give the same bytes. Everything that is read or decided is in the other rooms.

mod describe;
mod explain;
mod lint;
mod options;
mod plan;
mod refusal;
mod replay;
mod simulate;

pub use describe::describe;
pub use explain::{ExplainOptions, explain, rules_page};
pub use lint::{LintFormat, LintOptions, Linting, lint};
pub use options::{DEFAULT_SEED, OptionError, PlanOptions, ReplayOptions, SimulateOptions};
pub use plan::plan;
pub use refusal::Refusal;
pub use replay::replay;
pub use simulate::simulate;

/// What a verb gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The report in the form that was asked for.
    pub report: String,
    /// Whether the answer is yes: where something was asked, it can be had.
    pub yes: bool,
}
