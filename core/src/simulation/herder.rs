//! The worker's side of a round: what its herder thread does, one thing after another.
//!
//! Follows `WorkerCoordinator` and `DistributedHerder` of Kafka 3.9 to 4.3.

use super::instances::{Phase, Token, Unit};
use super::latency;
use super::queue::Event;
use super::rounds::Told;
use super::timeline::{Failure, FailureKind, Process, TaskState};
use super::worker::{Alive, Wish};
use super::world::World;
use crate::assignor::{Given, MemberId};
use crate::model::{ConnectProtocol, Items, WorkerId};
use crate::protocol::Input;
use crate::units::{Duration, SimTime};

impl World<'_> {
    /// The worker knows at `knows` that it must join; it does so when its herder is free.
    pub(super) fn wish_to_join(&mut self, worker: WorkerId, knows: SimTime, wish: Wish) {
        let run = &mut self.workers[worker.index()];
        if run.alive != Alive::Up || run.member.is_some_and(|member| self.group.awaits_join(member)) {
            return;
        }
        let Some(member) = run.member else { return };
        if wish == Wish::Rebalance && self.script.joins_later(self.ids.text(member), self.now) {
            return;
        }
        let at = match wish {
            Wish::Rebalance => run.joins_at(knows),
            _ => knows.max(run.busy_until) + latency::REJOIN,
        };
        if run.learn_at.is_some_and(|planned| planned <= at) {
            return;
        }
        run.learn_at = Some(at);
        run.learn_token += 1;
        run.wish = wish;
        let token = run.learn_token;
        self.queue.push(at, Event::Learn(worker, token));
    }

    /// The herder enters the rebalance: under eager it first stops everything (`onJoinPrepare`).
    pub(super) fn learn(&mut self, worker: WorkerId, token: u32) {
        let run = &mut self.workers[worker.index()];
        if run.learn_token != token || run.alive != Alive::Up {
            return;
        }
        if run.busy_until > self.now {
            // It became busy in the meantime.
            run.learn_at = Some(run.busy_until);
            self.queue.push(run.busy_until, Event::Learn(worker, token));
            return;
        }
        run.learn_at = None;
        let stops_first = run.believes == ConnectProtocol::Eager && run.resolved && run.local.is_some();
        if stops_first {
            let held = run.local.clone().unwrap_or_default();
            let end = self.stop_on_pool(worker, &held);
            if end > self.now {
                let run = &mut self.workers[worker.index()];
                run.busy_until = end;
                run.learn_at = Some(end);
                self.queue.push(end, Event::Join(worker, run.epoch));
                return;
            }
        }
        self.join(worker);
    }

    /// An assignment arrives (`onJoinComplete`): give up what is revoked, then take over the rest.
    pub(super) fn take_assignment(&mut self, worker: WorkerId, told: &Told, given: &Given) {
        let run = &mut self.workers[worker.index()];
        let first = !std::mem::replace(&mut run.back, true);
        run.last_generation = told.generation;
        run.believes = told.protocol;
        run.syncs = false;
        run.resolved = false;
        run.rejoins = false;
        run.stale_config = false;
        run.deadline = None;
        run.deadline_token += 1;
        let changed = !given.assigned.is_empty()
            || !given.revoked.is_empty()
            || (run.delay, run.leader, run.config_offset) != (told.delay, told.leader, told.offset)
            || run.local.is_none();
        run.metadata += u64::from(changed);
        run.unstarted |= !given.assigned.is_empty() || run.local.is_none();
        run.delay = told.delay;
        run.leader = told.leader;
        run.config_offset = told.offset;
        if first {
            self.note_process(worker, Process::Member);
        }
        let mut busy_until = self.now;
        if told.protocol == ConnectProtocol::Eager {
            let run = &mut self.workers[worker.index()];
            run.local = Some(given.assigned.clone());
            run.local_changed = true;
        } else {
            if !given.revoked.is_empty() {
                self.workers[worker.index()].rejoins = true;
                busy_until = self.stop_on_pool(worker, &given.revoked);
            }
            let run = &mut self.workers[worker.index()];
            if changed {
                let old = run.local.take().unwrap_or_default();
                run.local = Some(Items {
                    connectors: merged(&given.assigned.connectors, old.connectors, &given.revoked.connectors),
                    tasks: merged(&given.assigned.tasks, old.tasks, &given.revoked.tasks),
                });
                run.local_changed = true;
            }
        }
        if busy_until > self.now {
            let run = &mut self.workers[worker.index()];
            run.busy_until = busy_until;
            self.queue.push(busy_until, Event::Revoked(worker, run.epoch));
        } else {
            self.resolve_assignment(worker);
        }
    }

    /// What follows an assignment (`handleRebalanceCompleted`): set the deadline, start, rejoin.
    pub(super) fn resolve_assignment(&mut self, worker: WorkerId) {
        let run = &mut self.workers[worker.index()];
        if run.alive != Alive::Up || run.resolved {
            return;
        }
        self.note_entered(worker);
        let run = &mut self.workers[worker.index()];
        if !run.delay.is_zero() {
            run.deadline = Some(self.now + run.delay);
            run.deadline_token += 1;
            self.queue.push(self.now + run.delay, Event::Deadline(worker, run.deadline_token));
        }
        self.start_work(worker);
        let run = &mut self.workers[worker.index()];
        run.resolved = true;
        if std::mem::take(&mut run.rejoins) {
            self.wish_to_join(worker, self.now, Wish::Revoked);
        } else if std::mem::take(&mut run.wants_rebalance) {
            self.wish_to_join(worker, self.now, Wish::Config);
        }
    }

    /// The worker's own deadline of the delay: it asks for a rebalance by itself.
    pub(super) fn deadline(&mut self, worker: WorkerId, token: u32) {
        let run = &mut self.workers[worker.index()];
        if run.deadline_token != token {
            return;
        }
        run.deadline = None;
        // An assignment that is on its way brings a deadline of its own, or none.
        if !run.syncs {
            self.wish_to_join(worker, self.now, Wish::Deadline);
        }
    }

    /// Starts what is assigned and not running (`startWork`).
    fn start_work(&mut self, worker: WorkerId) {
        let run = &mut self.workers[worker.index()];
        let knows_running = run.knows_running;
        if !std::mem::take(&mut run.unstarted) && knows_running && run.believes != ConnectProtocol::Eager {
            return;
        }
        let Some(local) = &run.local else { return };
        let work = &self.cluster.work;
        let assigned = local.connectors.iter().map(|&connector| Unit::connector(work, connector));
        let assigned = assigned.chain(local.tasks.iter().map(|&task| Unit::task(task)));
        let mut starts = Vec::new();
        let mut exist = Vec::new();
        for unit in assigned {
            if self.instances.on(unit, worker).is_none() {
                starts.push(unit);
            } else if !knows_running {
                exist.push(unit);
            }
        }
        for (place, unit) in starts.into_iter().enumerate() {
            self.start_instance(unit, worker, place);
        }
        for unit in exist {
            // "Task already exists in this worker": its status says FAILED while the old instance goes on.
            if let Ok(task) = self.instances.split(unit) {
                let kind = FailureKind::AlreadyExists;
                self.timeline.failures.push(Failure { at: self.now, task, worker, kind });
            }
        }
        self.workers[worker.index()].knows_running = self.workers[worker.index()].believes != ConnectProtocol::Eager;
        self.config.fenced();
    }

    fn start_instance(&mut self, unit: Unit, worker: WorkerId, place: usize) {
        let rounds = i64::try_from(place / latency::POOL + 1).unwrap_or(i64::MAX);
        let mut begins = self.now + latency::BUILD * rounds;
        let mut start = Duration::ZERO;
        let mut fences = false;
        if let Ok(task) = self.instances.split(unit) {
            let connector = &self.cluster.connectors[self.cluster.work.connector_of(task).index()];
            start = self.chance.draw(&connector.task_start);
            if connector.exactly_once {
                fences = true;
                begins += self.config.fencing(self.cluster.work.connector_of(task));
                begins += latency::FENCE_CALL * i64::try_from(place + 1).unwrap_or(i64::MAX);
            }
        }
        let token = self.instances.start(unit, worker, Phase::Starting(begins + start));
        self.note_unit(unit, worker, TaskState::Starting);
        if fences {
            self.queue.push(begins, Event::Fence(unit, worker, token));
        }
        self.queue.push(begins + start, Event::Running(unit, worker, token));
    }

    /// `start()` returned.
    pub(super) fn started(&mut self, unit: Unit, worker: WorkerId, token: Token) {
        let Some(instance) = self.instances.known(unit, worker, token) else { return };
        if !matches!(instance.phase, Phase::Starting(_)) {
            return;
        }
        if self.workers[worker.index()].alive == Alive::Frozen {
            // Nothing returns in a process that stands still; it goes on when the process does.
            instance.phase = Phase::Frozen;
            return;
        }
        instance.phase = Phase::Running;
        self.count_run(unit, true);
        self.note_unit(unit, worker, TaskState::Running);
        if let Err(connector) = self.instances.split(unit) {
            self.instance_started(connector, token);
        }
    }

    /// An exactly-once task asks the leader to fence its predecessors; one that finds no leader fails for good.
    pub(super) fn fence(&mut self, unit: Unit, worker: WorkerId, token: Token) {
        let leader = self.workers[worker.index()].leader.and_then(|leader| self.process_of(leader));
        let answers = leader.is_some_and(|leader| {
            let run = &self.workers[leader.index()];
            // The REST port closes as soon as a worker begins to stop.
            run.alive == Alive::Up
        });
        if answers {
            return;
        }
        let Ok(task) = self.instances.split(unit) else { return };
        if let Some(instance) = self.instances.known(unit, worker, token) {
            instance.phase = Phase::Failed;
            self.count_run(unit, true);
            self.note_unit(unit, worker, TaskState::Failed);
            self.timeline.failures.push(Failure { at: self.now, task, worker, kind: FailureKind::NoLeaderToFence });
        }
    }

    /// Stops what is listed on the herder's pool of 8 threads; gives the instant when all is done.
    /// What waits for a free thread goes on working until then.
    pub(super) fn stop_on_pool(&mut self, worker: WorkerId, items: &Items) -> SimTime {
        let mut threads = [self.now; latency::POOL];
        let mut end = self.now;
        let work = &self.cluster.work;
        let units: Vec<Unit> = items
            .connectors
            .iter()
            .map(|&connector| Unit::connector(work, connector))
            .chain(items.tasks.iter().map(|&task| Unit::task(task)))
            .collect();
        for unit in units {
            let Some(token) = self.instances.on(unit, worker).map(|instance| instance.token) else { continue };
            let (length, late) = self.stop_length(unit, worker);
            let Some(thread) = threads.iter_mut().min() else { continue };
            let begins = *thread;
            if late {
                self.note_abandoned(begins, worker, unit);
            }
            *thread += length;
            end = end.max(*thread);
            if begins > self.now {
                self.queue.push(begins, Event::StopUnit(unit, worker, token));
            } else {
                self.end_instance(unit, worker, TaskState::Stopped);
            }
        }
        end
    }

    /// An instance is no more.
    pub(super) fn end_instance(&mut self, unit: Unit, worker: WorkerId, how: TaskState) {
        if let Some(instance) = self.instances.remove(unit, worker) {
            if matches!(instance.phase, Phase::Running | Phase::Failed) {
                self.count_run(unit, false);
            }
            self.note_unit(unit, worker, how);
        }
    }

    /// The coordinator does not know the member any more: it joins as a new one, keeping its work.
    pub(super) fn lost_membership(&mut self, member: MemberId) {
        let Some(worker) = self.process_of(member) else { return };
        let run = &mut self.workers[worker.index()];
        run.member = None;
        run.syncs = false;
        if run.alive == Alive::Up {
            let epoch = run.epoch;
            self.queue.push(self.now + latency::REJOIN, Event::AskForId(worker, epoch));
        }
    }

    /// A process asks to be let into the group.
    pub(super) fn ask_for_id(&mut self, worker: WorkerId, epoch: u32) {
        if self.workers[worker.index()].epoch != epoch || self.workers[worker.index()].member.is_some() {
            return;
        }
        if self.coordinator_away {
            self.queue.push(self.now + latency::COORDINATOR_BACK, Event::AskForId(worker, epoch));
            return;
        }
        if self.workers[worker.index()].alive == Alive::Booting {
            self.workers[worker.index()].alive = Alive::Up;
            self.note_process(worker, Process::Joining);
        }
        let uuid = self.chance.uuid();
        let described = &self.cluster.workers[worker.index()];
        // A restart may have changed the client id: its default differs before and after 3.7.
        let client_id = if epoch == 0 { &described.client_id } else { &described.client_id_after };
        let member = self.new_member(worker, format!("{client_id}-{uuid}"));
        let session = self.sessions[member.index()];
        self.broker(Input::AskForId(member, session), None);
    }

    /// Without a coordinator for a heartbeat interval, a worker stops all its work and forgets it.
    pub(super) fn give_up(&mut self, worker: WorkerId, epoch: u32) {
        let run = &mut self.workers[worker.index()];
        if !self.coordinator_away || run.epoch != epoch || run.alive != Alive::Up {
            return;
        }
        run.deadline = None;
        run.deadline_token += 1;
        run.metadata += 1;
        let held = run.local.take().unwrap_or_default();
        run.local_changed = true;
        // The producers cannot flush: every task takes the whole graceful time.
        let slow = run.setup.settings.graceful_timeout;
        let batches = i64::try_from(held.tasks.len().div_ceil(latency::POOL)).unwrap_or(i64::MAX);
        run.busy_until = self.now + slow * batches;
        self.stop_on_pool(worker, &held);
    }

    /// Every live worker finds the coordinator again and joins if it gave up its work.
    pub(super) fn coordinator_found(&mut self) {
        for place in 0..self.workers.len() {
            let worker = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            if self.workers[place].alive == Alive::Up && self.workers[place].local.is_none() {
                self.wish_to_join(worker, self.now, Wish::Coordinator);
            }
        }
    }
}

/// What is newly assigned, before what of the old was not revoked, in its order.
fn merged<T: Copy + Ord>(assigned: &[T], mut old: Vec<T>, revoked: &[T]) -> Vec<T> {
    if !revoked.is_empty() {
        let mut revoked = revoked.to_vec();
        revoked.sort_unstable();
        old.retain(|item| revoked.binary_search(item).is_err());
    }
    old.splice(0..0, assigned.iter().copied());
    old
}
