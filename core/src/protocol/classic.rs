//! The classic group on the broker, as Connect's workers see it.
//!
//! ```text
//!            Join                     all joined, or time is up
//!  Empty ───────────► Preparing ◄──────────────────────────────┐
//!                      │  ▲  │                                  │
//!                      │  │  └─ all joined ─► Completing ──┐    │
//!                      │  │                    │ leader's  │    │
//!                      │  │  Leave, Expire,    │ Sync, then│    │
//!                      │  └──Join (changed) ───┤ Written   │    │
//!                      │                       ▼           │    │
//!                      └────── Leave, Expire, ─ Stable ◄───┘    │
//!                              Join (leader or changed) ────────┘
//! ```
//!
//! Follows `GroupMetadataManager` and `ClassicGroup` of Kafka 4.3 (Java) and `GroupCoordinator`
//! of 3.9 (Scala), which agree on everything modelled here but the order of members and the
//! prolonging of the initial delay.
//!
//! # Leaves out
//! - members without a protocol in common: all workers from 2.8 on offer the eager one
//! - the 300 s after which a new member that died in its first join is given up
//! - static members: Connect has none
//! - a write to the group's log that fails
//! - `group.max.size`, authorisation, and deleted groups

use super::MemberMap;
use crate::assignor::{MemberId, MemberIds};
use crate::model::{ConnectProtocol, Coordinator};
use crate::units::{Duration, SimTime};

/// The states of a classic group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupState {
    /// No members. Left by the first join, with the initial delay.
    Empty,
    /// Waits for every member to join. Left when all have, or when the rebalance timeout is over.
    Preparing,
    /// Everyone joined; waits for the leader's assignment to be written.
    Completing,
    /// Everyone has, or can fetch, its assignment.
    Stable,
}

/// What a member sends to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinRequest {
    /// Who.
    pub member: MemberId,
    /// The strongest protocol it offers; it offers all weaker ones too.
    pub strongest: ConnectProtocol,
    /// Changes whenever the bytes of its metadata change.
    pub metadata: u64,
    /// Its `rebalance.timeout.ms`.
    pub rebalance_timeout: Duration,
}

/// What the coordinator is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A `JoinGroup` without a member id: the id that the coordinator will give, and the session timeout
    /// after which it forgets an id that is not used.
    AskForId(MemberId, Duration),
    /// A `JoinGroup` with a member id.
    Join(JoinRequest),
    /// A `SyncGroup`; the leader's carries the assignment.
    Sync(MemberId, i32),
    /// The leader's assignment of that generation is in the log.
    Written(i32),
    /// A `LeaveGroup`.
    Leave(MemberId),
    /// A session ran out.
    Expire(MemberId),
    /// A timer the machine asked for has come.
    Timer(Timer),
    /// The join phase ends now if everyone has joined: after [`Group::hold`] was taken back.
    Released,
}

/// A timer of the machine; one that is no longer due changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The rebalance timeout of the join phase of the generation after this one.
    JoinPhase(u64),
    /// A part of the initial delay.
    Initial(u64),
    /// Members that have not synced within the rebalance timeout.
    SyncPhase(u64),
    /// An id that was given but never used.
    PendingId(MemberId),
}

/// What follows for the members. The driver carries it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The id was given; the member sends its real `JoinGroup` next.
    IdGiven(MemberId),
    /// A rebalance began: members learn of it at their next heartbeat.
    Prepare,
    /// Everyone has joined, but the driver holds the round back ([`Group::hold`]).
    Held,
    /// The join phase is over: every member of [`Group::members`] gets its answer now.
    Complete,
    /// A follower joined a group in which nothing changed: it only fetches its assignment again.
    Repeat(MemberId),
    /// The leader's assignment arrived; the driver reports [`Input::Written`] once it is in the log.
    Write(i32),
    /// The member gets its assignment of the present generation.
    Synced(MemberId),
    /// The member's `SyncGroup` fails with `REBALANCE_IN_PROGRESS`: it joins again at once.
    SyncFailed(MemberId),
    /// The member is not, or no longer, in the group (`UNKNOWN_MEMBER_ID`).
    Unknown(MemberId),
    /// The machine wants [`Input::Timer`] at that instant.
    SetTimer(SimTime, Timer),
}

