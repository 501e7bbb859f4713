//! The figures of one run.

use super::TaskSeconds;
use super::share::DownCount;
use crate::lag::{CaughtUp, lag};
use crate::model::{Cluster, ConnectorId, ConnectorState, TaskId, WorkerId};
use crate::simulation::{ConfigChange, TaskState, Timeline};
use crate::units::{Duration, Records, Share, SimTime};

/// What one run did to the work that runs, or waits for a delay, when it begins.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Impact {
    /// Unassigned time, summed over tasks: from the moment a task stops running anywhere to the
    /// moment it runs again, its start included.
    pub unassigned: TaskSeconds,
    /// The longest unassigned time of one task.
    pub longest: Duration,
    /// Whose that is.
    pub longest_task: Option<TaskId>,
    /// The largest share of the tasks that does not run at one instant.
    pub peak: Share,
    /// The largest share that does not run for longer than a hand-over.
    pub peak_held: Share,
    /// Completed rebalances.
    pub rounds: u32,
    /// Tasks that run on another worker than before, counted each time.
    pub moves: u32,
    /// Task starts, those on the restarted workers included.
    pub starts: u32,
    /// Time that tasks ran more than once, summed.
    pub doubled: TaskSeconds,
    /// Tasks whose start failed: nothing heals them by itself.
    pub failed: u32,
    /// Stops that fell into a balancing round, where milliseconds decide whether the delay is forgotten.
    pub races: u32,
    /// Tasks that still do not run when nothing more will move.
    pub left_unassigned: u32,
    /// From the first stop until everything runs and nothing more will move; `None` if that never comes.
    pub duration: Option<Duration>,
    /// What falls behind, of connectors whose flow is known.
    pub connectors: Vec<ConnectorImpact>,
    /// What the consumer groups of sinks do, of those whose flow is known.
    pub sinks: Vec<SinkImpact>,
}

/// What a sink's own group adds: its tasks may run without partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkImpact {
    /// The connector.
    pub connector: ConnectorId,
    /// The longest time one partition is served by nobody.
    pub longest_pause: Duration,
    /// How long no partition is served at all.
    pub standstill: Duration,
}

/// How far one connector falls behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectorImpact {
    /// The connector.
    pub connector: ConnectorId,
    /// Its largest backlog.
    pub peak: Records,
    /// The same in time: how far behind the connector as a whole is then.
    pub behind: Duration,
    /// How far behind the task, or the partition of a sink, gets that is furthest behind.
    pub furthest: Duration,
    /// From the first stop until the backlog is gone.
    pub caught_up: CaughtUp,
}

/// A time during which one task of the baseline had no owner able to run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The task.
    pub task: TaskId,
    /// When it stopped running anywhere.
    pub from: SimTime,
    /// When it ran again, or the end of the run.
    pub until: SimTime,
}

/// What the restarts of one step of a roll cost.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct StepImpact {
    /// How many outages of tasks began between this step's stop and the next one's; those of tasks
    /// that wait when the roll begins count for the first step.
    pub outages: u32,
    /// The longest of them.
    pub longest: Duration,
    /// Their sum.
    pub unassigned: TaskSeconds,
}

/// What a task does during the sweep over the changes.
#[derive(Clone)]
struct TaskNow {
    /// Where it runs.
    on: Option<WorkerId>,
    /// Where else it runs, which it never should.
    also_on: Vec<WorkerId>,
    /// Since when it does not run, or runs more than once.
    since: SimTime,
    last: Option<WorkerId>,
    counts: bool,
}

/// How long a normal hand-over takes: two heartbeat intervals and a task's start.
pub fn hand_over(cluster: &Cluster) -> Duration {
    let interval = cluster
        .workers
        .iter()
        .map(|worker| worker.before.settings.heartbeat_interval.max(worker.after.settings.heartbeat_interval))
        .max()
        .unwrap_or_default();
    let start = cluster.connectors.iter().map(|connector| connector.task_start.longest()).max().unwrap_or_default();
    interval * 2 + start
}

