//! A run of a roll, with all its chance drawn from one seed.

use super::chance::{Chance, Seed};
use super::configuration::Configuration;
use super::instances::{Phase, Unit};
use super::schedule::Schedule;
use super::timeline::{Process, TaskState, Timeline};
use super::worker::Alive;
use super::world::{Detail, World};
use crate::assignor::{Assignment, IncrementalAssignor, Member, MemberId, Round, assign_eager, regroup, worker_order};
use crate::model::{Cluster, Configured, ConnectProtocol, Items, WorkerId};
use crate::protocol::{Group, JoinRequest};
use crate::units::{Duration, SimTime};

/// Simulates one roll of a quiet, settled cluster.
///
/// The same cluster, schedule and seed give the same timeline to the byte, on every platform.
pub fn simulate(cluster: &Cluster, schedule: &Schedule, seed: Seed, detail: Detail) -> Timeline {
    let mut world = settled(cluster, seed, detail);
    world.begin_roll(schedule.clone());
    world.run(SimTime::ZERO + LONGEST);
    world.timeline
}

/// A quiet, settled cluster.
pub(super) fn settled(cluster: &Cluster, seed: Seed, detail: Detail) -> World<'_> {
    let group = Group::new(cluster.broker.coordinator, cluster.broker.initial_rebalance_delay, 16);
    let tasks_of = cluster.connectors.iter().map(|connector| Some(connector.tasks)).collect();
    let config = Configuration::new(cluster, Configured { tasks_of });
    let mut world = World::new(cluster, config, group, Chance::new(seed), detail);
    world.settle_in();
    world
}

impl World<'_> {
    /// The group as a long quiet cluster has it: one generation, everything assigned and running,
    /// each member with a heartbeat phase of its own.
    fn settle_in(&mut self) {
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
            run.anchor = SimTime::ZERO - phase;
            run.last_generation = 1;
            run.config_offset = self.config.offset();
            requests.push(JoinRequest {
                member,
                strongest: run.setup.settings.protocol,
                metadata: 0,
                rebalance_timeout: run.setup.settings.rebalance_timeout,
            });
        }
        let given = self.cluster.workers.iter().position(|worker| worker.leads && !worker.unready);
        let drawn = self.chance.below(u32::try_from(requests.len()).unwrap_or(u32::MAX)) as usize;
        let leads = |request: &&JoinRequest| Some(self.ids.worker(request.member).index()) == given;
        let Some(leader) = requests.iter().find(leads).or(requests.get(drawn)).map(|request| request.member) else {
            return;
        };
        self.group.found(1, leader, &requests, &self.ids);
        self.rounds.set_generation(1);
        self.first_assignment(leader);
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

/// A roll that takes longer than this is not followed to its end.
pub(super) const LONGEST: Duration = Duration::from_secs(7 * 24 * 3_600);
