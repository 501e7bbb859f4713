//! A run from given facts: how an incident is understood afterwards.

use std::collections::BTreeMap;

use super::chance::{Chance, Seed};
use super::configuration::Configuration;
use super::instances::{Phase, Unit};
use super::latency;
use super::queue::Event;
use super::timeline::{Cause, Process, TaskState, Timeline};
use super::worker::{Alive, Wish};
use super::world::{Detail, World};
use crate::assignor::{IncrementalAssignor, MemberId, Memory};
use crate::model::{Items, Observed, Replay, ReplayEventKind, ReplayMember, ReplayMemory, WorkerId, WorkerSetup};
use crate::protocol::{Group, GroupState, Input, JoinRequest};
use crate::units::{Duration, SimTime};

/// What is known beforehand of a run; empty unless it is a replay.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    facts: Vec<ReplayEventKind>,
    observed: Vec<Observed>,
    /// When each member's session ran out, where given.
    expiries: BTreeMap<String, SimTime>,
    /// When each member's `JoinGroup` was seen, where given.
    rejoins: BTreeMap<String, Vec<SimTime>>,
}

impl Script {
    fn observed(&self, generation: i32) -> Option<&Observed> {
        self.observed.iter().find(|seen| seen.generation == generation)
    }

    pub(super) fn observed_at(&self, generation: i32) -> Option<SimTime> {
        self.observed(generation).map(|seen| seen.at)
    }

    pub(super) fn was_observed(&self, generation: i32) -> bool {
        self.observed(generation).is_some()
    }

    /// Whether it is known that no member got that generation's assignment.
    pub(super) fn nobody_synced(&self, generation: i32) -> bool {
        self.observed(generation).and_then(|seen| seen.synced.as_ref()).is_some_and(Vec::is_empty)
    }

    /// Whether the worker got that generation's assignment; it did unless it is known that it did not.
    pub(super) fn synced(&self, generation: i32, worker: WorkerId) -> bool {
        self.observed(generation).and_then(|seen| seen.synced.as_ref()).is_none_or(|synced| synced.contains(&worker))
    }

    /// Whether the expiry of that member is given and still to come.
    pub(super) fn expires_later(&self, member: &str, now: SimTime) -> bool {
        self.expiries.get(member).is_some_and(|&at| at >= now)
    }

    /// Whether the member's own `JoinGroup` for the rebalance that begins now is given.
    pub(super) fn joins_later(&self, member: &str, now: SimTime) -> bool {
        self.rejoins.get(member).is_some_and(|seen| seen.iter().any(|&at| at >= now && at - now < JOIN_SOON))
    }
}

/// Runs a replay file: the rounds Kafka runs, who leads, the delay, who owns what, and why.
///
/// Chance is needed only for what the file does not say: the phases of the heartbeats if the last
/// round was not seen, and start and stop times given as ranges.
pub fn replay(replay: &Replay, seed: Seed) -> Timeline {
    let cluster = &replay.cluster;
    let buckets = replay.map_buckets.unwrap_or(16);
    let group = Group::new(cluster.broker.coordinator, cluster.broker.initial_rebalance_delay, buckets);
    let config = Configuration::new(cluster, replay.configured.clone());
    let mut world = World::new(cluster, config, group, Chance::new(seed), Detail::Full);
    world.set_the_scene(replay);
    let last = replay.events.last().map_or(SimTime::ZERO, |event| event.at);
    world.timeline.began = replay.events.first().map_or(SimTime::ZERO, |event| event.at);
    world.run(last + AFTERMATH);
    if world.timeline.settled.is_none() && world.is_settled() {
        world.timeline.settled = Some(world.timeline.last_change());
    }
    world.timeline
}

