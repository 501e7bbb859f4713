//! Everything that is true at one moment of a run, and the loop that moves it on.

use super::chance::Chance;
use super::configuration::Configuration;
use super::instances::{Instances, Phase, Unit};
use super::invariants::Before;
use super::operator::Operator;
use super::queue::{Event, Queue};
use super::replay::Script;
use super::rounds::Rounds;
use super::timeline::{Change, Process, ProcessChange, TaskState, Timeline};
use super::worker::{Alive, WorkerRun};
use crate::assignor::{MemberId, MemberIds};
use crate::model::{Cluster, Items, WorkerId};
use crate::protocol::{Group, GroupState};
use crate::units::{Duration, SimTime};

/// How much of a run is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Everything, with who owns what after each round.
    Full,
    /// Only what an assessment needs: for the many runs of a plan.
    Figures,
}

#[derive(Clone)]
pub(super) struct World<'a> {
    pub(super) cluster: &'a Cluster,
    pub(super) now: SimTime,
    pub(super) queue: Queue,
    pub(super) group: Group,
    pub(super) ids: MemberIds,
    /// What each member reported with its last `JoinGroup`, by member id.
    pub(super) reports: Vec<Items>,
    /// Each member's session timeout, by member id.
    pub(super) sessions: Vec<Duration>,
    /// Tells one expiry of a member without a process from the next, by member id.
    pub(super) ghosts: Vec<u32>,
    pub(super) workers: Vec<WorkerRun>,
    pub(super) instances: Instances,
    /// How many instances of each unit run.
    runs: Vec<u16>,
    /// How many wanted units have no instance that runs (or has failed for good).
    pub(super) missing: usize,
    pub(super) config: Configuration,
    pub(super) chance: Chance,
    pub(super) detail: Detail,
    pub(super) rounds: Rounds,
    pub(super) timeline: Timeline,
    pub(super) operator: Option<Operator>,
    pub(super) script: Script,
    pub(super) coordinator_away: bool,
    /// Second waves and reconfigurations that are still to come.
    pub(super) waves: u32,
    /// Whether the operator waits to be told the next step.
    pub(super) asks: bool,
    end: SimTime,
    pub(super) before: Before,
}

impl<'a> World<'a> {
    pub(super) fn new(
        cluster: &'a Cluster,
        config: Configuration,
        group: Group,
        chance: Chance,
        detail: Detail,
    ) -> Self {
        let units = cluster.work.task_count() + cluster.work.connector_count();
        let workers =
            cluster.workers.iter().map(|worker| WorkerRun::new(worker.before.clone(), cluster.heartbeat_drift));
        let mut world = Self {
            cluster,
            now: SimTime::ZERO,
            queue: Queue::default(),
            group,
            ids: MemberIds::default(),
            reports: Vec::new(),
            sessions: Vec::new(),
            ghosts: Vec::new(),
            workers: workers.collect(),
            instances: Instances::new(&cluster.work),
            runs: vec![0; units],
            missing: 0,
            config,
            chance,
            detail,
            rounds: Rounds::default(),
            timeline: Timeline::default(),
            operator: None,
            script: Script::default(),
            coordinator_away: false,
            waves: 0,
            asks: false,
            end: SimTime::NEVER,
            before: Before::default(),
        };
        world.count_missing();
        if detail == Detail::Full {
            world.timeline.group.configured.clone_from(&world.config.configured().tasks_of);
        }
        world
    }

    /// Runs until nothing is left to happen, or `end`, or the group rebalances without end.
    pub(super) fn run(&mut self, end: SimTime) {
        self.go_on(end);
        self.finish_rounds();
    }

