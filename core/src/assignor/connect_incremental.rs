//! The incremental cooperative assignor of Kafka Connect (protocols `compatible` and
//! `sessioned`), with what a leader remembers from round to round.

use super::bits::Bits;
use super::distribution::Distribution;
use super::kind::{Item, Kind};
use super::{Assignment, HashOrder, Items, Java, MemberId, Round};
use crate::model::{Balance, ConnectorId, TaskId, Work, WorkerRules};
use crate::units::{Duration, SimTime};

/// The assignor object of one worker process, in use while that process leads.
///
/// It keeps its memory while it does not lead, and it loses it with the process; nothing of it
/// is ever sent or stored. Its only other input is a [`Round`]. All times inside are Kafka's
/// whole milliseconds, rounded down.
///
/// A value reuses its buffers, so that after the first round none allocates; a round is linear
/// in tasks and members but for sorting the members.
///
/// Source: KIP-415; `IncrementalCooperativeAssignor` of 2.8.2, 3.3.2, 3.5.1, 3.9.2 and 4.4.0, with
/// which the results agree to the order inside each list.
///
/// # Leaves out
///
/// Config offsets: whoever builds the round sees to it that the leader's snapshot is fresh, and
/// calls nothing at all in a round that ends with a config mismatch.
#[derive(Clone, Debug)]
pub struct IncrementalAssignor {
    pub(super) connectors: Kind<ConnectorId>,
    pub(super) tasks: Kind<TaskId>,
    pub(super) previous_generation: i32,
    pub(super) previous_members: Bits,
    /// The members of the present round.
    pub(super) members: Bits,
    pub(super) candidates: Vec<MemberId>,
    /// When the delay ends, in milliseconds.
    pub(super) due: Option<i64>,
    /// See [`Memory::revoked_last`].
    pub(super) revoked_last: bool,
    /// Rounds in a row that wanted to revoke after one that did (3.4 and later).
    pub(super) consecutive: u32,
    pub(super) order: HashOrder,
    /// Scratch: the members without work.
    pub(super) idle: Vec<MemberId>,
    /// Scratch: the candidates so far.
    pub(super) seen: Bits,
    /// Scratch: the place of each member in the round.
    pub(super) places: Vec<Option<usize>>,
    pub(super) distribution: Distribution,
}

/// What a leader remembers that is not said by what its members own: given to replay a part of
/// a course, read to explain one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Work that is owned by nobody and waits for the delay to end.
    pub lost: Items,
    /// When the delay ends; `None` if none runs.
    pub due: Option<SimTime>,
    /// The members that were seen without work during the delay and will get what is lost, in order.
    pub candidates: Vec<MemberId>,
    /// What the last round revoked.
    pub revoked: Items,
    /// Whether the next round may not revoke at once just to even out the load: from 3.4 on because
    /// the last one did so, before 3.4 because it did so or announced a delay.
    pub revoked_last: bool,
    /// How many rounds in a row wanted to revoke after one that had.
    pub consecutive: u32,
}

impl IncrementalAssignor {
    /// The assignor of a process that has never led.
    pub fn new() -> Self {
        Self {
            connectors: Kind::default(),
            tasks: Kind::default(),
            previous_generation: -1,
            previous_members: Bits::default(),
            members: Bits::default(),
            candidates: Vec::new(),
            due: None,
            revoked_last: false,
            consecutive: 0,
            order: HashOrder::default(),
            idle: Vec::new(),
            seen: Bits::default(),
            places: Vec::new(),
            distribution: Distribution::default(),
        }
    }

    /// The same of a process on that Java; the default is [`Java::UpTo18`].
    pub fn of_java(java: Java) -> Self {
        let mut assignor = Self::new();
        assignor.connectors.order = HashOrder::of_java(java);
        assignor.tasks.order = HashOrder::of_java(java);
        assignor
    }

    /// The assignor of a process that led `generation`, whose members were `members` and own
    /// `owned` after it, all taken together.
    pub fn with_memory(owned: &Items, memory: &Memory, generation: i32, members: &[MemberId], work: &Work) -> Self {
        let mut assignor = Self::new();
        recall(&mut assignor.connectors, owned, memory, work);
        recall(&mut assignor.tasks, owned, memory, work);
        assignor.previous_generation = generation;
        assignor.previous_members.reset(members.iter().map(|id| id.index() + 1).max().unwrap_or(0));
        for id in members {
            assignor.previous_members.insert(id.index());
        }
        assignor.candidates.clone_from(&memory.candidates);
        assignor.due = memory.due.map(whole_millis);
        assignor.revoked_last = memory.revoked_last;
        assignor.consecutive = memory.consecutive;
        assignor
    }

