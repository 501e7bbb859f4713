//! When a step of a roll has failed.

use super::limit::Limit;
use super::times::Times;
use crate::model::{Cluster, ConnectorState, WorkerId};
use crate::units::{Duration, Spread};

/// How long to wait for what a step has to reach.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLimits {
    /// From the stop until the worker is a member of a completed generation again.
    pub back: Limit,
    /// From then until all tasks run: what is left of the delay, and a hand-over.
    pub running: Limit,
    /// From the stop until all tasks run.
    pub step: Limit,
}

impl StepLimits {
    /// The limits of a restart that takes such times, with this delay in force.
    pub fn of(times: &Times, delay: Duration, hand_over: Duration) -> Self {
        let delayed = Some(("the delay", delay)).filter(|(_, delay)| !delay.is_zero());
        let waits = || delayed.into_iter().chain([("a hand-over", hand_over)]);
        let sum = |parts: &mut dyn Iterator<Item = (&str, Duration)>| {
            Limit::of_durations(parts.map(|(name, time)| (name.to_owned(), time)).collect())
        };
        let waited = sum(&mut waits());
        // Tasks that were seen to take longer than that to run do so with any delay.
        if let Some(slow) = times.running.as_ref().filter(|slow| slow.is_known() && slow.time > waited.time) {
            let step = Limit::of_parts([("back", &times.back), ("all tasks run", slow)]);
            return Self { back: times.back.clone(), running: slow.clone(), step };
        }
        let step = sum(&mut std::iter::once(("back", times.back.time)).chain(waits()));
        Self { back: times.back.clone(), running: waited, step }
    }

    /// The limits of the restart of one worker, as the description gives its times; the
    /// delay is the longest that any worker, and so any leader, sets.
    pub fn of_worker(cluster: &Cluster, worker: WorkerId) -> Option<Self> {
        let times = Times::of_worker(cluster.workers.get(worker.index())?);
        let delays = cluster.workers.iter().map(|worker| worker.before.settings.delay);
        Some(Self::of(&times, delays.max().unwrap_or_default(), hand_over(cluster)))
    }
}

/// Two heartbeat intervals, in which the rounds of a hand-over come about, and the start of a task.
pub(super) fn hand_over(cluster: &Cluster) -> Duration {
    let heartbeat = cluster.workers.iter().map(|worker| worker.before.settings.heartbeat_interval).max();
    let running = cluster.connectors.iter().filter(|connector| connector.state == ConnectorState::Running);
    let start = running.map(|connector| longest(&connector.task_start)).max();
    heartbeat.unwrap_or_default() * 2 + start.unwrap_or_default()
}

/// The longest time of a spread.
pub(super) fn longest(spread: &Spread) -> Duration {
    match spread {
        Spread::Fixed(time) | Spread::Range(_, time) => *time,
        Spread::Samples(samples) => samples.iter().copied().max().unwrap_or_default(),
    }
}
