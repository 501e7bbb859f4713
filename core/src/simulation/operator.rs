//! Whoever restarts the workers: which one next, and when.

use super::queue::Event;
use super::worker::Alive;
use super::world::World;
use crate::model::{Wait, WorkerId};
use crate::units::{Duration, SimTime};

/// Who is restarted next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// These, one after another.
    Listed(Vec<WorkerId>),
    /// The followers as listed in the description, the leader last.
    LeaderLast,
    /// The leader of the beginning first, then the others as listed.
    LeaderFirst,
    /// The leader of the beginning after so many others.
    LeaderAfter(usize),
    /// Whoever leads at the moment, while it is still to do; else the next follower.
    PresentLeader,
}

/// How a worker is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stop {
    /// SIGTERM: the worker leaves the group as its last act.
    #[default]
    Graceful,
    /// kill -9: the group waits for its session to run out.
    Kill,
}

/// When the leader is restarted once more, to end a delay that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flush {
    /// Never.
    #[default]
    Never,
    /// At the end of the roll, if a delay runs then.
    AtEnd,
    /// Whenever so many restarted followers wait for a delay, and at the end.
    AfterFollowers(usize),
}

/// A whole roll, as a rule: what happens depends on who leads when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Who is next.
    pub order: Order,
    /// When the next may go.
    pub wait: Wait,
    /// How many go together.
    pub at_once: usize,
    /// How they are stopped.
    pub stop: Stop,
    /// Whether the leader goes once more.
    pub flush: Flush,
    /// Whether the next may go while a delay runs.
    pub during_delay: bool,
}

/// One restart of a roll as it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When the workers were stopped.
    pub at: SimTime,
    /// Which.
    pub workers: Vec<WorkerId>,
    /// Whether one of them led the group then.
    pub leads: bool,
    /// Whether it is an extra restart of the leader.
    pub flush: bool,
    /// When all of them were members again.
    pub back: Option<SimTime>,
}

#[derive(Debug)]
pub(super) struct Operator {
    schedule: Schedule,
    to_do: Vec<WorkerId>,
    /// The leader when the roll began.
    first_leader: Option<WorkerId>,
    begun: usize,
    /// Workers that are being restarted.
    away: Vec<WorkerId>,
    /// Followers restarted since the last change of leader.
    waiting: usize,
    flushes_left: usize,
    not_before: SimTime,
    token: u32,
    over: bool,
}

impl Operator {
    pub(super) fn new(schedule: Schedule, to_do: Vec<WorkerId>, first_leader: Option<WorkerId>) -> Self {
        Self {
            flushes_left: to_do.len(),
            schedule,
            to_do,
            first_leader,
            begun: 0,
            away: Vec::new(),
            waiting: 0,
            not_before: SimTime::ZERO,
            token: 0,
            over: false,
        }
    }

    /// Takes the workers that go next, the unready ones having been listed first.
    fn next(&mut self, leading: Option<WorkerId>, racks: &[Option<&str>]) -> Vec<WorkerId> {
        let leader = self.first_leader;
        let place = match &self.schedule.order {
            Order::Listed(_) => Some(0),
            Order::LeaderLast => self.to_do.iter().position(|&worker| Some(worker) != leading).or(Some(0)),
            Order::LeaderFirst => self.to_do.iter().position(|&worker| Some(worker) == leader).or(Some(0)),
            Order::LeaderAfter(others) if self.begun >= *others => {
                self.to_do.iter().position(|&worker| Some(worker) == leader).or(Some(0))
            }
            Order::LeaderAfter(_) => self.to_do.iter().position(|&worker| Some(worker) != leader).or(Some(0)),
            Order::PresentLeader => self.to_do.iter().position(|&worker| Some(worker) == leading).or(Some(0)),
        };
        let Some(place) = place.filter(|&place| place < self.to_do.len()) else { return Vec::new() };
        let mut batch = vec![self.to_do.remove(place)];
        let rack = racks[batch[0].index()];
        let alone = Some(batch[0]) == leading && !matches!(self.schedule.order, Order::Listed(_));
        while !alone && batch.len() < self.schedule.at_once {
            // Only workers of one rack go together; the leader goes with others only if it is listed so.
            let listed = matches!(self.schedule.order, Order::Listed(_));
            let fits = |&worker: &WorkerId| listed || (racks[worker.index()] == rack && Some(worker) != leading);
            let Some(place) = self.to_do.iter().position(fits) else { break };
            batch.push(self.to_do.remove(place));
        }
        self.begun += batch.len();
        batch
    }
}

