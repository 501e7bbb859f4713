//! The search: every candidate a few times, the best of them many times.

use super::budget::{Budget, Progress};
use super::candidates::candidates;
use super::limits::{Breach, Limit, breaches};
use super::reason::{Reason, reasons};
use crate::assessment::{Distribution, Figure, Impact, Outcomes, StepImpact, assess, assess_work, step_impacts};
use crate::model::{Cluster, Policy, Wait};
use crate::simulation::{Detail, Flush, Order, Schedule, Seed, Timeline, simulate};

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

/// The roll to choose, what to expect of it, and what else there is.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The best roll within the policy.
    pub chosen: Candidate,
    /// Its expected course: the median run, with its seed in the distribution.
    pub expected: Timeline,
    /// The figures of that run.
    pub impact: Impact,
    /// What each step of that run costs.
    pub steps: Vec<StepImpact>,
    /// The next best rolls within the policy, best first.
    pub others: Vec<Candidate>,
    /// Rolls that would lose less but break a limit, best first.
    pub refused: Vec<Candidate>,
    /// What people commonly do, for comparison: leader last, waiting until all is settled.
    pub careful: Option<Candidate>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The seed of the search.
    pub seed: Seed,
}

/// Why there is no plan.
#[derive(Clone, Debug)]
pub struct NoPlan {
    /// For each limit that stands in the way: the best value that can be reached, by rolls that
    /// respect all other limits if there is one, else by any.
    pub binding: Vec<Breach>,
    /// The roll that comes nearest: the fewest broken limits, then the least unassigned time.
    pub nearest: Option<Candidate>,
    /// The seed of the search.
    pub seed: Seed,
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
    let mut run = |number| {
        let run = seed.of_run(number);
        let timeline = simulate(cluster, schedule, run, Detail::Figures);
        each();
        // Lag is dear; the expected course shows it in any case.
        let assess = if policy.max_lag.is_some() { assess } else { assess_work };
        (run, assess(cluster, &timeline), restarts(&timeline))
    };
    let (first, impact, steps) = run(0);
    let mut outcomes = Outcomes::new(first, &impact, steps);
    for number in 1..runs {
        let (seed, impact, steps) = run(number);
        outcomes.add(seed, &impact, steps);
    }
    let distribution = outcomes.distribution();
    let breaches = breaches(policy, &distribution);
    Candidate { schedule: schedule.clone(), distribution, breaches }
}

