//! A run of a roll, with all its chance drawn from one seed.

use super::chance::{Chance, Seed};
use super::configuration::Configuration;
use super::instances::{Phase, Unit};
use super::latency;
use super::replay::CLOCK_SHARED_FOR;
use super::schedule::{Rest, Schedule};
use super::timeline::{Process, TaskState, Timeline};
use super::worker::Alive;
use super::world::{Detail, World};
use crate::assignor::{
    Assignment, HashOrder, IncrementalAssignor, Member, MemberId, MemberIds, Round, assign_eager, regroup, worker_order,
};
use crate::model::{Balance, Cluster, Configured, ConnectProtocol, Items, Ownership, ReplayMemory, WorkerId};
use crate::protocol::{Group, JoinRequest, MemberMap};
use crate::units::{Duration, SimTime};

/// Simulates one roll of a quiet, settled cluster, or of one as it was observed, a delay that runs included.
///
/// The same cluster, schedule and seed give the same timeline to the byte, on every platform.
pub fn simulate(cluster: &Cluster, schedule: &Schedule, seed: Seed, detail: Detail) -> Timeline {
    let mut world = settled(cluster, seed, detail);
    world.begin_roll(schedule.clone());
    world.run(SimTime::ZERO + LONGEST);
    world.timeline
}

/// Simulates the rest of a roll that was begun.
pub fn simulate_rest(cluster: &Cluster, schedule: &Schedule, rest: &Rest, seed: Seed, detail: Detail) -> Timeline {
    let mut world = settled(cluster, seed, detail);
    world.begin_roll(schedule.clone());
    if let Some(operator) = &mut world.operator {
        operator.take_up(rest);
    }
    world.run(SimTime::ZERO + LONGEST);
    world.timeline
}

/// A quiet, settled cluster.
pub(super) fn settled(cluster: &Cluster, seed: Seed, detail: Detail) -> World<'_> {
    let group = Group::new(cluster.broker.coordinator, cluster.broker.initial_rebalance_delay, buckets(cluster));
    let tasks_of = cluster.connectors.iter().map(|connector| Some(connector.tasks)).collect();
    let config = Configuration::new(cluster, Configured { tasks_of });
    let mut world = World::new(cluster, config, group, Chance::new(seed), detail);
    world.settle_in();
    world
}

/// The buckets of the coordinator's map of members: as many as explain the order that was seen, for the
/// map never shrinks; those of a new group if that was not seen, or no number explains it.
fn buckets(cluster: &Cluster) -> usize {
    let Some(order) = &cluster.group_order else { return NEW_MAP };
    let mut ids = MemberIds::default();
    let known = |&worker: &WorkerId| cluster.workers.get(worker.index())?.member_id.clone();
    let members: Vec<MemberId> = order.iter().filter_map(|worker| Some(ids.add(known(worker)?, *worker))).collect();
    let explains = |buckets: &usize| {
        let mut map = MemberMap::new(cluster.broker.coordinator, *buckets);
        for &member in &members {
            map.insert(member, &ids);
        }
        map.iter().eq(members.iter().copied())
    };
    std::iter::successors(Some(NEW_MAP), |buckets| Some(buckets * 2)).take(MAPS).find(explains).unwrap_or(NEW_MAP)
}

