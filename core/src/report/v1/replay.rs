//! What follows from given facts.

use serde::Serialize;

use super::{AssumptionV1, ImpactV1, ProcessV1, RoundV1, SCHEMA_VERSION};
use crate::report::Incident;

/// What `rollgate replay -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayV1 {
    /// 1.
    pub schema_version: u32,
    /// `replay`.
    pub command: &'static str,
    /// The number that repeats what the file leaves to chance.
    pub seed: u64,
    /// Each completed rebalance.
    pub rounds: Vec<RoundV1>,
    /// What it did to the tasks that ran when the first event came.
    pub impact: ImpactV1,
    /// What became of the worker processes.
    pub processes: Vec<ProcessV1>,
    /// What nobody said and was therefore assumed.
    pub assumed: Vec<AssumptionV1>,
}

impl ReplayV1 {
    /// The document of a replay.
    pub fn new(incident: &Incident<'_>) -> Self {
        let cluster = &incident.replay.cluster;
        Self {
            schema_version: SCHEMA_VERSION,
            command: "replay",
            seed: incident.seed.0,
            rounds: RoundV1::all(cluster, incident.timeline),
            impact: ImpactV1::new(cluster, incident.impact),
            processes: ProcessV1::all(cluster, &incident.timeline.processes),
            assumed: AssumptionV1::all(&cluster.assumed),
        }
    }
}
