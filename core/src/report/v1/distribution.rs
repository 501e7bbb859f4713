//! Many runs side by side.

use serde::Serialize;

use super::rounded;
use crate::assessment::{Distribution, Figure, Quantiles};

/// Median, p95 and worst of the numbers of [`super::ImpactV1`] over many runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DistributionV1 {
    /// How many runs.
    pub runs: u32,
    /// The run whose unassigned time is the median one.
    pub median_seed: u64,
    /// Sum over all tasks of the time without a running instance.
    pub unassigned_task_seconds: QuantilesV1,
    /// The longest time of one task.
    pub longest_seconds: QuantilesV1,
    /// The largest share that was unassigned at one instant.
    pub peak_share: QuantilesV1,
    /// The largest share that was unassigned for longer than a hand-over.
    pub peak_held_share: QuantilesV1,
    /// Completed rebalances.
    pub rounds: QuantilesV1,
    /// Tasks that run on another worker than before.
    pub moves: QuantilesV1,
    /// Starts of tasks.
    pub starts: QuantilesV1,
    /// From the first stop until all runs and nothing more moves.
    pub duration_seconds: QuantilesV1,
    /// The largest backlog of one connector.
    pub peak_lag_records: QuantilesV1,
    /// Tasks that ended FAILED.
    pub failed_tasks: QuantilesV1,
}

/// Three numbers of a distribution; `null` where a run never came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct QuantilesV1 {
    /// Half of the runs have at most this.
    pub median: Option<f64>,
    /// 95 of 100 runs have at most this.
    pub p95: Option<f64>,
    /// No run has more.
    pub worst: Option<f64>,
}

impl QuantilesV1 {
    /// Of the figures of many runs.
    pub(super) fn new(quantiles: Quantiles) -> Self {
        let number = |value: f64| value.is_finite().then(|| rounded(value));
        Self { median: number(quantiles.median), p95: number(quantiles.p95), worst: number(quantiles.worst) }
    }
}

impl DistributionV1 {
    /// The document of many runs.
    pub fn new(distribution: &Distribution) -> Self {
        let of = |figure| QuantilesV1::new(distribution.of(figure));
        Self {
            runs: distribution.runs,
            median_seed: distribution.median_seed.0,
            unassigned_task_seconds: of(Figure::Unassigned),
            longest_seconds: of(Figure::Longest),
            peak_share: of(Figure::Peak),
            peak_held_share: of(Figure::PeakHeld),
            rounds: of(Figure::Rounds),
            moves: of(Figure::Moves),
            starts: of(Figure::Starts),
            duration_seconds: of(Figure::Duration),
            peak_lag_records: of(Figure::PeakLag),
            failed_tasks: of(Figure::Failed),
        }
    }
}