/// Finds the roll that respects the policy and leaves the least work unassigned; of equals the shortest.
///
/// # Errors
/// When no candidate respects the policy: the limits that bind, and the best values that can be reached.
pub fn plan(
    cluster: &Cluster,
    policy: &Policy,
    seed: Seed,
    budget: Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<Plan, Box<NoPlan>> {
    let schedules = candidates(cluster, policy);
    let finalists = budget.finalists.min(schedules.len());
    let screened = u32::try_from(schedules.len()).unwrap_or(u32::MAX) * budget.screening;
    let total = screened + u32::try_from(finalists).unwrap_or(u32::MAX) * budget.runs;
    let mut done = 0;
    let mut count = || {
        done += 1;
        progress(Progress { done: done.min(total), total });
    };
    let mut all: Vec<Candidate> =
        schedules.iter().map(|schedule| price(cluster, policy, schedule, seed, budget.screening, &mut count)).collect();
    all.sort_by(|a, b| better(a).partial_cmp(&better(b)).unwrap_or(std::cmp::Ordering::Equal));
    let mut within: Vec<Candidate> = Vec::new();
    for candidate in &mut all {
        if within.len() >= finalists {
            break;
        }
        if !candidate.breaches.is_empty() || same_course(candidate, &within) {
            continue;
        }
        let close = price(cluster, policy, &candidate.schedule, seed, budget.runs, &mut count);
        // What breaks a limit only in many runs breaks it all the same.
        if close.breaches.is_empty() { within.push(close) } else { *candidate = close }
    }
    within.sort_by(|a, b| better(a).partial_cmp(&better(b)).unwrap_or(std::cmp::Ordering::Equal));
    shortest_of_equals_first(&mut within);
    if within.is_empty() {
        return Err(Box::new(no_plan(policy, all, seed)));
    }
    let chosen = within.remove(0);
    let least = median(&chosen, Figure::Unassigned);
    let cheaper =
        |candidate: &&Candidate| !candidate.breaches.is_empty() && median(candidate, Figure::Unassigned) < least;
    let mut refused: Vec<Candidate> = all.iter().filter(cheaper).cloned().collect();
    refused.sort_by(|a, b| median(a, Figure::Unassigned).total_cmp(&median(b, Figure::Unassigned)));
    refused.dedup_by(|a, b| a.distribution == b.distribution);
    refused.truncate(KEPT);
    let careful = careful(cluster, policy, &all, seed, budget, &mut count);
    let expected = simulate(cluster, &chosen.schedule, chosen.distribution.median_seed, Detail::Full);
    let impact = assess(cluster, &expected);
    let steps = step_impacts(cluster, &expected);
    let reasons = reasons(cluster, policy, &chosen, &refused, careful.as_ref());
    Ok(Plan { chosen, expected, impact, steps, others: within, refused, careful, reasons, seed })
}

/// What the folklore says: followers first, leader last, each when all is settled.
fn careful(
    cluster: &Cluster,
    policy: &Policy,
    all: &[Candidate],
    seed: Seed,
    budget: Budget,
    count: &mut dyn FnMut(),
) -> Option<Candidate> {
    if cluster.workers.len() < 2 {
        return None;
    }
    let is_careful = |candidate: &&Candidate| {
        let schedule = &candidate.schedule;
        (&schedule.order, schedule.wait, schedule.at_once) == (&Order::LeaderLast, Wait::Settled, 1)
    };
    Some(all.iter().find(is_careful).cloned().unwrap_or_else(|| {
        let schedule = Schedule {
            order: Order::LeaderLast,
            wait: Wait::Settled,
            at_once: 1,
            stop: crate::simulation::Stop::Graceful,
            flush: Flush::Never,
            during_delay: true,
        };
        price(cluster, policy, &schedule, seed, budget.screening, count)
    }))
}

fn no_plan(policy: &Policy, mut all: Vec<Candidate>, seed: Seed) -> NoPlan {
    let mut binding = Vec::new();
    for limit in Limit::ALL {
        let Some(allowed) = limit.allowed(policy) else { continue };
        let p95 = |candidate: &Candidate| candidate.distribution.of(limit.figure()).p95;
        let others_hold = |candidate: &&Candidate| candidate.breaches.iter().all(|breach| breach.limit == limit);
        if all.iter().all(|candidate| p95(candidate).is_nan()) {
            binding.push(Breach { limit, allowed, reached: f64::NAN });
            continue;
        }
        let strict = all.iter().filter(others_hold).map(p95).min_by(f64::total_cmp);
        let any = all.iter().map(p95).min_by(f64::total_cmp);
        // A limit binds if nothing respects it, or if all that respect it break another.
        if let Some(reached) = strict.filter(|&reached| reached > allowed).or(any.filter(|&reached| reached > allowed))
        {
            binding.push(Breach { limit, allowed, reached });
        }
    }
    all.sort_by(|a, b| {
        let key = |candidate: &Candidate| (candidate.breaches.len(), median(candidate, Figure::Unassigned));
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    NoPlan { binding, nearest: all.into_iter().next(), seed }
}

/// The least unassigned time, then the shortest, then the fewest restarts.
fn better(candidate: &Candidate) -> (f64, f64, f64) {
    (median(candidate, Figure::Unassigned), median(candidate, Figure::Duration), median(candidate, Figure::Restarts))
}

fn median(candidate: &Candidate, figure: Figure) -> f64 {
    candidate.distribution.of(figure).median
}

/// Two rules that come to the same course need not both be looked at.
fn same_course(candidate: &Candidate, others: &[Candidate]) -> bool {
    others.iter().any(|other| {
        let figure = |figure: Figure| candidate.distribution.of(figure).median - other.distribution.of(figure).median;
        other.distribution.runs == candidate.distribution.runs
            && figure(Figure::Unassigned).abs() < f64::EPSILON
            && figure(Figure::Duration).abs() < f64::EPSILON
    })
}

/// A difference below 2 % is none: then the shorter roll is the better one.
fn shortest_of_equals_first(within: &mut [Candidate]) {
    let Some(best) = within.first().map(|first| median(first, Figure::Unassigned)) else { return };
    let equals = within.iter().take_while(|other| median(other, Figure::Unassigned) <= best * 1.02).count();
    within[..equals].sort_by(|a, b| median(a, Figure::Duration).total_cmp(&median(b, Figure::Duration)));
}

fn restarts(timeline: &Timeline) -> usize {
    timeline.steps.iter().map(|step| step.workers.len()).sum()
}

/// How many refused rolls are shown.
const KEPT: usize = 3;
