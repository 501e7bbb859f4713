//! One replay, as a report needs it.

use crate::assessment::Impact;
use crate::model::Replay;
use crate::simulation::{Seed, Timeline};

/// What was given and what follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Incident<'a> {
    /// The facts.
    pub replay: &'a Replay,
    /// What followed.
    pub timeline: &'a Timeline,
    /// What it did to the tasks.
    pub impact: &'a Impact,
    /// The number that repeats what the facts leave to chance.
    pub seed: Seed,
}