/// A classic group and its coordinator.
#[derive(Clone, Debug)]
pub struct Group {
    state: GroupState,
    generation: i32,
    protocol: ConnectProtocol,
    leader: Option<MemberId>,
    members: MemberMap,
    /// By member id; `None` when not in the group.
    records: Vec<Option<Record>>,
    /// How many of the members wait in the join phase.
    joined: usize,
    pending: Vec<MemberId>,
    /// Counts join and sync phases, so that old timers are known as such.
    phase: u64,
    initial: Option<InitialDelay>,
    initial_delay: Duration,
    coordinator: Coordinator,
    hold: bool,
}

#[derive(Clone, Debug)]
struct Record {
    strongest: ConnectProtocol,
    metadata: u64,
    rebalance_timeout: Duration,
    joined: bool,
    sync: SyncState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyncState {
    /// Has not asked.
    None,
    /// Waits for the leader's assignment.
    Waiting,
    /// Got it.
    Done,
}

/// The wait after the first member of an empty group.
#[derive(Clone, Copy, Debug)]
struct InitialDelay {
    step: Duration,
    remaining: Duration,
    member_added: bool,
}

impl Group {
    /// A group that has had no member yet.
    pub fn new(coordinator: Coordinator, initial_delay: Duration, buckets: usize) -> Self {
        Self {
            state: GroupState::Empty,
            generation: 0,
            protocol: ConnectProtocol::Sessioned,
            leader: None,
            members: MemberMap::new(coordinator, buckets),
            records: Vec::new(),
            joined: 0,
            pending: Vec::new(),
            phase: 0,
            initial: None,
            initial_delay,
            coordinator,
            hold: false,
        }
    }

    /// A stable group as it was found: members in the order in which they were added.
    pub fn found(&mut self, generation: i32, leader: MemberId, members: &[JoinRequest], ids: &MemberIds) {
        for request in members {
            self.add(*request, ids);
        }
        self.leader = Some(leader);
        self.generation = generation;
        self.choose_protocol();
        self.state = GroupState::Stable;
        for record in self.records.iter_mut().flatten() {
            record.joined = false;
            record.sync = SyncState::Done;
        }
        self.joined = 0;
    }

    /// The state.
    pub fn state(&self) -> GroupState {
        self.state
    }

    /// The last generation.
    pub fn generation(&self) -> i32 {
        self.generation
    }

    /// The protocol of that generation.
    pub fn protocol(&self) -> ConnectProtocol {
        self.protocol
    }

    /// The leader, kept until it is removed.
    pub fn leader(&self) -> Option<MemberId> {
        self.leader
    }

    /// The members in the coordinator's order.
    pub fn members(&self) -> impl Iterator<Item = MemberId> + '_ {
        self.members.iter()
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether the group has no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether that member is in the group.
    pub fn contains(&self, member: MemberId) -> bool {
        self.record(member).is_some()
    }

    /// Whether the member's `JoinGroup` waits for its answer.
    pub fn awaits_join(&self, member: MemberId) -> bool {
        self.record(member).is_some_and(|record| record.joined)
    }

    /// Whether the member got the assignment of the present generation.
    pub fn has_synced(&self, member: MemberId) -> bool {
        self.record(member).is_some_and(|record| record.sync == SyncState::Done)
    }

    /// Holds back the end of the join phase, or lets it come: a replay that knows when a round
    /// was really seen uses this, nobody else.
    pub fn hold(&mut self, hold: bool) {
        self.hold = hold;
    }

    /// Who would lead if the leader left now.
    pub fn successor(&self) -> Option<MemberId> {
        self.members.iter().find(|&member| Some(member) != self.leader)
    }

    /// Processes one request, expiry or timer.
    pub fn handle(&mut self, now: SimTime, input: Input, ids: &MemberIds, effects: &mut Vec<Effect>) {
        match input {
            Input::AskForId(member, session_timeout) => {
                self.pending.push(member);
                effects.push(Effect::SetTimer(now + session_timeout, Timer::PendingId(member)));
                effects.push(Effect::IdGiven(member));
            }
            Input::Join(request) => self.join(now, request, ids, effects),
            Input::Sync(member, generation) => self.sync(member, generation, effects),
            Input::Written(generation) => self.written(generation, effects),
            Input::Leave(member) | Input::Expire(member) => self.leave(now, member, effects),
            Input::Timer(timer) => self.timer(now, timer, effects),
            Input::Released => self.complete_if_all_joined(now, effects),
        }
    }

