//! What is known of how long the restart of a worker takes.

use super::estimate::{NoEstimate, Sample};
use super::limit::{Basis, Limit, of_restart};
use super::measured::{Kind, Measured, Phase};
use crate::model::{self, Cluster, Start};
use crate::units::{Duration, Spread};

/// How long a restart and its parts may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// SIGTERM until the worker is a member of a completed generation again.
    pub back: Limit,
    /// `LeaveGroup` until then; the whole where the parts are not known.
    pub away: Limit,
    /// SIGTERM to `LeaveGroup`, where that is known.
    pub stop: Option<Limit>,
    /// From the return until its tasks ran, where that was measured, with the delay of then.
    pub running: Option<Limit>,
    /// Each part that is known, by its name, in order.
    pub parts: Vec<(&'static str, Limit)>,
    /// What was added to measured times for the round that takes the worker in, where that was
    /// not measured.
    pub round_added: Option<Duration>,
    /// The times behind `back`, or behind the start of the process where only parts are known.
    pub samples: Vec<Sample>,
}

impl Times {
    /// The times of the measured restarts of a kind.
    pub fn of_measured(measured: &Measured, kind: Option<Kind>, heartbeat: Duration) -> Self {
        let samples = measured.samples(kind, |restart| Some(restart.whole));
        let part = |time: fn(&super::Restart) -> Option<Sample>| {
            let samples = measured.samples(kind, time);
            samples.iter().any(|sample| !sample.time().is_zero()).then(|| Limit::of_samples(&samples, Duration::ZERO))
        };
        let (stop, away) = (part(|restart| restart.stop), part(|restart| restart.away));
        let running = part(|restart| restart.running);
        let mut back = of_restart(&samples, kind);
        let mut away = away.filter(Limit::is_known).unwrap_or_else(|| back.clone());
        // Where only the start was measured the group has yet to take the worker in.
        let round_added = (!measured.phases.is_empty() && !measured.phases.contains(&Phase::Join)).then_some(heartbeat);
        if round_added.is_some() {
            back = back.with_round(heartbeat);
            away = away.with_round(heartbeat);
        }
        let mut parts = Vec::new();
        parts.extend(stop.clone().map(|limit| (Phase::Stop.key(), limit)));
        if stop.is_some() {
            parts.push((AWAY, away.clone()));
        }
        parts.extend(running.clone().map(|limit| (Phase::Running.key(), limit)));
        Self { back, away, stop, running, parts, round_added, samples }
    }

    /// The times that a description gives to a worker, each part bounded by itself.
    pub fn of_worker(worker: &model::Worker) -> Self {
        let restart = &worker.restart;
        let stop = Limit::of_spread(&restart.stop);
        let mut parts = vec![(Phase::Stop.key(), &restart.stop)];
        if restart.down != Spread::Fixed(Duration::ZERO) {
            parts.push((Phase::Down.key(), &restart.down));
        }
        match &restart.start {
            Start::Whole(whole) => parts.push((Phase::Start.key(), whole)),
            Start::Parts { jvm, plugin_scan, topics } => {
                let all = [("jvm", jvm), ("plugin scan", plugin_scan), ("topics", topics)];
                parts.extend(all.into_iter().filter(|(_, spread)| **spread != Spread::Fixed(Duration::ZERO)));
            }
        }
        let longest = parts.iter().filter_map(|(_, spread)| samples_of(spread)).max_by_key(|samples| samples.len());
        let parts: Vec<(&str, Limit)> =
            parts.into_iter().map(|(name, spread)| (name, Limit::of_spread(spread))).collect();
        let round = worker.before.settings.heartbeat_interval;
        let sum = |skipped: &str| {
            let counted = parts.iter().filter(|(name, _)| *name != skipped);
            Limit::of_parts(counted.map(|(name, limit)| (*name, limit))).with_round(round)
        };
        let (mut back, mut away) = (sum(""), sum(Phase::Stop.key()));
        if let Some(none) = no_estimate(&parts) {
            back = Limit::rule_of_thumb(none, back.time.max(Kind::unknown_takes(None)));
            away = back.clone();
        }
        let samples = longest.unwrap_or_default();
        Self { back, away, stop: Some(stop), running: None, parts, round_added: None, samples }
    }

    /// Those of the worker that may take longest to be back.
    pub fn of_cluster(cluster: &Cluster) -> Option<Self> {
        cluster.workers.iter().map(Self::of_worker).max_by_key(|times| times.back.time)
    }

    /// Whether measured times or stated bounds answer, and nowhere a rule of thumb stands in.
    pub fn is_known(&self) -> bool {
        !matches!(self.back.basis, Basis::RuleOfThumb(_))
    }
}

/// Why the parts of a description allow no estimate: one was measured too seldom, or none
/// was measured or given bounds.
fn no_estimate(parts: &[(&str, Limit)]) -> Option<NoEstimate> {
    let measured = parts.iter().find_map(|(_, limit)| match &limit.basis {
        Basis::RuleOfThumb(none) => Some(none.clone()),
        _ => None,
    });
    let known = parts.iter().any(|(_, limit)| limit.is_known());
    measured.or_else(|| (!known).then_some(NoEstimate::TooFew { seen: 0, over: 0 }))
}

fn samples_of(spread: &Spread) -> Option<Vec<Sample>> {
    match spread {
        Spread::Samples(samples) => Some(samples.iter().copied().map(Sample::Took).collect()),
        Spread::Fixed(_) | Spread::Range(..) => None,
    }
}

/// The part between `LeaveGroup` and the return.
const AWAY: &str = "away";
