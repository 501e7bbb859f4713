//! What happens if workers are stopped at this very instant.

use crate::assessment::{Figure, Outcomes, Quantiles, assess_work};
use crate::model::{Cluster, ConnectorId, ConnectorState, ConsumerAssignor, TaskId, WorkerId};
use crate::simulation::{Detail, Order, Schedule, Seed, TaskState, Timeline, Turn, simulate};
use crate::units::{Duration, Share, SimTime};

/// What follows from stopping some workers now, each started again at once and nothing else done.
#[derive(Clone, Debug, PartialEq)]
pub struct GoesNow {
    /// Who goes.
    pub workers: Vec<WorkerId>,
    /// Whether one of them leads the group; known only if somebody said who does.
    pub leads: bool,
    /// Who leads after the first round, in the expected run.
    pub then_leads: Option<WorkerId>,
    /// Tasks that run on them now, those of paused connectors not counted.
    pub tasks: usize,
    /// Tasks that nobody runs already, because they wait for a delay.
    pub waiting: usize,
    /// All tasks that run or wait now.
    pub all: usize,
    /// The largest share of those that nobody runs at one instant.
    pub peak: Quantiles,
    /// The same for longer than a hand-over.
    pub held: Quantiles,
    /// The longest time that one task is without an owner, in seconds.
    pub longest: Quantiles,
    /// Task-seconds without an owner until all is settled again, what waits already included.
    pub unassigned: Quantiles,
    /// What would be lost if nobody went: what waits already, until its delay is over.
    pub unassigned_anyway: f64,
    /// From the stop until all is settled, in seconds.
    pub settled: Quantiles,
    /// Completed rebalances until then.
    pub rounds: Quantiles,
    /// Tasks that end FAILED.
    pub failed: Quantiles,
    /// The delay that the first round announces, in the expected run: one that begins, or the rest
    /// of the one that runs; `None` if none runs after it.
    pub delay: Option<Duration>,
    /// Connectors of which no task runs any more when the workers are gone.
    pub connectors_down: Vec<ConnectorId>,
    /// Sinks all of whose tasks stop reading for a rebalance of their own group, because one of
    /// its consumers goes and the range assignor takes from all.
    pub sinks_paused: Vec<ConnectorId>,
    /// The seed of the expected run.
    pub expected: Seed,
}

/// Stops these workers at the beginning of a run, and sees what follows.
///
/// The figures are those of the runs of `seed` from 0 to `runs` - 1, at least one.
pub fn goes_now(cluster: &Cluster, workers: &[WorkerId], seed: Seed, runs: u32) -> GoesNow {
    let turn = Turn { workers: workers.to_vec(), leader: false, wait: None };
    // Whatever is waited for comes after the one step that there is.
    let roll = Schedule::new(Order::Turns(vec![turn]), crate::model::Wait::Back);
    let mut outcomes: Option<Outcomes> = None;
    let mut first: Option<Timeline> = None;
    for number in 0..runs.max(1) {
        let seed = seed.of_run(number);
        let timeline = simulate(cluster, &roll, seed, Detail::Figures);
        let impact = assess_work(cluster, &timeline);
        match &mut outcomes {
            Some(outcomes) => outcomes.add(seed, &impact, workers.len()),
            None => outcomes = Some(Outcomes::new(seed, &impact, workers.len())),
        }
        first.get_or_insert(timeline);
    }
    let first = first.unwrap_or_default();
    let now = Now::of(cluster, &first);
    let distribution = outcomes.map(|outcomes| outcomes.distribution());
    let of = |figure| distribution.as_ref().map(|distribution| distribution.of(figure)).unwrap_or_default();
    let expected = distribution.as_ref().map_or(seed, |distribution| distribution.median_seed);
    let course = if expected == seed.of_run(0) { first } else { simulate(cluster, &roll, expected, Detail::Figures) };
    let round = course.rounds.first();
    let goes = |task: TaskId| now.owner(task).is_none_or(|owner| workers.contains(&owner));
    GoesNow {
        workers: workers.to_vec(),
        leads: workers.iter().any(|worker| cluster.workers.get(worker.index()).is_some_and(|worker| worker.leads)),
        then_leads: round.map(|round| round.leader),
        tasks: now.tasks(cluster).filter(|&task| now.owner(task).is_some_and(|owner| workers.contains(&owner))).count(),
        waiting: now.tasks(cluster).filter(|&task| now.owner(task).is_none()).count(),
        all: now.tasks(cluster).count(),
        peak: of(Figure::Peak),
        held: of(Figure::PeakHeld),
        longest: of(Figure::Longest),
        unassigned: of(Figure::Unassigned),
        unassigned_anyway: anyway(cluster, &now),
        settled: of(Figure::Duration),
        rounds: of(Figure::Rounds),
        failed: of(Figure::Failed),
        delay: round.map(|round| round.delay).filter(|delay| !delay.is_zero()),
        connectors_down: running(cluster)
            .filter(|&connector| cluster.work.tasks_of(connector).all(goes))
            .filter(|&connector| cluster.work.tasks_of(connector).any(|task| now.owner(task).is_some()))
            .collect(),
        sinks_paused: running(cluster)
            .filter(|connector| {
                let sink = cluster.connectors[connector.index()].sink.as_ref();
                sink.is_some_and(|sink| sink.assignor == ConsumerAssignor::Range)
            })
            .filter(|&connector| {
                let gone = |task: TaskId| now.owner(task).is_some_and(|owner| workers.contains(&owner));
                cluster.work.tasks_of(connector).any(gone)
            })
            .collect(),
        expected,
    }
}

