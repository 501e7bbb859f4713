//! What the coordinator and the herders went through: what an observer of a run needs beyond
//! its rounds and starts.

use super::instances::Unit;
use super::world::{Detail, World};
use crate::assignor::MemberId;
use crate::model::{ConnectProtocol, Items, TaskId, WorkerId};
use crate::protocol::GroupState;
use crate::units::{Duration, SimTime};

/// The group as its coordinator would have described it: changes, not samples, each list in the
/// order of time. Kept in [`Detail::Full`] only.
#[derive(Clone, Debug, Default)]
pub struct GroupHistory {
    /// The id of each member that ever was, and its worker; [`MemberId`] is the place.
    pub members: Vec<(String, WorkerId)>,
    /// State and members, whenever one of them changed.
    pub changes: Vec<GroupChange>,
    /// What the leader of each generation gave. A generation is in force once `changes` has it
    /// stable.
    pub generations: Vec<Generation>,
    /// When each worker's herder went over to a generation, after it had stopped what was
    /// revoked: what it writes to the status topic from then on bears that generation.
    pub entered: Vec<(SimTime, WorkerId, i32)>,
    /// Tasks whose stop took too long: they are left to themselves, their status too.
    pub abandoned: Vec<(SimTime, WorkerId, TaskId)>,
    /// When the coordinator went away (`true`) and was back.
    pub away: Vec<(SimTime, bool)>,
    /// How many tasks each connector had configured at the beginning; `None` if it was not there.
    pub configured: Vec<Option<u32>>,
}

/// What the coordinator shows from an instant on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupChange {
    /// When.
    pub at: SimTime,
    /// The state.
    pub state: GroupState,
    /// The generation that was last begun.
    pub generation: i32,
    /// The members in the coordinator's order.
    pub members: Vec<MemberId>,
}

/// What the leader of a generation told its members.
#[derive(Clone, Debug)]
pub struct Generation {
    /// Its number.
    pub number: i32,
    /// Its leader.
    pub leader: MemberId,
    /// Its protocol.
    pub protocol: ConnectProtocol,
    /// What was left of the scheduled delay when it was computed.
    pub delay: Duration,
    /// The offset of the config topic that it was computed from.
    pub config_offset: u64,
    /// What each member reported and was given.
    pub parts: Vec<Part>,
}

/// One member's part in a generation, in the order on the wire.
#[derive(Clone, Debug)]
pub struct Part {
    /// The member.
    pub member: MemberId,
    /// What it said it owned.
    pub reported: Items,
    /// What was assigned; only what is new to it, but for the eager protocol.
    pub assigned: Items,
    /// What it must stop.
    pub revoked: Items,
}

impl World<'_> {
    /// The group at the beginning of a run: one generation in force, as after a rebalance that
    /// changed nothing.
    pub(super) fn note_founding(&mut self) {
        let Some(leader) = self.group.leader().filter(|_| self.detail == Detail::Full) else { return };
        let protocol = self.group.protocol();
        let run = &self.workers[self.ids.worker(leader).index()];
        let (delay, config_offset) = (run.delay, run.config_offset);
        let part = |member: MemberId| {
            let mut part = Part {
                member,
                reported: self.reports[member.index()].clone(),
                assigned: Items::default(),
                revoked: Items::default(),
            };
            if protocol == ConnectProtocol::Eager {
                std::mem::swap(&mut part.reported, &mut part.assigned);
            }
            part
        };
        let number = self.group.generation();
        let parts = self.group.members().map(part).collect();
        let members: Vec<MemberId> = self.group.members().collect();
        let history = &mut self.timeline.group;
        history.entered.extend(members.iter().map(|&member| (BEFORE, self.ids.worker(member), number)));
        history.generations.push(Generation { number, leader, protocol, delay, config_offset, parts });
        self.note_group();
    }

    /// Keeps what the coordinator shows, if it changed.
    pub(super) fn note_group(&mut self) {
        if self.detail == Detail::Figures {
            return;
        }
        let (state, generation) = (self.group.state(), self.group.generation());
        if let Some(last) = self.timeline.group.changes.last()
            && (last.state, last.generation) == (state, generation)
            && self.group.members().eq(last.members.iter().copied())
        {
            return;
        }
        let members = self.group.members().collect();
        self.timeline.group.changes.push(GroupChange { at: self.now, state, generation, members });
    }

    /// A worker's herder goes over to the generation whose assignment it last took.
    pub(super) fn note_entered(&mut self, worker: WorkerId) {
        if self.detail == Detail::Full {
            let generation = self.workers[worker.index()].last_generation;
            self.timeline.group.entered.push((self.now, worker, generation));
        }
    }

    /// A stop that takes too long: the worker goes on without it.
    pub(super) fn note_abandoned(&mut self, at: SimTime, worker: WorkerId, unit: Unit) {
        if let Ok(task) = self.instances.split(unit)
            && self.detail == Detail::Full
        {
            self.timeline.group.abandoned.push((at, worker, task));
        }
    }
}

/// Earlier than anything of a run.
const BEFORE: SimTime = SimTime::from_micros(i64::MIN / 4);
