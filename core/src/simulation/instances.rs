//! Which worker really holds which work unit, whatever the group believes.

use crate::model::{ConnectorId, TaskId, Work, WorkerId};
use crate::units::SimTime;

/// A task or a connector instance, numbered in one row: tasks first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unit(pub(super) u32);

/// Tells one instance of a unit from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Token(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// `start()` was called and returns at that instant.
    Starting(SimTime),
    Running,
    /// Its process stands still.
    Frozen,
    /// It failed; the worker still counts it as its own.
    Failed,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub(super) worker: WorkerId,
    pub(super) phase: Phase,
    pub(super) token: Token,
}

/// All instances. A unit has one at most, but for zombies and broken downgrades to eager.
#[derive(Clone, Debug)]
pub(super) struct Instances {
    first: Vec<Option<Instance>>,
    more: Vec<(Unit, Instance)>,
    tokens: u32,
    tasks: u32,
}

impl Unit {
    pub(super) const fn task(task: TaskId) -> Self {
        Self(task.0)
    }

    pub(super) fn connector(work: &Work, connector: ConnectorId) -> Self {
        Self(u32::try_from(work.task_count()).unwrap_or(u32::MAX) + connector.0)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Instances {
    pub(super) fn new(work: &Work) -> Self {
        let count = work.task_count() + work.connector_count();
        Self {
            first: vec![None; count],
            more: Vec::new(),
            tokens: 0,
            tasks: u32::try_from(work.task_count()).unwrap_or(u32::MAX),
        }
    }

    /// The task a unit is, or the connector.
    pub(super) const fn split(&self, unit: Unit) -> Result<TaskId, ConnectorId> {
        if unit.0 < self.tasks { Ok(TaskId(unit.0)) } else { Err(ConnectorId(unit.0 - self.tasks)) }
    }

    pub(super) fn on(&self, unit: Unit, worker: WorkerId) -> Option<&Instance> {
        match &self.first[unit.index()] {
            Some(instance) if instance.worker == worker => Some(instance),
            None if self.more.is_empty() => None,
            _ => self.more.iter().find(|(other, more)| *other == unit && more.worker == worker).map(|(_, more)| more),
        }
    }

    pub(super) fn on_mut(&mut self, unit: Unit, worker: WorkerId) -> Option<&mut Instance> {
        match &mut self.first[unit.index()] {
            Some(instance) if instance.worker == worker => Some(instance),
            _ => {
                self.more.iter_mut().find(|(other, more)| *other == unit && more.worker == worker).map(|(_, more)| more)
            }
        }
    }

    /// The instance that an event refers to, unless it is gone.
    pub(super) fn known(&mut self, unit: Unit, worker: WorkerId, token: Token) -> Option<&mut Instance> {
        self.on_mut(unit, worker).filter(|instance| instance.token == token)
    }

    /// All instances of a unit.
    pub(super) fn of(&self, unit: Unit) -> impl Iterator<Item = &Instance> {
        let more = self.more.iter().filter(move |(other, _)| *other == unit).map(|(_, more)| more);
        self.first[unit.index()].iter().chain(more)
    }

    pub(super) fn start(&mut self, unit: Unit, worker: WorkerId, phase: Phase) -> Token {
        self.tokens += 1;
        let instance = Instance { worker, phase, token: Token(self.tokens) };
        let slot = &mut self.first[unit.index()];
        if slot.is_none() {
            *slot = Some(instance);
        } else {
            self.more.push((unit, instance));
        }
        instance.token
    }

    pub(super) fn remove(&mut self, unit: Unit, worker: WorkerId) -> Option<Instance> {
        let slot = &mut self.first[unit.index()];
        if slot.as_ref().is_some_and(|instance| instance.worker == worker) {
            let removed = slot.take();
            if let Some(place) = self.more.iter().position(|(other, _)| *other == unit) {
                *slot = Some(self.more.swap_remove(place).1);
            }
            return removed;
        }
        let place = self.more.iter().position(|(other, more)| *other == unit && more.worker == worker)?;
        Some(self.more.swap_remove(place).1)
    }

    /// Everything a worker holds, tasks first.
    pub(super) fn held_by(&self, worker: WorkerId) -> Vec<Unit> {
        let count = u32::try_from(self.first.len()).unwrap_or(u32::MAX);
        (0..count).map(Unit).filter(|&unit| self.on(unit, worker).is_some()).collect()
    }
}
