//! The search: every candidate a few times, the best of them many times.

use std::cmp::Ordering;

use super::budget::{Budget, Progress};
use super::candidates::candidates;
use super::limits::{Breach, Limit, ROUNDING, breaches};
use super::reason::{Reason, reasons};
use crate::assessment::{Distribution, Figure, Impact, Outcomes, StepImpact, assess, assess_work, step_impacts};
use crate::model::{Cluster, Policy, Wait};
use crate::simulation::{Detail, Flush, Order, Schedule, Seed, Stop, Timeline, simulate};

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
    /// The roll that would lose least but breaks a limit, if there is one.
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
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    // The finalists, what people commonly do, and the best of the refused.
    let total = number(schedules.len()) * budget.screening + (number(finalists) + 2) * budget.runs;
    let mut done = 0;
    let mut count = || {
        done += 1;
        progress(Progress { done: done.min(total), total });
    };
    let mut all: Vec<Candidate> =
        schedules.iter().map(|schedule| price(cluster, policy, schedule, seed, budget.screening, &mut count)).collect();
    all.sort_by(|a, b| better(a).partial_cmp(&better(b)).unwrap_or(Ordering::Equal));
    let careful =
        (cluster.workers.len() > 1).then(|| price(cluster, policy, &careful(), seed, budget.runs, &mut count));
    let mut within: Vec<Candidate> = Vec::new();
    let mut looked_at: Vec<(Candidate, Candidate)> = Vec::new();
    let mut near_misses = 0;
    for candidate in &mut all {
        if within.len() >= finalists {
            break;
        }
        // The p95 of a few runs is their worst: only the median tells what is out of reach.
        if !candidate.breaches.is_empty() && (near_misses >= NEAR_MISSES || !hopeful(policy, candidate)) {
            continue;
        }
        near_misses += usize::from(!candidate.breaches.is_empty());
        if let Some((_, close)) = looked_at.iter().find(|(screened, _)| same_course(candidate, screened)) {
            candidate.distribution = close.distribution.clone();
            candidate.breaches.clone_from(&close.breaches);
            continue;
        }
        let screened = candidate.clone();
        let close = match &careful {
            Some(careful) if careful.schedule == candidate.schedule => careful.clone(),
            _ => price(cluster, policy, &candidate.schedule, seed, budget.runs, &mut count),
        };
        looked_at.push((screened, close.clone()));
        // What breaks a limit only in many runs breaks it all the same.
        if close.breaches.is_empty() { within.push(close) } else { *candidate = close }
    }
    let allowed = |careful: &&Candidate| {
        let asked = policy.wait.is_none_or(|wait| wait == careful.schedule.wait);
        asked && careful.breaches.is_empty() && within.iter().all(|other| other.schedule != careful.schedule)
    };
    if let Some(careful) = careful.as_ref().filter(allowed) {
        within.push(careful.clone());
    }
    within.sort_by(|a, b| better(a).partial_cmp(&better(b)).unwrap_or(Ordering::Equal));
    shortest_of_equals_first(&mut within);
    if within.is_empty() {
        return Err(Box::new(no_plan(policy, all, seed)));
    }
    let chosen = within.remove(0);
    let refused = cheapest_refused(&all, &chosen)
        .map(|candidate| price(cluster, policy, &candidate.schedule, seed, budget.runs, &mut count))
        .filter(|close| !close.breaches.is_empty());
    let expected = simulate(cluster, &chosen.schedule, chosen.distribution.median_seed, Detail::Full);
    let impact = assess(cluster, &expected);
    let steps = step_impacts(cluster, &expected);
    within.retain(|other| careful.as_ref().is_none_or(|careful| careful.schedule != other.schedule));
    let refused: Vec<Candidate> = refused.into_iter().collect();
    let reasons = reasons(cluster, policy, &chosen, &expected, &refused, careful.as_ref());
    Ok(Plan { chosen, expected, impact, steps, others: within, refused, careful, reasons, seed })
}

