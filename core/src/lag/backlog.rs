//! What falls behind: backlogs as a fluid, piecewise linear.

use super::serving::{Handover, Serving};
use crate::model::{ConnectorId, Flow};
use crate::units::{Duration, Records, RecordsPerSec, SimTime};

/// How far one connector falls behind in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectorLag {
    /// The connector.
    pub connector: ConnectorId,
    /// Its largest backlog.
    pub peak: Records,
    /// When it is that large for the first time.
    pub peak_at: SimTime,
    /// How far behind that is: the peak divided by what arrives.
    pub behind: Duration,
    /// How far the task (of a source) or partition (of a sink) that is furthest behind gets behind.
    pub furthest_behind: Duration,
    /// When the backlog is gone for good.
    pub caught_up: CaughtUp,
    /// What was worked off between the first and the last point.
    pub worked_off: Records,
    /// The backlog over time: straight lines between these points, from the start of the run
    /// to its end or to when it is caught up, whichever is later.
    pub points: Vec<(SimTime, Records)>,
}

/// When a backlog is gone for good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CaughtUp {
    /// There never was one.
    NeverBehind,
    /// Then.
    At(SimTime),
    /// Not with these tasks: a part of them receives at least as much as it can work off.
    TooSlow {
        /// What arrives at the busiest task.
        arrival: RecordsPerSec,
        /// What a task can work off.
        capacity: RecordsPerSec,
    },
    /// Not at all: so many tasks (of a source) or partitions (of a sink) are worked on by nobody at the end.
    NotServed(u32),
}

/// The parts that one instance works on together.
#[derive(Clone, Debug, Default)]
struct Pool {
    parts: Vec<usize>,
    /// Up to when it has been run.
    since: SimTime,
    /// What is left of all its parts.
    backlog: f64,
}

/// All parts of a connector: the tasks of a source, the partitions of a sink.
struct Basin {
    /// What arrives for each part, per second.
    share: f64,
    capacity: f64,
    backlog: Vec<f64>,
    owner: Vec<Option<usize>>,
    /// By instance; after the last of them one for each part, used while nobody works on it.
    pools: Vec<Pool>,
    instances: usize,
    furthest: f64,
    worked_off: f64,
    /// From, until, and by how much some backlog changes in between.
    spans: Vec<(SimTime, SimTime, f64)>,
}

impl ConnectorLag {
    /// What falls behind where `serving` says who works on which part, from `start` at least to `end`.
    pub(super) fn of(connector: ConnectorId, flow: Flow, serving: &Serving, start: SimTime, end: SimTime) -> Self {
        let begins = match serving.changes.first() {
            Some(first) if serving.initial.iter().all(Option::is_none) => first.at.max(start),
            _ => start,
        };
        let mut basin = Basin::new(serving, flow, begins);
        for batch in serving.changes.chunk_by(|one, other| one.at == other.at) {
            basin.hand_over(batch[0].at.max(begins), batch);
        }
        basin.run(end);
        let empty = basin.empty_at(end);
        let last = empty.unwrap_or(end);
        basin.run(last);
        let points = basin.points(start, last);
        let (mut peak_at, mut peak) = (start, Records(0.0));
        for &(at, backlog) in &points {
            if backlog > peak {
                (peak_at, peak) = (at, backlog);
            }
        }
        Self {
            connector,
            peak,
            peak_at,
            behind: peak / flow.arrival,
            furthest_behind: Records(basin.furthest) / RecordsPerSec(basin.share),
            caught_up: if empty.is_none() { basin.reason() } else { CaughtUp::seen_in(&points) },
            worked_off: Records(basin.worked_off),
            points,
        }
    }
}

impl CaughtUp {
    /// The instant, if there is one.
    pub fn at(self) -> Option<SimTime> {
        if let Self::At(at) = self { Some(at) } else { None }
    }

    fn seen_in(points: &[(SimTime, Records)]) -> Self {
        let behind = points.iter().rposition(|point| point.1.0 > 0.0);
        let gone = behind.map(|place| points[(place + 1).min(points.len() - 1)].0);
        gone.map_or(Self::NeverBehind, Self::At)
    }
}

impl Basin {
    fn new(serving: &Serving, flow: Flow, begins: SimTime) -> Self {
        let parts = serving.initial.len();
        let named = serving.changes.iter().filter_map(|handover| handover.to);
        let instances = serving.initial.iter().flatten().copied().chain(named).max().map_or(0, |last| last + 1);
        #[expect(clippy::cast_precision_loss, reason = "parts are far fewer than 2^52")]
        let share = flow.arrival.0 / parts.max(1) as f64;
        let mut basin = Self {
            share,
            capacity: flow.capacity_per_task.0,
            backlog: vec![0.0; parts],
            owner: serving.initial.clone(),
            pools: vec![Pool { since: begins, ..Pool::default() }; instances + parts],
            instances,
            furthest: 0.0,
            worked_off: 0.0,
            spans: Vec::new(),
        };
        for part in 0..parts {
            let place = basin.place_of(part);
            basin.pools[place].parts.push(part);
        }
        basin
    }

    /// The pool a part is in.
    fn place_of(&self, part: usize) -> usize {
        self.owner[part].unwrap_or(self.instances + part)
    }

