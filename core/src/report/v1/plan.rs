//! A plan, or why there is none.

use serde::Serialize;

use super::{
    AdviceV1, AssumptionV1, DistributionV1, FindingV1, HeadroomV1, ImpactV1, InputsV1, MeasuredV1, PlannedStepV1,
    PolicyV1, ProcessV1, RoundV1, SCHEMA_VERSION, UnseenDelayV1, rounded,
};
use crate::finding::Finding;
use crate::model::{Cluster, Policy};
use crate::plan::{Breach, Candidate, Executor, NoPlan, Plan};
use crate::report::roll;
use crate::simulation::{Schedule, Stop};

/// What `rollgate plan -o json` prints when something respects the policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanV1 {
    /// 1.
    pub schema_version: u32,
    /// `plan`.
    pub command: &'static str,
    /// The version of rollgate that computed it.
    pub rollgate: &'static str,
    /// `true`.
    pub feasible: bool,
    /// The number that repeats the search.
    pub seed: u64,
    /// How many workers there are.
    pub workers: usize,
    /// How many tasks there are.
    pub tasks: usize,
    /// What it was computed from: whoever has this needs no other file.
    pub inputs: InputsV1,
    /// What carries it out: `steps`, or `serial` for a play with `serial: 1`.
    pub executor: &'static str,
    /// What it respects.
    pub policy: PolicyV1,
    /// What to do, as a rule.
    pub roll: RollV1,
    /// What it costs over many runs.
    pub distribution: DistributionV1,
    /// Why, in sentences.
    pub reasons: Vec<String>,
    /// What the expected course costs: the run whose unassigned time is the median one.
    pub impact: ImpactV1,
    /// The restarts of the expected course.
    pub steps: Vec<PlannedStepV1>,
    /// Each completed rebalance of the expected course.
    pub rounds: Vec<RoundV1>,
    /// What became of the worker processes in the expected course.
    pub processes: Vec<ProcessV1>,
    /// The next best rolls within the policy, best first.
    pub others: Vec<CandidateV1>,
    /// Rolls that would lose less but break a limit, best first.
    pub refused: Vec<CandidateV1>,
    /// Leader last, each when all is settled: what people commonly do.
    pub careful: Option<CandidateV1>,
    /// What could be changed, and what that buys; the advised first.
    pub advice: Vec<AdviceV1>,
    /// What it costs with each likely delay, where nobody could see the setting.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen_delay: Vec<UnseenDelayV1>,
    /// What can go wrong, as `lint` finds it in the files.
    pub findings: Vec<FindingV1>,
    /// Whether the other workers can carry each connector whose flow is known.
    pub headroom: Vec<HeadroomV1>,
    /// What was measured, and how often.
    pub measured: Vec<MeasuredV1>,
    /// What nobody said and was therefore assumed.
    pub assumed: Vec<AssumptionV1>,
}

/// What `rollgate plan -o json` prints when nothing respects the policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NoPlanV1 {
    /// 1.
    pub schema_version: u32,
    /// `plan`.
    pub command: &'static str,
    /// The version of rollgate that computed it.
    pub rollgate: &'static str,
    /// `false`.
    pub feasible: bool,
    /// The number that repeats the search.
    pub seed: u64,
    /// How many workers there are.
    pub workers: usize,
    /// How many tasks there are.
    pub tasks: usize,
    /// What it was computed from.
    pub inputs: InputsV1,
    /// What nothing respects.
    pub policy: PolicyV1,
    /// The limits that stand in the way, each with the best value that can be reached.
    pub binding: Vec<BreachV1>,
    /// The roll that comes nearest.
    pub nearest: Option<CandidateV1>,
    /// What could be changed; what would allow a roll comes first.
    pub advice: Vec<AdviceV1>,
    /// What nobody said and was therefore assumed.
    pub assumed: Vec<AssumptionV1>,
}

/// A roll as a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RollV1 {
    /// `leader-last`, `leader-first`, `leader-next`, `leader-after-N`, or names with commas between.
    pub order: String,
    /// `back`, `settled`, or a time after the return.
    pub wait: String,
    /// How many workers are away at once.
    pub at_once: usize,
    /// `graceful` or `kill`.
    pub stop: &'static str,
    /// When the leader goes once more to end a delay: `never`, `at-end`, `after-N` (followers).
    pub leader_again: String,
    /// Whether the next may go while a delay runs.
    pub during_delay: bool,
    /// The same in words.
    pub words: String,
}

