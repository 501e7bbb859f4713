//! What could be changed; and the policy that holds.

use serde::Serialize;

use super::{CandidateV1, rounded};
use crate::model::{Cluster, Policy};
use crate::plan::{Advice, Change, UnseenDelay};
use crate::report::{advice, roll};
use crate::simulation::Aim;
use crate::units::Duration;

/// One change, and the best roll under it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdviceV1 {
    /// The key that changes, or `stop_moment`.
    pub key: &'static str,
    /// Its value of now; `null` if there is none.
    pub from: Option<String>,
    /// The new value.
    pub to: Option<String>,
    /// Whether it is advised; else it is a comparison.
    pub advised: bool,
    /// The change in words.
    pub words: String,
    /// Why it helps, and what it costs elsewhere.
    pub why: String,
    /// The best roll if it is made; a setting is brought in by this very roll.
    pub price: CandidateV1,
    /// For a setting: the best roll of later, when all workers have it from the start.
    pub later: Option<CandidateV1>,
}

/// What follows from one value of a delay that nobody could see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnseenDelayV1 {
    /// The value of `scheduled.rebalance.max.delay.ms` on every worker.
    pub delay_ms: i64,
    /// What the plan costs with it.
    pub plan: CandidateV1,
    /// The roll that would be best with it.
    pub best: CandidateV1,
}

impl UnseenDelayV1 {
    /// Each likely value; none if the delay is known.
    pub fn all(cluster: &Cluster, all: &[UnseenDelay]) -> Vec<Self> {
        let new = |of: &UnseenDelay| Self {
            delay_ms: of.delay.as_millis(),
            plan: CandidateV1::new(cluster, &of.plan),
            best: CandidateV1::new(cluster, &of.best),
        };
        all.iter().map(new).collect()
    }
}

/// The policy that a plan respects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyV1 {
    /// The largest share without an owner for longer than a hand-over, from 0 to 1.
    pub max_share: f64,
    /// Whether somebody said so; else it is the largest single worker's share.
    pub max_share_given: bool,
    /// The longest time one task may have no owner.
    pub max_unassigned_ms: Option<i64>,
    /// The largest backlog of one connector.
    pub max_lag_records: Option<f64>,
    /// The longest duration of the roll.
    pub window_ms: Option<i64>,
    /// How many workers may be away at once.
    pub at_once: usize,
    /// `back`, `settled`, or a time; `null` if the search is free.
    pub wait: Option<String>,
    /// Whether a restart may begin while a delay runs.
    pub during_delay: bool,
    /// Whether the leader may be restarted once more.
    pub leader_again: bool,
}

impl AdviceV1 {
    /// All changes, the advised first.
    pub fn all(cluster: &Cluster, all: &[Advice]) -> Vec<Self> {
        all.iter().map(|of| Self::new(cluster, of)).collect()
    }

    fn new(cluster: &Cluster, of: &Advice) -> Self {
        let (key, from, to) = match &of.change {
            Change::Delay { from, to } => {
                let millis = |delay: &Duration| Some(delay.as_millis().to_string());
                ("scheduled.rebalance.max.delay.ms", millis(from), millis(to))
            }
            Change::Eager => ("connect.protocol", None, Some("eager".to_owned())),
            Change::WithLeader => ("policy.at_once", Some("1".to_owned()), Some("2".to_owned())),
            Change::LeaderAgain => ("policy.leader_again", Some("false".to_owned()), Some("true".to_owned())),
            Change::DuringDelay => ("policy.during_delay", Some("false".to_owned()), Some("true".to_owned())),
            Change::AnyWait => ("policy.wait", None, None),
            Change::MaxShare { from, to } => ("policy.max_share", Some(from.to_string()), Some(to.to_string())),
            Change::Aimed(Aim::JustAfter) => ("stop_moment", None, Some("just after a heartbeat".to_owned())),
            Change::Aimed(_) => ("stop_moment", None, Some("just before a heartbeat".to_owned())),
        };
        Self {
            key,
            from,
            to,
            advised: of.advised,
            words: advice::change(&of.change),
            why: advice::why(cluster, of),
            price: CandidateV1::new(cluster, &of.price),
            later: of.later.as_ref().map(|later| CandidateV1::new(cluster, later)),
        }
    }
}

impl PolicyV1 {
    /// The document of a policy.
    pub fn new(policy: &Policy) -> Self {
        Self {
            max_share: rounded(policy.max_share.0),
            max_share_given: policy.max_share_given,
            max_unassigned_ms: policy.max_unassigned.map(Duration::as_millis),
            max_lag_records: policy.max_lag.map(|records| records.0),
            window_ms: policy.window.map(Duration::as_millis),
            at_once: policy.at_once,
            wait: policy.wait.map(roll::one_wait),
            during_delay: policy.during_delay,
            leader_again: policy.leader_again,
        }
    }
}
