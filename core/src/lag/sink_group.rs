//! The consumer group of one sink connector, computed from when its tasks run.

use super::instances::{Becomes, Instances, Turn};
use super::serving::{Handover, Serving, SinkRound};
use crate::assignor::{consumer_cooperative_sticky, consumer_range};
use crate::model::ConsumerAssignor;
use crate::units::{Duration, SimTime};

/// What decides how the group behaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) assignor: ConsumerAssignor,
    pub(super) partitions: u32,
    /// From heartbeat to heartbeat, drift included.
    pub(super) heartbeat: Duration,
    pub(super) session: Duration,
    /// From the order to stop a task to its consumer's `LeaveGroup`.
    pub(super) stop: Duration,
    /// `group.initial.rebalance.delay.ms`.
    pub(super) initial_delay: Duration,
    /// Whether further consumers prolong that delay.
    pub(super) prolonged: bool,
}

#[derive(Clone, Debug)]
struct Member {
    instance: usize,
    /// Whether it waits for the round being prepared.
    joined: bool,
    /// It serves nothing any more and is removed then.
    gone_at: Option<SimTime>,
    owns: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Preparing {
    since: SimTime,
    /// When the consumers that have no reason of their own to join learn of it.
    tick: SimTime,
    /// The end of the initial delay, if the group was empty.
    opens: Option<SimTime>,
    /// Whether another consumer came during the initial delay.
    more: bool,
}

struct Group<'a> {
    rules: &'a Rules,
    /// The place of each instance in the order of the member ids.
    rank: Vec<usize>,
    /// In the order of the member ids.
    members: Vec<Member>,
    /// When the last round completed: all heartbeats count from there.
    last_round: SimTime,
    preparing: Option<Preparing>,
    /// By partition: who serves it now, and what was last written down.
    served: Vec<Option<usize>>,
    written: Vec<Option<usize>>,
    log: Serving,
}

/// Runs the group through time. `number` gives the number of an instance's task.
pub(super) fn run(instances: &Instances, rules: &Rules, last_round: SimTime, number: impl Fn(usize) -> u32) -> Serving {
    let mut group = Group::new(instances, rules, last_round, number);
    let mut turns = instances.turns.iter().peekable();
    loop {
        let given = turns.peek().map_or(SimTime::NEVER, |turn| turn.at);
        let due = group.next_due().unwrap_or(SimTime::NEVER);
        let now = given.min(due);
        if now == SimTime::NEVER {
            break;
        }
        while let Some(turn) = turns.next_if(|turn| turn.at <= now) {
            group.take(*turn);
        }
        group.advance(now);
    }
    group.log
}

impl<'a> Group<'a> {
    fn new(instances: &Instances, rules: &'a Rules, last_round: SimTime, number: impl Fn(usize) -> u32) -> Self {
        let mut by_id: Vec<usize> = (0..instances.tasks.len()).collect();
        // The client id ends in the task's number and the member id goes on with `-<UUID>`.
        by_id.sort_by_cached_key(|&instance| (format!("{}-", number(instance)), instance));
        let mut rank = vec![0; by_id.len()];
        for (place, &instance) in by_id.iter().enumerate() {
            rank[instance] = place;
        }
        let partitions = rules.partitions as usize;
        let mut group = Self {
            rules,
            rank,
            members: Vec::new(),
            last_round,
            preparing: None,
            served: vec![None; partitions],
            written: vec![None; partitions],
            log: Serving::default(),
        };
        for &instance in &instances.initial {
            group.add(instance);
        }
        group.assign();
        group.log.initial.clone_from(&group.served);
        group.written.clone_from(&group.served);
        group
    }

    /// When something happens next without anything from outside.
    fn next_due(&self) -> Option<SimTime> {
        let gone = self.members.iter().filter_map(|member| member.gone_at).min();
        let round = self.preparing.map(|preparing| match preparing.opens {
            Some(opens) => opens,
            None if self.awaits_tick() => preparing.tick,
            None => preparing.since + REBALANCE_TIMEOUT,
        });
        gone.into_iter().chain(round).min()
    }