/// A roll and what it costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateV1 {
    /// The roll.
    pub roll: RollV1,
    /// What it costs over many runs.
    pub distribution: DistributionV1,
    /// The limits that the p95 of the runs breaks.
    pub breaches: Vec<BreachV1>,
}

/// A limit of the policy that is not respected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreachV1 {
    /// The policy's key, or the demand in words.
    pub limit: &'static str,
    /// What is allowed: shares from 0 to 1, times in seconds, lags in records, else tasks.
    pub allowed: f64,
    /// What the p95 of the runs reaches; `null` if it has no end.
    pub reached: Option<f64>,
    /// The same as a sentence.
    pub words: String,
}

impl PlanV1 {
    /// The document of a plan.
    pub fn new(inputs: InputsV1, cluster: &Cluster, policy: &Policy, plan: &Plan, risks: &[Finding]) -> Self {
        let candidates = |list: &[Candidate]| list.iter().map(|of| CandidateV1::new(cluster, of)).collect();
        Self {
            schema_version: SCHEMA_VERSION,
            command: "plan",
            rollgate: env!("CARGO_PKG_VERSION"),
            feasible: true,
            seed: plan.seed.0,
            workers: cluster.workers.len(),
            tasks: cluster.work.task_count(),
            inputs,
            executor: match plan.executor {
                Executor::Steps => "steps",
                Executor::Serial => "serial",
            },
            policy: PolicyV1::new(policy),
            roll: RollV1::new(cluster, &plan.chosen.schedule),
            distribution: DistributionV1::new(&plan.chosen.distribution),
            reasons: plan.reasons.iter().map(ToString::to_string).collect(),
            impact: ImpactV1::new(cluster, &plan.impact),
            steps: PlannedStepV1::all(cluster, plan),
            rounds: RoundV1::all(cluster, &plan.expected),
            processes: ProcessV1::all(cluster, &plan.expected.processes),
            others: candidates(&plan.others),
            refused: candidates(&plan.refused),
            careful: plan.careful.as_ref().map(|of| CandidateV1::new(cluster, of)),
            advice: AdviceV1::all(cluster, &plan.advice),
            unseen_delay: UnseenDelayV1::all(cluster, &plan.unseen_delay),
            findings: risks.iter().map(FindingV1::new).collect(),
            headroom: HeadroomV1::all(cluster),
            measured: MeasuredV1::all(cluster),
            assumed: AssumptionV1::all(&cluster.assumed),
        }
    }
}

impl NoPlanV1 {
    /// The document of a search that found nothing.
    pub fn new(inputs: InputsV1, cluster: &Cluster, policy: &Policy, none: &NoPlan) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            command: "plan",
            rollgate: env!("CARGO_PKG_VERSION"),
            feasible: false,
            seed: none.seed.0,
            workers: cluster.workers.len(),
            tasks: cluster.work.task_count(),
            inputs,
            policy: PolicyV1::new(policy),
            binding: none.binding.iter().map(BreachV1::new).collect(),
            nearest: none.nearest.as_ref().map(|of| CandidateV1::new(cluster, of)),
            advice: AdviceV1::all(cluster, &none.advice),
            assumed: AssumptionV1::all(&cluster.assumed),
        }
    }
}

impl RollV1 {
    /// A roll.
    pub fn new(cluster: &Cluster, schedule: &Schedule) -> Self {
        Self {
            order: roll::order_key(cluster, &schedule.order),
            wait: roll::wait_key(schedule),
            at_once: schedule.at_once,
            stop: match schedule.stop {
                Stop::Graceful => "graceful",
                Stop::Kill => "kill",
            },
            leader_again: roll::again_key(schedule.flush),
            during_delay: schedule.during_delay,
            words: roll::words(cluster, schedule),
        }
    }
}

impl CandidateV1 {
    /// The document of a candidate.
    pub(super) fn new(cluster: &Cluster, candidate: &Candidate) -> Self {
        Self {
            roll: RollV1::new(cluster, &candidate.schedule),
            distribution: DistributionV1::new(&candidate.distribution),
            breaches: candidate.breaches.iter().map(BreachV1::new).collect(),
        }
    }
}

impl BreachV1 {
    pub(super) fn new(breach: &Breach) -> Self {
        Self {
            limit: breach.limit.key(),
            allowed: rounded(breach.allowed),
            reached: breach.reached.is_finite().then(|| rounded(breach.reached)),
            words: breach.to_string(),
        }
    }
}
