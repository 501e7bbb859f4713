//! The next step of a roll, and what happens if workers go now.

use serde::Serialize;

use super::{AssumptionV1, BreachV1, DistributionV1, QuantilesV1, RollV1, SCHEMA_VERSION, rounded};
use crate::model::{Cluster, ConnectorId, WorkerId};
use crate::plan::{GoesNow, Moment, NextStep, Side, Turned};
use crate::report::next::{NextAsked, answer, moment, no_moment, why};
use crate::report::words;
use crate::units::Duration;

/// What `rollgate next -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NextV1 {
    /// 1.
    pub schema_version: u32,
    /// `next`.
    pub command: &'static str,
    /// The version of rollgate that computed it.
    pub rollgate: &'static str,
    /// When the cluster was seen.
    pub taken_at: String,
    /// `restart`, `away` (a worker is out of the group), `waits` (all are done, a delay runs) or `through`.
    pub answer: &'static str,
    /// The same as a sentence.
    pub words: String,
    /// Why, as sentences; empty where nothing is to be restarted.
    pub why: String,
    /// What to restart; where a delay runs and all are done, what would end it.
    pub step: Option<NextStepV1>,
    /// When to send SIGTERM, if a second can be named.
    pub moment: Option<MomentV1>,
    /// The same in words, or why none is named.
    pub when: Option<String>,
    /// The best step with another worker.
    pub other: Option<NextStepV1>,
    /// Workers that are through.
    pub done: Vec<String>,
    /// Workers that are still to do.
    pub to_do: Vec<String>,
    /// Workers that are out of the group.
    pub away: Vec<String>,
    /// Who leads.
    pub leader: Option<String>,
    /// Who would, if the leader left.
    pub successor: Option<String>,
    /// What is left of the delay that runs, at most.
    pub delay_left_ms: Option<i64>,
    /// The number that repeats it.
    pub seed: u64,
    /// What nobody said and was therefore assumed.
    pub assumed: Vec<AssumptionV1>,
}

/// A step and what the roll costs from it on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NextStepV1 {
    /// Who goes, together.
    pub workers: Vec<String>,
    /// Whether it waits for the delay that runs to be over.
    pub when_settled: bool,
    /// How the roll goes on.
    pub then: RollV1,
    /// What it costs to its end.
    pub distribution: DistributionV1,
    /// The limits that the p95 of the runs breaks.
    pub breaches: Vec<BreachV1>,
    /// What the step itself does if it goes at this instant.
    pub now: GoesNowV1,
}

/// What follows if workers are stopped at this instant and come back as usual.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoesNowV1 {
    /// Who.
    pub workers: Vec<String>,
    /// Whether one of them leads.
    pub leads: bool,
    /// Who leads then.
    pub then_leads: Option<String>,
    /// Tasks that run on them.
    pub tasks: usize,
    /// Tasks that wait for a delay already.
    pub waiting: usize,
    /// All tasks that run or wait.
    pub all_tasks: usize,
    /// Largest share of those without an owner at one instant.
    pub peak_share: QuantilesV1,
    /// The same for longer than a hand-over.
    pub peak_held_share: QuantilesV1,
    /// The longest time of one task.
    pub longest_seconds: QuantilesV1,
    /// Sum over all tasks until all is settled, those that wait already included.
    pub unassigned_task_seconds: QuantilesV1,
    /// The same if nobody goes.
    pub unassigned_anyway_task_seconds: f64,
    /// From the stop until all is settled.
    pub settled_seconds: QuantilesV1,
    /// Rebalances until then.
    pub rounds: QuantilesV1,
    /// Tasks that end FAILED.
    pub failed_tasks: QuantilesV1,
    /// The delay that runs after the first of them.
    pub delay_ms: Option<i64>,
    /// Connectors of which no task runs meanwhile.
    pub connectors_down: Vec<String>,
    /// Sinks whose consumers all stop for their own rebalance.
    pub sinks_paused: Vec<String>,
}

/// When to send SIGTERM.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MomentV1 {
    /// From the snapshot to the first such moment.
    pub after_ms: i64,
    /// How far such moments lie apart.
    pub every_ms: i64,
    /// From the snapshot to when the heartbeats are out of step.
    pub until_ms: i64,
    /// Where the leave falls: `just-before` or `just-after` a heartbeat, or `back-before`: so that
    /// the restart is back just before one.
    pub side: &'static str,
    /// What the stop then costs.
    pub unassigned_task_seconds: f64,
    /// What it costs at any moment, on average.
    pub at_any_moment_task_seconds: f64,
}

