//! What a plan costs where nobody could see the delay setting of the cluster.

use super::advice::Asked;
use super::budget::Budget;
use super::candidates::{Executor, is_eager};
use super::delays::with_delay;
use super::priced::{Candidate, Priced, Question};
use crate::units::Duration;

/// One value that `scheduled.rebalance.max.delay.ms` may have, and what follows.
#[derive(Clone, Debug)]
pub struct UnseenDelay {
    /// The value, on every worker.
    pub delay: Duration,
    /// What the plan costs with it.
    pub plan: Candidate,
    /// The roll that would be best with it.
    pub best: Candidate,
}

/// Prices the plan and the best roll with each value that is likely, if the delay is not known.
pub(super) fn unseen_delay(
    question: &Question<'_>,
    executor: Executor,
    budget: Budget,
    chosen: &Candidate,
    each: &mut dyn FnMut(),
) -> Vec<UnseenDelay> {
    let unknown = question.cluster.unseen.iter().any(|key| key == DELAY);
    if !unknown || is_eager(question.cluster) || question.cluster.workers.len() < 2 {
        return Vec::new();
    }
    let runs = budget.advice.max(budget.screening);
    let priced = |delay: Duration| {
        let cluster = with_delay(question.cluster, delay);
        let with = Question { cluster: &cluster, policy: question.policy, seed: question.seed };
        let plan = Priced::begin(&with, chosen.schedule.clone(), runs, each).candidate;
        let brief = Budget { advice: runs, ..budget };
        let mut asked = Asked { question: &with, executor, budget: brief, chosen: Some(chosen), each };
        let best = asked.best(&cluster, question.policy, |_| true)?;
        Some(UnseenDelay { delay, plan, best })
    };
    LIKELY.into_iter().map(Duration::from_secs).filter_map(priced).collect()
}

/// The key of the setting, as `assumed` of a description names it.
const DELAY: &str = "settings.scheduled.rebalance.max.delay.ms";

/// None, what is often recommended, and Kafka's default; in seconds.
const LIKELY: [i64; 3] = [0, 60, 300];