    fn awaits_tick(&self) -> bool {
        self.members.iter().any(|member| !member.joined && member.gone_at.is_none())
    }

    /// A turn of one instance.
    fn take(&mut self, turn: Turn) {
        let member = self.members.iter().position(|member| member.instance == turn.instance);
        match (turn.becomes, member) {
            (Becomes::Working, _) | (Becomes::Awake, None) => self.join(turn.instance, turn.at),
            (Becomes::Awake, Some(place)) => {
                self.members[place].gone_at = None;
                if self.preparing.is_some() {
                    self.members[place].joined = true;
                }
                if self.preparing.is_none() || self.rules.assignor == ConsumerAssignor::CooperativeSticky {
                    self.serve(place);
                }
            }
            (Becomes::Stopped, Some(place)) => self.silence(place, turn.at + self.rules.stop),
            (Becomes::Vanished, Some(place)) => {
                // One that waits in JoinGroup is not expected to send heartbeats.
                let waits = self.members[place].joined;
                let ends = if waits { SimTime::NEVER } else { self.last_tick(turn.at) + self.rules.session };
                self.silence(place, ends);
            }
            (Becomes::Stopped | Becomes::Vanished, None) => {}
        }
    }

    /// All that is due by now, and what follows from it at once.
    fn advance(&mut self, now: SimTime) {
        self.drop_members(now, |member| member.gone_at.is_some_and(|gone_at| gone_at <= now));
        while let Some(preparing) = self.preparing {
            if preparing.tick <= now {
                self.join_at_tick();
            }
            if preparing.since + REBALANCE_TIMEOUT <= now {
                self.drop_members(now, |member| !member.joined);
            }
            let open = preparing.opens.is_none_or(|opens| opens <= now && self.opens_now(preparing));
            if !open || self.preparing.is_none() || self.members.iter().any(|member| !member.joined) {
                break;
            }
            self.complete(now);
        }
        self.write_down(now);
    }

    fn join(&mut self, instance: usize, now: SimTime) {
        let empty = self.members.is_empty();
        self.add(instance);
        if let Some(preparing) = &mut self.preparing {
            preparing.more = true;
        } else {
            self.prepare(now);
            if let Some(preparing) = self.preparing.as_mut().filter(|_| empty) {
                preparing.opens = Some(now + self.rules.initial_delay);
            }
        }
    }

    fn add(&mut self, instance: usize) {
        let rank = self.rank[instance];
        let place = self.members.partition_point(|member| self.rank[member.instance] < rank);
        self.members.insert(place, Member { instance, joined: true, gone_at: None, owns: Vec::new() });
    }

    fn prepare(&mut self, now: SimTime) {
        if self.preparing.is_none() {
            self.preparing = Some(Preparing { since: now, tick: self.next_tick(now), opens: None, more: false });
        }
    }

    /// The heartbeat clock: S0 + k·h, k ≥ 1.
    fn next_tick(&self, now: SimTime) -> SimTime {
        let beat = self.rules.heartbeat.as_micros().max(1);
        let passed = (now - self.last_round).as_micros();
        let ticks = (passed + beat - 1).div_euclid(beat).max(1);
        self.last_round + self.rules.heartbeat * ticks
    }

    /// The last heartbeat sent by then; the join of the last round counts as one.
    fn last_tick(&self, now: SimTime) -> SimTime {
        let beat = self.rules.heartbeat.as_micros().max(1);
        let passed = (now - self.last_round).as_micros();
        self.last_round + self.rules.heartbeat * passed.div_euclid(beat).max(0)
    }

