//! What every run has: processes and assumptions.

use serde::Serialize;

use crate::model::{Assumption, Cluster};
use crate::report::words;
use crate::simulation::{Process, ProcessChange};

/// A change of a worker process.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProcessV1 {
    /// When.
    pub at_ms: i64,
    /// Which worker.
    pub worker: String,
    /// `stopping`, `down`, `starting`, `joining`, `member` or `frozen`.
    pub process: &'static str,
}

/// A value nobody gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AssumptionV1 {
    /// The key that would say it.
    pub key: String,
    /// The value taken, with its unit.
    pub value: String,
    /// Where it comes from.
    pub reason: String,
}

/// A time that samples say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredV1 {
    /// The key that says it.
    pub key: &'static str,
    /// How many samples the shortest list of it has.
    pub samples: usize,
}

impl MeasuredV1 {
    /// All of a cluster.
    pub fn all(cluster: &Cluster) -> Vec<Self> {
        cluster.measured().iter().map(|of| Self { key: of.key, samples: of.samples }).collect()
    }
}

impl ProcessV1 {
    /// All changes of a run.
    pub fn all(cluster: &Cluster, changes: &[ProcessChange]) -> Vec<Self> {
        let new = |change: &ProcessChange| Self {
            at_ms: change.at.as_millis(),
            worker: words::worker(cluster, change.worker).to_owned(),
            process: match change.process {
                Process::Stopping => "stopping",
                Process::Down => "down",
                Process::Starting => "starting",
                Process::Joining => "joining",
                Process::Member => "member",
                Process::Frozen => "frozen",
            },
        };
        changes.iter().map(new).collect()
    }
}

impl AssumptionV1 {
    /// All assumptions of a cluster.
    pub fn all(assumed: &[Assumption]) -> Vec<Self> {
        let new = |assumption: &Assumption| Self {
            key: assumption.key.clone(),
            value: assumption.value.clone(),
            reason: assumption.reason.clone(),
        };
        assumed.iter().map(new).collect()
    }
}
