//! What a roll costs with another `scheduled.rebalance.max.delay.ms`.

use std::cmp::Ordering;

use super::budget::{Budget, Progress};
use super::candidates::{Executor, candidates, one_of_each_kind};
use super::priced::{Candidate, price};
use crate::assessment::Figure;
use crate::model::{Cluster, Policy, Spread, Start, Worker};
use crate::simulation::{Schedule, Seed};
use crate::units::Duration;

/// What the best roll costs with one delay.
#[derive(Clone, Debug, PartialEq)]
pub struct DelayPrice {
    /// The delay of every worker, before and after its restart.
    pub delay: Duration,
    /// The roll that costs least with it, of those that break fewest limits.
    pub roll: Candidate,
}

/// The delays worth pricing, rising: none, round ones up to 10 min, the present ones, and one just
/// above the longest restart.
pub fn delays(cluster: &Cluster) -> Vec<Duration> {
    let longest = absences(cluster).into_iter().map(|(_, most)| most).max().unwrap_or_default();
    let above = Duration::from_secs((longest.as_micros() / 5_000_000 + 1) * 5);
    let mut all: Vec<Duration> = ROUND.into_iter().map(Duration::from_secs).chain([above]).collect();
    // Close neighbours say nothing that one of them does not.
    all.retain(|delay| *delay == above || delay.is_zero() || (*delay).max(above) - (*delay).min(above) > *delay / 10);
    all.extend(present_delays(cluster));
    all.sort_unstable();
    all.dedup();
    all
}

/// The delays that the workers have before their restart; several if they differ. The leader's counts.
pub fn present_delays(cluster: &Cluster) -> Vec<Duration> {
    let mut present: Vec<Duration> = cluster.workers.iter().map(|worker| worker.before.settings.delay).collect();
    present.sort_unstable();
    present.dedup();
    present
}

