//! How long a restart may take.

use serde::Serialize;

use super::{AssumptionV1, SCHEMA_VERSION, rounded};
use crate::timeout::{
    Advice, Basis, DelayAdvice, Demand, Estimate, Limit, NoEstimate, OfKind, Situation, StepLimits, Verdict, confidence,
};
use crate::units::Duration;

/// What `rollgate timeout -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeoutV1 {
    /// 1.
    pub schema_version: u32,
    /// `timeout`.
    pub command: &'static str,
    /// Whether measured times answer; if not, a rule of thumb stands in.
    pub known: bool,
    /// How long to give a restart of the first kind until it has failed.
    pub restart_ms: i64,
    /// What becomes of `scheduled.rebalance.max.delay.ms`.
    pub delay: DelayV1,
    /// How many restarts this roll has, where that is known.
    pub restarts_of_this_roll: Option<usize>,
    /// Each kind of restart, that which the advice is for first.
    pub kinds: Vec<TimeoutKindV1>,
    /// Each setting and limit that a restart touches.
    pub settings: Vec<TimeoutSettingV1>,
    /// When a step has failed, with the delay as it is now.
    pub step_now: StepLimitsV1,
    /// The same with the delay that is advised, where that is another.
    pub step_then: Option<StepLimitsV1>,
    /// What nobody said and was therefore assumed.
    pub assumed: Vec<AssumptionV1>,
}

/// What becomes of the delay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DelayV1 {
    /// `set-to`, `leave`, `not-known`, `unused` or `none` (none suits).
    pub advice: &'static str,
    /// The delay that is then in force, where it is known.
    pub delay_ms: Option<i64>,
    /// With `none`: what it would have to outlast.
    pub least_ms: Option<i64>,
    /// With `none`: what the limit leaves.
    pub most_ms: Option<i64>,
    /// With `none`: the limit that binds.
    pub limit: Option<&'static str>,
}

/// A kind of restart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeoutKindV1 {
    /// `clean`, `kill`, `cold`, `upgrade`; `null` where it was not said.
    pub kind: Option<&'static str>,
    /// From the stop until the worker is back in the group.
    pub back: LimitV1,
    /// Its parts, as far as they are known.
    pub parts: Vec<LimitV1>,
    /// That at most 1 in 20 is slower than the slowest seen, from 0 to 1; `null` where the
    /// slowest was not waited out, or none was measured as a whole.
    pub confidence_1_in_20: Option<f64>,
    /// That none of this roll's restarts is slower than the slowest seen; `null` as above, or
    /// where their number is not known.
    pub none_slower: Option<f64>,
}

/// How long something may take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitV1 {
    /// What.
    pub name: String,
    /// The limit.
    pub limit_ms: i64,
    /// `measured`, `rule-of-thumb`, `stated-range`, `stated-time` or `sum`.
    pub basis: &'static str,
    /// The same in words.
    pub words: String,
    /// The estimate, if it was measured.
    pub estimate: Option<EstimateV1>,
    /// Why there is none, if it was measured.
    pub no_estimate: Option<NoEstimateV1>,
}

/// What measured times say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimateV1 {
    /// How many were seen to end.
    pub seen: usize,
    /// How many were given up before.
    pub given_up: usize,
    /// The median of those seen to end.
    pub median_ms: i64,
    /// The longest time known.
    pub longest_ms: i64,
    /// 19 of 20 stay below, 95 % sure, if times are log-normal.
    pub log_normal_ms: i64,
    /// The same without any assumption; `null` with fewer than 59.
    pub order_statistic_ms: Option<i64>,
    /// The bound that was taken.
    pub bound_ms: i64,
    /// Whether fewer than 20 were seen to end.
    pub weak: bool,
    /// Whether the bound was cut off at five times the longest.
    pub capped: bool,
}

/// Why measured times allow no estimate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NoEstimateV1 {
    /// `too-few`, `two-kinds` or `too-many-given-up`.
    pub reason: &'static str,
    /// The same in words.
    pub words: String,
}

/// A setting or limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeoutSettingV1 {
    /// Its name.
    pub setting: &'static str,
    /// The least over the workers now; `null` if nobody said it.
    pub now_least_ms: Option<i64>,
    /// The most over the workers now; `null` if nobody said it.
    pub now_most_ms: Option<i64>,
    /// What it must not be below.
    pub needs_least_ms: Option<i64>,
    /// What it must not be above; below 0 where nothing is left.
    pub needs_most_ms: Option<i64>,
    /// What to set it to; `null` to leave it.
    pub set_to_ms: Option<i64>,
    /// `fits`, `too-short`, `too-long`, `binds` or `unknown`.
    pub verdict: &'static str,
    /// Why.
    pub why: String,
}

/// When a step has failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepLimitsV1 {
    /// From the stop until the worker is back in the group.
    pub back: LimitV1,
    /// From then until all tasks run.
    pub running: LimitV1,
    /// From the stop until all tasks run.
    pub step: LimitV1,
}

