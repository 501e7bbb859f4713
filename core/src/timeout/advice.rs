//! All of the answer.

use super::estimate::none_slower;
use super::limit::Basis;
use super::measured::{Kind, Measured};
use super::setting::{DelayAdvice, Demand, demands};
use super::situation::Situation;
use super::step::StepLimits;
use super::times::Times;
use crate::units::{Duration, Share};

/// How long a restart may take, how sure that is, and what follows for the settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The kind of restart that was asked for, or that a roll is made of.
    pub asked: OfKind,
    /// The other kinds that were measured.
    pub others: Vec<OfKind>,
    /// How many restarts this roll has, where that is known.
    pub coming: Option<usize>,
    /// What becomes of the rebalance delay.
    pub delay: DelayAdvice,
    /// Each setting and limit that the restart touches.
    pub settings: Vec<Demand>,
    /// When a step has failed, with the delay as it is now.
    pub step_now: StepLimits,
    /// The same with the delay that is advised, where that is another.
    pub step_then: Option<StepLimits>,
}

/// What is known of one kind of restart.
#[derive(Clone, Debug, PartialEq)]
pub struct OfKind {
    /// The kind, where it was said.
    pub kind: Option<Kind>,
    /// Its times.
    pub times: Times,
}

impl Advice {
    /// The advice that follows from measured restarts.
    ///
    /// What is asked for is `kind`; or else what a roll is made of: upgrades if it changes the
    /// version and upgrades were measured, else clean restarts, those of no said kind, or
    /// whatever was measured most. `None` if the kind asked for was not measured.
    pub fn of_measured(
        measured: &Measured,
        situation: &Situation<'_>,
        kind: Option<Kind>,
        coming: Option<usize>,
    ) -> Option<Self> {
        let kinds = measured.kinds();
        let asked = match kind {
            Some(kind) => kinds.contains(&Some(kind)).then_some(Some(kind))?,
            None => usual(measured, situation),
        };
        let of = |kind| OfKind { kind, times: Times::of_measured(measured, kind, situation.heartbeat()) };
        let others = kinds.into_iter().filter(|kind| *kind != asked).map(of).collect();
        let described = situation.cluster.map(|(cluster, _)| cluster.workers.len());
        let coming = coming.or(described).or_else(|| measured.workers());
        Some(Self::new(of(asked), others, situation, coming))
    }

    /// The advice that follows from what a description says of restarts; `None` without one.
    pub fn of_description(situation: &Situation<'_>, coming: Option<usize>) -> Option<Self> {
        let (cluster, _) = situation.cluster?;
        let asked = OfKind { kind: None, times: Times::of_cluster(cluster)? };
        Some(Self::new(asked, Vec::new(), situation, coming.or(Some(cluster.workers.len()))))
    }

    fn new(asked: OfKind, others: Vec<OfKind>, situation: &Situation<'_>, coming: Option<usize>) -> Self {
        let delay = DelayAdvice::of(&asked.times, situation);
        let now = if delay == DelayAdvice::Unused { Duration::ZERO } else { situation.delay().1 };
        let step = |delay| StepLimits::of(&asked.times, delay, situation.hand_over());
        Self {
            settings: demands(&asked.times, situation, asked.kind, &delay),
            step_now: step(now),
            step_then: delay.then().filter(|then| *then != now).map(step),
            coming,
            others,
            delay,
            asked,
        }
    }

    /// Whether there is an answer, and not only a rule of thumb.
    pub fn is_known(&self) -> bool {
        self.asked.times.is_known()
    }
}

impl OfKind {
    /// How many restarts were seen to end, and how many were not; of a sum, of its longest list.
    pub fn counts(&self) -> (usize, usize) {
        let over = self.times.samples.iter().filter(|sample| sample.is_over()).count();
        (self.times.samples.len() - over, over)
    }

    /// How likely none of so many coming restarts is slower than the slowest seen; `None`
    /// where the slowest was not waited out, or none was measured as a whole.
    pub fn none_slower(&self, coming: usize) -> Option<Share> {
        let (seen, over) = self.counts();
        let whole = !matches!(self.times.back.basis, Basis::Sum(_));
        (whole && over == 0 && seen > 0 && coming > 0).then(|| none_slower(seen, coming))
    }
}

/// The kind that a roll is made of.
fn usual(measured: &Measured, situation: &Situation<'_>) -> Option<Kind> {
    let kinds = measured.kinds();
    let upgrade = situation
        .cluster
        .is_some_and(|(cluster, _)| cluster.workers.iter().any(|worker| worker.before.version != worker.after.version));
    let first = if upgrade { &[Some(Kind::Upgrade), Some(Kind::Clean), None][..] } else { &[Some(Kind::Clean), None] };
    let count = |kind: &Option<Kind>| measured.samples(*kind, |restart| Some(restart.whole)).len();
    let most = || kinds.iter().copied().max_by_key(count).flatten();
    first.iter().copied().find(|kind| kinds.contains(kind)).unwrap_or_else(most)
}
