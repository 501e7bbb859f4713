//! The restarts of a roll.

use serde::Serialize;

use super::rounded;
use crate::assessment::{StepImpact, step_impacts};
use crate::model::Cluster;
use crate::report::words;
use crate::simulation::{Step, Timeline};
use crate::units::SimTime;

/// One restart, or several at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepV1 {
    /// Its place, from 1.
    pub step: usize,
    /// Which workers; more than one if several may be away at once.
    pub workers: Vec<String>,
    /// When they were stopped.
    pub at_ms: i64,
    /// When all of them were members again; `null` if that never came.
    pub back_ms: Option<i64>,
    /// Whether one of them led the group.
    pub leader: bool,
    /// Whether the leader went once more only to end a delay.
    pub again: bool,
    /// How often a task lost its owner between this step and the next.
    pub pauses: u32,
    /// The longest of these times.
    pub longest_ms: i64,
    /// Their sum.
    pub unassigned_task_seconds: f64,
}

impl StepV1 {
    /// All steps of a roll.
    pub fn all(cluster: &Cluster, timeline: &Timeline) -> Vec<Self> {
        let impacts = step_impacts(cluster, timeline);
        let steps = timeline.steps.iter().zip(&impacts);
        steps.zip(1..).map(|((step, impact), number)| Self::new(cluster, number, step, impact)).collect()
    }

    fn new(cluster: &Cluster, number: usize, step: &Step, impact: &StepImpact) -> Self {
        Self {
            step: number,
            workers: step.workers.iter().map(|worker| words::worker(cluster, *worker).to_owned()).collect(),
            at_ms: step.at.as_millis(),
            back_ms: step.back.map(SimTime::as_millis),
            leader: step.leads,
            again: step.flush,
            pauses: impact.outages,
            longest_ms: impact.longest.as_millis(),
            unassigned_task_seconds: rounded(impact.unassigned.0),
        }
    }
}
