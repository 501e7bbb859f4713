//! How much is simulated for a plan.

use crate::model::Cluster;

/// How many runs a search may spend, fixed beforehand so that the same call gives the same plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Runs of each candidate.
    pub screening: u32,
    /// Runs of each finalist.
    pub runs: u32,
    /// How many of the best candidates are looked at closely.
    pub finalists: usize,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs done.
    pub done: u32,
    /// Runs in all, as far as is known.
    pub total: u32,
}

impl Budget {
    /// What a person will wait for: the larger the cluster, the fewer runs, unless so many are asked for.
    pub fn of(cluster: &Cluster, runs: Option<u32>) -> Self {
        let size = cluster.workers.len().max(1) * cluster.work.task_count().max(1);
        let (screening, usual, finalists) = match size {
            0..=5_000 => (10, 200, 3),
            5_001..=50_000 => (7, 100, 3),
            50_001..=200_000 => (3, 40, 2),
            _ => (1, 20, 2),
        };
        let runs = runs.unwrap_or(usual).max(1);
        Self { screening: screening.min(runs), runs, finalists }
    }
}