/// What the folklore says: followers first, leader last, each when all is settled.
fn careful() -> Schedule {
    Schedule {
        order: Order::LeaderLast,
        wait: Wait::Settled,
        at_once: 1,
        stop: Stop::Graceful,
        flush: Flush::Never,
        during_delay: true,
    }
}

/// The roll that would lose least of those that break a limit, if that is less than the chosen one.
fn cheapest_refused<'a>(all: &'a [Candidate], chosen: &Candidate) -> Option<&'a Candidate> {
    let lost = |candidate: &Candidate| candidate.distribution.of(Figure::Unassigned).mean;
    all.iter()
        .filter(|candidate| !candidate.breaches.is_empty() && lost(candidate) < lost(chosen))
        .min_by(|a, b| lost(a).total_cmp(&lost(b)))
}

fn no_plan(policy: &Policy, mut all: Vec<Candidate>, seed: Seed) -> NoPlan {
    let mut binding = Vec::new();
    for limit in Limit::ALL {
        let Some(allowed) = limit.allowed(policy) else { continue };
        let p95 = |candidate: &Candidate| limit.reached(&candidate.distribution);
        let others_hold = |candidate: &&Candidate| candidate.breaches.iter().all(|breach| breach.limit == limit);
        if all.iter().all(|candidate| p95(candidate).is_nan()) {
            binding.push(Breach { limit, allowed, reached: f64::NAN });
            continue;
        }
        let strict = all.iter().filter(others_hold).map(p95).min_by(f64::total_cmp);
        let any = all.iter().map(p95).min_by(f64::total_cmp);
        // A limit binds if nothing respects it, or if all that respect it break another.
        if let Some(reached) = strict
            .filter(|&reached| reached > allowed + ROUNDING)
            .or(any.filter(|&reached| reached > allowed + ROUNDING))
        {
            binding.push(Breach { limit, allowed, reached });
        }
    }
    all.sort_by(|a, b| {
        let key = |candidate: &Candidate| (candidate.breaches.len(), median(candidate, Figure::Unassigned));
        key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal)
    });
    NoPlan { binding, nearest: all.into_iter().next(), seed }
}

/// The least unassigned time on average over the runs, so that a rare but long wait counts; then the
/// shortest, then the fewest restarts.
fn better(candidate: &Candidate) -> (f64, f64, f64) {
    (
        candidate.distribution.of(Figure::Unassigned).mean,
        median(candidate, Figure::Duration),
        median(candidate, Figure::Restarts),
    )
}

fn median(candidate: &Candidate, figure: Figure) -> f64 {
    candidate.distribution.of(figure).median
}

/// Whether the usual run of a roll respects every limit.
fn hopeful(policy: &Policy, candidate: &Candidate) -> bool {
    Limit::ALL.into_iter().all(|limit| {
        let usual = candidate.distribution.of(limit.figure()).median;
        limit.allowed(policy).is_none_or(|allowed| usual <= allowed + ROUNDING)
    })
}

/// Two rules that come to the same course in each of several runs need not both be looked at.
fn same_course(candidate: &Candidate, other: &Candidate) -> bool {
    candidate.distribution.runs >= SEVERAL && candidate.distribution == other.distribution
}

/// A difference below 2 % is none: then the shorter roll is the better one.
fn shortest_of_equals_first(within: &mut [Candidate]) {
    let lost = |candidate: &Candidate| candidate.distribution.of(Figure::Unassigned).mean;
    let Some(best) = within.first().map(lost) else { return };
    let equals = within.iter().take_while(|other| lost(other) <= best * 1.02).count();
    within[..equals].sort_by(|a, b| median(a, Figure::Duration).total_cmp(&median(b, Figure::Duration)));
}

fn restarts(timeline: &Timeline) -> usize {
    timeline.steps.iter().map(|step| step.workers.len()).sum()
}

/// Fewer runs than these can be alike by chance.
const SEVERAL: u32 = 5;

/// So many rolls are looked at closely although one of their few runs broke a limit.
const NEAR_MISSES: usize = 8;