impl GoesNow {
    /// The most of all tasks that nobody runs at one instant, in 19 of 20 runs.
    pub fn unassigned_at_once(&self) -> usize {
        let share = Share(self.peak.p95);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of few tasks")]
        #[expect(clippy::cast_precision_loss, reason = "tasks are far fewer than 2^52")]
        let tasks = libm::round(share.0 * self.all as f64) as usize;
        tasks
    }
}

/// Who runs what when a run begins.
struct Now {
    owners: Vec<Option<WorkerId>>,
    /// Whether it runs, or waits, and its connector is asked to work.
    counts: Vec<bool>,
}

impl Now {
    fn of(cluster: &Cluster, run: &Timeline) -> Self {
        let mut owners = vec![None; cluster.work.task_count()];
        let begun = run.tasks.iter().take_while(|change| change.at <= SimTime::ZERO);
        for change in begun.filter(|change| change.state == TaskState::Running) {
            owners[change.item.index()] = Some(change.worker);
        }
        let mut counts = vec![false; owners.len()];
        for connector in running(cluster) {
            for task in cluster.work.tasks_of(connector) {
                counts[task.index()] = true;
            }
        }
        Self { owners, counts }
    }

    fn owner(&self, task: TaskId) -> Option<WorkerId> {
        self.owners.get(task.index()).copied().flatten()
    }

    /// All tasks that run, or should.
    fn tasks(&self, cluster: &Cluster) -> impl Iterator<Item = TaskId> {
        let all = cluster.work.connectors().flat_map(|connector| cluster.work.tasks_of(connector));
        all.filter(|task| self.counts.get(task.index()).copied().unwrap_or_default())
    }
}

fn running(cluster: &Cluster) -> impl Iterator<Item = ConnectorId> {
    let runs = |id: &ConnectorId| cluster.connectors[id.index()].state == ConnectorState::Running;
    cluster.work.connectors().filter(runs).filter(|&id| cluster.work.tasks_of(id).next().is_some())
}

/// What waits already, until its delay is over and it has started.
fn anyway(cluster: &Cluster, now: &Now) -> f64 {
    let Some(left) = cluster.delay_left() else { return 0.0 };
    let waits = now.tasks(cluster).filter(|&task| now.owner(task).is_none());
    let start = |task: TaskId| cluster.connectors[cluster.work.connector_of(task).index()].task_start.middle();
    waits.map(|task| (left + start(task)).as_secs_f64()).sum()
}