    fn join(&mut self, now: SimTime, request: JoinRequest, ids: &MemberIds, effects: &mut Vec<Effect>) {
        let member = request.member;
        let was_pending = self.pending.iter().position(|&id| id == member).map(|place| self.pending.remove(place));
        if self.contains(member) {
            let changed = self.record(member).is_some_and(|record| record.metadata != request.metadata);
            match self.state {
                GroupState::Preparing => {
                    self.update(request);
                    self.complete_if_all_joined(now, effects);
                }
                GroupState::Stable | GroupState::Completing
                    if changed || (self.leader == Some(member) && self.state == GroupState::Stable) =>
                {
                    self.update(request);
                    self.prepare(now, effects);
                }
                _ => effects.push(Effect::Repeat(member)),
            }
        } else if was_pending.is_some() {
            let was_empty = self.state == GroupState::Empty;
            self.add(request, ids);
            if self.leader.is_none() {
                self.leader = Some(member);
            }
            if let Some(initial) = &mut self.initial {
                initial.member_added = true;
            }
            match self.state {
                GroupState::Preparing => self.complete_if_all_joined(now, effects),
                _ if was_empty => self.prepare_initial(now, effects),
                _ => self.prepare(now, effects),
            }
        } else {
            effects.push(Effect::Unknown(member));
        }
    }

    fn sync(&mut self, member: MemberId, generation: i32, effects: &mut Vec<Effect>) {
        if !self.contains(member) || generation != self.generation {
            effects.push(Effect::Unknown(member));
            return;
        }
        match self.state {
            GroupState::Preparing | GroupState::Empty => effects.push(Effect::SyncFailed(member)),
            GroupState::Completing => {
                self.set_sync(member, SyncState::Waiting);
                if self.leader == Some(member) {
                    effects.push(Effect::Write(generation));
                }
            }
            GroupState::Stable => {
                self.set_sync(member, SyncState::Done);
                effects.push(Effect::Synced(member));
            }
        }
    }

    fn written(&mut self, generation: i32, effects: &mut Vec<Effect>) {
        if self.state != GroupState::Completing || generation != self.generation {
            return;
        }
        self.state = GroupState::Stable;
        for member in self.members.iter() {
            let record = self.records[member.index()].as_mut();
            if let Some(record) = record.filter(|record| record.sync == SyncState::Waiting) {
                record.sync = SyncState::Done;
                effects.push(Effect::Synced(member));
            }
        }
    }

    fn leave(&mut self, now: SimTime, member: MemberId, effects: &mut Vec<Effect>) {
        self.pending.retain(|&id| id != member);
        if !self.contains(member) {
            // A pending id that goes away may have been the last one the round waited for.
            self.complete_if_all_joined(now, effects);
            return;
        }
        self.remove(member);
        match self.state {
            GroupState::Stable | GroupState::Completing => self.prepare(now, effects),
            GroupState::Preparing => self.complete_if_all_joined(now, effects),
            GroupState::Empty => {}
        }
    }

    fn timer(&mut self, now: SimTime, timer: Timer, effects: &mut Vec<Effect>) {
        match timer {
            Timer::JoinPhase(phase) if phase == self.phase && self.state == GroupState::Preparing => {
                self.complete(now, effects);
            }
            Timer::Initial(phase) if phase == self.phase => {
                let Some(initial) = self.initial else { return };
                let prolong = initial.member_added && !initial.remaining.is_zero();
                // The Scala coordinator prolongs only for a group that never had a generation.
                if prolong && (self.coordinator == Coordinator::Java || self.generation == 0) {
                    let step = self.initial_delay.min(initial.remaining);
                    let remaining = (initial.remaining - initial.step).max(Duration::ZERO);
                    self.initial = Some(InitialDelay { step, remaining, member_added: false });
                    effects.push(Effect::SetTimer(now + step, timer));
                } else {
                    self.initial = None;
                    self.complete(now, effects);
                }
            }
            Timer::SyncPhase(phase)
                if phase == self.phase && matches!(self.state, GroupState::Completing | GroupState::Stable) =>
            {
                let late: Vec<_> = self
                    .members
                    .iter()
                    .filter(|&member| self.record(member).is_some_and(|record| record.sync == SyncState::None))
                    .collect();
                for &member in &late {
                    self.remove(member);
                    effects.push(Effect::Unknown(member));
                }
                if !late.is_empty() {
                    self.prepare(now, effects);
                }
            }
            Timer::PendingId(member) if self.pending.contains(&member) => self.leave(now, member, effects),
            _ => {}
        }
    }

