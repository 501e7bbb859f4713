//! Whoever restarts the workers: which one next, and when.

use std::collections::VecDeque;

use super::queue::Event;
use super::schedule::{Aim, Flush, Order, Rest, Schedule, Step, Stop, Turn};
use super::worker::Alive;
use super::world::World;
use crate::model::{Wait, WorkerId};
use crate::units::{Duration, SimTime};

#[derive(Clone, Debug)]
pub(super) struct Operator {
    schedule: Schedule,
    to_do: Vec<WorkerId>,
    /// What is left of the written steps.
    turns: VecDeque<Turn>,
    /// Whether more turns may come: then it asks instead of ending.
    open: bool,
    /// Whether the moment of the next stop was chosen.
    aimed: bool,
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
    pub(super) fn new(
        schedule: Schedule,
        to_do: Vec<WorkerId>,
        first_leader: Option<WorkerId>,
        delay_runs: bool,
    ) -> Self {
        let turns = match &schedule.order {
            Order::Turns(turns) => turns.iter().cloned().collect(),
            _ => VecDeque::new(),
        };
        Self {
            flushes_left: to_do.len(),
            schedule,
            to_do,
            turns,
            open: false,
            aimed: false,
            first_leader,
            begun: 0,
            away: Vec::new(),
            // Tasks that wait already are as good as those of a follower that was restarted.
            waiting: usize::from(delay_runs),
            not_before: SimTime::ZERO,
            token: 0,
            over: false,
        }
    }

    /// Of the roll only this is left.
    pub(super) fn take_up(&mut self, rest: &Rest) {
        self.to_do.retain(|worker| !rest.done.contains(worker));
        if !rest.first.is_empty() {
            self.turns.push_front(Turn { workers: rest.first.clone(), leader: false, wait: None });
        }
    }

    /// More steps will be told, of so many workers.
    pub(super) fn keep_open(&mut self, workers: usize) {
        self.open = true;
        self.flushes_left = workers;
    }

    /// One more step.
    pub(super) fn add(&mut self, turn: Turn) {
        self.turns.push_back(turn);
    }

    /// No more steps.
    pub(super) fn close(&mut self) {
        self.open = false;
    }

    /// What is waited for before the next step.
    fn wait(&self) -> Wait {
        self.turns.front().and_then(|turn| turn.wait).unwrap_or(self.schedule.wait)
    }

    /// Takes the workers that go next, the unready ones having been listed first.
    fn next(
        &mut self,
        leading: Option<WorkerId>,
        successor: Option<WorkerId>,
        racks: &[Option<&str>],
    ) -> Vec<WorkerId> {
        if let Some(turn) = self.turns.pop_front() {
            let mut batch = turn.workers;
            batch.extend(leading.filter(|leader| turn.leader && !batch.contains(leader)));
            self.to_do.retain(|worker| !batch.contains(worker));
            return batch;
        }
        let first = self.first_leader;
        let place_of = |wanted: Option<WorkerId>| self.to_do.iter().position(|&worker| Some(worker) == wanted);
        let place_but = |other: Option<WorkerId>| self.to_do.iter().position(|&worker| Some(worker) != other);
        let follower = || self.to_do.iter().position(|&worker| Some(worker) != leading && Some(worker) != successor);
        let place = match &self.schedule.order {
            Order::Turns(_) => None,
            Order::Listed(_) => Some(0),
            Order::LeaderLast => place_but(leading).or(Some(0)),
            Order::LeaderFirst => place_of(first).or(Some(0)),
            Order::LeaderAfter(others) if self.begun >= *others => place_of(first).or(Some(0)),
            Order::LeaderAfter(_) => place_but(first).or(Some(0)),
            Order::PresentLeader => place_of(leading).or(Some(0)),
            Order::Succession => place_of(leading)
                .filter(|_| self.to_do.len() == 1 || place_of(successor).is_some())
                .or_else(follower)
                .or(place_but(leading))
                .or(Some(0)),
            Order::WithLeader => {
                let rack = leading.and_then(|leader| racks[leader.index()]);
                let beside = |&worker: &WorkerId| {
                    Some(worker) != leading && Some(worker) != successor && racks[worker.index()] == rack
                };
                self.to_do.iter().position(beside).or_else(follower).or(place_but(leading)).or(Some(0))
            }
        };
        let Some(place) = place.filter(|&place| place < self.to_do.len()) else { return Vec::new() };
        let mut batch = vec![self.to_do.remove(place)];
        self.begun += 1;
        if self.schedule.order == Order::WithLeader {
            let fresh = place_in(&self.to_do, leading);
            let again = self.schedule.flush != Flush::Never && self.flushes_left > 0;
            // Only workers of one rack go together.
            let together = |&leader: &WorkerId| {
                batch[0] != leader && racks[leader.index()] == racks[batch[0].index()] && (fresh.is_some() || again)
            };
            if let Some(leader) = leading.filter(together) {
                self.to_do.retain(|&worker| worker != leader);
                self.begun += usize::from(fresh.is_some());
                self.flushes_left -= usize::from(fresh.is_none());
                batch.push(leader);
            }
            return batch;
        }
        let rack = racks[batch[0].index()];
        let alone = Some(batch[0]) == leading && !matches!(self.schedule.order, Order::Listed(_));
        while !alone && batch.len() < self.schedule.at_once {
            // Only workers of one rack go together; the leader goes with others only if it is listed so.
            let listed = matches!(self.schedule.order, Order::Listed(_));
            let fits = |&worker: &WorkerId| listed || (racks[worker.index()] == rack && Some(worker) != leading);
            let Some(place) = self.to_do.iter().position(fits) else { break };
            batch.push(self.to_do.remove(place));
            self.begun += 1;
        }
        batch
    }
}

