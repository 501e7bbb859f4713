//! How much is simulated for a plan.

use crate::model::Cluster;

/// How many runs a search may spend, fixed beforehand so that the same call gives the same plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Runs of each candidate: enough to set aside what is far from the best.
    pub glance: u32,
    /// Runs of each candidate that is left then.
    pub screening: u32,
    /// Runs of each finalist.
    pub runs: u32,
    /// How many of the best candidates are looked at closely.
    pub finalists: usize,
    /// Candidates tried at most.
    pub candidates: usize,
    /// Runs of each change of a setting or of the policy that is priced for advice; none if 0.
    pub advice: u32,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Runs done.
    pub done: u32,
    /// Runs in all, as far as is known.
    pub total: u32,
    /// The best roll so far: what the search would answer now.
    pub best: Option<SoFar>,
}

/// The figures of the best roll so far, each the mean of its runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoFar {
    /// Its runs so far.
    pub runs: u32,
    /// Task-seconds without an owner.
    pub unassigned: f64,
    /// The largest share without an owner for longer than a hand-over.
    pub peak_held: f64,
    /// From the first stop until all is settled, in seconds.
    pub duration: f64,
}

impl Budget {
    /// What a person will wait for: the larger the cluster, the fewer runs, unless so many are asked for.
    pub fn of(cluster: &Cluster, runs: Option<u32>) -> Self {
        let size = cluster.workers.len().max(1) * cluster.work.task_count().max(1);
        let (glance, screening, usual, finalists, candidates, advice) = match size {
            0..=5_000 => (3, 10, 200, 3, usize::MAX, 40),
            5_001..=50_000 => (2, 7, 100, 3, 40, 20),
            50_001..=200_000 => (1, 3, 40, 2, 20, 8),
            _ => (1, 2, 20, 2, 12, 4),
        };
        let runs = runs.unwrap_or(usual).max(1);
        Self {
            glance: glance.min(runs),
            screening: screening.min(runs),
            runs,
            finalists,
            candidates,
            advice: if runs < usual { advice.min(runs) } else { advice },
        }
    }
}
