//! What the status topic says of a run at one instant, as one worker has read it.

use std::collections::BTreeMap;

use super::super::history::Generation;
use super::super::timeline::{Change, FailureKind, TaskState, Timeline};
use super::host_port;
use crate::model::{Cluster, ConnectorId, ConnectorState as Wanted, TaskId, WorkerId};
use crate::snapshot::{Claimed, ConnectorState, ConnectorStatus, ConnectorType, Seen, Statuses};
use crate::units::SimTime;

/// The answer of the worker with that URL at `at`.
///
/// Only the process that ran something ever writes of it: RUNNING (or PAUSED) when its `start()`
/// has returned, FAILED, and UNASSIGNED when it has stopped it in an orderly way. So what a killed
/// worker ran stays RUNNING. A reader from 3.6 on (`drops_late`) passes over the UNASSIGNED of a
/// task that was started in the generation in which its worker stops it, or in a later one
/// (KAFKA-12525): that stays RUNNING, too.
///
/// Source: `AbstractHerder`, `KafkaStatusBackingStore.readTaskStatus`, 3.9.
pub(super) fn statuses(cluster: &Cluster, timeline: &Timeline, at: SimTime, asked: &str, drops_late: bool) -> Statuses {
    let mut topic = Topic { cluster, timeline, drops_late, tasks: BTreeMap::new(), connectors: BTreeMap::new() };
    topic.read(at);
    let configured = configured(cluster, timeline, at);
    let names = cluster.connectors.iter().enumerate();
    let known = names.filter_map(|(place, connector)| {
        let id = ConnectorId(u32::try_from(place).ok()?);
        let tasks = (*configured.get(place)?)?;
        // A connector without a status record is left out of the answer.
        let instance = topic.claimed(topic.connectors.get(&id)?);
        let of_it = topic.tasks.range(task_range(cluster, id));
        let of_it = of_it.map(|(&task, record)| (cluster.work.number(task), topic.claimed(record)));
        let status = ConnectorStatus {
            kind: if connector.sink.is_some() { ConnectorType::Sink } else { ConnectorType::Source },
            instance: Seen::Known(instance),
            tasks: of_it.collect(),
            configured_tasks: Seen::Known((0..tasks).collect()),
            config_hash: Seen::Known("0".repeat(64)),
            consumer_group: connector.sink.as_ref().map(|_| format!("connect-{}", connector.name)),
        };
        Some((connector.name.clone(), status))
    });
    Statuses { asked: asked.to_owned(), connectors: known.collect() }
}

/// How many tasks each connector has at an instant.
fn configured(cluster: &Cluster, timeline: &Timeline, at: SimTime) -> Vec<Option<u32>> {
    let mut tasks = timeline.group.configured.clone();
    tasks.resize(cluster.connectors.len(), None);
    for change in timeline.configs.iter().take_while(|change| change.at <= at) {
        if let Some(tasks) = tasks.get_mut(change.connector.index()) {
            *tasks = change.tasks;
        }
    }
    tasks
}

fn task_range(cluster: &Cluster, connector: ConnectorId) -> std::ops::Range<TaskId> {
    let mut tasks = cluster.work.tasks_of(connector);
    let Some(first) = tasks.next() else { return TaskId(0)..TaskId(0) };
    first..TaskId(tasks.last().unwrap_or(first).0 + 1)
}

/// The status topic, as a reader has it.
struct Topic<'a> {
    cluster: &'a Cluster,
    timeline: &'a Timeline,
    drops_late: bool,
    tasks: BTreeMap<TaskId, Record>,
    connectors: BTreeMap<ConnectorId, Record>,
}

/// The last record of a connector or task that counts.
#[derive(Clone, Debug)]
struct Record {
    state: ConnectorState,
    worker: WorkerId,
    generation: i32,
}

