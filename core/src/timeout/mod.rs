//! How long a restart may take before it has failed, from restarts that were measured; and
//! what Kafka's settings have to be for that.
//!
//! Few restarts are ever measured, and the slow ones matter most. The bound is for 19 of 20
//! restarts, with 95 % confidence; what few samples cannot say is not said. Kinds of restart
//! are never mixed into one number, and a restart that somebody gave up on counts as longer
//! than that, not as missing.
//!
//! The same in R: package `tolerance`, `normtol.int(log(x), alpha = 0.05, P = 0.95)` and
//! `nptol.int`.
//!
//! # Leaves out
//! - a trend: that restarts become slower with the internal topics, say
//! - that restarts of one worker are alike and those of another are not

mod advice;
mod censored;
mod estimate;
mod limit;
mod measured;
mod modes;
mod normal;
mod read;
mod setting;
mod situation;
mod step;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod times;
mod tolerance;

pub use advice::{Advice, OfKind};
pub use estimate::{Estimate, FEWEST, NoEstimate, Sample, WEAK, confidence, estimate, none_slower};
pub(crate) use limit::said;
pub use limit::{Basis, Limit};
pub use measured::{Kind, Measured, Phase, Restart};
pub use modes::Group;
pub use read::read;
pub use setting::{DelayAdvice, Demand, Verdict};
pub use situation::Situation;
pub use step::StepLimits;
pub use times::Times;