    /// What is remembered of the last round that this process computed.
    pub fn memory(&self) -> Memory {
        Memory {
            lost: self.lost(),
            due: self.due(),
            candidates: self.candidates.clone(),
            revoked: Items {
                connectors: Kind::list(&self.connectors.previous_revoked),
                tasks: Kind::list(&self.tasks.previous_revoked),
            },
            revoked_last: self.revoked_last,
            consecutive: self.consecutive,
        }
    }

    /// The work that the last round found lost; it waits for the delay to end if one runs, else it was
    /// handed out in that round.
    pub fn lost(&self) -> Items {
        Items { connectors: self.connectors.lost.clone(), tasks: self.tasks.lost.clone() }
    }

    /// When the delay ends; `None` if none runs.
    pub fn due(&self) -> Option<SimTime> {
        self.due.map(SimTime::from_millis)
    }

    /// The members that will get what is lost, in order.
    pub fn candidates(&self) -> &[MemberId] {
        &self.candidates
    }

    /// The generation of the last round that this process computed; -1 before.
    pub fn previous_generation(&self) -> i32 {
        self.previous_generation
    }

    /// Computes a round by the rules and `scheduled.rebalance.max.delay.ms` of the leader's process.
    ///
    /// Each member's list names an item at most once. A round without members changes nothing.
    pub fn assign(&mut self, rules: &WorkerRules, max_delay: Duration, round: &Round<'_>, out: &mut Assignment) {
        out.start(round.members.len());
        if round.members.is_empty() {
            return;
        }
        let max_delay = max_delay.as_millis();
        self.take_members(round);
        if self.previous_generation != round.last_generation {
            self.connectors.forget();
            self.tasks.forget();
        }
        self.connectors.survey(round);
        self.tasks.survey(round);
        if self.connectors.revocation_failed() || self.tasks.revocation_failed() {
            self.connectors.believe_what_is_reported();
            self.tasks.believe_what_is_reported();
            self.revoked_last &= rules.balance == Balance::Exact;
        }
        self.connectors.compare(round.work);
        self.tasks.compare(round.work);

        let delay = match rules.balance {
            Balance::Exact => {
                self.connectors.revoke_gone(round, out);
                self.tasks.revoke_gone(round, out);
                let delay = self.handle_lost(*rules, max_delay, round, out);
                self.balance_exactly(delay, max_delay, round, out)
            }
            Balance::Ceiling | Balance::CeilingOfReported => {
                self.revoke_gone_before_3_4(round, out);
                let before = self.loads_before_3_4();
                let delay = self.handle_lost(*rules, max_delay, round, out);
                self.balance_by_ceiling(rules.balance, &before, delay, round, out);
                delay
            }
        };
        self.distribution.distribute(&mut self.connectors, round, out);
        self.distribution.distribute(&mut self.tasks, round, out);

        self.connectors.remember(out);
        self.tasks.remember(out);
        if rules.balance != Balance::Exact {
            self.connectors.remember_ownerless_deletions();
            self.tasks.remember_ownerless_deletions();
        }
        self.previous_generation = round.generation;
        std::mem::swap(&mut self.previous_members, &mut self.members);
        out.delay = Duration::from_millis(delay);
    }

    fn take_members(&mut self, round: &Round<'_>) {
        self.members.reset(round.ids.len());
        for member in round.members {
            self.members.insert(member.id.index());
        }
    }
}

impl Default for IncrementalAssignor {
    fn default() -> Self {
        Self::new()
    }
}

fn recall<I: Item>(kind: &mut Kind<I>, owned: &Items, memory: &Memory, work: &Work) {
    kind.previous = Kind::set(I::of(owned), work);
    kind.previous_revoked = Kind::set(I::of(&memory.revoked), work);
    for item in I::of(&memory.revoked) {
        kind.previous.remove(item.index());
    }
    for item in I::of(&memory.lost) {
        kind.previous.insert(item.index());
    }
    kind.lost = I::of(&memory.lost).to_vec();
}

/// Kafka's clock at that moment.
pub(super) const fn whole_millis(time: SimTime) -> i64 {
    time.as_micros().div_euclid(1_000)
}
