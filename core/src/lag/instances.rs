//! Which instances of a connector's tasks work when, read off a timeline.

use std::collections::BTreeMap;

use crate::model::{Cluster, ConnectorId, TaskId, WorkerId};
use crate::simulation::{TaskChange, TaskState, Timeline};
use crate::units::SimTime;

/// The instances of one connector's tasks and what becomes of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Instances {
    /// The task of each instance; an instance is its place here.
    pub(super) tasks: Vec<TaskId>,
    /// Those that work when the run begins.
    pub(super) initial: Vec<usize>,
    /// What happens to them, in the order of time.
    pub(super) turns: Vec<Turn>,
}

/// Something that happens to one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) at: SimTime,
    pub(super) instance: usize,
    pub(super) becomes: Becomes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Becomes {
    /// It works from now on.
    Working,
    /// It was told to stop, or failed.
    Stopped,
    /// It works no more and cannot say so.
    Vanished,
    /// Its frozen process goes on.
    Awake,
}

/// What is known of a task on one worker.
#[derive(Clone, Copy)]
enum Phase {
    Starting,
    Working(usize),
    Vanished(usize),
    Ended,
}

type Phases = BTreeMap<(TaskId, WorkerId), Phase>;

impl Instances {
    /// Reads all connectors in one pass; `None` for those not wanted.
    ///
    /// What is said to run when the run begins, or to end without a start before, worked
    /// at the beginning. What the timeline does not mention never worked.
    pub(super) fn read(
        cluster: &Cluster,
        timeline: &Timeline,
        wanted: impl Fn(ConnectorId) -> bool,
    ) -> Vec<Option<Self>> {
        let mut all: Vec<Option<Self>> = cluster.work.connectors().map(|id| wanted(id).then(Self::default)).collect();
        let mut phases: Vec<Phases> = vec![Phases::new(); all.len()];
        for change in &timeline.tasks {
            let connector = cluster.work.connector_of(change.item).index();
            if let Some(instances) = &mut all[connector] {
                instances.take(change, timeline.began, &mut phases[connector]);
            }
        }
        all
    }

    /// When the first change comes, if any does.
    pub(super) fn first_turn(&self) -> Option<SimTime> {
        self.turns.first().map(|turn| turn.at)
    }

    fn begin_with(&mut self, task: TaskId) -> usize {
        let instance = self.add(task);
        self.initial.push(instance);
        instance
    }

    fn add(&mut self, task: TaskId) -> usize {
        self.tasks.push(task);
        self.tasks.len() - 1
    }

    fn take(&mut self, change: &TaskChange, began: SimTime, phases: &mut Phases) {
        let key = (change.item, change.worker);
        let before = phases.get(&key).copied();
        let mut turn = |instance, becomes| self.turns.push(Turn { at: change.at, instance, becomes });
        let after = match (change.state, before) {
            (TaskState::Starting, Some(Phase::Working(instance))) => {
                turn(instance, Becomes::Stopped);
                Phase::Starting
            }
            (TaskState::Starting, _) => Phase::Starting,
            (TaskState::Running, Some(Phase::Working(instance))) => Phase::Working(instance),
            (TaskState::Running, Some(Phase::Vanished(instance))) => {
                turn(instance, Becomes::Awake);
                Phase::Working(instance)
            }
            (TaskState::Running, None) if change.at <= began => Phase::Working(self.begin_with(change.item)),
            (TaskState::Running, None | Some(Phase::Starting | Phase::Ended)) => {
                let instance = self.add(change.item);
                self.turns.push(Turn { at: change.at, instance, becomes: Becomes::Working });
                Phase::Working(instance)
            }
            (TaskState::Stopped | TaskState::Failed | TaskState::Vanished, Some(Phase::Starting | Phase::Ended)) => {
                Phase::Ended
            }
            (TaskState::Stopped | TaskState::Failed, Some(Phase::Working(instance) | Phase::Vanished(instance))) => {
                turn(instance, Becomes::Stopped);
                Phase::Ended
            }
            (TaskState::Vanished, Some(Phase::Working(instance))) => {
                turn(instance, Becomes::Vanished);
                Phase::Vanished(instance)
            }
            (TaskState::Vanished, Some(Phase::Vanished(instance))) => Phase::Vanished(instance),
            (TaskState::Stopped | TaskState::Failed, None) => {
                let instance = self.begin_with(change.item);
                self.turns.push(Turn { at: change.at, instance, becomes: Becomes::Stopped });
                Phase::Ended
            }
            (TaskState::Vanished, None) => {
                let instance = self.begin_with(change.item);
                self.turns.push(Turn { at: change.at, instance, becomes: Becomes::Vanished });
                Phase::Vanished(instance)
            }
        };
        phases.insert(key, after);
    }
}