    /// Leaves `Stable` or `Completing`; syncs that wait fail, so that generation's assignment is lost.
    fn prepare(&mut self, now: SimTime, effects: &mut Vec<Effect>) {
        if self.state == GroupState::Completing {
            for member in self.members.iter() {
                if let Some(record) = self.records[member.index()].as_mut()
                    && record.sync == SyncState::Waiting
                {
                    record.sync = SyncState::None;
                    effects.push(Effect::SyncFailed(member));
                }
            }
        }
        self.state = GroupState::Preparing;
        self.phase += 1;
        let timeout = self.records.iter().flatten().map(|record| record.rebalance_timeout).max();
        effects.push(Effect::Prepare);
        effects.push(Effect::SetTimer(now + timeout.unwrap_or_default(), Timer::JoinPhase(self.phase)));
        self.complete_if_all_joined(now, effects);
    }

    fn prepare_initial(&mut self, now: SimTime, effects: &mut Vec<Effect>) {
        self.state = GroupState::Preparing;
        self.phase += 1;
        if self.initial_delay.is_zero() {
            effects.push(Effect::Prepare);
            self.complete_if_all_joined(now, effects);
            return;
        }
        let longest = self.records.iter().flatten().map(|record| record.rebalance_timeout).max().unwrap_or_default();
        let remaining = (longest - self.initial_delay).max(Duration::ZERO);
        self.initial = Some(InitialDelay { step: self.initial_delay, remaining, member_added: false });
        effects.push(Effect::SetTimer(now + self.initial_delay, Timer::Initial(self.phase)));
    }

    fn complete_if_all_joined(&mut self, now: SimTime, effects: &mut Vec<Effect>) {
        // The initial delay is not shortened by everybody being there.
        if self.state == GroupState::Preparing
            && self.initial.is_none()
            && self.joined == self.members.len()
            && self.pending.is_empty()
        {
            if self.hold {
                effects.push(Effect::Held);
            } else {
                self.complete(now, effects);
            }
        }
    }

    fn complete(&mut self, now: SimTime, effects: &mut Vec<Effect>) {
        let absent: Vec<_> = self.members.iter().filter(|&member| !self.awaits_join(member)).collect();
        for member in absent {
            self.remove(member);
            effects.push(Effect::Unknown(member));
        }
        self.initial = None;
        self.phase += 1;
        self.generation += 1;
        if self.members.is_empty() {
            self.state = GroupState::Empty;
            self.leader = None;
            return;
        }
        if self.leader.is_none() {
            self.leader = self.members.iter().next();
        }
        self.choose_protocol();
        self.state = GroupState::Completing;
        let mut timeout = Duration::ZERO;
        for record in self.records.iter_mut().flatten() {
            record.joined = false;
            record.sync = SyncState::None;
            timeout = timeout.max(record.rebalance_timeout);
        }
        self.joined = 0;
        effects.push(Effect::Complete);
        effects.push(Effect::SetTimer(now + timeout, Timer::SyncPhase(self.phase)));
    }

    fn choose_protocol(&mut self) {
        let weakest = self.records.iter().flatten().map(|record| record.strongest).min();
        self.protocol = weakest.unwrap_or(self.protocol);
    }

    fn add(&mut self, request: JoinRequest, ids: &MemberIds) {
        let place = request.member.index();
        if self.records.len() <= place {
            self.records.resize_with(place + 1, || None);
        }
        self.members.insert(request.member, ids);
        self.records[place] = Some(Record {
            strongest: request.strongest,
            metadata: request.metadata,
            rebalance_timeout: request.rebalance_timeout,
            joined: true,
            sync: SyncState::None,
        });
        self.joined += 1;
    }

    fn update(&mut self, request: JoinRequest) {
        if let Some(record) = self.records.get_mut(request.member.index()).and_then(Option::as_mut) {
            record.strongest = request.strongest;
            record.metadata = request.metadata;
            record.rebalance_timeout = request.rebalance_timeout;
            if !record.joined {
                record.joined = true;
                self.joined += 1;
            }
        }
    }

    /// Takes a member out; a leader is succeeded by the first of the others in the map's order.
    fn remove(&mut self, member: MemberId) {
        if let Some(record) = self.records.get_mut(member.index()).and_then(Option::take) {
            self.members.remove(member);
            if record.joined {
                self.joined -= 1;
            }
            if self.leader == Some(member) {
                self.leader = self.members.iter().next();
            }
        }
    }

    fn record(&self, member: MemberId) -> Option<&Record> {
        self.records.get(member.index()).and_then(Option::as_ref)
    }

    fn set_sync(&mut self, member: MemberId, state: SyncState) {
        if let Some(record) = self.records.get_mut(member.index()).and_then(Option::as_mut) {
            record.sync = state;
        }
    }
}