impl Topic<'_> {
    fn claimed(&self, record: &Record) -> Claimed {
        Claimed { state: record.state.clone(), worker: host_port(self.cluster, record.worker) }
    }

    fn read(&mut self, at: SimTime) {
        let timeline = self.timeline;
        let mut live = BTreeMap::new();
        for change in timeline.connectors.iter().take_while(|change| change.at <= at) {
            let wanted = self.cluster.connectors.get(change.item.index()).map(|connector| connector.state);
            if let Some(record) = self.written(change, wanted, live.get(&(change.item, change.worker))) {
                self.connectors.insert(change.item, record);
            }
            live.insert((change.item, change.worker), change.state);
        }
        let mut live = BTreeMap::new();
        let mut deleted = self.deletions(at).into_iter().peekable();
        for change in self.task_changes(at) {
            while let Some((_, connector, tasks)) = deleted.next_if(|(when, ..)| *when <= change.at) {
                self.delete(connector, tasks);
            }
            let connector = self.cluster.work.connector_of(change.item);
            let wanted = self.cluster.connectors.get(connector.index()).map(|connector| connector.state);
            let abandoned = change.state == TaskState::Stopped
                && timeline.group.abandoned.contains(&(change.at, change.worker, change.item));
            let written = self.written(&change, wanted, live.get(&(change.item, change.worker)));
            if let Some(record) = written.filter(|record| !abandoned && self.counts(change.item, record)) {
                self.tasks.insert(change.item, record);
            }
            live.insert((change.item, change.worker), change.state);
        }
        deleted.for_each(|(_, connector, tasks)| self.delete(connector, tasks));
    }

    /// The changes of tasks, and the starts that failed because an old instance was still there.
    fn task_changes(&self, at: SimTime) -> Vec<Change<TaskId, TaskState>> {
        let exists = self.timeline.failures.iter().filter(|failure| failure.kind == FailureKind::AlreadyExists);
        let failed = exists.map(|failure| Change {
            at: failure.at,
            item: failure.task,
            worker: failure.worker,
            state: TaskState::Failed,
        });
        let mut changes: Vec<_> = self.timeline.tasks.iter().copied().chain(failed).collect();
        changes.retain(|change| change.at <= at);
        changes.sort_by_key(|change| change.at);
        changes
    }

    /// What the worker writes at a change, if anything.
    fn written<I>(
        &self,
        change: &Change<I, TaskState>,
        wanted: Option<Wanted>,
        before: Option<&TaskState>,
    ) -> Option<Record> {
        let worker = change.worker;
        let (state, generation) = match change.state {
            // What stood still and goes on writes nothing.
            TaskState::Running if before == Some(&TaskState::Vanished) => return None,
            TaskState::Running => {
                let state = match wanted {
                    Some(Wanted::Paused) => ConnectorState::Paused,
                    Some(Wanted::Stopped) => ConnectorState::Stopped,
                    _ => ConnectorState::Running,
                };
                (state, self.generation(worker, |entered| entered <= change.at))
            }
            TaskState::Failed => (ConnectorState::Failed, self.generation(worker, |entered| entered <= change.at)),
            // It failed before: its status stays.
            TaskState::Stopped if before == Some(&TaskState::Failed) => return None,
            // What is revoked stops before its worker goes over to the generation that revokes it.
            TaskState::Stopped => (ConnectorState::Unassigned, self.generation(worker, |entered| entered < change.at)),
            TaskState::Starting | TaskState::Vanished => return None,
        };
        Some(Record { state, worker, generation })
    }

    /// The generation that a worker had last entered then.
    fn generation(&self, worker: WorkerId, by_then: impl Fn(SimTime) -> bool) -> i32 {
        let entered = self.timeline.group.entered.iter().rev();
        let of_worker = entered.filter(|(at, other, _)| *other == worker && by_then(*at));
        of_worker.map(|(_, _, generation)| *generation).next().unwrap_or(0)
    }

    /// Whether a record of a task is written, and read, over the one that is there.
    fn counts(&self, task: TaskId, record: &Record) -> bool {
        let Some(cached) = self.tasks.get(&task) else { return true };
        if record.state != ConnectorState::Unassigned {
            return true;
        }
        // `CacheEntry.canWriteSafely`: not over what another worker wrote in a later generation.
        let safe = cached.worker == record.worker || cached.generation <= record.generation;
        let late = self.drops_late && cached.state == ConnectorState::Running && record.generation <= cached.generation;
        safe && !late
    }

    /// When the leader deletes the statuses of tasks that are not configured any more, and how many
    /// stay: each time it goes over to a generation (`DistributedHerder.onAssigned`).
    fn deletions(&self, at: SimTime) -> Vec<(SimTime, ConnectorId, u32)> {
        let history = &self.timeline.group;
        let mut deleted = Vec::new();
        for &(when, worker, number) in history.entered.iter().filter(|(when, ..)| *when <= at) {
            let leads = |generation: &&Generation| {
                let leader = history.members.get(generation.leader.index());
                generation.number == number && leader.is_some_and(|(_, leader)| *leader == worker)
            };
            if history.generations.iter().rev().any(|generation| leads(&generation)) {
                let mut tasks = BTreeMap::new();
                for change in self.timeline.configs.iter().take_while(|change| change.at <= when) {
                    tasks.insert(change.connector, change.tasks.unwrap_or(0));
                }
                deleted.extend(tasks.into_iter().map(|(connector, tasks)| (when, connector, tasks)));
            }
        }
        deleted
    }

    fn delete(&mut self, connector: ConnectorId, tasks: u32) {
        let work = &self.cluster.work;
        self.tasks.retain(|&task, _| work.connector_of(task) != connector || work.number(task) < tasks);
    }
}
