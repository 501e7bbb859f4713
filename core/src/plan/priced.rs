//! One roll and the runs of it so far.

use std::cmp::Ordering;

use super::limits::{Breach, breaches};
use crate::assessment::{Distribution, Figure, Impact, Outcomes, assess, assess_work};
use crate::model::{Cluster, Policy};
use crate::simulation::{Detail, Schedule, Seed, Timeline, simulate};

/// A roll and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The roll.
    pub schedule: Schedule,
    /// Its figures over the runs.
    pub distribution: Distribution,
    /// The limits it breaks.
    pub breaches: Vec<Breach>,
}

/// What all runs of a search share.
pub(super) struct Question<'a> {
    pub(super) cluster: &'a Cluster,
    pub(super) policy: &'a Policy,
    pub(super) seed: Seed,
}

/// A roll with the runs that were made of it; more can be added, none is made twice.
#[derive(Clone, Debug)]
pub(super) struct Priced {
    pub(super) candidate: Candidate,
    outcomes: Outcomes,
}

/// Simulates one roll many times.
pub fn price(
    cluster: &Cluster,
    policy: &Policy,
    schedule: &Schedule,
    seed: Seed,
    runs: u32,
    mut each: impl FnMut(),
) -> Candidate {
    let question = Question { cluster, policy, seed };
    Priced::begin(&question, schedule.clone(), runs, &mut each).candidate
}

impl Question<'_> {
    fn run(&self, schedule: &Schedule, number: u32) -> (Seed, Impact, usize) {
        let seed = self.seed.of_run(number);
        let timeline = simulate(self.cluster, schedule, seed, Detail::Figures);
        // Lag is dear; the expected course shows it in any case.
        let assess = if self.policy.max_lag.is_some() { assess } else { assess_work };
        (seed, assess(self.cluster, &timeline), restarts(&timeline))
    }
}

impl Priced {
    /// Makes the first runs of a roll, at least one.
    pub(super) fn begin(question: &Question<'_>, schedule: Schedule, runs: u32, each: &mut dyn FnMut()) -> Self {
        let (seed, impact, restarts) = question.run(&schedule, 0);
        each();
        let outcomes = Outcomes::new(seed, &impact, restarts);
        let distribution = outcomes.distribution();
        let mut priced = Self { candidate: Candidate { schedule, distribution, breaches: Vec::new() }, outcomes };
        priced.add(question, runs, f64::INFINITY, each);
        priced.sum_up(question.policy);
        priced
    }

    /// Makes runs until there are so many.
    pub(super) fn extend(&mut self, question: &Question<'_>, runs: u32, each: &mut dyn FnMut()) {
        self.add(question, runs, f64::INFINITY, each);
        self.sum_up(question.policy);
    }

    /// Makes runs until there are so many, or it has lost so much that its mean cannot be below
    /// `mean` any more; whether it got to the end.
    pub(super) fn race(&mut self, question: &Question<'_>, runs: u32, mean: f64, each: &mut dyn FnMut()) -> bool {
        self.add(question, runs, mean * f64::from(runs), each);
        self.sum_up(question.policy);
        self.candidate.distribution.runs >= runs
    }

    fn add(&mut self, question: &Question<'_>, runs: u32, most: f64, each: &mut dyn FnMut()) {
        for number in self.outcomes.count()..runs {
            if self.outcomes.sum(Figure::Unassigned) > most {
                break;
            }
            let (seed, impact, restarts) = question.run(&self.candidate.schedule, number);
            each();
            self.outcomes.add(seed, &impact, restarts);
        }
    }

    fn sum_up(&mut self, policy: &Policy) {
        self.candidate.distribution = self.outcomes.distribution();
        self.candidate.breaches = breaches(policy, &self.candidate.distribution);
    }
}

impl Candidate {
    /// The unassigned time on average over the runs, so that a rare but long wait counts.
    pub(super) fn lost(&self) -> f64 {
        self.distribution.of(Figure::Unassigned).mean
    }

    pub(super) fn median(&self, figure: Figure) -> f64 {
        self.distribution.of(figure).median
    }
}

/// The least unassigned time on average over the runs; then the shortest, then the fewest restarts.
pub(super) fn order(a: &Distribution, b: &Distribution) -> Ordering {
    let key = |of: &Distribution| {
        [of.of(Figure::Unassigned).mean, of.of(Figure::Duration).median, of.of(Figure::Restarts).median]
    };
    key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal)
}

fn restarts(timeline: &Timeline) -> usize {
    timeline.steps.iter().map(|step| step.workers.len()).sum()
}
