//! Clusters and timelines for the tests of this room.

use crate::model::{
    Cluster, Connector, ConnectorState, ConsumerAssignor, Coordinator, Flow, Sink, Spread, TaskId, Work, WorkerId,
};
use crate::simulation::tests::cluster;
use crate::simulation::{Change, TaskState, Timeline};
use crate::units::{Duration, RecordsPerSec, SimTime};

/// One connector on some workers.
#[derive(Clone)]
pub(super) struct ClusterOf {
    workers: u32,
    connectors: Vec<Connector>,
    initial_delay: Duration,
    drift: Duration,
    coordinator: Coordinator,
}

pub(super) fn sink(partitions: u32, assignor: ConsumerAssignor) -> Sink {
    Sink { partitions, assignor, session_timeout: Duration::from_secs(45), heartbeat_interval: Duration::from_secs(3) }
}

pub(super) fn at(secs: f64) -> SimTime {
    SimTime::ZERO + Duration::from_secs_f64(secs)
}

impl ClusterOf {
    pub(super) fn workers(count: u32) -> Self {
        Self {
            workers: count,
            connectors: Vec::new(),
            initial_delay: Duration::from_secs(3),
            drift: Duration::ZERO,
            coordinator: Coordinator::Java,
        }
    }

    pub(super) fn source(mut self, tasks: u32) -> Self {
        let name = format!("c{:03}", self.connectors.len());
        let [mut connector] = <[Connector; 1]>::try_from(of(0, &[(&name, tasks)]).connectors).unwrap();
        connector.task_start = Spread::Fixed(Duration::ZERO);
        self.connectors.push(connector);
        self
    }

    pub(super) fn sink(self, tasks: u32, sink: Sink) -> Self {
        self.source(tasks).with(|connector| connector.sink = Some(sink))
    }

    /// Changes the last connector.
    pub(super) fn with(mut self, change: impl FnOnce(&mut Connector)) -> Self {
        if let Some(connector) = self.connectors.last_mut() {
            change(connector);
        }
        self
    }

    pub(super) fn flow(self, arrival: f64, capacity_per_task: f64) -> Self {
        let (arrival, capacity_per_task) = (RecordsPerSec(arrival), RecordsPerSec(capacity_per_task));
        self.with(|connector| connector.flow = Some(Flow { arrival, capacity_per_task }))
    }

    pub(super) fn paused(self) -> Self {
        self.with(|connector| connector.state = ConnectorState::Paused)
    }

    pub(super) fn drift(mut self, drift: Duration) -> Self {
        self.drift = drift;
        self
    }

    pub(super) fn coordinator(mut self, coordinator: Coordinator) -> Self {
        self.coordinator = coordinator;
        self
    }

    pub(super) fn build(self) -> Cluster {
        let mut cluster = of(self.workers, &[]);
        for (place, worker) in cluster.workers.iter_mut().enumerate() {
            worker.leads = place == 0;
            worker.restart.down = Spread::Fixed(Duration::from_secs(1));
        }
        cluster.broker.coordinator = self.coordinator;
        cluster.broker.initial_rebalance_delay = self.initial_delay;
        let most = |connector: &Connector| if connector.tasks == 0 { 6 } else { connector.tasks };
        cluster.work = Work::new(self.connectors.iter().map(|connector| (connector.name.as_str(), most(connector))));
        Cluster { connectors: self.connectors, heartbeat_drift: self.drift, ..cluster }
    }
}

/// A cluster as the simulation's tests have it.
fn of(workers: u32, connectors: &[(&str, u32)]) -> Cluster {
    cluster(workers, connectors, Duration::from_secs(20), Duration::from_secs(1))
}

/// A timeline from (seconds, task, worker, state), at whose beginning `tasks` tasks run in turn on `workers`
/// workers; it ends with its last change.
pub(super) fn timeline(tasks: u32, workers: u32, changes: &[(f64, u32, u32, TaskState)]) -> Timeline {
    let running = (0..tasks).map(|task| (0.0, task, task % workers, TaskState::Running));
    let mut tasks: Vec<_> = running
        .chain(changes.iter().copied())
        .map(|(secs, task, worker, state)| Change { at: at(secs), item: TaskId(task), worker: WorkerId(worker), state })
        .collect();
    tasks.sort_by_key(|change| change.at);
    let ended = tasks.last().map_or(SimTime::ZERO, |change| change.at);
    Timeline { tasks, ended, ..Timeline::default() }
}

/// The state of some tasks on one worker at one instant.
pub(super) fn all(secs: f64, tasks: &[u32], worker: u32, state: TaskState) -> Vec<(f64, u32, u32, TaskState)> {
    tasks.iter().map(|&task| (secs, task, worker, state)).collect()
}

/// Tasks that start and run at once.
pub(super) fn run(secs: f64, tasks: &[u32], worker: u32) -> Vec<(f64, u32, u32, TaskState)> {
    [all(secs, tasks, worker, TaskState::Starting), all(secs, tasks, worker, TaskState::Running)].concat()
}
