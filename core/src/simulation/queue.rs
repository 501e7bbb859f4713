//! The queue of events: by time, and in the order of their coming at one instant.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::instances::{Token, Unit};
use crate::assignor::MemberId;
use crate::model::{ConnectorId, WorkerId};
use crate::protocol::Timer;
use crate::units::SimTime;

/// Something that will happen, if what it refers to is still so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    Timer(TimerKey),
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

/// [`Timer`] with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TimerKey {
    JoinPhase(u64),
    Initial(u64),
    SyncPhase(u64),
    PendingId(MemberId),
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Reverse<(SimTime, u64, Event)>>,
    count: u64,
}

impl Queue {
    pub(super) fn push(&mut self, at: SimTime, event: Event) {
        self.count += 1;
        self.heap.push(Reverse((at, self.count, event)));
    }

    pub(super) fn pop(&mut self) -> Option<(SimTime, Event)> {
        self.heap.pop().map(|Reverse((at, _, event))| (at, event))
    }
}

impl From<Timer> for TimerKey {
    fn from(timer: Timer) -> Self {
        match timer {
            Timer::JoinPhase(phase) => Self::JoinPhase(phase),
            Timer::Initial(phase) => Self::Initial(phase),
            Timer::SyncPhase(phase) => Self::SyncPhase(phase),
            Timer::PendingId(member) => Self::PendingId(member),
        }
    }
}

impl From<TimerKey> for Timer {
    fn from(timer: TimerKey) -> Self {
        match timer {
            TimerKey::JoinPhase(phase) => Self::JoinPhase(phase),
            TimerKey::Initial(phase) => Self::Initial(phase),
            TimerKey::SyncPhase(phase) => Self::SyncPhase(phase),
            TimerKey::PendingId(member) => Self::PendingId(member),
        }
    }
}
