//! A roll as a rule, or as a list of steps; and a step as it came about.

use crate::model::{Wait, WorkerId};
use crate::units::SimTime;

/// Who is restarted next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// These, one after another.
    Listed(Vec<WorkerId>),
    /// The followers as listed in the description, the leader last.
    LeaderLast,
    /// The leader of the beginning first, then the others as listed.
    LeaderFirst,
    /// The leader of the beginning after so many others.
    LeaderAfter(usize),
    /// Whoever leads at the moment, while it is still to do; else the next follower.
    PresentLeader,
    /// Whoever leads at the moment, while it and its successor are still to do; else a follower
    /// that will not succeed it, so that the leader's next restart hands over to one still to do.
    Succession,
    /// Two at a time: whoever leads at the moment, and with it a follower. Both leave before the
    /// new leader's first round, which knows of no loss and starts no delay. A leader that is
    /// done goes along once more if the roll may restart it again.
    WithLeader,
    /// These steps, as written down.
    Turns(Vec<Turn>),
}

/// One step of a roll that is written down.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Turn {
    /// These workers, together.
    pub workers: Vec<WorkerId>,
    /// And with them whoever leads at that moment, done already or not.
    pub leader: bool,
    /// What is waited for before it, where that is not the roll's own wait.
    pub wait: Option<Wait>,
}

/// How a worker is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stop {
    /// SIGTERM: the worker leaves the group as its last act.
    #[default]
    Graceful,
    /// kill -9: the group waits for its session to run out.
    Kill,
}

/// When the leader is restarted once more, to end a delay that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flush {
    /// Never.
    #[default]
    Never,
    /// At the end of the roll, if a delay runs then.
    AtEnd,
    /// Whenever so many restarted followers wait for a delay, and at the end.
    AfterFollowers(usize),
}

/// At which moment of the group's heartbeats a worker is stopped.
///
/// All members beat together from the last round on, and a rebalance begins when they next do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aim {
    /// As soon as the wait is over.
    #[default]
    Any,
    /// So that it leaves just after a heartbeat: a quick restart is back before the next one.
    JustAfter,
    /// So that it leaves just before a heartbeat: the others learn of it at once.
    JustBefore,
}

/// A whole roll, as a rule: what happens depends on who leads when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Who is next.
    pub order: Order,
    /// When the next may go.
    pub wait: Wait,
    /// How many go together.
    pub at_once: usize,
    /// How they are stopped.
    pub stop: Stop,
    /// Whether the leader goes once more.
    pub flush: Flush,
    /// Whether the next may go while a delay runs.
    pub during_delay: bool,
    /// At which moment of the heartbeats.
    pub aim: Aim,
}

impl Schedule {
    /// One worker at a time, stopped by SIGTERM, the leader only once, also while a delay runs.
    pub fn new(order: Order, wait: Wait) -> Self {
        Self { order, wait, at_once: 1, stop: Stop::Graceful, flush: Flush::Never, during_delay: true, aim: Aim::Any }
    }
}

/// What is left of a roll that was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Workers that are through: none of them is restarted again, but as the leader once more.
    pub done: Vec<WorkerId>,
    /// Workers that go together as the next step, before the order decides; through or not.
    pub first: Vec<WorkerId>,
}

impl Turn {
    /// One worker, after that wait.
    pub fn of(worker: WorkerId, wait: Option<Wait>) -> Self {
        Self { workers: vec![worker], leader: false, wait }
    }

    /// Whoever leads at that moment, once more if it is done.
    pub fn of_leader(wait: Option<Wait>) -> Self {
        Self { workers: Vec::new(), leader: true, wait }
    }
}

/// One restart of a roll as it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When the workers were stopped.
    pub at: SimTime,
    /// Which.
    pub workers: Vec<WorkerId>,
    /// Whether one of them led the group then.
    pub leads: bool,
    /// Whether it is an extra restart of the leader.
    pub flush: bool,
    /// When all of them were members again.
    pub back: Option<SimTime>,
}