/// All outages of a run, in the order in which they ended.
pub fn outages(cluster: &Cluster, timeline: &Timeline) -> Vec<Outage> {
    let mut sweep = Sweep::new(cluster, timeline);
    sweep.outages = Some(Vec::new());
    sweep.run(cluster, timeline);
    sweep.close(timeline.ended);
    sweep.outages.unwrap_or_default()
}

/// What each step of a roll costs.
pub fn step_impacts(cluster: &Cluster, timeline: &Timeline) -> Vec<StepImpact> {
    let mut steps = vec![StepImpact::default(); timeline.steps.len()];
    for outage in outages(cluster, timeline) {
        let after = timeline.steps.partition_point(|step| step.at <= outage.from);
        let Some(step) = after.checked_sub(1).and_then(|place| steps.get_mut(place)) else { continue };
        let span = outage.until - outage.from;
        step.outages += 1;
        step.longest = step.longest.max(span);
        step.unassigned.0 += span.as_secs_f64();
    }
    steps
}

/// Measures a run.
pub fn assess(cluster: &Cluster, timeline: &Timeline) -> Impact {
    let mut impact = assess_work(cluster, timeline);
    let behind = lag(cluster, timeline);
    impact.sinks = behind
        .sinks
        .iter()
        .map(|sink| SinkImpact {
            connector: sink.connector,
            longest_pause: sink.longest_pause,
            standstill: sink.standstill,
        })
        .collect();
    impact.connectors = behind
        .connectors
        .iter()
        .map(|behind| ConnectorImpact {
            connector: behind.connector,
            peak: behind.peak,
            behind: behind.behind,
            furthest: behind.furthest_behind,
            caught_up: behind.caught_up,
        })
        .collect();
    impact
}

/// Measures what a run did to the work, but not what falls behind: for the many runs of a search
/// that asks no question about lag.
pub fn assess_work(cluster: &Cluster, timeline: &Timeline) -> Impact {
    let mut sweep = Sweep::new(cluster, timeline);
    sweep.run(cluster, timeline);
    let mut impact = sweep.finish(cluster, timeline);
    impact.rounds = u32::try_from(timeline.rounds.len()).unwrap_or(u32::MAX);
    impact.races = u32::try_from(timeline.races.len()).unwrap_or(u32::MAX);
    impact.failed = u32::try_from(timeline.failures.len()).unwrap_or(u32::MAX);
    impact.duration = timeline.settled.map(|at| at - timeline.began);
    impact
}

struct Sweep {
    began: SimTime,
    tasks: Vec<TaskNow>,
    down: usize,
    counted: usize,
    counts: DownCount,
    impact: Impact,
    outages: Option<Vec<Outage>>,
    micros_down: i64,
    micros_double: i64,
}

impl Sweep {
    fn new(cluster: &Cluster, timeline: &Timeline) -> Self {
        let mut tasks = vec![
            TaskNow { on: None, also_on: Vec::new(), since: timeline.began, last: None, counts: false };
            cluster.work.task_count()
        ];
        // The baseline: what runs when the run begins, and is not paused. What stops at that very
        // instant ran until then.
        for change in timeline.tasks.iter().take_while(|change| change.at <= timeline.began) {
            let works = cluster.connectors[cluster.work.connector_of(change.item).index()].state;
            let runs = change.state == TaskState::Running;
            if runs || change.at < timeline.began {
                tasks[change.item.index()].counts = runs && works == ConnectorState::Running;
            }
        }
        // What waits for a delay when the run begins is missed from the beginning.
        for item in cluster.ownership.iter().flat_map(|ownership| &ownership.waiting.tasks) {
            let works = cluster.connectors[cluster.work.connector_of(*item).index()].state;
            tasks[item.index()].counts = works == ConnectorState::Running;
        }
        let counted = tasks.iter().filter(|task| task.counts).count();
        Self {
            began: timeline.began,
            tasks,
            down: counted,
            counted,
            counts: DownCount::default(),
            impact: Impact::default(),
            outages: None,
            micros_down: 0,
            micros_double: 0,
        }
    }

