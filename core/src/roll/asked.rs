//! What a step of a plan asks of the cluster, as the gate takes it.

use std::collections::BTreeSet;

use super::plan_file::{PlanFile, Step};
use crate::gate::{After, Before, Conditions, Known, Limits, RestOnly, Sight, Until, Waiting, Which, Work};
use crate::model::Wait;
use crate::units::Duration;

/// What a caller may say about how it asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How long all must hold where everything must run; ten seconds without it.
    pub calm: Option<Duration>,
    /// How often the cluster is looked at.
    pub poll: Duration,
    /// When the step is given up, from its first look.
    pub deadline: Option<Duration>,
    /// What stands in for the group where there is no access to Kafka.
    pub rest_only: Option<RestOnly>,
    /// How many records more than in the baseline a sink may be behind to be back in its band.
    pub lag_band: Option<i64>,
}

/// What a step asks, and when it is given up. `waiting` is the work that may wait before it: what
/// the workers had that were stopped since all last ran.
pub fn conditions(plan: &PlanFile, step: &Step, waiting: Work, options: &Options) -> (Conditions, Limits) {
    let calm = options.calm.unwrap_or(CALM);
    let may_wait = !step.all_run;
    let which = if may_wait { Which::Only(waiting) } else { Which::Nothing };
    let allowed = Waiting { which, at_most: may_wait.then(|| most_waiting(plan)) };
    let conditions = Conditions {
        before: Before {
            waiting: allowed.clone(),
            delay_may_run: !step.no_delay && plan.policy.during_delay,
            owning: BTreeSet::new(),
            leads: None,
            calm: if may_wait { Duration::ZERO } else { calm },
        },
        after: After {
            until: match step.after {
                Wait::Back => Until::Back,
                Wait::Fixed(pause) => Until::BackFor(pause),
                Wait::Settled => Until::Settled,
            },
            waiting: Waiting::ANY,
            calm: if step.after == Wait::Settled { calm } else { Duration::ZERO },
        },
        last: plan.steps.last().is_some_and(|last| last.number == step.number),
        without: BTreeSet::new(),
        sight: options.rest_only.clone().map_or(Sight::Group, Sight::RestOnly),
        known: known(plan, options),
    };
    let limits = Limits {
        deadline: options.deadline,
        back_within: Some(step.back_within),
        // The plan's time ends when all runs; the gate sees that hold for the calm window, too.
        settled_within: step.settled_within.map(|within| within + calm),
        // Without the group nobody can compute what the next stop would do.
        share: options.rest_only.is_none().then_some(plan.policy.max_share.0),
        longest: plan.policy.max_unassigned.filter(|_| options.rest_only.is_none()),
        whole_connectors: None,
        lag_records: plan.policy.max_lag.map(|lag| whole(lag.0)),
        lag_band_records: options.lag_band,
    };
    (conditions, limits)
}

/// The most tasks that wait for a delay between two steps of the expected course.
fn most_waiting(plan: &PlanFile) -> usize {
    plan.steps.iter().map(|step| step.waiting_tasks).max().unwrap_or_default()
}

/// What the cluster does not say of itself, from the plan's description.
fn known(plan: &PlanFile, options: &Options) -> Known {
    let setups = plan.cluster.workers.iter().flat_map(|worker| [&worker.before, &worker.after]);
    let heartbeat = setups.clone().map(|setup| setup.settings.heartbeat_interval).max();
    let start = plan.cluster.connectors.iter().map(|connector| connector.task_start.longest()).max();
    let usual = Known::default();
    // Between two looks at most: a look may take as long as the poll does, and the machine be busy.
    let unwatched = (options.poll * 3).max(usual.unwatched);
    Known {
        heartbeat: heartbeat.unwrap_or(usual.heartbeat),
        start: usual.start.max(start.unwrap_or_default()),
        exactly_once: setups.clone().any(|setup| setup.settings.exactly_once),
        stale_after: usual.stale_after.max(unwatched),
        unwatched,
        ..usual
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a backlog of more than 2^53 records does not exist")]
fn whole(records: f64) -> i64 {
    records as i64
}

/// How long everything must run before the next step where the caller does not say: three
/// heartbeats of 3 s, so that each member has asked thrice.
const CALM: Duration = Duration::from_secs(10);
