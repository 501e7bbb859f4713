//! The same question to every variant.

use super::difference::differences;
use super::{Axis, Comparison, Input, Variant, rank};
use crate::model::{Cluster, Policy};
use crate::plan::{Breach, Budget, Candidate, Executor, Progress, plan, price};
use crate::simulation::{Detail, Seed, Timeline, simulate};
use crate::units::Duration;

/// What came of a variant.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The roll and its figures; where nothing respects the policy, the one that comes nearest.
    pub candidate: Option<Candidate>,
    /// The limits that stand in the way, each with the best value in reach; none if the roll respects all.
    pub binding: Vec<Breach>,
    /// How long a rebalance delay runs in the expected course.
    pub delayed: Duration,
}

impl Answer {
    /// Whether the roll respects the policy.
    pub fn feasible(&self) -> bool {
        self.binding.is_empty() && self.candidate.as_ref().is_some_and(|candidate| candidate.breaches.is_empty())
    }

    /// Searches the best roll of a variant, or runs the given one.
    fn of(input: &Input, asked: Asked, runs: u32, progress: &mut dyn FnMut(Progress)) -> Self {
        let Asked { executor, seed, .. } = asked;
        let Input { cluster, policy, roll, .. } = input;
        let (candidate, binding) = if let Some(schedule) = roll {
            let mut done = 0;
            let candidate = price(cluster, policy, schedule, seed, runs, || {
                done += 1;
                progress(Progress { done, total: runs, best: None });
            });
            let binding = candidate.breaches.clone();
            (Some(candidate), binding)
        } else {
            let budget = Budget { advice: 0, ..Budget::of(cluster, Some(runs)) };
            match plan(cluster, policy, executor, seed, budget, progress) {
                Ok(plan) => (Some(plan.chosen), Vec::new()),
                Err(none) => (none.nearest, none.binding),
            }
        };
        let expected = candidate
            .as_ref()
            .map(|candidate| simulate(cluster, &candidate.schedule, candidate.distribution.median_seed, Detail::Full));
        Self { candidate, binding, delayed: expected.map_or(Duration::ZERO, |run| delayed(&run)) }
    }
}

/// What is asked of every variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What carries the rolls out, where they are searched for.
    pub executor: Executor,
    /// The seed of all runs.
    pub seed: Seed,
    /// The runs of each variant; half of what a plan of the largest would draw if not given.
    pub runs: Option<u32>,
}

/// Answers all variants with the same seeds and as many runs each; `described` is the file as it is.
/// `progress` is told of all of them together.
pub fn compare(
    axes: Vec<Axis>,
    inputs: Vec<Input>,
    described: Option<&Input>,
    asked: Asked,
    progress: &mut dyn FnMut(Progress),
) -> Comparison {
    let usual = inputs.iter().map(|input| Budget::of(&input.cluster, None).runs).min().unwrap_or(1);
    let runs = asked.runs.unwrap_or(usual.div_ceil(2));
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (count, mut before) = (number(inputs.len()), 0_u32);
    let mut variants = Vec::with_capacity(inputs.len());
    for (place, input) in (0..count).zip(inputs) {
        let mut last = 0;
        let answer = Answer::of(&input, asked, runs, &mut |at| {
            // Those to come are taken to be as much work as this one.
            let all = before.saturating_add(at.total.saturating_mul(count - place));
            progress(Progress { done: before.saturating_add(at.done), total: all, best: at.best });
            last = at.total;
        });
        before = before.saturating_add(last);
        let as_described = described.is_some_and(|described| input.is_alike(described));
        variants.push(Variant { name: String::new(), input, as_described, answer });
    }
    let first = rank::sort(&mut variants);
    let base = variants.iter().position(|variant| variant.as_described).unwrap_or(first);
    let mut comparison =
        Comparison { axes, variants, base, differences: Vec::new(), seed: asked.seed, runs, notes: Vec::new() };
    comparison.differences = differences(&comparison);
    comparison
}

impl Input {
    /// Whether two variants mean the same, however they were written.
    pub fn is_alike(&self, other: &Self) -> bool {
        let bare = |cluster: &Cluster| Cluster { assumed: Vec::new(), ..cluster.clone() };
        // That a default was written out makes no difference.
        let policy = |input: &Self| Policy { max_share_given: false, ..input.policy.clone() };
        policy(self) == policy(other) && bare(&self.cluster) == bare(&other.cluster)
    }
}

/// How long a delay runs: from a round that announces one until the next round, or its end.
fn delayed(run: &Timeline) -> Duration {
    let ends = run.rounds.iter().skip(1).map(|round| round.at).chain([run.ended]);
    run.rounds.iter().zip(ends).map(|(round, end)| round.delay.min(end - round.at).max(Duration::ZERO)).sum()
}