    fn run(&mut self, cluster: &Cluster, timeline: &Timeline) {
        let mut configs = timeline.configs.iter().peekable();
        for change in &timeline.tasks {
            while let Some(config) = configs.next_if(|config| config.at <= change.at) {
                self.configured(cluster, config);
            }
            self.change(change.at, change.item, change.worker, change.state);
        }
        for config in configs {
            self.configured(cluster, config);
        }
    }

    /// Tasks that exist no more are missed by nobody.
    fn configured(&mut self, cluster: &Cluster, config: &ConfigChange) {
        let left = config.tasks.unwrap_or(0);
        for item in cluster.work.tasks_of(config.connector) {
            let task = &mut self.tasks[item.index()];
            if cluster.work.number(item) >= left && std::mem::take(&mut task.counts) && task.on.is_none() {
                self.down -= 1;
                self.up_again(config.at, item);
            }
        }
        self.counts.set(config.at, self.down);
    }

    fn change(&mut self, at: SimTime, item: TaskId, worker: WorkerId, state: TaskState) {
        let task = &mut self.tasks[item.index()];
        match state {
            TaskState::Starting => self.impact.starts += 1,
            TaskState::Running => {
                let moved = task.last.is_some_and(|last| last != worker);
                self.impact.moves += u32::from(moved && task.counts);
                task.last = Some(worker);
                if task.on.is_none() {
                    task.on = Some(worker);
                    if task.counts {
                        self.down -= 1;
                        self.up_again(at, item);
                    }
                } else {
                    if task.also_on.is_empty() {
                        task.since = at;
                    }
                    task.also_on.push(worker);
                }
            }
            TaskState::Stopped | TaskState::Vanished | TaskState::Failed => {
                if let Some(place) = task.also_on.iter().position(|&other| other == worker) {
                    task.also_on.swap_remove(place);
                } else if task.on == Some(worker) {
                    task.on = task.also_on.pop();
                } else {
                    // An instance that never came to run changes nothing.
                    return;
                }
                if task.on.is_none() {
                    task.since = at;
                    self.down += usize::from(task.counts);
                } else if task.also_on.is_empty() {
                    self.micros_double += (at - task.since).as_micros();
                }
            }
        }
        self.counts.set(at, self.down);
    }

    fn up_again(&mut self, at: SimTime, item: TaskId) {
        let task = &self.tasks[item.index()];
        let span = at - task.since.max(self.began);
        if at <= self.began || span <= Duration::ZERO {
            return;
        }
        self.micros_down += span.as_micros();
        if let Some(outages) = &mut self.outages {
            outages.push(Outage { task: item, from: at - span, until: at });
        }
        if span > self.impact.longest {
            self.impact.longest = span;
            self.impact.longest_task = Some(item);
        }
    }

    /// What is down, or runs twice, at the end counts until then.
    fn close(&mut self, end: SimTime) {
        for item in 0..self.tasks.len() {
            let task = &self.tasks[item];
            if task.counts && task.on.is_none() {
                self.impact.left_unassigned += 1;
                let id = TaskId(u32::try_from(item).unwrap_or(u32::MAX));
                self.up_again(end, id);
            } else if !task.also_on.is_empty() {
                self.micros_double += (end - task.since).as_micros();
            }
        }
    }

    fn finish(mut self, cluster: &Cluster, timeline: &Timeline) -> Impact {
        let end = timeline.ended;
        self.close(end);
        let mut impact = self.impact;
        impact.unassigned = TaskSeconds(Duration::from_micros(self.micros_down).as_secs_f64());
        impact.doubled = TaskSeconds(Duration::from_micros(self.micros_double).as_secs_f64());
        impact.peak = Share::of(self.counts.peak_after(self.began), self.counted);
        impact.peak_held = Share::of(self.counts.held(hand_over(cluster), end), self.counted);
        impact
    }
}