impl World<'_> {
    /// The group as a long quiet cluster has it, one generation, each member with a heartbeat phase
    /// of its own and everything assigned and running; or as it was observed.
    ///
    /// # Leaves out
    /// - in which order several members came to be without work during a delay that runs: taken as
    ///   if one round had seen them all
    fn settle_in(&mut self) {
        let ownership = self.cluster.ownership.as_ref();
        let last_round = ownership.and_then(|ownership| ownership.last_round).filter(|&age| age <= CLOCK_SHARED_FOR);
        let mut requests = Vec::new();
        for (place, worker) in self.cluster.workers.iter().enumerate() {
            let id = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            if worker.unready {
                self.note_process(id, Process::Down);
                continue;
            }
            let text =
                worker.member_id.clone().unwrap_or_else(|| format!("{}-{}", worker.client_id, self.chance.uuid()));
            let member = self.new_member(id, text);
            let interval = self.workers[place].interval;
            let phase = self.chance.up_to(interval);
            let run = &mut self.workers[place];
            run.alive = Alive::Up;
            run.back = true;
            run.beats = true;
            run.anchor = last_round.map_or(SimTime::ZERO - phase, |age| SimTime::ZERO - age + latency::JOIN_ANSWER);
            run.last_generation = 1;
            run.config_offset = self.config.offset();
            requests.push(JoinRequest {
                member,
                strongest: run.setup.settings.protocol,
                metadata: 0,
                rebalance_timeout: run.setup.settings.rebalance_timeout,
            });
        }
        if let Some(order) = &self.cluster.group_order {
            let place = |request: &JoinRequest| {
                let worker = self.ids.worker(request.member);
                order.iter().position(|&other| other == worker).unwrap_or(usize::MAX)
            };
            requests.sort_by_cached_key(place);
        }
        let given = self.cluster.workers.iter().position(|worker| worker.leads && !worker.unready);
        let drawn = self.chance.below(u32::try_from(requests.len()).unwrap_or(u32::MAX)) as usize;
        let leads = |request: &&JoinRequest| Some(self.ids.worker(request.member).index()) == given;
        let Some(leader) = requests.iter().find(leads).or(requests.get(drawn)).map(|request| request.member) else {
            return;
        };
        self.group.found(1, leader, &requests, &self.ids);
        self.rounds.set_generation(1);
        match ownership {
            Some(ownership) => self.take_up(ownership, leader),
            None => self.first_assignment(leader),
        }
        self.note_founding();
    }

    /// The group as it was observed: who owns what, what waits and until when.
    fn take_up(&mut self, ownership: &Ownership, leader: MemberId) {
        let members: Vec<MemberId> = self.group.members().collect();
        let protocol = self.group.protocol();
        let mut idle = Vec::new();
        for place in worker_order(&members, &self.ids) {
            let member = members[place];
            let worker = self.ids.worker(member);
            let owns = ownership.owns.get(worker.index()).cloned().unwrap_or_default();
            if owns.is_empty() {
                idle.push(member);
            }
            for unit in self.units_of(&owns) {
                self.instances.start(unit, worker, Phase::Running);
                self.count_run(unit, true);
                self.note_unit(unit, worker, TaskState::Running);
            }
            self.reports[member.index()].clone_from(&owns);
            let run = &mut self.workers[worker.index()];
            run.local = Some(owns);
            // What it reports next is in the order of the wire.
            run.local_changed = true;
            run.leader = Some(leader);
            run.believes = protocol;
            run.knows_running = protocol != ConnectProtocol::Eager;
        }
        if protocol == ConnectProtocol::Eager {
            return;
        }
        let balance = self.workers[self.ids.worker(leader).index()].setup.rules.balance;
        let delay_runs = ownership.delay_left.is_some();
        let mut order = HashOrder::default();
        let order = order.of_map(idle.len(), 0, |place| self.ids.hash(idle[place]));
        let candidates = order.iter().map(|&place| self.ids.text(idle[place as usize]).to_owned());
        let memory = ReplayMemory {
            lost: ownership.waiting.clone(),
            due: ownership.delay_left.map(|left| SimTime::ZERO + left),
            // Whoever has no work while a delay runs was seen so by the round that announced it.
            candidates: candidates.filter(|_| delay_runs).collect(),
            revoked: Items::default(),
            revoked_last: delay_runs && balance != Balance::Exact,
        };
        self.set_memory(memory, ownership.owns.iter(), leader, &members, 1);
    }

    /// What a group that started together is given.
    fn first_assignment(&mut self, leader: MemberId) {
        let members: Vec<MemberId> = self.group.members().collect();
        let order = worker_order(&members, &self.ids);
        let nothing = Items::default();
        let protocol = self.group.protocol();
        let mut assignment = Assignment::default();
        let joined: Vec<Member<'_>> =
            order.iter().map(|&place| Member { id: members[place], owns: &nothing }).collect();
        let round = Round {
            now: SimTime::ZERO,
            last_generation: -1,
            generation: 1,
            members: &joined,
            ids: &self.ids,
            configured: self.config.configured(),
            work: &self.cluster.work,
        };
        let run = &self.workers[self.ids.worker(leader).index()];
        let mut assignor = IncrementalAssignor::new();
        if protocol == ConnectProtocol::Eager {
            assign_eager(&round, &mut assignment);
        } else {
            assignor.assign(&run.setup.rules, run.setup.settings.delay, &round, &mut assignment);
        }
        for (&place, given) in order.iter().zip(&mut assignment.given) {
            let worker = self.ids.worker(members[place]);
            regroup(&self.cluster.work, &mut given.assigned);
            let work = &self.cluster.work;
            let connectors = given.assigned.connectors.iter().map(|&connector| Unit::connector(work, connector));
            let units: Vec<Unit> =
                connectors.chain(given.assigned.tasks.iter().map(|&task| Unit::task(task))).collect();
            for unit in units {
                self.instances.start(unit, worker, Phase::Running);
                self.count_run(unit, true);
                self.note_unit(unit, worker, TaskState::Running);
            }
            self.reports[members[place].index()].clone_from(&given.assigned);
            let run = &mut self.workers[worker.index()];
            run.local = Some(std::mem::take(&mut given.assigned));
            run.local_changed = false;
            run.leader = Some(leader);
            run.believes = protocol;
            run.knows_running = protocol != ConnectProtocol::Eager;
        }
        let leading = self.ids.worker(leader);
        self.workers[leading.index()].assignor = assignor;
    }
}

/// The buckets of a new group's map (`java.util.HashMap`, Scala's `mutable.HashMap`).
const NEW_MAP: usize = 16;

/// A map that has doubled so often would have held a hundred thousand members.
const MAPS: usize = 14;

/// A roll that takes longer than this is not followed to its end.
pub(super) const LONGEST: Duration = Duration::from_secs(7 * 24 * 3_600);
