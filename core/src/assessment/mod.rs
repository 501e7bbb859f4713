//! What a run did to the work: unassigned time, shares, moves, lag; and many runs side by side.

mod course;
mod distribution;
mod impact;
mod share;

pub use course::{Levels, level_at, shown_until, unassigned};
pub use distribution::{Distribution, Figure, Outcomes, Quantiles, RunFigures};
pub use impact::{
    ConnectorImpact, Impact, Outage, SinkImpact, StepImpact, assess, assess_work, hand_over, outages, step_impacts,
};

use std::fmt;

/// Seconds without an owner, summed over tasks.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct TaskSeconds(pub f64);

/// With separators: `7,370 task-seconds` is written as `7,370`.
impl fmt::Display for TaskSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::units::Records(self.0).fmt(f)
    }
}