fn place_in(workers: &[WorkerId], wanted: Option<WorkerId>) -> Option<usize> {
    workers.iter().position(|&worker| Some(worker) == wanted)
}

impl World<'_> {
    /// Begins a roll now.
    pub(super) fn begin_roll(&mut self, schedule: Schedule) {
        let leading = self.leading_worker();
        let count = u32::try_from(self.workers.len()).unwrap_or(u32::MAX);
        let mut to_do: Vec<WorkerId> = match &schedule.order {
            Order::Listed(workers) => workers.clone(),
            Order::Turns(turns) => turns.iter().flat_map(|turn| turn.workers.iter().copied()).collect(),
            _ => (0..count).map(WorkerId).collect(),
        };
        if !matches!(schedule.order, Order::Listed(_) | Order::Turns(_)) {
            to_do.sort_by_key(|worker| !self.cluster.workers[worker.index()].unready);
        }
        self.timeline.began = self.now;
        self.operator = Some(Operator::new(schedule, to_do, leading, self.delay_runs()));
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
        } else if operator.away.is_empty() {
            if operator.open && operator.turns.is_empty() {
                self.asks = true;
            } else if self.may_go_on(&operator) && !self.takes_aim(&mut operator) {
                self.next_step(&mut operator);
            }
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
            if let Wait::Fixed(pause) = operator.wait() {
                self.wait_until(operator, self.now + pause);
            }
        }
    }

    fn wait_until(&mut self, operator: &mut Operator, until: SimTime) {
        operator.not_before = until;
        operator.token += 1;
        self.queue.push(until, Event::Operator(operator.token));
    }

    fn may_go_on(&self, operator: &Operator) -> bool {
        if self.now < operator.not_before {
            return false;
        }
        let first = self.timeline.steps.is_empty();
        let delayed = self.cluster.delay_left().is_some();
        match operator.wait() {
            _ if first && !delayed => true,
            Wait::Settled => self.is_settled(),
            Wait::Back | Wait::Fixed(_) => operator.schedule.during_delay || !self.delay_runs(),
        }
    }

    /// Whether the next stop still waits for its moment between the heartbeats.
    fn takes_aim(&mut self, operator: &mut Operator) -> bool {
        let lead = match operator.schedule.aim {
            Aim::Any => return false,
            Aim::JustAfter => AFTER_HEARTBEAT,
            Aim::JustBefore => Duration::ZERO - BEFORE_HEARTBEAT,
        };
        // The heartbeats are known only to who saw the last round: nobody saw the one before the roll.
        if self.timeline.rounds.is_empty() {
            return false;
        }
        if operator.aimed && self.now >= operator.not_before {
            operator.aimed = false;
            return false;
        }
        // Within a balancing round a stop is a race: its leave may be read behind a waiting JoinGroup.
        if !self.is_quiet() {
            return true;
        }
        let leading = self.leading_worker();
        let next = place_in(&operator.to_do, leading).and(leading).or(operator.to_do.first().copied());
        let (Some(next), Some(leader)) = (next, leading) else { return false };
        let stop = self.cluster.workers[next.index()].restart.stop.middle();
        let heartbeat = self.workers[leader.index()].next_tick(self.now + stop - lead);
        self.wait_until(operator, heartbeat + lead - stop);
        operator.aimed = operator.not_before > self.now;
        operator.aimed
    }

    fn next_step(&mut self, operator: &mut Operator) {
        let leading = self.leading_worker();
        if let Some(leader) = leading
            && operator.turns.is_empty()
            && self.flush_is_due(operator, leader)
        {
            operator.flushes_left = operator.flushes_left.saturating_sub(1);
            let again = !operator.to_do.contains(&leader);
            operator.to_do.retain(|&worker| worker != leader);
            self.restart(operator, vec![leader], again);
            return;
        }
        let racks: Vec<Option<&str>> = self.cluster.workers.iter().map(|worker| worker.rack.as_deref()).collect();
        let successor = self.group.successor().map(|member| self.ids.worker(member));
        let batch = operator.next(leading, successor, &racks);
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

/// So long after a heartbeat a leave is surely behind it.
const AFTER_HEARTBEAT: Duration = Duration::from_millis(300);
/// So long before a heartbeat a leave is surely ahead of it.
const BEFORE_HEARTBEAT: Duration = Duration::from_millis(300);
