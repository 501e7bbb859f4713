//! What a sink's consumer group did, as seen from its partitions.

use super::instances::Instances;
use super::serving::{Serving, SinkRound};
use crate::model::{ConnectorId, TaskId};
use crate::units::{Duration, SimTime};

/// Which task of a sink served how many partitions, and how long partitions stood still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkService {
    /// The connector.
    pub connector: ConnectorId,
    /// Its partitions.
    pub partitions: u32,
    /// What each task serves when the run begins; tasks without partitions are left out.
    pub initial: Vec<(TaskId, u32)>,
    /// The changes of that, in the order of time.
    pub changes: Vec<ServedChange>,
    /// The completed rounds of its consumer group.
    pub rounds: Vec<SinkRound>,
    /// The longest time one partition was served by nobody.
    pub longest_pause: Duration,
    /// The sum of these times over all partitions.
    pub paused: Duration,
    /// How long the whole connector stood still: no partition was served although its tasks had begun.
    pub standstill: Duration,
    /// The partitions nobody serves at the end.
    pub unserved: u32,
}

/// From when on a task serves so many partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServedChange {
    /// When.
    pub at: SimTime,
    /// Which task.
    pub task: TaskId,
    /// The partitions it serves from then on.
    pub partitions: u32,
}

impl SinkService {
    /// Counts from what the group did; pauses that last are counted up to `end`.
    pub(super) fn count(connector: ConnectorId, instances: &Instances, serving: &Serving, end: SimTime) -> Self {
        let mut counts = Counts::new(instances);
        for instance in serving.initial.iter().flatten() {
            counts.add(*instance);
        }
        #[expect(clippy::cast_possible_truncation, reason = "a sink's partitions are counted in u32")]
        let partitions = serving.initial.len() as u32;
        let mut service = Self {
            connector,
            partitions,
            initial: counts.present(),
            changes: Vec::new(),
            rounds: serving.rounds.clone(),
            longest_pause: Duration::ZERO,
            paused: Duration::ZERO,
            standstill: Duration::ZERO,
            unserved: 0,
        };
        counts.changed.clear();
        service.follow(serving, &mut counts, end);
        service
    }

    fn follow(&mut self, serving: &Serving, counts: &mut Counts<'_>, end: SimTime) {
        let mut served = serving.initial.clone();
        let begun = served.iter().any(Option::is_some);
        // Partitions of a connector that has not begun do not pause.
        let mut paused_at: Vec<Option<SimTime>> = vec![None; served.len()];
        let mut active = served.iter().flatten().count();
        let mut still_at: Option<SimTime> = None;
        if !begun && let Some(first) = serving.changes.first() {
            paused_at.fill(Some(first.at));
        }
        for batch in serving.changes.chunk_by(|one, other| one.at == other.at) {
            let at = batch[0].at;
            for handover in batch {
                let before = std::mem::replace(&mut served[handover.part], handover.to);
                if let Some(instance) = before {
                    counts.remove(instance);
                }
                if let Some(instance) = handover.to {
                    counts.add(instance);
                }
                let pause = &mut paused_at[handover.part];
                match handover.to {
                    Some(_) => {
                        if let Some(since) = pause.take() {
                            self.longest_pause = self.longest_pause.max(at - since);
                            self.paused += at - since;
                        }
                    }
                    None => *pause = Some(at),
                }
                active = active + usize::from(handover.to.is_some()) - usize::from(before.is_some());
            }
            match still_at {
                None if active == 0 => still_at = Some(at),
                Some(since) if active > 0 => {
                    self.standstill += at - since;
                    still_at = None;
                }
                _ => {}
            }
            counts.flush(at, &mut self.changes);
        }
        for since in paused_at.into_iter().flatten() {
            let pause = end - since;
            self.longest_pause = self.longest_pause.max(pause);
            self.paused += pause;
            self.unserved += 1;
        }
        self.standstill += still_at.map_or(Duration::ZERO, |since| end - since);
    }
}

/// Partitions by task.
struct Counts<'a> {
    instances: &'a Instances,
    /// Sorted by task: its count, and the one last told.
    of: Vec<(TaskId, u32, u32)>,
    changed: Vec<usize>,
}

impl<'a> Counts<'a> {
    fn new(instances: &'a Instances) -> Self {
        let mut tasks = instances.tasks.clone();
        tasks.sort_unstable();
        tasks.dedup();
        Self { instances, of: tasks.into_iter().map(|task| (task, 0, 0)).collect(), changed: Vec::new() }
    }

    fn place(&self, instance: usize) -> usize {
        let task = self.instances.tasks[instance];
        self.of.partition_point(|(other, ..)| *other < task)
    }

    fn add(&mut self, instance: usize) {
        let place = self.place(instance);
        self.of[place].1 += 1;
        self.changed.push(place);
    }

    fn remove(&mut self, instance: usize) {
        let place = self.place(instance);
        self.of[place].1 -= 1;
        self.changed.push(place);
    }

    fn present(&mut self) -> Vec<(TaskId, u32)> {
        for entry in &mut self.of {
            entry.2 = entry.1;
        }
        self.of.iter().filter(|entry| entry.1 > 0).map(|entry| (entry.0, entry.1)).collect()
    }

    fn flush(&mut self, at: SimTime, changes: &mut Vec<ServedChange>) {
        self.changed.sort_unstable();
        self.changed.dedup();
        for place in self.changed.drain(..) {
            let (task, partitions, told) = &mut self.of[place];
            if partitions != told {
                *told = *partitions;
                changes.push(ServedChange { at, task: *task, partitions: *partitions });
            }
        }
    }
}
