//! At which second a stop costs least.

use super::goes_now::goes_now;
use crate::model::{Cluster, Restart, WorkerId};
use crate::simulation::Seed;
use crate::units::{Duration, Spread};

/// When to send SIGTERM so that the leave falls at the right side of a heartbeat.
///
/// All members beat together after a round, and learn of a leave when they next do. A restart that
/// is back before that leaves and returns in one round, and nothing moves; of one that takes longer
/// the others should learn at once. Which side costs least is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// From the snapshot to the first such moment that is still to come.
    pub after: Duration,
    /// How far the moments that are as good lie apart: the heartbeat interval.
    pub every: Duration,
    /// From the snapshot to when the heartbeats are no longer in step enough to rely on.
    pub until: Duration,
    /// Where the leave falls between the heartbeats.
    pub side: Side,
    /// Task-seconds that the stop costs at that moment, on average.
    pub unassigned: f64,
    /// The same at any moment, on average.
    pub unassigned_any: f64,
}

/// Where a leave falls between the heartbeats of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Just after one: the restart has the longest time to be back before the next.
    JustAfter,
    /// So that the restart is back just before the next one, by the p95 of its time.
    BackBefore,
    /// Just before one: the others learn of it at once.
    JustBefore,
}

/// Why no second is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMoment {
    /// Nobody saw the last round.
    NotSeen,
    /// The last round is too long ago: each worker's clock has drifted.
    TooLongAgo(Duration),
    /// The workers' heartbeat intervals differ, so that they do not beat together.
    DifferentIntervals,
    /// From SIGTERM to the leave the time varies by so much that it cannot be aimed.
    StopVaries(Duration),
    /// Several workers, or none, go.
    NotOneWorker,
    /// It saves nothing worth waiting for.
    NoGain,
}

/// The moment to stop a worker.
pub(super) fn moment(cluster: &Cluster, workers: &[WorkerId], seed: Seed, runs: u32) -> Result<Moment, NoMoment> {
    let [worker] = workers else { return Err(NoMoment::NotOneWorker) };
    let ownership = cluster.ownership.as_ref();
    let age = ownership.and_then(|ownership| ownership.last_round).ok_or(NoMoment::NotSeen)?;
    if age > IN_STEP {
        return Err(NoMoment::TooLongAgo(age));
    }
    let members = || cluster.workers.iter().filter(|worker| !worker.unready);
    let every = members().map(|worker| worker.before.settings.heartbeat_interval).max().unwrap_or_default();
    if members().any(|worker| worker.before.settings.heartbeat_interval != every) {
        return Err(NoMoment::DifferentIntervals);
    }
    let every = every + cluster.heartbeat_drift;
    let Some(described) = cluster.workers.get(worker.index()) else { return Err(NoMoment::NotOneWorker) };
    let restart = &described.restart;
    let varies = restart.stop.longest() - shortest(&restart.stop);
    if varies > every / 3 {
        return Err(NoMoment::StopVaries(varies));
    }
    let cost = |later: Duration| goes_now(&shifted(cluster, later), workers, seed, runs).unassigned.mean;
    let mut best: Option<(Side, Duration, f64)> = None;
    for side in [Side::BackBefore, Side::JustAfter, Side::JustBefore] {
        if side != Side::JustBefore && !beats_the_next(restart, every) {
            continue;
        }
        let after = first(side, restart, age, every);
        let unassigned = cost(after);
        // Where the restart is back in the same round, nothing moves: that is worth a little.
        let handicap = if side == Side::JustBefore { NOTHING_MOVES } else { 1.0 };
        if best.is_none_or(|(_, _, least)| unassigned * handicap < least) {
            best = Some((side, after, unassigned));
        }
    }
    let Some((side, after, unassigned)) = best else { return Err(NoMoment::NoGain) };
    let parts = i64::try_from(PARTS).unwrap_or(1);
    let all = (0..parts).map(|part| cost(Duration::from_micros(every.as_micros() * part / parts)));
    #[expect(clippy::cast_precision_loss, reason = "a handful of parts")]
    let unassigned_any = all.sum::<f64>() / PARTS as f64;
    if unassigned > unassigned_any * WORTH_IT {
        return Err(NoMoment::NoGain);
    }
    Ok(Moment { after, every, until: IN_STEP - age, side, unassigned, unassigned_any })
}

/// Whether a restart that leaves just after a heartbeat is usually a member again before the next.
fn beats_the_next(restart: &Restart, every: Duration) -> bool {
    restart.usually_away() + MARGIN * 2 < every
}

/// The first SIGTERM from now on whose leave falls on that side of a heartbeat.
fn first(side: Side, restart: &Restart, age: Duration, every: Duration) -> Duration {
    // The slowest stop must still be ahead of the heartbeat, the quickest behind it.
    let lead = match side {
        Side::JustAfter => MARGIN - shortest(&restart.stop),
        Side::BackBefore => Duration::ZERO - MARGIN - restart.usually_away() - restart.stop.longest(),
        Side::JustBefore => Duration::ZERO - MARGIN - restart.stop.longest(),
    };
    let mut tick = every - Duration::from_micros(age.as_micros() % every.as_micros().max(1));
    while tick + lead < Duration::ZERO {
        tick += every;
    }
    tick + lead
}

/// The same cluster some time later, if nothing happens until then.
fn shifted(cluster: &Cluster, later: Duration) -> Cluster {
    let mut cluster = cluster.clone();
    if let Some(ownership) = &mut cluster.ownership {
        ownership.last_round = ownership.last_round.map(|age| age + later);
        ownership.delay_left = ownership.delay_left.map(|left| (left - later).max(Duration::from_millis(1)));
    }
    cluster
}

fn shortest(spread: &Spread) -> Duration {
    match spread {
        Spread::Fixed(fixed) => *fixed,
        Spread::Range(least, _) => *least,
        Spread::Samples(samples) => samples.iter().copied().min().unwrap_or_default(),
    }
}

/// So long after a round its members are surely still in step: they drift by 0.1 to 0.35 ms a
/// heartbeat, and after 552 s a round came 0.4 s late, as measured on 3.9.1.
const IN_STEP: Duration = Duration::from_secs(300);

/// So far from a heartbeat a leave is surely on its side of it.
const MARGIN: Duration = Duration::from_millis(300);

/// A stop after which nothing moves may cost a little more than one after which much does.
const NOTHING_MOVES: f64 = 1.1;

/// So many moments of an interval stand for any.
const PARTS: usize = 6;

/// A moment that saves less than this is not waited for.
const WORTH_IT: f64 = 0.97;
