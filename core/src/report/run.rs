//! One roll, as a report needs it.

use crate::assessment::{Distribution, Impact};
use crate::model::Cluster;
use crate::simulation::{Seed, Timeline};

/// One simulated roll with everything that is said about it.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The cluster.
    pub cluster: &'a Cluster,
    /// What happened.
    pub timeline: &'a Timeline,
    /// What it costs.
    pub impact: &'a Impact,
    /// Many runs of the same roll, of which this is the median one; `None` if there is but one.
    pub distribution: Option<&'a Distribution>,
    /// The number that repeats it.
    pub seed: Seed,
}