impl NextV1 {
    /// The document of a next step.
    pub fn new(asked: &NextAsked<'_>) -> Self {
        let NextAsked { cluster, next, done, .. } = *asked;
        let (kind, step, at) = match &next.turn {
            Turned::Away => ("away", None, None),
            Turned::Through => ("through", None, None),
            Turned::Waits(step) => ("waits", step.as_deref(), None),
            Turned::Restart(step, at) => ("restart", Some(&**step), Some(at)),
        };
        let name = |worker: WorkerId| words::worker(cluster, worker).to_owned();
        Self {
            schema_version: SCHEMA_VERSION,
            command: "next",
            rollgate: env!("CARGO_PKG_VERSION"),
            taken_at: asked.taken_at.to_string(),
            answer: kind,
            words: answer(asked),
            why: why(asked),
            step: step.map(|step| NextStepV1::new(cluster, step)),
            moment: at.and_then(|at| at.as_ref().ok()).map(MomentV1::new),
            when: at.map(|at| match at {
                Ok(_) => moment(asked, at),
                Err(why) => no_moment(*why),
            }),
            other: next.other.as_ref().map(|step| NextStepV1::new(cluster, step)),
            done: names(cluster, done),
            to_do: names(cluster, &next.to_do),
            away: names(cluster, &next.away),
            leader: next.leader.map(name),
            successor: next.successor.map(name),
            delay_left_ms: next.delay_left.map(Duration::as_millis),
            seed: next.seed.0,
            assumed: AssumptionV1::all(&cluster.assumed),
        }
    }
}

impl NextStepV1 {
    fn new(cluster: &Cluster, step: &NextStep) -> Self {
        Self {
            workers: names(cluster, &step.workers),
            when_settled: step.when_settled,
            then: RollV1::new(cluster, &step.then),
            distribution: DistributionV1::new(&step.distribution),
            breaches: step.breaches.iter().map(BreachV1::new).collect(),
            now: GoesNowV1::new(cluster, &step.now),
        }
    }
}

impl GoesNowV1 {
    /// The document of what follows.
    pub fn new(cluster: &Cluster, now: &GoesNow) -> Self {
        let named = |connectors: &[ConnectorId]| {
            connectors.iter().map(|&connector| cluster.work.name(connector).to_owned()).collect()
        };
        Self {
            workers: names(cluster, &now.workers),
            leads: now.leads,
            then_leads: now.then_leads.map(|worker| words::worker(cluster, worker).to_owned()),
            tasks: now.tasks,
            waiting: now.waiting,
            all_tasks: now.all,
            peak_share: QuantilesV1::new(now.peak),
            peak_held_share: QuantilesV1::new(now.held),
            longest_seconds: QuantilesV1::new(now.longest),
            unassigned_task_seconds: QuantilesV1::new(now.unassigned),
            unassigned_anyway_task_seconds: rounded(now.unassigned_anyway),
            settled_seconds: QuantilesV1::new(now.settled),
            rounds: QuantilesV1::new(now.rounds),
            failed_tasks: QuantilesV1::new(now.failed),
            delay_ms: now.delay.map(Duration::as_millis),
            connectors_down: named(&now.connectors_down),
            sinks_paused: named(&now.sinks_paused),
        }
    }
}

impl MomentV1 {
    fn new(moment: &Moment) -> Self {
        Self {
            after_ms: moment.after.as_millis(),
            every_ms: moment.every.as_millis(),
            until_ms: moment.until.as_millis(),
            side: match moment.side {
                Side::JustAfter => "just-after",
                Side::BackBefore => "back-before",
                Side::JustBefore => "just-before",
            },
            unassigned_task_seconds: rounded(moment.unassigned),
            at_any_moment_task_seconds: rounded(moment.unassigned_any),
        }
    }
}

fn names(cluster: &Cluster, workers: &[WorkerId]) -> Vec<String> {
    workers.iter().map(|&worker| words::worker(cluster, worker).to_owned()).collect()
}
