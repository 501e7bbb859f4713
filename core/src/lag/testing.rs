//! Clusters and timelines for the tests of this room.

use crate::model::{
    Broker, Cluster, ConnectProtocol, Connector, ConnectorState, ConsumerAssignor, Coordinator, Flow, KafkaVersion,
    Restart, Sink, Spread, Start, TaskId, Work, Worker, WorkerId, WorkerSettings, WorkerSetup,
};
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
        self.connectors.push(Connector {
            name: format!("c{:03}", self.connectors.len()),
            tasks,
            tasks_max: None,
            state: ConnectorState::Running,
            task_start: Spread::Fixed(Duration::ZERO),
            task_stop: Spread::Fixed(Duration::ZERO),
            exactly_once: false,
            reconfigures_after: None,
            flow: None,
            sink: None,
        });
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
        let version = KafkaVersion { major: 4, minor: 4, patch: 0 };
        let setup = WorkerSetup {
            version,
            rules: version.rules(),
            settings: WorkerSettings {
                protocol: ConnectProtocol::Sessioned,
                delay: Duration::from_secs(20),
                heartbeat_interval: Duration::from_secs(3),
                session_timeout: Duration::from_secs(10),
                rebalance_timeout: Duration::from_secs(60),
                graceful_timeout: Duration::from_secs(5),
                sync_timeout: Duration::from_secs(3),
                unsync_backoff: Duration::from_secs(300),
                exactly_once: false,
            },
        };
        let whole = Spread::Fixed(Duration::from_secs(1));
        let worker = |number: u32| Worker {
            name: format!("w{}", number + 1),
            host: None,
            rack: None,
            client_id: format!("connect-w{}", number + 1),
            client_id_after: format!("connect-w{}", number + 1),
            member_id: None,
            leads: number == 0,
            unready: false,
            before: setup.clone(),
            after: setup.clone(),
            restart: Restart {
                stop: whole.clone(),
                down: whole.clone(),
                start: Start::Whole(whole.clone()),
                grace: None,
            },
        };
        Cluster {
            broker: Broker {
                version,
                coordinator: self.coordinator,
                initial_rebalance_delay: self.initial_delay,
                min_session_timeout: Duration::from_secs(6),
                max_session_timeout: Duration::from_secs(1_800),
            },
            workers: (0..self.workers).map(worker).collect(),
            work: Work::new(
                self.connectors
                    .iter()
                    .map(|connector| (connector.name.as_str(), if connector.tasks == 0 { 6 } else { connector.tasks })),
            ),
            connectors: self.connectors,
            heartbeat_drift: self.drift,
            assumed: Vec::new(),
        }
    }
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
