//! What `explain` has to tell.

use crate::assessment::Distribution;
use crate::explain::Topic;
use crate::lint::Side;
use crate::simulation::Seed;

/// A topic and, of a rule, its example as it was simulated.
#[derive(Clone, Debug)]
pub struct Explained {
    /// What was asked for.
    pub topic: Topic,
    /// The bad roll and the better one.
    pub example: Option<[Shown; 2]>,
    /// The number that repeats the example.
    pub seed: Seed,
    /// How many runs it was drawn from.
    pub runs: u32,
}

/// A simulated roll of an example.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The roll.
    pub side: &'static Side,
    /// What it costs.
    pub distribution: Distribution,
}
