//! The course of one roll.

use serde::Serialize;

use super::{AssumptionV1, DistributionV1, HeadroomV1, ImpactV1, ProcessV1, RoundV1, SCHEMA_VERSION, StepV1};
use crate::report::Run;

/// What `rollgate simulate -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulateV1 {
    /// 1.
    pub schema_version: u32,
    /// `simulate`.
    pub command: &'static str,
    /// The number that repeats the run.
    pub seed: u64,
    /// How many workers there are.
    pub workers: usize,
    /// How many tasks there are.
    pub tasks: usize,
    /// The numbers of the run.
    pub impact: ImpactV1,
    /// Many runs of the same roll; `null` if only one was asked for.
    pub distribution: Option<DistributionV1>,
    /// The restarts as they came about.
    pub steps: Vec<StepV1>,
    /// Each completed rebalance.
    pub rounds: Vec<RoundV1>,
    /// What became of the worker processes.
    pub processes: Vec<ProcessV1>,
    /// Whether the other workers can carry each connector whose flow is known.
    pub headroom: Vec<HeadroomV1>,
    /// What nobody said and was therefore assumed.
    pub assumed: Vec<AssumptionV1>,
}

impl SimulateV1 {
    /// The document of a run.
    pub fn new(run: &Run<'_>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            command: "simulate",
            seed: run.seed.0,
            workers: run.cluster.workers.len(),
            tasks: run.cluster.work.task_count(),
            impact: ImpactV1::new(run.cluster, run.impact),
            distribution: run.distribution.map(DistributionV1::new),
            steps: StepV1::all(run.cluster, run.timeline),
            rounds: RoundV1::all(run.cluster, run.timeline),
            processes: ProcessV1::all(run.cluster, &run.timeline.processes),
            headroom: HeadroomV1::all(run.cluster),
            assumed: AssumptionV1::all(&run.cluster.assumed),
        }
    }
}