/// How long restarts keep a worker out of its group, from `LeaveGroup` to its next `JoinGroup`: each
/// sample where there are some, else the least and the most; each once.
pub fn absences(cluster: &Cluster) -> Vec<(Duration, Duration)> {
    let mut all: Vec<(Duration, Duration)> = cluster.workers.iter().flat_map(absences_of).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Prices each delay with the best of a few rolls: those that cost least with no delay, with one
/// just above the restart, or with the present one. With a roll given, it is the only one.
pub fn price_delays(
    cluster: &Cluster,
    policy: &Policy,
    given: Option<&Schedule>,
    seed: Seed,
    budget: Budget,
    progress: &mut dyn FnMut(Progress),
) -> Vec<DelayPrice> {
    let delays = delays(cluster);
    let screening = budget.screening;
    let schedules = given
        .map_or_else(|| one_of_each_kind(candidates(cluster, policy, Executor::Steps)), |given| vec![given.clone()]);
    let anchors = anchors(cluster, &delays);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let screened = number(schedules.len() * anchors.len() + delays.len() * anchors.len() * KEPT) * screening;
    let total = screened + number(delays.len() * CLOSE) * budget.runs;
    let mut done = 0;
    let mut count = || {
        done += 1;
        progress(Progress { done: done.min(total), total, best: None });
    };
    let mut kept: Vec<Schedule> = Vec::new();
    for delay in anchors {
        let changed = with_delay(cluster, delay);
        let mut tried: Vec<Candidate> =
            schedules.iter().map(|roll| price(&changed, policy, roll, seed, screening, &mut count)).collect();
        tried.sort_by(better);
        for roll in tried.into_iter().take(KEPT) {
            if !kept.contains(&roll.schedule) {
                kept.push(roll.schedule);
            }
        }
    }
    let mut prices = Vec::new();
    for delay in delays {
        let changed = with_delay(cluster, delay);
        let mut tried: Vec<Candidate> =
            kept.iter().map(|roll| price(&changed, policy, roll, seed, screening, &mut count)).collect();
        tried.sort_by(better);
        let close =
            tried.iter().take(CLOSE).map(|roll| price(&changed, policy, &roll.schedule, seed, budget.runs, &mut count));
        prices.extend(close.min_by(better).map(|roll| DelayPrice { delay, roll }));
    }
    prices
}

/// The same cluster with that delay on every worker, before and after its restart.
pub(super) fn with_delay(cluster: &Cluster, delay: Duration) -> Cluster {
    let mut changed = cluster.clone();
    for worker in &mut changed.workers {
        worker.before.settings.delay = delay;
        worker.after.settings.delay = delay;
    }
    changed
}

/// The delays with which rolls differ most.
fn anchors(cluster: &Cluster, delays: &[Duration]) -> Vec<Duration> {
    let longest = absences(cluster).into_iter().map(|(_, most)| most).max().unwrap_or_default();
    let above = delays.iter().copied().find(|delay| *delay > longest);
    let present = present_delays(cluster).into_iter().max();
    let mut anchors: Vec<Duration> = [Some(Duration::ZERO), above, present].into_iter().flatten().collect();
    anchors.sort_unstable();
    anchors.dedup();
    anchors
}

/// Fewer broken limits first, then less unassigned time on average.
fn better(one: &Candidate, other: &Candidate) -> Ordering {
    let lost = |roll: &Candidate| roll.distribution.of(Figure::Unassigned).mean;
    one.breaches.len().cmp(&other.breaches.len()).then(lost(one).total_cmp(&lost(other)))
}

fn absences_of(worker: &Worker) -> Vec<(Duration, Duration)> {
    let parts: Vec<&Spread> = match &worker.restart.start {
        Start::Whole(whole) => vec![&worker.restart.down, whole],
        Start::Parts { jvm, plugin_scan, topics } => vec![&worker.restart.down, jvm, plugin_scan, topics],
    };
    let samples: Vec<&Vec<Duration>> = parts
        .iter()
        .filter_map(|part| if let Spread::Samples(samples) = part { Some(samples) } else { None })
        .collect();
    let ends: Vec<(Duration, Duration)> = parts.iter().map(|part| ends(part)).collect();
    let (least, most): (Duration, Duration) = (ends.iter().map(|end| end.0).sum(), ends.iter().map(|end| end.1).sum());
    // One measured part beside fixed ones: each sample is a restart.
    if let [samples] = samples[..] {
        let others = least - samples.iter().copied().min().unwrap_or_default();
        if most - least
            == samples.iter().copied().max().unwrap_or_default() - samples.iter().copied().min().unwrap_or_default()
        {
            return samples.iter().map(|sample| (*sample + others, *sample + others)).collect();
        }
    }
    vec![(least, most)]
}

fn ends(spread: &Spread) -> (Duration, Duration) {
    match spread {
        Spread::Fixed(span) => (*span, *span),
        Spread::Range(least, most) => (*least, *most),
        Spread::Samples(samples) => {
            (samples.iter().copied().min().unwrap_or_default(), samples.iter().copied().max().unwrap_or_default())
        }
    }
}

/// Round delays, in seconds.
const ROUND: [i64; 9] = [0, 5, 10, 20, 40, 60, 120, 300, 600];

/// So many rolls of each anchor are tried with every delay.
const KEPT: usize = 3;

/// So many of them are looked at closely with each delay.
const CLOSE: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::cluster;

    #[test]
    fn the_delays_reach_from_none_to_ten_minutes_and_hold_what_matters() {
        let cluster = cluster(3, &[("alpha", 6)], Duration::from_secs(77), Duration::from_secs(23));
        let tried = delays(&cluster);
        let secs = |secs| Duration::from_secs(secs);
        assert!(tried.starts_with(&[Duration::ZERO]) && tried.ends_with(&[secs(600)]), "{tried:?}");
        assert!(tried.contains(&secs(77)), "the present one: {tried:?}");
        assert!(tried.contains(&secs(25)), "just above the restart: {tried:?}");
    }

    #[test]
    fn each_sample_is_a_restart() {
        let mut cluster = cluster(2, &[("alpha", 6)], Duration::ZERO, Duration::from_secs(5));
        let secs = Duration::from_secs;
        cluster.workers[0].restart.down = Spread::Fixed(secs(1));
        cluster.workers[0].restart.start = Start::Whole(Spread::Samples(vec![secs(4), secs(9)]));
        cluster.workers[1].restart.down = Spread::Fixed(secs(1));
        cluster.workers[1].restart.start = Start::Whole(Spread::Range(secs(3), secs(6)));
        assert_eq!(absences(&cluster), [(secs(4), secs(7)), (secs(5), secs(5)), (secs(10), secs(10))]);
    }

    #[test]
    fn a_delay_that_lasts_costs_what_waits_for_it() {
        let cluster = cluster(3, &[("alpha", 6)], Duration::from_secs(300), Duration::from_secs(5));
        let policy = crate::plan::tests::policy(1.0);
        let budget = Budget { screening: 2, finalists: 1, ..Budget::of(&cluster, Some(3)) };
        let mut told = Vec::new();
        let prices = price_delays(&cluster, &policy, None, Seed(7), budget, &mut |at| told.push(at));
        assert_eq!(prices.len(), delays(&cluster).len());
        let cost = |secs| {
            let price = prices.iter().find(|price| price.delay == Duration::from_secs(secs)).expect("it was priced");
            price.roll.distribution.of(Figure::Unassigned).mean
        };
        assert!(cost(0) < cost(600), "{} and {}", cost(0), cost(600));
        assert!(told.last().is_some_and(|last| last.done <= last.total));
    }
}