impl World<'_> {
    /// Begins a roll now.
    pub(super) fn begin_roll(&mut self, schedule: Schedule) {
        let leading = self.leading_worker();
        let count = u32::try_from(self.workers.len()).unwrap_or(u32::MAX);
        let mut to_do: Vec<WorkerId> = match &schedule.order {
            Order::Listed(workers) => workers.clone(),
            _ => (0..count).map(WorkerId).collect(),
        };
        if !matches!(schedule.order, Order::Listed(_)) {
            to_do.sort_by_key(|worker| !self.cluster.workers[worker.index()].unready);
        }
        self.timeline.began = self.now;
        self.operator = Some(Operator::new(schedule, to_do, leading));
        self.queue.push(self.now, Event::Operator(0));
    }

    pub(super) fn operator_looks(&mut self, token: u32) {
        if let Some(operator) = &mut self.operator
            && operator.token == token
        {
            operator.token += 1;
        }
    }

    /// After each event: notes who is back, and stops the next when its condition holds.
    pub(super) fn operate(&mut self) {
        let Some(mut operator) = self.operator.take() else { return };
        self.note_returns(&mut operator);
        if operator.over {
            if self.timeline.settled.is_none() && self.is_settled() {
                self.timeline.settled = Some(self.now);
                self.end_at(self.now);
            }
        } else if operator.away.is_empty() && self.may_go_on(&mut operator) {
            self.next_step(&mut operator);
        }
        self.operator = Some(operator);
    }

    fn note_returns(&mut self, operator: &mut Operator) {
        if operator.away.is_empty() {
            return;
        }
        let workers = &self.workers;
        operator.away.retain(|worker| workers[worker.index()].alive != Alive::Up || !workers[worker.index()].back);
        if operator.away.is_empty() {
            if let Some(step) = self.timeline.steps.last_mut() {
                step.back = Some(self.now);
            }
            if let Wait::Fixed(pause) = operator.schedule.wait {
                self.wait_until(operator, self.now + pause);
            }
        }
    }

    fn wait_until(&mut self, operator: &mut Operator, until: SimTime) {
        operator.not_before = until;
        operator.token += 1;
        self.queue.push(until, Event::Operator(operator.token));
    }

    fn may_go_on(&mut self, operator: &mut Operator) -> bool {
        if self.now < operator.not_before {
            return false;
        }
        let first = self.timeline.steps.is_empty();
        match operator.schedule.wait {
            _ if first => true,
            Wait::Settled => self.is_settled(),
            Wait::Back | Wait::Fixed(_) => operator.schedule.during_delay || !self.delay_runs(),
        }
    }

    fn next_step(&mut self, operator: &mut Operator) {
        let leading = self.leading_worker();
        if let Some(leader) = leading
            && self.flush_is_due(operator, leader)
        {
            operator.flushes_left = operator.flushes_left.saturating_sub(1);
            let again = !operator.to_do.contains(&leader);
            operator.to_do.retain(|&worker| worker != leader);
            self.restart(operator, vec![leader], again);
            return;
        }
        let racks: Vec<Option<&str>> = self.cluster.workers.iter().map(|worker| worker.rack.as_deref()).collect();
        let batch = operator.next(leading, &racks);
        if batch.is_empty() {
            operator.over = true;
            if self.is_settled() {
                self.timeline.settled = Some(self.now);
                self.end_at(self.now);
            }
        } else {
            self.restart(operator, batch, false);
        }
    }

    fn flush_is_due(&self, operator: &Operator, leader: WorkerId) -> bool {
        if operator.flushes_left == 0 || operator.waiting == 0 || !self.delay_runs() {
            return false;
        }
        let ends_anyway = operator.to_do.as_slice() == [leader];
        match operator.schedule.flush {
            Flush::Never => false,
            Flush::AtEnd => operator.to_do.is_empty() && !ends_anyway,
            Flush::AfterFollowers(limit) => (operator.waiting >= limit || operator.to_do.is_empty()) && !ends_anyway,
        }
    }

    fn restart(&mut self, operator: &mut Operator, batch: Vec<WorkerId>, flush: bool) {
        let leading = self.leading_worker();
        let leads = batch.iter().any(|&worker| Some(worker) == leading);
        operator.waiting = if leads { 0 } else { operator.waiting + batch.len() };
        for &worker in &batch {
            match (self.workers[worker.index()].alive, operator.schedule.stop) {
                (Alive::No, _) => self.reboot(worker),
                (_, Stop::Graceful) => self.stop(worker),
                (_, Stop::Kill) => {
                    self.kill(worker);
                    self.reboot(worker);
                }
            }
        }
        operator.away.clone_from(&batch);
        self.timeline.steps.push(Step { at: self.now, workers: batch, leads, flush, back: None });
        operator.not_before = self.now + Duration::ZERO;
    }
}
