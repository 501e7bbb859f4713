//! The queue of events: by time, and in the order of their coming at one instant.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::instances::{Token, Unit};
use crate::assignor::MemberId;
use crate::model::{ConnectorId, WorkerId};
use crate::protocol::Timer;
use crate::units::SimTime;

/// Something that will happen, if what it refers to is still so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A worker's `JoinGroup` without an id reaches the broker.
    AskForId(WorkerId, u32),
    /// A worker knows of a rebalance, or wants one, and its herder is free.
    Learn(WorkerId, u32),
    /// A worker under eager has stopped its work and its `JoinGroup` reaches the broker.
    Join(WorkerId, u32),
    /// The leader computes.
    Assign(i32),
    /// The followers' `SyncGroup`s reach the broker.
    FollowersSync(i32),
    /// The assignment is in the log.
    Written(i32),
    /// Answers to `SyncGroup` reach the workers.
    Deliver,
    /// A `LeaveGroup` reaches the broker.
    Leave(MemberId),
    /// A session runs out, unless there was contact since.
    Expire(MemberId, u32),
    /// A timer of the coordinator.
    Timer(Timer),
    /// A worker's own deadline of the delay.
    Deadline(WorkerId, u32),
    /// A worker's herder has stopped what was revoked.
    Revoked(WorkerId, u32),
    /// An instance starts to stop because a thread of the pool is free.
    StopUnit(Unit, WorkerId, Token),
    /// `start()` of an instance returns.
    Running(Unit, WorkerId, Token),
    /// A start asks the leader for fencing.
    Fence(Unit, WorkerId, Token),
    /// A stopping process tells its tasks to stop.
    StopAll(WorkerId, u32),
    /// A stopping process sends `LeaveGroup` and ends.
    Exit(WorkerId, u32),
    /// The service manager's patience with a stopping process is over.
    GraceOver(WorkerId, u32),
    /// A new process begins.
    Boot(WorkerId, u32),
    /// Changed task configs of a connector are written.
    TaskConfigs(ConnectorId, u32),
    /// Herders see that the connector's task configs changed.
    TaskConfigsSeen(ConnectorId),
    /// A connector instance is asked for its task configs.
    Reconfigure(ConnectorId, u32),
    /// A worker that stands still expires from its coordinator's sight, or a worker without coordinator gives up its work.
    GiveUp(WorkerId, u32),
    /// Every worker looks for the coordinator again.
    CoordinatorFound,
    /// The next fact of a replay.
    Fact(u32),
    /// A round that was really seen, by its place.
    Observed(u32),
    /// The operator looks again.
    Operator(u32),
}

/// An event with its place in the order.
#[derive(Clone, Debug)]
struct Entry {
    at: SimTime,
    count: u64,
    event: Event,
}

/// The earliest first; at one instant the first that was pushed.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Entry>,
    count: u64,
}

impl Queue {
    pub(super) fn push(&mut self, at: SimTime, event: Event) {
        self.count += 1;
        self.heap.push(Entry { at, count: self.count, event });
    }

    /// When the next event happens.
    pub(super) fn next_at(&self) -> Option<SimTime> {
        self.heap.peek().map(|entry| entry.at)
    }

    pub(super) fn pop(&mut self) -> Option<(SimTime, Event)> {
        self.heap.pop().map(|entry| (entry.at, entry.event))
    }
}

/// Reversed, because the heap gives the greatest first.
impl Ord for Entry {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.count).cmp(&(self.at, self.count))
    }
}

impl PartialOrd for Entry {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
    }
}

impl Eq for Entry {}