    /// From `now` on other instances work on some parts.
    fn hand_over(&mut self, now: SimTime, batch: &[Handover]) {
        let mut touched: Vec<usize> = Vec::with_capacity(2 * batch.len());
        for handover in batch {
            touched.push(self.place_of(handover.part));
            touched.push(handover.to.unwrap_or(self.instances + handover.part));
        }
        touched.sort_unstable();
        touched.dedup();
        for &place in &touched {
            self.run_pool(place, now);
            self.pools[place].parts.clear();
        }
        let mut moved: Vec<usize> = Vec::new();
        for part in 0..self.owner.len() {
            if touched.binary_search(&self.place_of(part)).is_ok() {
                moved.push(part);
            }
        }
        for handover in batch {
            self.owner[handover.part] = handover.to;
        }
        for part in moved {
            let place = self.place_of(part);
            self.pools[place].parts.push(part);
        }
        for place in touched {
            let backlog = self.pools[place].parts.iter().map(|&part| self.backlog[part]).sum();
            self.pools[place].backlog = backlog;
        }
    }

    fn run(&mut self, now: SimTime) {
        for place in 0..self.pools.len() {
            self.run_pool(place, now);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "parts are far fewer than 2^52")]
    fn arrival(&self, place: usize) -> f64 {
        self.share * self.pools[place].parts.len() as f64
    }

    fn capacity(&self, place: usize) -> f64 {
        if place < self.instances { self.capacity } else { 0.0 }
    }

    /// Lets one pool run until `now`. A pool that catches up works on its parts in proportion
    /// to what is left of each, so that all are done at once; one that falls behind works on
    /// all alike.
    fn run_pool(&mut self, place: usize, now: SimTime) {
        let (arrival, slope) = (self.arrival(place), self.arrival(place) - self.capacity(place));
        let pool = &mut self.pools[place];
        let (since, before) = (pool.since, pool.backlog);
        pool.since = now;
        let span = (now - since).as_secs_f64();
        if span <= 0.0 || pool.parts.is_empty() {
            return;
        }
        // An instant is rounded to microseconds: what would be gone just after it is gone.
        let gone = if slope < 0.0 { before / -slope } else { f64::INFINITY };
        let empty = gone <= span + TICK.as_secs_f64();
        pool.backlog = if empty { 0.0 } else { before + slope * span };
        let change = pool.backlog - before;
        self.worked_off += arrival * span - change;
        #[expect(clippy::cast_precision_loss, reason = "parts are far fewer than 2^52")]
        let each = change / pool.parts.len() as f64;
        for &part in &pool.parts {
            let left = &mut self.backlog[part];
            *left = if empty {
                0.0
            } else if slope < 0.0 {
                *left * pool.backlog / before
            } else {
                *left + each
            };
            self.furthest = self.furthest.max(*left);
        }
        if change != 0.0 {
            let until = if empty { since + Duration::from_secs_f64(gone) } else { now };
            self.spans.push((since, until.min(now).max(since + TICK), change));
        }
    }

    /// When nothing is left if nobody changes any more; `None` if that never comes.
    fn empty_at(&self, end: SimTime) -> Option<SimTime> {
        let mut latest = end;
        for (place, pool) in self.pools.iter().enumerate().filter(|(_, pool)| !pool.parts.is_empty()) {
            let spare = self.capacity(place) - self.arrival(place);
            if pool.backlog > 0.0 {
                if spare <= self.arrival(place) * CRUMB {
                    return None;
                }
                latest = latest.max(pool.since + Records(pool.backlog) / RecordsPerSec(spare));
            } else if spare < 0.0 {
                return None;
            }
        }
        Some(latest)
    }

    /// Why something is left for ever.
    fn reason(&self) -> CaughtUp {
        let nobodys = self.owner.iter().filter(|owner| owner.is_none()).count();
        if nobodys > 0 {
            return CaughtUp::NotServed(u32::try_from(nobodys).unwrap_or(u32::MAX));
        }
        let busiest = (0..self.instances).map(|place| self.arrival(place)).fold(0.0, f64::max);
        CaughtUp::TooSlow { arrival: RecordsPerSec(busiest), capacity: RecordsPerSec(self.capacity) }
    }

    /// The sum of all backlogs, as the points between which it is straight.
    fn points(&self, start: SimTime, end: SimTime) -> Vec<(SimTime, Records)> {
        let mut bends: Vec<(SimTime, f64, i32)> = Vec::with_capacity(2 * self.spans.len());
        for &(from, until, change) in &self.spans {
            let slope = change / (until - from).as_secs_f64();
            bends.push((from, slope, 1));
            bends.push((until, -slope, -1));
        }
        bends.sort_by_key(|bend| bend.0);
        let mut points = vec![(start, Records(0.0))];
        let (mut now, mut backlog, mut slope, mut open, mut largest) = (start, 0.0_f64, 0.0, 0, 0.0_f64);
        for batch in bends.chunk_by(|one, other| one.0 == other.0) {
            backlog += slope * (batch[0].0 - now).as_secs_f64();
            now = batch[0].0;
            largest = largest.max(backlog);
            // Sums of many floats leave crumbs where the exact value is nothing.
            if backlog <= largest * CRUMB {
                backlog = 0.0;
            }
            let before = slope;
            for (_, change, opened) in batch {
                slope += change;
                open += opened;
            }
            if open == 0 {
                slope = 0.0;
            }
            if (slope - before).abs() > before.abs() * CRUMB && now > start {
                points.push((now, Records(backlog)));
            }
        }
        if now < end {
            backlog += slope * (end - now).as_secs_f64();
            now = end;
        }
        if points.last().is_none_or(|point| point.0 < now) {
            points.push((now, Records(backlog.max(0.0))));
        }
        points
    }
}

/// The shortest span there is.
const TICK: Duration = Duration::from_micros(1);

/// What is less than this part of the whole comes from rounding.
const CRUMB: f64 = 1e-9;