    /// Runs on, until the operator asks for its next step if nothing else ends it before.
    pub(super) fn go_on(&mut self, end: SimTime) {
        self.end = self.end.min(end);
        let most_rounds = MOST_ROUNDS + MOST_ROUNDS_PER_WORKER * self.workers.len();
        while !self.asks
            && let Some((at, event)) = self.queue.pop()
        {
            if self.timeline.rounds.len() > most_rounds {
                break;
            }
            if at > self.end {
                self.now = self.end;
                break;
            }
            self.now = at;
            self.handle(event);
            self.operate();
            if cfg!(debug_assertions) {
                self.check_invariants();
            }
        }
        self.timeline.ended = self.now;
    }

    /// Lets everything happen until then, and no more: others may act in between.
    pub(super) fn live_until(&mut self, end: SimTime) {
        while self.queue.next_at().is_some_and(|at| at <= end)
            && let Some((at, event)) = self.queue.pop()
        {
            self.now = at;
            self.handle(event);
            if cfg!(debug_assertions) {
                self.check_invariants();
            }
        }
        self.now = self.now.max(end);
        self.timeline.ended = self.now;
    }

    /// Lets the run end soon: what follows is of no interest.
    pub(super) fn end_at(&mut self, end: SimTime) {
        self.end = self.end.min(end);
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::AskForId(worker, epoch) => self.ask_for_id(worker, epoch),
            Event::Learn(worker, token) => self.learn(worker, token),
            Event::Join(worker, epoch) if self.workers[worker.index()].epoch == epoch => self.join(worker),
            Event::Assign(generation) => self.assign(generation),
            Event::FollowersSync(generation) => self.followers_sync(generation),
            Event::Written(generation) => self.written(generation),
            Event::Deliver => self.deliver(),
            Event::Leave(member) => self.leave(member),
            Event::Expire(member, contact) => self.expire(member, contact),
            Event::Timer(timer) => self.timer(timer),
            Event::Deadline(worker, token) => self.deadline(worker, token),
            Event::Revoked(worker, epoch) if self.workers[worker.index()].epoch == epoch => {
                self.resolve_assignment(worker);
            }
            Event::StopUnit(unit, worker, token) => {
                if self.instances.known(unit, worker, token).is_some() {
                    self.end_instance(unit, worker, TaskState::Stopped);
                }
            }
            Event::Running(unit, worker, token) => self.started(unit, worker, token),
            Event::Fence(unit, worker, token) => self.fence(unit, worker, token),
            Event::StopAll(worker, epoch) => self.stop_all(worker, epoch),
            Event::Exit(worker, epoch) => self.exit(worker, epoch),
            Event::GraceOver(worker, epoch) => self.grace_over(worker, epoch),
            Event::Boot(worker, epoch) => self.boot(worker, epoch),
            Event::Reconfigure(connector, token) => self.reconfigure(connector, token),
            Event::TaskConfigs(connector, token) => self.task_configs(connector, token),
            Event::TaskConfigsSeen(connector) => self.task_configs_seen(connector),
            Event::GiveUp(worker, epoch) => self.give_up(worker, epoch),
            Event::CoordinatorFound => self.coordinator_found(),
            Event::Fact(place) => self.fact(place),
            Event::Observed(place) => self.observed(place),
            Event::Operator(token) => self.operator_looks(token),
            Event::Join(..) | Event::Revoked(..) => {}
        }
    }

    /// Whether everything that is wanted runs and nothing more will move.
    pub(super) fn is_settled(&self) -> bool {
        self.missing == 0 && self.waves == 0 && self.is_quiet() && !self.delay_runs()
    }

    /// Whether no rebalance is under way and no worker is about to ask for one, but for the end of a delay.
    pub(super) fn is_quiet(&self) -> bool {
        self.group.state() == GroupState::Stable
            && self.rounds.nothing_under_way()
            && self.workers.iter().all(|worker| match worker.alive {
                Alive::Up => {
                    worker.resolved
                        && worker.learn_at.is_none()
                        && worker.back
                        && worker.member.is_some_and(|member| self.group.has_synced(member))
                }
                Alive::No => true,
                Alive::Booting | Alive::Stopping | Alive::Frozen => false,
            })
    }

    /// Whether a delay runs: some worker waits for its deadline.
    pub(super) fn delay_runs(&self) -> bool {
        self.workers.iter().any(|worker| worker.alive == Alive::Up && worker.deadline.is_some())
    }

    /// The worker whose member leads the group.
    pub(super) fn leading_worker(&self) -> Option<WorkerId> {
        self.group.leader().map(|member| self.ids.worker(member))
    }

    /// The live process that holds a member id.
    pub(super) fn process_of(&self, member: MemberId) -> Option<WorkerId> {
        let worker = self.ids.worker(member);
        (self.workers[worker.index()].member == Some(member)).then_some(worker)
    }

    pub(super) fn note_process(&mut self, worker: WorkerId, process: Process) {
        self.timeline.processes.push(ProcessChange { at: self.now, worker, process });
    }

    pub(super) fn note_unit(&mut self, unit: Unit, worker: WorkerId, state: TaskState) {
        match self.instances.split(unit) {
            Ok(item) => self.timeline.tasks.push(Change { at: self.now, item, worker, state }),
            Err(item) => self.timeline.connectors.push(Change { at: self.now, item, worker, state }),
        }
    }

    /// One more (or one fewer) instance of the unit runs, or has failed for good.
    pub(super) fn count_run(&mut self, unit: Unit, up: bool) {
        let wanted = self.is_wanted(unit);
        let runs = &mut self.runs[unit.index()];
        if up {
            *runs += 1;
            self.missing -= usize::from(wanted && *runs == 1);
        } else {
            *runs -= 1;
            self.missing += usize::from(wanted && *runs == 0);
        }
    }

    /// How many instances of the unit run.
    pub(super) fn run_count(&self, unit: Unit) -> u16 {
        self.runs[unit.index()]
    }

    /// Counts afresh after the configuration changed.
    pub(super) fn count_missing(&mut self) {
        let count = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        self.missing =
            (0..count).map(Unit).filter(|&unit| self.runs[unit.index()] == 0 && self.is_wanted(unit)).count();
    }

    pub(super) fn is_wanted(&self, unit: Unit) -> bool {
        match self.instances.split(unit) {
            Ok(task) => {
                let connector = self.cluster.work.connector_of(task);
                self.config.tasks_of(connector).is_some_and(|tasks| self.cluster.work.number(task) < tasks)
            }
            Err(connector) => self.config.tasks_of(connector).is_some(),
        }
    }

    /// How long an instance takes to stop, and whether it is abandoned instead.
    pub(super) fn stop_length(&mut self, unit: Unit, worker: WorkerId) -> (Duration, bool) {
        let Some(instance) = self.instances.on(unit, worker) else { return (Duration::ZERO, false) };
        let starting = match instance.phase {
            Phase::Starting(until) => (until - self.now).max(Duration::ZERO),
            Phase::Failed => return (Duration::ZERO, false),
            Phase::Running | Phase::Frozen => Duration::ZERO,
        };
        let limit = self.workers[worker.index()].setup.settings.graceful_timeout;
        match self.instances.split(unit) {
            Ok(task) => {
                let connector = self.cluster.work.connector_of(task);
                let stop = self.chance.draw(&self.cluster.connectors[connector.index()].task_stop);
                let whole = starting + stop;
                (whole.min(limit), whole > limit)
            }
            Err(_) => (starting.min(super::latency::CONNECTOR_STOP_LIMIT), false),
        }
    }
}

/// A group that has rebalanced so often, and [`MOST_ROUNDS_PER_WORKER`], never comes to rest: under
/// eager a connector that changes its tasks' configs at each start of its instance restarts itself.
const MOST_ROUNDS: usize = 1_000;
/// Far more than a roll needs for one worker.
const MOST_ROUNDS_PER_WORKER: usize = 100;