impl TimeoutV1 {
    /// The document of an answer.
    pub fn new(advice: &Advice, situation: &Situation<'_>) -> Self {
        let kinds = std::iter::once(&advice.asked).chain(&advice.others);
        Self {
            schema_version: SCHEMA_VERSION,
            command: "timeout",
            known: advice.is_known(),
            restart_ms: advice.asked.times.back.time.as_millis(),
            delay: DelayV1::new(&advice.delay),
            restarts_of_this_roll: advice.coming,
            kinds: kinds.map(|of| TimeoutKindV1::new(of, advice.coming)).collect(),
            settings: advice.settings.iter().map(TimeoutSettingV1::new).collect(),
            step_now: StepLimitsV1::new(&advice.step_now),
            step_then: advice.step_then.as_ref().map(StepLimitsV1::new),
            assumed: situation.cluster.map(|(cluster, _)| AssumptionV1::all(&cluster.assumed)).unwrap_or_default(),
        }
    }
}

impl DelayV1 {
    fn new(advice: &DelayAdvice) -> Self {
        let (least, most, limit) = match advice {
            DelayAdvice::None { least, most, limit } => (Some(*least), Some(*most), Some(*limit)),
            _ => (None, None, None),
        };
        Self {
            advice: match advice {
                DelayAdvice::SetTo(_) => "set-to",
                DelayAdvice::Leave(_) => "leave",
                DelayAdvice::NotKnown => "not-known",
                DelayAdvice::Unused => "unused",
                DelayAdvice::None { .. } => "none",
            },
            delay_ms: millis(advice.then()),
            least_ms: millis(least),
            most_ms: millis(most),
            limit,
        }
    }
}

impl TimeoutKindV1 {
    fn new(of: &OfKind, coming: Option<usize>) -> Self {
        let (seen, over) = of.counts();
        let whole = !matches!(of.times.back.basis, Basis::Sum(_));
        Self {
            kind: of.kind.map(crate::timeout::Kind::key),
            back: LimitV1::new("back", &of.times.back),
            parts: of.times.parts.iter().map(|(name, limit)| LimitV1::new(name, limit)).collect(),
            confidence_1_in_20: (whole && over == 0 && seen > 0).then(|| rounded(confidence(seen).0)),
            none_slower: coming.and_then(|coming| of.none_slower(coming)).map(|share| rounded(share.0)),
        }
    }
}

impl LimitV1 {
    fn new(name: &str, limit: &Limit) -> Self {
        let (estimate, none) = match &limit.basis {
            Basis::Measured(estimate) => (Some(EstimateV1::new(estimate)), None),
            Basis::RuleOfThumb(none) => (None, Some(NoEstimateV1::new(none))),
            _ => (None, None),
        };
        Self {
            name: name.to_owned(),
            limit_ms: limit.time.as_millis(),
            basis: match limit.basis {
                Basis::Measured(_) => "measured",
                Basis::RuleOfThumb(_) => "rule-of-thumb",
                Basis::StatedRange(..) => "stated-range",
                Basis::StatedTime(_) => "stated-time",
                Basis::Sum(_) => "sum",
            },
            words: limit.basis.to_string(),
            estimate,
            no_estimate: none,
        }
    }
}

impl EstimateV1 {
    fn new(estimate: &Estimate) -> Self {
        Self {
            seen: estimate.seen,
            given_up: estimate.over,
            median_ms: estimate.median.as_millis(),
            longest_ms: estimate.longest.as_millis(),
            log_normal_ms: estimate.log_normal.as_millis(),
            order_statistic_ms: millis(estimate.order_statistic),
            bound_ms: estimate.bound.as_millis(),
            weak: estimate.weak,
            capped: estimate.capped,
        }
    }
}

impl NoEstimateV1 {
    fn new(none: &NoEstimate) -> Self {
        let reason = match none {
            NoEstimate::TooFew { .. } => "too-few",
            NoEstimate::TwoKinds(_) => "two-kinds",
            NoEstimate::TooManyOver { .. } => "too-many-given-up",
        };
        Self { reason, words: none.to_string() }
    }
}

impl TimeoutSettingV1 {
    fn new(demand: &Demand) -> Self {
        Self {
            setting: demand.setting,
            now_least_ms: millis(demand.now.map(|(least, _)| least)),
            now_most_ms: millis(demand.now.map(|(_, most)| most)),
            needs_least_ms: millis(demand.least),
            needs_most_ms: millis(demand.most),
            set_to_ms: millis(demand.set_to),
            verdict: match demand.verdict {
                Verdict::Fits => "fits",
                Verdict::TooShort => "too-short",
                Verdict::TooLong => "too-long",
                Verdict::Binds => "binds",
                Verdict::Unknown => "unknown",
            },
            why: demand.why.clone(),
        }
    }
}

impl StepLimitsV1 {
    fn new(limits: &StepLimits) -> Self {
        Self {
            back: LimitV1::new("back", &limits.back),
            running: LimitV1::new("running", &limits.running),
            step: LimitV1::new("step", &limits.step),
        }
    }
}

fn millis(time: Option<Duration>) -> Option<i64> {
    time.map(Duration::as_millis)
}