impl World<'_> {
    fn set_the_scene(&mut self, replay: &Replay) {
        let first_seen = replay.observed.first().map(|seen| seen.generation - 1);
        let generation = replay.generation.or(first_seen).unwrap_or(i32::from(!replay.members.is_empty()));
        self.rounds.set_generation(generation);
        let mut requests = Vec::new();
        let mut ids = Vec::new();
        let mut leader = None;
        for found in &replay.members {
            let id = self.new_member(found.worker, found.id.clone());
            ids.push(id);
            if found.leader {
                leader = Some(id);
            }
        }
        for (found, &id) in replay.members.iter().zip(&ids) {
            requests.push(self.found_member(found, id, leader, generation));
        }
        if let Some(leader) = leader.or(ids.first().copied()) {
            self.group.found(generation, leader, &requests, &self.ids);
            let owns = replay.members.iter().map(|found| &found.owns);
            self.set_memory(replay.memory.clone().unwrap_or_default(), owns, leader, &ids, generation);
        }
        self.set_clock(replay.last_round, &ids);
        self.note_founding();
        for place in 0..replay.cluster.workers.len() {
            let worker = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            let process = if self.workers[place].alive == Alive::Up { Process::Member } else { Process::Down };
            self.note_process(worker, process);
        }
        for event in &replay.events {
            match &event.kind {
                ReplayEventKind::Expire(id) => {
                    self.script.expiries.insert(id.clone(), event.at);
                }
                ReplayEventKind::Rejoin(id) => {
                    self.script.rejoins.entry(id.clone()).or_default().push(event.at);
                }
                _ => {}
            }
            let place = u32::try_from(self.script.facts.len()).unwrap_or(u32::MAX);
            self.script.facts.push(event.kind.clone());
            self.queue.push(event.at, Event::Fact(place));
        }
        self.script.observed.clone_from(&replay.observed);
        for (place, seen) in replay.observed.iter().enumerate() {
            self.queue.push(seen.at, Event::Observed(u32::try_from(place).unwrap_or(u32::MAX)));
        }
    }

    fn found_member(
        &mut self,
        found: &ReplayMember,
        id: MemberId,
        leader: Option<MemberId>,
        generation: i32,
    ) -> JoinRequest {
        for unit in self.units_of(&found.owns) {
            self.instances.start(unit, found.worker, Phase::Running);
            self.count_run(unit, true);
            self.note_unit(unit, found.worker, TaskState::Running);
        }
        let run = &mut self.workers[found.worker.index()];
        run.alive = Alive::Up;
        run.back = true;
        run.local = Some(found.owns.clone());
        run.local_changed = false;
        run.last_generation = generation;
        run.leader = leader;
        run.config_offset = self.config.offset();
        run.beats = true;
        self.reports[id.index()].clone_from(&found.owns);
        JoinRequest {
            member: id,
            strongest: run.setup.settings.protocol,
            metadata: run.metadata,
            rebalance_timeout: run.setup.settings.rebalance_timeout,
        }
    }

    /// What the leader remembers, and until when all wait; `owns` is what each member owns.
    pub(super) fn set_memory<'i>(
        &mut self,
        memory: ReplayMemory,
        owns: impl Iterator<Item = &'i Items>,
        leader: MemberId,
        ids: &[MemberId],
        generation: i32,
    ) {
        let mut owned = Items::default();
        for items in owns {
            owned.connectors.extend_from_slice(&items.connectors);
            owned.tasks.extend_from_slice(&items.tasks);
        }
        let candidates = memory.candidates.iter().filter_map(|id| self.ids.find(id)).collect();
        let remembered = Memory {
            lost: memory.lost,
            due: memory.due,
            candidates,
            revoked: memory.revoked,
            revoked_last: memory.revoked_last,
            consecutive: 0,
        };
        let work = &self.cluster.work;
        let assignor = IncrementalAssignor::with_memory(&owned, &remembered, generation, ids, work);
        let worker = self.ids.worker(leader);
        self.workers[worker.index()].assignor = assignor;
        let protocol = self.group.protocol();
        for &id in ids {
            let worker = self.ids.worker(id);
            let run = &mut self.workers[worker.index()];
            run.believes = protocol;
            run.knows_running = protocol != crate::model::ConnectProtocol::Eager;
            if let Some(due) = memory.due {
                // The announced delay is part of what it reports next.
                run.metadata += 1;
                // The members' own deadlines are a little later than the leader's: they count from its answer.
                let at = due + latency::APPEND;
                run.delay = due - SimTime::ZERO;
                run.deadline = Some(at);
                run.deadline_token += 1;
                self.queue.push(at, Event::Deadline(worker, run.deadline_token));
            }
        }
    }

    /// After a round all members share one clock; if it is long past or unseen, each has a phase of its own.
    fn set_clock(&mut self, last_round: Option<SimTime>, ids: &[MemberId]) {
        let shared = last_round.filter(|&at| SimTime::ZERO - at <= CLOCK_SHARED_FOR);
        for &id in ids {
            let worker = self.ids.worker(id);
            let interval = self.workers[worker.index()].interval;
            let anchor = match shared {
                Some(at) => at + latency::JOIN_ANSWER,
                None => SimTime::ZERO - self.chance.up_to(interval),
            };
            self.workers[worker.index()].anchor = anchor;
        }
    }

    /// The next fact.
    pub(super) fn fact(&mut self, place: u32) {
        let Some(kind) = self.script.facts.get(place as usize).cloned() else { return };
        match kind {
            ReplayEventKind::Leave(id) => {
                let Some(member) = self.ids.find(&id) else { return };
                if let Some(worker) = self.process_of(member) {
                    self.end_process(worker, TaskState::Stopped);
                }
                self.broker(Input::Leave(member), Some(Cause::Left(self.ids.worker(member))));
            }
            ReplayEventKind::Join { id, worker, setup, owns } => self.joins(&id, worker, setup, owns),
            ReplayEventKind::Expire(id) => {
                if let Some(member) = self.ids.find(&id) {
                    self.expires(member);
                }
            }
            ReplayEventKind::Kill(worker) => self.kill(worker),
            ReplayEventKind::Rejoin(id) => {
                let known = self.ids.find(&id).and_then(|member| self.process_of(member));
                if let Some(worker) = known {
                    self.joins_now(worker);
                }
            }
            ReplayEventKind::Config(changes) => {
                for (connector, config) in changes {
                    self.configure(connector, config);
                }
            }
            ReplayEventKind::CoordinatorAway => self.coordinator_goes(),
            ReplayEventKind::CoordinatorBack => self.coordinator_returns(),
            ReplayEventKind::Freeze(worker) => self.freeze(worker),
            ReplayEventKind::Thaw(worker) => self.thaw(worker),
        }
    }

    fn expires(&mut self, member: MemberId) {
        let worker = self.ids.worker(member);
        if self.process_of(member).is_some() && self.workers[worker.index()].alive == Alive::Up {
            // It was expelled while it lived: it stands still, or it cannot reach the coordinator.
            self.freeze(worker);
        }
        self.broker(Input::Expire(member), Some(Cause::Expired(worker)));
    }

    fn joins(&mut self, id: &str, worker: WorkerId, setup: Option<WorkerSetup>, owns: Option<Items>) {
        let run = &self.workers[worker.index()];
        let lived_on = owns.is_some() || run.alive == Alive::Frozen;
        if let Some(owns) = owns {
            self.lives_on(worker, owns);
        } else if lived_on {
            let held = self.workers[worker.index()].local.clone().unwrap_or_default();
            self.lives_on(worker, held);
        } else {
            if run.alive == Alive::Up {
                // The process before is gone without a word: its member stays until its session ends.
                self.kill(worker);
            }
            let setup = setup.unwrap_or_else(|| self.workers[worker.index()].setup.clone());
            self.new_process(worker, setup);
            self.workers[worker.index()].alive = Alive::Up;
        }
        self.note_process(worker, Process::Joining);
        let member = self.new_member(worker, id.to_owned());
        let session = self.sessions[member.index()];
        self.broker(Input::AskForId(member, session), None);
        self.join(worker);
    }

    /// A process that lived on reports what it owns; its instances go on.
    fn lives_on(&mut self, worker: WorkerId, owns: Items) {
        let kept = self.units_of(&owns);
        for unit in self.instances.held_by(worker) {
            // What it does not report it has given up.
            if !kept.contains(&unit) {
                self.end_instance(unit, worker, TaskState::Stopped);
            }
        }
        for unit in self.units_of(&owns) {
            let known = self.instances.on(unit, worker).is_some();
            if !known {
                self.instances.start(unit, worker, Phase::Running);
                self.count_run(unit, true);
                self.note_unit(unit, worker, TaskState::Running);
            }
        }
        let alive = self.workers[worker.index()].alive;
        if alive == Alive::Frozen {
            self.thaw(worker);
        }
        self.expelled(worker);
        let run = &mut self.workers[worker.index()];
        run.epoch += 1;
        run.alive = Alive::Up;
        run.local = Some(owns);
        run.local_changed = true;
        run.learn_at = None;
        run.learn_token += 1;
    }

    /// A `JoinGroup` was seen: under eager the work is stopped first.
    fn joins_now(&mut self, worker: WorkerId) {
        let run = &self.workers[worker.index()];
        let stops_first = run.believes == crate::model::ConnectProtocol::Eager && run.resolved;
        if let Some(local) = run.local.clone().filter(|_| stops_first) {
            self.stop_on_pool(worker, &local);
        }
        self.workers[worker.index()].wish = Wish::Rebalance;
        self.join(worker);
    }

    fn end_process(&mut self, worker: WorkerId, how: TaskState) {
        for unit in self.instances.held_by(worker) {
            self.end_instance(unit, worker, how);
        }
        let run = &mut self.workers[worker.index()];
        run.alive = Alive::No;
        run.member = None;
        run.epoch += 1;
        run.learn_at = None;
        run.learn_token += 1;
        run.deadline = None;
        run.deadline_token += 1;
        self.note_process(worker, Process::Down);
    }

    fn coordinator_goes(&mut self) {
        self.coordinator_away = true;
        self.timeline.group.away.push((self.now, true));
        for place in 0..self.workers.len() {
            let worker = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            let run = &self.workers[place];
            if run.alive == Alive::Up {
                let limit = run.setup.settings.heartbeat_interval + latency::STOP_ORDER;
                self.queue.push(self.now + limit, Event::GiveUp(worker, run.epoch));
            }
        }
    }

    fn coordinator_returns(&mut self) {
        self.coordinator_away = false;
        self.timeline.group.away.push((self.now, false));
        // The new coordinator starts every session afresh.
        let members: Vec<MemberId> = self.group.members().collect();
        for member in members {
            let gone = self.process_of(member).is_none_or(|worker| self.workers[worker.index()].alive != Alive::Up);
            if gone && !self.script.expires_later(self.ids.text(member), self.now) {
                let at = self.now + self.sessions[member.index()];
                match self.process_of(member) {
                    Some(worker) => self.queue.push(at, Event::Expire(member, self.workers[worker.index()].contact)),
                    None => self.ghost_expires(at, member),
                }
            }
        }
        self.queue.push(self.now + latency::COORDINATOR_BACK, Event::CoordinatorFound);
    }

    /// A round was really seen now: it completes now, whatever was computed.
    pub(super) fn observed(&mut self, place: u32) {
        let Some(seen) = self.script.observed.get(place as usize) else { return };
        if self.group.generation() + 1 != seen.generation {
            return;
        }
        if self.group.state() != GroupState::Preparing {
            self.due_members_join();
        }
        if self.group.state() != GroupState::Preparing {
            return;
        }
        let absent: Vec<MemberId> = self.group.members().filter(|&member| !self.group.awaits_join(member)).collect();
        for member in absent {
            let alive = self.process_of(member).filter(|worker| self.workers[worker.index()].alive == Alive::Up);
            match alive {
                Some(worker) => self.joins_now(worker),
                None => self.broker(Input::Expire(member), Some(Cause::Expired(self.ids.worker(member)))),
            }
        }
        self.group.hold(false);
        self.broker(Input::Released, None);
    }

    /// Members whose own deadline is at hand join a little early: that is what was seen.
    fn due_members_join(&mut self) {
        for place in 0..self.workers.len() {
            let worker = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            let run = &mut self.workers[place];
            let due = run.deadline.is_some_and(|at| at - self.now < DUE_SOON);
            if due && run.alive == Alive::Up {
                run.deadline = None;
                run.deadline_token += 1;
                run.wish = Wish::Deadline;
                self.join(worker);
            }
        }
    }

    pub(super) fn units_of(&self, items: &Items) -> Vec<Unit> {
        let work = &self.cluster.work;
        let connectors = items.connectors.iter().map(|&connector| Unit::connector(work, connector));
        connectors.chain(items.tasks.iter().map(|&task| Unit::task(task))).collect()
    }
}

/// How long after a round all members still share one heartbeat clock, as far as a model can tell.
pub(super) const CLOCK_SHARED_FOR: Duration = Duration::from_secs(30 * 60);
/// What may follow the last event of a replay.
const AFTERMATH: Duration = Duration::from_secs(24 * 3_600);
/// A `JoinGroup` that was seen this long after a rebalance began belongs to it.
const JOIN_SOON: Duration = Duration::from_secs(60);
/// A deadline this close is the one that was seen.
const DUE_SOON: Duration = Duration::from_secs(1);
