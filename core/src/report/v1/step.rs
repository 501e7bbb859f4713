//! The restarts of a roll.

use serde::Serialize;

use super::rounded;
use crate::assessment::{StepImpact, step_impacts};
use crate::model::Cluster;
use crate::plan::{Plan, PlannedStep};
use crate::report::{roll, words};
use crate::simulation::{Step, Timeline};
use crate::units::{Duration, SimTime};

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

/// One step of a plan: as it is expected, what to wait for, and what should be seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedStepV1 {
    /// As it is expected.
    #[serde(flatten)]
    pub step: StepV1,
    /// The share of the runs in which this step restarts these workers; 1 if they are known now.
    pub likely_share: f64,
    /// What must hold before it.
    pub before: BeforeV1,
    /// `back`, `settled`, or a time after the return: what is waited for after it.
    pub after: String,
    /// So long its workers may be away before somebody has to look.
    pub back_within_ms: i64,
    /// So long it may take from then until all is settled; `null` where that is not waited for.
    pub settled_within_ms: Option<i64>,
    /// What the group does until the next step of the expected course.
    pub seen: SeenV1,
}

/// What must hold before a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BeforeV1 {
    /// All other workers are members of a stable group. Always `true`.
    pub others_are_members: bool,
    /// Everything of the baseline runs.
    pub all_run: bool,
    /// No delay runs.
    pub no_delay: bool,
}

/// What should be seen after a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeenV1 {
    /// Completed rebalances until the next step.
    pub rounds: usize,
    /// Who leads then.
    pub leader: Option<String>,
    /// The delay that then runs.
    pub delay_ms: Option<i64>,
    /// Tasks that wait for it.
    pub waiting_tasks: usize,
}

impl PlannedStepV1 {
    /// All steps of a plan.
    pub fn all(cluster: &Cluster, plan: &Plan) -> Vec<Self> {
        let steps = StepV1::all(cluster, &plan.expected);
        steps.into_iter().zip(&plan.planned).map(|(step, planned)| Self::new(cluster, step, planned)).collect()
    }

    fn new(cluster: &Cluster, step: StepV1, planned: &PlannedStep) -> Self {
        Self {
            step,
            likely_share: rounded(planned.likely.0),
            before: BeforeV1 {
                others_are_members: true,
                all_run: planned.before.all_run,
                no_delay: planned.before.no_delay,
            },
            after: roll::one_wait(planned.after),
            back_within_ms: planned.back_within.as_millis(),
            settled_within_ms: planned.settled_within.map(Duration::as_millis),
            seen: SeenV1 {
                rounds: planned.seen.rounds,
                leader: planned.seen.leader.map(|leader| words::worker(cluster, leader).to_owned()),
                delay_ms: planned.seen.delay.map(Duration::as_millis),
                waiting_tasks: planned.seen.waiting,
            },
        }
    }
}
