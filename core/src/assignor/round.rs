//! What an assignor is given and what it gives.

use super::{MemberId, MemberIds};
use crate::model::{Configured, Items, Work};
use crate::units::{Duration, SimTime};

/// One member as it joined.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Its id.
    pub id: MemberId,
    /// What it reports to own, regrouped as on the wire.
    pub owns: &'a Items,
}

/// One round as the leader sees it when the join is complete.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// The leader's clock.
    pub now: SimTime,
    /// The last generation the leader's process completed under any protocol; -1 at its start.
    pub last_generation: i32,
    /// This generation.
    pub generation: i32,
    /// The members in the order in which the assignor iterates them (not the coordinator's).
    pub members: &'a [Member<'a>],
    /// All ids of the run.
    pub ids: &'a MemberIds,
    /// What is configured.
    pub configured: &'a Configured,
    /// All connectors and tasks of the run.
    pub work: &'a Work,
}

/// What one member is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Newly assigned, in the assignor's order (not yet regrouped as on the wire).
    pub assigned: Items,
    /// To be given up, in the assignor's order.
    pub revoked: Items,
}

/// The outcome of a round. Reused from round to round so that none allocates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// What each member is told, in the order of [`Round::members`].
    pub given: Vec<Given>,
    /// The delay announced to all; zero if nothing is pending.
    pub delay: Duration,
}

impl Given {
    /// Removes everything, keeping the memory.
    pub fn clear(&mut self) {
        self.assigned.clear();
        self.revoked.clear();
    }
}

impl Assignment {
    /// Begins anew for that many members.
    pub(super) fn start(&mut self, members: usize) {
        self.given.resize_with(members, Given::default);
        self.given.iter_mut().for_each(Given::clear);
        self.delay = Duration::ZERO;
    }
}