    /// Serves nothing from now on and is removed later.
    fn silence(&mut self, place: usize, gone_at: SimTime) {
        let member = &mut self.members[place];
        member.gone_at = Some(member.gone_at.map_or(gone_at, |earlier| earlier.min(gone_at)));
        self.pause(place);
    }

    fn drop_members(&mut self, now: SimTime, dropped: impl Fn(&Member) -> bool) {
        let before = self.members.len();
        self.members.retain(|member| !dropped(member));
        if self.members.is_empty() {
            self.preparing = None;
        } else if self.members.len() < before {
            self.prepare(now);
        }
    }

    fn join_at_tick(&mut self) {
        for place in 0..self.members.len() {
            if !self.members[place].joined && self.members[place].gone_at.is_none() {
                self.members[place].joined = true;
                if self.rules.assignor == ConsumerAssignor::Range {
                    self.pause(place);
                }
            }
        }
    }

    /// Whether the initial delay is over at its end, or goes on because more consumers came during it.
    fn opens_now(&mut self, preparing: Preparing) -> bool {
        let last = preparing.since + REBALANCE_TIMEOUT;
        let longer = preparing
            .opens
            .filter(|&opens| preparing.more && self.rules.prolonged && opens < last)
            .map(|opens| (opens + self.rules.initial_delay).min(last));
        if let Some(current) = &mut self.preparing {
            current.more = false;
            current.opens = longer;
        }
        longer.is_none()
    }

    fn complete(&mut self, now: SimTime) {
        let since = self.preparing.take().map_or(now, |preparing| preparing.since);
        self.last_round = now;
        self.log.rounds.push(SinkRound { since, at: now, consumers: self.members.len() });
        for member in &mut self.members {
            if member.gone_at == Some(SimTime::NEVER) {
                member.gone_at = Some(now + self.rules.session);
            }
        }
        self.assign();
        if self.members.iter().any(|member| member.joined) {
            self.prepare(now);
        }
    }

    /// Gives out the partitions. Who has to give some up asks for the next round at once.
    fn assign(&mut self) {
        self.served.fill(None);
        match self.rules.assignor {
            ConsumerAssignor::Range => {
                let ranges = consumer_range(self.rules.partitions, self.members.len());
                for (member, range) in self.members.iter_mut().zip(ranges) {
                    member.owns = range.collect();
                    member.joined = false;
                }
            }
            ConsumerAssignor::CooperativeSticky => {
                let owned: Vec<Vec<u32>> =
                    self.members.iter_mut().map(|member| std::mem::take(&mut member.owns)).collect();
                let map_order: Vec<usize> = (0..owned.len()).collect();
                let given = consumer_cooperative_sticky(self.rules.partitions, &owned, &map_order);
                for ((member, given), owned) in self.members.iter_mut().zip(given).zip(owned) {
                    let revoked = owned.iter().any(|partition| !given.contains(partition));
                    member.owns = given;
                    member.joined = revoked && member.gone_at.is_none();
                }
            }
        }
        for place in 0..self.members.len() {
            self.serve(place);
        }
    }

    fn serve(&mut self, place: usize) {
        let member = &self.members[place];
        if member.gone_at.is_none() {
            for &partition in &member.owns {
                self.served[partition as usize] = Some(member.instance);
            }
        }
    }

    fn pause(&mut self, place: usize) {
        let member = &self.members[place];
        for &partition in &member.owns {
            if self.served[partition as usize] == Some(member.instance) {
                self.served[partition as usize] = None;
            }
        }
    }

    /// Notes what changed, once for each instant: who closes and reopens at one instant paused for no time.
    fn write_down(&mut self, now: SimTime) {
        for (part, (&to, written)) in self.served.iter().zip(&mut self.written).enumerate() {
            if to != *written {
                *written = to;
                self.log.changes.push(Handover { at: now, part, to });
            }
        }
    }
}

/// The consumers' `max.poll.interval.ms`: who has not joined by then is dropped.
const REBALANCE_TIMEOUT: Duration = Duration::from_secs(300);
