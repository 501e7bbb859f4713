//! The group's side of a run: requests to the coordinator, and what its answers set off.

use super::history::{Generation, Part};
use super::latency;
use super::queue::Event;
use super::timeline::{Cause, Round, RoundMember};
use super::worker::{Alive, Wish};
use super::world::{Detail, World};
use crate::assignor::{Assignment, Member, MemberId, Round as AssignorRound, WireOrder, assign_eager, worker_order};
use crate::model::{ConnectProtocol, Items, WorkerId};
use crate::protocol::{Effect, GroupState, Input, JoinRequest, Timer};
use crate::units::{Duration, SimTime};

/// The rounds of a run: the one under way, and what its leader proposed.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    effects: Vec<Effect>,
    /// What brought about the rebalance that is being prepared.
    causes: Vec<Cause>,
    current: Current,
    proposal: Proposal,
    /// Members whose assignment is on its way.
    to_deliver: Vec<(MemberId, i32)>,
    /// Members whose `LeaveGroup` lies behind their waiting `JoinGroup`.
    leaving: Vec<MemberId>,
    wire: WireOrder,
    /// Whether any round was under eager, which breaks the promises of the cooperative protocols.
    was_eager: bool,
    /// The order in which the assignor sees the members of the last round that had others than the one before.
    order: Vec<usize>,
    ordered: Vec<MemberId>,
    /// The round that is held until the instant at which it was really seen, and when all had joined.
    held: Option<SimTime>,
}

/// The generation that was last completed, as its leader sees it.
#[derive(Clone, Debug, Default)]
struct Current {
    generation: i32,
    leader: Option<MemberId>,
    protocol: Option<ConnectProtocol>,
    members: Vec<MemberId>,
    config_offset: u64,
    assigned: bool,
}

/// The leader's assignment; members in the order of [`Current::members`].
#[derive(Clone, Debug, Default)]
struct Proposal {
    generation: i32,
    assignment: Assignment,
    /// The place in `assignment` of each of the current members.
    places: Vec<usize>,
}

impl Rounds {
    pub(super) fn nothing_under_way(&self) -> bool {
        self.to_deliver.is_empty() && self.causes.is_empty()
    }

    pub(super) fn was_eager(&self) -> bool {
        self.was_eager
    }

    pub(super) fn set_generation(&mut self, generation: i32) {
        self.current.generation = generation;
        self.proposal.generation = generation;
    }
}

