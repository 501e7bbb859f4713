//! Worker processes: stopped, killed, frozen, started.

use super::instances::Phase;
use super::latency;
use super::queue::Event;
use super::timeline::{Process, TaskState};
use super::worker::{Alive, Wish, WorkerRun};
use super::world::World;
use crate::assignor::MemberId;
use crate::model::{Items, Shutdown, Start, WorkerId, WorkerSetup};
use crate::protocol::GroupState;
use crate::units::{Duration, SimTime};

impl World<'_> {
    /// SIGTERM. The process ends by itself with `LeaveGroup`, unless its service manager kills it
    /// first, and starts again after its down time.
    pub(super) fn stop(&mut self, worker: WorkerId) {
        let restart = &self.cluster.workers[worker.index()].restart;
        let stop = self.chance.draw(&restart.stop);
        let run = &mut self.workers[worker.index()];
        run.alive = Alive::Stopping;
        run.learn_at = None;
        run.learn_token += 1;
        run.deadline = None;
        run.deadline_token += 1;
        run.stop_until = self.now + stop;
        run.killed_at = restart.grace.map_or(SimTime::NEVER, |grace| self.now + grace);
        let epoch = run.epoch;
        self.note_process(worker, Process::Stopping);
        let order = self.now + latency::STOP_ORDER.min(stop);
        self.until_killed(worker, order, Event::StopAll(worker, epoch));
    }

    /// A stopping process tells its work to stop.
    pub(super) fn stop_all(&mut self, worker: WorkerId, epoch: u32) {
        if self.workers[worker.index()].epoch != epoch || self.workers[worker.index()].alive != Alive::Stopping {
            return;
        }
        let units = self.instances.held_by(worker);
        let mut end = self.now;
        let mut cancelled = false;
        match self.workers[worker.index()].setup.rules.shutdown {
            Shutdown::AllAtOnce => {
                for unit in units {
                    let (length, late) = self.stop_length(unit, worker);
                    end = end.max(self.now + length);
                    cancelled |= late;
                    if late {
                        self.note_abandoned(self.now, worker, unit);
                    }
                    self.end_instance(unit, worker, TaskState::Stopped);
                }
            }
            Shutdown::Batched => {
                let mut items = Items::default();
                for unit in units {
                    match self.instances.split(unit) {
                        Ok(task) => items.tasks.push(task),
                        Err(connector) => items.connectors.push(connector),
                    }
                }
                end = self.stop_on_pool(worker, &items);
            }
        }
        let late = if cancelled { latency::CANCELLED } else { Duration::ZERO };
        let work = if end > self.now { end + late + latency::CLOSE } else { end };
        let exit = self.workers[worker.index()].stop_until.max(work);
        self.until_killed(worker, exit, Event::Exit(worker, epoch));
    }

    /// What a stopping process does next, or the kill if that comes first.
    fn until_killed(&mut self, worker: WorkerId, at: SimTime, next: Event) {
        let run = &self.workers[worker.index()];
        let (at, next) =
            if at > run.killed_at { (run.killed_at, Event::GraceOver(worker, run.epoch)) } else { (at, next) };
        self.queue.push(at, next);
    }

    /// The service manager kills a process that has not stopped in time, and starts a new one.
    pub(super) fn grace_over(&mut self, worker: WorkerId, epoch: u32) {
        if self.workers[worker.index()].epoch != epoch {
            return;
        }
        self.kill(worker);
        self.reboot(worker);
    }

    /// The process sends `LeaveGroup` and is gone.
    pub(super) fn exit(&mut self, worker: WorkerId, epoch: u32) {
        if self.workers[worker.index()].epoch != epoch {
            return;
        }
        let run = &mut self.workers[worker.index()];
        run.alive = Alive::No;
        if let Some(member) = run.member {
            run.member = None;
            if self.group.awaits_join(member) {
                // One connection is answered in order: the leave is read after the join is answered.
                self.leave_behind_join(member);
            } else {
                self.queue.push(self.now + latency::JOIN_ANSWER, Event::Leave(member));
            }
        }
        self.note_process(worker, Process::Down);
        self.reboot(worker);
    }

    /// kill -9: nobody is told.
    pub(super) fn kill(&mut self, worker: WorkerId) {
        self.vanish(worker);
        self.note_process(worker, Process::Down);
        let expiry = self.session_end(worker, true);
        let run = &mut self.workers[worker.index()];
        run.alive = Alive::No;
        run.epoch += 1;
        run.learn_token += 1;
        run.deadline = None;
        run.deadline_token += 1;
        run.member = None;
        if let Some((at, member)) = expiry {
            self.ghost_expires(at, member);
        }
    }

    /// The process stands still; its session may run out.
    pub(super) fn freeze(&mut self, worker: WorkerId) {
        for unit in self.instances.held_by(worker) {
            let Some(instance) = self.instances.on_mut(unit, worker) else { continue };
            if instance.phase == Phase::Running {
                instance.phase = Phase::Frozen;
                self.count_run(unit, false);
                self.note_unit(unit, worker, TaskState::Vanished);
            }
        }
        self.note_process(worker, Process::Frozen);
        let contact = self.workers[worker.index()].contact;
        let expiry = self.session_end(worker, false);
        let run = &mut self.workers[worker.index()];
        run.alive = Alive::Frozen;
        run.learn_at = None;
        run.learn_token += 1;
        if let Some((at, member)) = expiry {
            self.queue.push(at, Event::Expire(member, contact));
        }
    }

    /// A process that stood still goes on where it was; if it was expelled it joins anew with all its work.
    pub(super) fn thaw(&mut self, worker: WorkerId) {
        self.workers[worker.index()].alive = Alive::Up;
        for unit in self.instances.held_by(worker) {
            let Some(instance) = self.instances.on_mut(unit, worker) else { continue };
            if instance.phase == Phase::Frozen {
                instance.phase = Phase::Running;
                self.count_run(unit, true);
                self.note_unit(unit, worker, TaskState::Running);
            }
        }
        let run = &mut self.workers[worker.index()];
        run.contact += 1;
        run.syncs = false;
        let known = run.member.filter(|&member| self.group.contains(member));
        if let Some(member) = known {
            self.note_process(worker, Process::Member);
            let waited_for = self.group.state() == GroupState::Preparing && !self.group.awaits_join(member);
            if waited_for || !self.group.has_synced(member) {
                // Its first heartbeat tells it of the rebalance that waits for it.
                self.wish_to_join(worker, self.now, Wish::Rebalance);
            }
        } else {
            self.note_process(worker, Process::Joining);
            self.expelled(worker);
            let epoch = self.workers[worker.index()].epoch;
            self.queue.push(self.now + latency::THAW, Event::AskForId(worker, epoch));
        }
    }

    /// A live process that is no member any more keeps its work but must join anew.
    pub(super) fn expelled(&mut self, worker: WorkerId) {
        let run = &mut self.workers[worker.index()];
        run.member = None;
        run.back = false;
        run.metadata += 1;
    }

    /// All instances of a worker are gone without a word.
    pub(super) fn vanish(&mut self, worker: WorkerId) {
        for unit in self.instances.held_by(worker) {
            self.end_instance(unit, worker, TaskState::Vanished);
        }
    }

    /// A new process begins after the down time.
    pub(super) fn reboot(&mut self, worker: WorkerId) {
        let down = self.chance.draw(&self.cluster.workers[worker.index()].restart.down);
        let epoch = self.workers[worker.index()].epoch;
        self.queue.push(self.now + down, Event::Boot(worker, epoch));
    }

    pub(super) fn boot(&mut self, worker: WorkerId, epoch: u32) {
        if self.workers[worker.index()].epoch != epoch {
            return;
        }
        let setup = self.cluster.workers[worker.index()].after.clone();
        self.new_process(worker, setup);
        self.workers[worker.index()].alive = Alive::Booting;
        self.note_process(worker, Process::Starting);
        let start = match &self.cluster.workers[worker.index()].restart.start {
            Start::Whole(whole) => self.chance.draw(whole),
            Start::Parts { jvm, plugin_scan, topics } => {
                self.chance.draw(jvm) + self.chance.draw(plugin_scan) + self.chance.draw(topics)
            }
        };
        let epoch = self.workers[worker.index()].epoch;
        self.queue.push(self.now + start, Event::AskForId(worker, epoch));
    }

    /// Nothing is left of the old process of a worker.
    pub(super) fn new_process(&mut self, worker: WorkerId, setup: WorkerSetup) {
        let mut fresh: WorkerRun = self.workers[worker.index()].reborn(setup, self.cluster.heartbeat_drift);
        fresh.config_offset = self.config.offset();
        self.workers[worker.index()] = fresh;
    }

    /// When the session of a worker's member ends if it is never heard of again, unless a replay says when.
    fn session_end(&self, worker: WorkerId, gone: bool) -> Option<(SimTime, MemberId)> {
        let run = &self.workers[worker.index()];
        let member = run.member?;
        // A JoinGroup that waits keeps the member until it is answered.
        if self.group.awaits_join(member) && gone {
            return None;
        }
        if self.script.expires_later(self.ids.text(member), self.now) {
            return None;
        }
        let last = if run.beats { run.last_contact(self.now) } else { self.now };
        Some((last + self.sessions[member.index()], member))
    }
}