impl World<'_> {
    /// Hands the coordinator a request and carries out what follows.
    pub(super) fn broker(&mut self, input: Input, cause: Option<Cause>) {
        let mut effects = std::mem::take(&mut self.rounds.effects);
        self.group.handle(self.now, input, &self.ids, &mut effects);
        let begins = effects.contains(&Effect::Prepare);
        if let Some(cause) = cause
            && (begins || (self.group.state() == GroupState::Preparing || effects.contains(&Effect::Complete)))
            && !self.rounds.causes.contains(&cause)
        {
            self.rounds.causes.push(cause);
        }
        let mut place = 0;
        while place < effects.len() {
            let effect = effects[place];
            place += 1;
            match effect {
                Effect::IdGiven(member) => {
                    if let Some(worker) = self.process_of(member) {
                        let epoch = self.workers[worker.index()].epoch;
                        self.queue.push(self.now + latency::MEMBER_ID, Event::Join(worker, epoch));
                    }
                }
                Effect::Prepare => self.preparing(),
                Effect::Held => self.rounds.held = Some(self.now),
                Effect::Complete => self.completed(),
                Effect::Repeat(member) => {
                    self.answered_join(member);
                    self.group.handle(self.now, Input::Sync(member, self.group.generation()), &self.ids, &mut effects);
                }
                Effect::Write(generation) => {
                    // What a real observer saw to be delivered was in the log before anything else came.
                    let append = if self.script.was_observed(generation) { Duration::ZERO } else { latency::APPEND };
                    if self.script.nobody_synced(generation) {
                        continue;
                    }
                    self.queue.push(self.now + append, Event::Written(generation));
                }
                Effect::Synced(member) => {
                    if self.rounds.to_deliver.is_empty() {
                        self.queue.push(self.now + latency::DELIVER, Event::Deliver);
                    }
                    self.rounds.to_deliver.push((member, self.group.generation()));
                }
                Effect::SyncFailed(member) => {
                    if let Some(worker) = self.process_of(member) {
                        self.workers[worker.index()].syncs = false;
                        self.wish_to_join(worker, self.now, Wish::Lost);
                    }
                }
                Effect::Unknown(member) => self.lost_membership(member),
                Effect::SetTimer(at, timer) => self.queue.push(at, Event::Timer(timer)),
            }
        }
        effects.clear();
        self.rounds.effects = effects;
        self.note_group();
    }

    /// A rebalance has begun: whoever has not joined learns of it at its next heartbeat.
    fn preparing(&mut self) {
        if self.group.state() != GroupState::Preparing {
            // The only member's own `JoinGroup` began the rebalance and ended it.
            return;
        }
        if let Some(seen) = self.script.observed_at(self.group.generation() + 1)
            && seen > self.now
            && seen - self.now < OBSERVED_SOON
        {
            self.group.hold(true);
        }
        let members: Vec<MemberId> = self.group.members().filter(|&member| !self.group.awaits_join(member)).collect();
        for member in members {
            if let Some(worker) = self.process_of(member) {
                let run = &self.workers[worker.index()];
                if run.alive == Alive::Up {
                    let knows = if run.missed_sync { self.now } else { run.next_tick(self.now) };
                    self.wish_to_join(worker, knows, Wish::Rebalance);
                }
            }
        }
    }

    /// The join phase is over: everyone gets its answer, the leader with all that was reported.
    fn completed(&mut self) {
        let Some(leader) = self.group.leader() else { return };
        // The rebalance timeout ends a round that is held back, too.
        self.group.hold(false);
        let generation = self.group.generation();
        let members: Vec<MemberId> = self.group.members().collect();
        for &member in &members {
            self.answered_join(member);
        }
        self.rounds.current = Current {
            generation,
            leader: Some(leader),
            protocol: Some(self.group.protocol()),
            members,
            config_offset: self.config.offset(),
            assigned: false,
        };
        self.rounds.was_eager |= self.group.protocol() == ConnectProtocol::Eager;
        let causes = std::mem::take(&mut self.rounds.causes);
        let predicted = self.rounds.held.take().unwrap_or(self.now);
        let seen = self.script.observed_at(generation);
        self.timeline.rounds.push(Round {
            at: predicted,
            seen_at: seen,
            generation,
            leader: self.ids.worker(leader),
            protocol: self.group.protocol(),
            delay: Duration::ZERO,
            causes,
            members: Vec::new(),
        });
        self.note_members();
        let soon = if seen.is_some() { Duration::from_micros(100) } else { latency::ASSIGN };
        self.queue.push(self.now + soon.min(latency::FOLLOWER_SYNC), Event::FollowersSync(generation));
        self.queue.push(self.now + soon, Event::Assign(generation));
    }

    /// A `JoinGroup` is answered: heartbeats start afresh; the dead and the leaving are dealt with.
    fn answered_join(&mut self, member: MemberId) {
        if let Some(place) = self.rounds.leaving.iter().position(|&other| other == member) {
            self.rounds.leaving.swap_remove(place);
            self.queue.push(self.now + latency::LEAVE_BEHIND_JOIN, Event::Leave(member));
            return;
        }
        let Some(worker) = self.process_of(member) else {
            // A process that is gone cannot hear: its session begins with this answer.
            self.ghost_expires(self.now + self.sessions[member.index()], member);
            return;
        };
        let run = &mut self.workers[worker.index()];
        run.anchor = self.now + latency::JOIN_ANSWER;
        run.beats = true;
        run.contact += 1;
        run.missed_sync = false;
        run.syncs = true;
        if run.alive == Alive::Frozen {
            let contact = run.contact;
            self.queue.push(self.now + self.sessions[member.index()], Event::Expire(member, contact));
        }
    }

    /// The member's `LeaveGroup` will be read once its `JoinGroup` is answered.
    pub(super) fn leave_behind_join(&mut self, member: MemberId) {
        self.rounds.leaving.push(member);
        self.timeline.races.push(self.now);
    }

    /// The leader computes, from what was reported when the members joined.
    pub(super) fn assign(&mut self, generation: i32) {
        let current = &self.rounds.current;
        let Some(leader) = current.leader.filter(|_| current.generation == generation && !current.assigned) else {
            return;
        };
        let Some(worker) = self.process_of(leader).filter(|worker| self.workers[worker.index()].alive == Alive::Up)
        else {
            return;
        };
        self.rounds.current.assigned = true;
        if self.rounds.ordered != self.rounds.current.members {
            self.rounds.order = worker_order(&self.rounds.current.members, &self.ids);
            self.rounds.ordered.clone_from(&self.rounds.current.members);
        }
        let order = std::mem::take(&mut self.rounds.order);
        let members: Vec<Member<'_>> = order
            .iter()
            .map(|&place| self.rounds.current.members[place])
            .map(|id| Member { id, owns: &self.reports[id.index()] })
            .collect();
        let run = &mut self.workers[worker.index()];
        let round = AssignorRound {
            now: self.now,
            last_generation: run.last_generation,
            generation,
            members: &members,
            ids: &self.ids,
            configured: self.config.configured(),
            work: &self.cluster.work,
        };
        let assignment = &mut self.rounds.proposal.assignment;
        if self.rounds.current.protocol == Some(ConnectProtocol::Eager) {
            assign_eager(&round, assignment);
        } else {
            run.assignor.assign(&run.setup.rules, run.setup.settings.delay, &round, assignment);
        }
        for given in &mut assignment.given {
            // One item alone is in order.
            if given.assigned.connectors.len() + given.assigned.tasks.len() > 1 {
                self.rounds.wire.regroup(&self.cluster.work, &mut given.assigned);
            }
            if given.revoked.connectors.len() + given.revoked.tasks.len() > 1 {
                self.rounds.wire.regroup_revoked(&self.cluster.work, &mut given.revoked);
            }
        }
        self.rounds.proposal.generation = generation;
        let places = &mut self.rounds.proposal.places;
        places.clear();
        places.resize(order.len(), 0);
        for (place, &member) in order.iter().enumerate() {
            places[member] = place;
        }
        self.rounds.order = order;
        self.note_assignment(generation);
        self.note_generation(leader);
        self.broker(Input::Sync(leader, generation), None);
    }

    /// Keeps who takes part in the round with what; what they own changes when they get it.
    fn note_members(&mut self) {
        if self.detail == Detail::Figures {
            return;
        }
        let parts: Vec<RoundMember> = self
            .rounds
            .current
            .members
            .iter()
            .map(|&member| {
                let local = self.process_of(member).and_then(|worker| self.workers[worker.index()].local.as_ref());
                RoundMember {
                    worker: self.ids.worker(member),
                    synced: false,
                    owns: local.unwrap_or(&self.reports[member.index()]).clone(),
                    revoked: Items::default(),
                }
            })
            .collect();
        if let Some(round) = self.timeline.rounds.last_mut() {
            round.members = parts;
        }
    }

    /// Keeps what the round tells each member.
    fn note_assignment(&mut self, generation: i32) {
        let proposal = &self.rounds.proposal;
        let Some(round) = self.timeline.rounds.last_mut().filter(|round| round.generation == generation) else {
            return;
        };
        round.delay = proposal.assignment.delay;
        for (part, &place) in round.members.iter_mut().zip(&proposal.places) {
            part.revoked.clone_from(&proposal.assignment.given[place].revoked);
        }
    }

    /// Keeps what every member reported and is told.
    fn note_generation(&mut self, leader: MemberId) {
        if self.detail == Detail::Figures {
            return;
        }
        let (current, proposal) = (&self.rounds.current, &self.rounds.proposal);
        let parts = current.members.iter().zip(&proposal.places).map(|(&member, &place)| Part {
            member,
            reported: self.reports[member.index()].clone(),
            assigned: proposal.assignment.given[place].assigned.clone(),
            revoked: proposal.assignment.given[place].revoked.clone(),
        });
        self.timeline.group.generations.push(Generation {
            number: current.generation,
            leader,
            protocol: current.protocol.unwrap_or(ConnectProtocol::Sessioned),
            delay: proposal.assignment.delay,
            config_offset: current.config_offset,
            parts: parts.collect(),
        });
    }

    pub(super) fn followers_sync(&mut self, generation: i32) {
        if self.rounds.current.generation != generation {
            return;
        }
        for member in self.rounds.current.members.clone() {
            if Some(member) == self.rounds.current.leader {
                continue;
            }
            let alive = self.process_of(member).map(|worker| self.workers[worker.index()].alive);
            if alive == Some(Alive::Up) {
                self.broker(Input::Sync(member, generation), None);
            }
        }
    }

    pub(super) fn written(&mut self, generation: i32) {
        self.broker(Input::Written(generation), None);
    }

    /// Assignments reach the workers.
    pub(super) fn deliver(&mut self) {
        let mut delivered = std::mem::take(&mut self.rounds.to_deliver);
        for &(member, generation) in &delivered {
            let Some(worker) = self.process_of(member) else { continue };
            if self.workers[worker.index()].alive != Alive::Up || self.rounds.proposal.generation != generation {
                continue;
            }
            if !self.script.synced(generation, worker) {
                self.workers[worker.index()].missed_sync = true;
                self.workers[worker.index()].syncs = false;
                continue;
            }
            let Some(place) = self.rounds.current.members.iter().position(|&other| other == member) else { continue };
            let place = self.rounds.proposal.places[place];
            let given = std::mem::take(&mut self.rounds.proposal.assignment.given[place]);
            let delay = self.rounds.proposal.assignment.delay;
            let protocol = self.rounds.current.protocol.unwrap_or(ConnectProtocol::Sessioned);
            let told = Told {
                generation,
                protocol,
                delay,
                leader: self.rounds.current.leader,
                offset: self.rounds.current.config_offset,
            };
            self.take_assignment(worker, &told, &given);
            // Its memory is used again in the next round.
            self.rounds.proposal.assignment.given[place] = given;
            self.note_owner(worker, generation);
        }
        delivered.clear();
        if self.rounds.to_deliver.is_empty() {
            self.rounds.to_deliver = delivered;
        }
    }

    fn note_owner(&mut self, worker: WorkerId, generation: i32) {
        if self.detail == Detail::Figures {
            return;
        }
        let Some(round) = self.timeline.rounds.last_mut().filter(|round| round.generation == generation) else {
            return;
        };
        if let Some(part) = round.members.iter_mut().find(|part| part.worker == worker) {
            part.synced = true;
            part.owns = self.workers[worker.index()].local.clone().unwrap_or_default();
        }
    }

    pub(super) fn finish_rounds(&mut self) {
        self.rounds.causes.clear();
    }

    pub(super) fn leave(&mut self, member: MemberId) {
        let worker = self.ids.worker(member);
        if self.coordinator_away {
            // The request is lost: the member stays until its session ends at the new coordinator.
            self.ghost_expires(self.now + self.sessions[member.index()], member);
            return;
        }
        self.broker(Input::Leave(member), Some(Cause::Left(worker)));
    }

    /// The session of a member whose process is gone ends then, whatever was said of it before.
    pub(super) fn ghost_expires(&mut self, at: SimTime, member: MemberId) {
        let token = &mut self.ghosts[member.index()];
        *token += 1;
        self.queue.push(at, Event::Expire(member, *token));
    }

    pub(super) fn expire(&mut self, member: MemberId, contact: u32) {
        // A member whose JoinGroup waits is exempt; the answer starts its session again.
        if !self.group.contains(member) || self.group.awaits_join(member) {
            return;
        }
        let worker = self.ids.worker(member);
        let run = &self.workers[worker.index()];
        let last = if run.member == Some(member) { run.contact } else { self.ghosts[member.index()] };
        // Nobody's session ends while there is no coordinator; the new one starts them all afresh.
        if last != contact || self.coordinator_away {
            return;
        }
        self.broker(Input::Expire(member), Some(Cause::Expired(worker)));
    }

    pub(super) fn timer(&mut self, timer: Timer) {
        if self.coordinator_away {
            return;
        }
        self.broker(Input::Timer(timer), None);
    }

    /// Sends a worker's `JoinGroup` to the broker.
    pub(super) fn join(&mut self, worker: WorkerId) {
        let run = &mut self.workers[worker.index()];
        let Some(member) = run.member else { return };
        if run.alive != Alive::Up || self.coordinator_away || self.group.awaits_join(member) {
            return;
        }
        run.beats = false;
        run.learn_at = None;
        run.learn_token += 1;
        if cfg!(debug_assertions) {
            self.check_join(worker);
        }
        let run = &mut self.workers[worker.index()];
        let eager_only = run.setup.settings.protocol == ConnectProtocol::Eager;
        if std::mem::take(&mut run.local_changed) {
            let report = &mut self.reports[member.index()];
            report.clear();
            // The eager protocol's metadata says nothing of what a worker owns.
            if let Some(local) = run.local.as_ref().filter(|_| !eager_only) {
                report.connectors.extend_from_slice(&local.connectors);
                report.tasks.extend_from_slice(&local.tasks);
                self.rounds.wire.regroup(&self.cluster.work, report);
            }
        }
        let request = JoinRequest {
            member,
            strongest: run.setup.settings.protocol,
            metadata: if eager_only { run.config_offset } else { run.metadata },
            rebalance_timeout: run.setup.settings.rebalance_timeout,
        };
        let cause = match run.wish {
            _ if !self.group.contains(member) => Some(Cause::Joined(worker)),
            Wish::Deadline => Some(Cause::DelayOver),
            Wish::Revoked => Some(Cause::Revoked),
            Wish::Config => Some(Cause::ConfigChanged),
            Wish::Lost => Some(Cause::AssignmentLost),
            Wish::Coordinator => Some(Cause::CoordinatorBack),
            Wish::Rebalance => None,
        };
        self.broker(Input::Join(request), cause);
    }

    /// A new member id of a worker's process.
    pub(super) fn new_member(&mut self, worker: WorkerId, text: String) -> MemberId {
        if self.detail == Detail::Full {
            self.timeline.group.members.push((text.clone(), worker));
        }
        let member = self.ids.add(text, worker);
        self.reports.push(Items::default());
        let run = &mut self.workers[worker.index()];
        self.sessions.push(run.setup.settings.session_timeout);
        self.ghosts.push(0);
        run.member = Some(member);
        run.local_changed = true;
        member
    }
}

/// What all members are told in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) generation: i32,
    pub(super) protocol: ConnectProtocol,
    pub(super) delay: Duration,
    pub(super) leader: Option<MemberId>,
    pub(super) offset: u64,
}

/// An observed round this far away is not the one that begins now.
const OBSERVED_SOON: Duration = Duration::from_secs(70);
