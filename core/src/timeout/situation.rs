//! The cluster around the restart, as far as somebody described it.

use super::step::{hand_over, longest};
use super::times::Times;
use crate::model::{Cluster, ConnectProtocol, Connector, ConnectorState, Policy, WorkerSettings};
use crate::units::{Duration, Records, RecordsPerSec};

/// What is known of the cluster. Where nothing is, Kafka's defaults are taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Situation<'c> {
    /// The cluster and what its roll must respect.
    pub cluster: Option<(&'c Cluster, &'c Policy)>,
    /// The grace period, where the call gave it.
    pub grace: Option<Duration>,
    /// How long what the connectors read is kept, where the call gave it.
    pub retention: Option<Duration>,
}

impl Situation<'_> {
    /// The least and the most of a setting over the workers as they run now.
    fn over_workers(&self, of: impl Fn(&WorkerSettings) -> Duration) -> (Duration, Duration) {
        let workers = self.cluster.iter().flat_map(|(cluster, _)| &cluster.workers);
        let values: Vec<Duration> = workers.map(|worker| of(&worker.before.settings)).collect();
        let default = of(&WorkerSettings::KAFKAS_DEFAULT);
        (values.iter().min().copied().unwrap_or(default), values.iter().max().copied().unwrap_or(default))
    }

    pub(super) fn delay(&self) -> (Duration, Duration) {
        self.over_workers(|settings| settings.delay)
    }

    pub(super) fn session(&self) -> (Duration, Duration) {
        self.over_workers(|settings| settings.session_timeout)
    }

    pub(super) fn rebalance(&self) -> (Duration, Duration) {
        self.over_workers(|settings| settings.rebalance_timeout)
    }

    /// The longest heartbeat interval.
    pub(super) fn heartbeat(&self) -> Duration {
        self.over_workers(|settings| settings.heartbeat_interval).1
    }

    /// `None` where no cluster says how long tasks take to stop.
    pub(super) fn graceful(&self) -> Option<(Duration, Duration)> {
        self.cluster.map(|_| self.over_workers(|settings| settings.graceful_timeout))
    }

    /// The grace period: the call's, or the least and the most that the description gives.
    pub(super) fn grace(&self) -> Option<(Duration, Duration)> {
        let workers = self.cluster.iter().flat_map(|(cluster, _)| &cluster.workers);
        let given: Vec<Duration> = workers.filter_map(|worker| worker.restart.grace).collect();
        let described = given.iter().min().copied().zip(given.iter().max().copied());
        self.grace.map(|grace| (grace, grace)).or(described)
    }

    /// When a worker gives up its own stop (`DistributedHerder.herderExecutorTimeoutMs`):
    /// the reading of the config topic, the connectors, the tasks, and ten seconds. Requests
    /// in flight, for which REST waits before, and the exit of the process come on top. Tasks
    /// that need longer are taken to be given it.
    pub(super) fn own_stop_limit(&self) -> Duration {
        let tasks = self.slowest_task_stop().unwrap_or_default();
        let own = |settings: &WorkerSettings| settings.sync_timeout + settings.graceful_timeout.max(tasks);
        self.over_workers(own).1 + CONNECTORS_STOP + BUFFER
    }

    pub(super) fn is_eager(&self) -> bool {
        self.cluster.is_some_and(|(cluster, _)| {
            cluster.workers.iter().all(|worker| worker.before.settings.protocol == ConnectProtocol::Eager)
        })
    }

    /// Whether a delay of 0 hands work out at once whoever leads.
    pub(super) fn zero_delay_works(&self) -> bool {
        self.cluster.is_some_and(|(cluster, _)| {
            cluster
                .workers
                .iter()
                .all(|worker| worker.before.rules.zero_delay_reassigns && worker.after.rules.zero_delay_reassigns)
        })
    }

    /// How long a hand-over takes; of unknown tasks, that of quick ones.
    pub(super) fn hand_over(&self) -> Duration {
        self.cluster.map_or(self.heartbeat() * 2 + QUICK_START, |(cluster, _)| hand_over(cluster))
    }

    /// How long a follower's tasks may wait in a restart with that delay: the stop, the
    /// delay, a hand-over.
    pub(super) fn wait_with(&self, times: &Times, delay: Duration) -> Duration {
        delay + self.beside_the_delay(times)
    }

    fn beside_the_delay(&self, times: &Times) -> Duration {
        times.stop.as_ref().map_or(Duration::ZERO, |stop| stop.time) + self.hand_over()
    }

    /// The limit that leaves least room for the delay, and how much that is.
    pub(super) fn least_wait(&self, times: &Times) -> Option<(&'static str, Duration)> {
        let beside = self.beside_the_delay(times);
        let rooms = self.limits().into_iter().map(|(limit, allowed, _)| (limit, allowed - beside));
        rooms.min_by_key(|(_, room)| *room)
    }

    /// What limits how long tasks may wait: its name, the time it allows, and why.
    pub(super) fn limits(&self) -> Vec<(&'static str, Duration, String)> {
        let mut limits = Vec::new();
        if let Some((cluster, policy)) = self.cluster {
            if let Some(longest) = policy.max_unassigned {
                let why = "a follower's tasks wait for the stop, the delay and a hand-over".to_owned();
                limits.push(("policy.max_unassigned", longest, why));
            }
            if let Some((connector, lasts)) = policy.max_lag.and_then(|lag| tightest(cluster, lag)) {
                let why = format!("so long the backlog of {connector} stays below it while one worker's tasks wait");
                limits.push(("policy.max_lag", lasts, why));
            }
        }
        if let Some(kept) = self.retention {
            let why = "what waits longer than the source keeps it is lost".to_owned();
            limits.push(("retention", kept, why));
        }
        limits
    }

    /// How long the slowest member may take to stop what a round takes from it.
    pub(super) fn slowest_revocation(&self) -> Option<Duration> {
        let (cluster, _) = self.cluster?;
        let share = cluster.work.task_count().div_ceil(cluster.workers.len().max(1));
        let batches = i64::try_from(share.div_ceil(POOL)).unwrap_or(i64::MAX);
        Some(self.heartbeat() + self.over_workers(|settings| settings.graceful_timeout).1 * batches)
    }

    /// The longest that a task takes to stop.
    pub(super) fn slowest_task_stop(&self) -> Option<Duration> {
        let (cluster, _) = self.cluster?;
        let running = cluster.connectors.iter().filter(|connector| connector.state == ConnectorState::Running);
        running.map(|connector| longest(&connector.task_stop)).max()
    }
}

/// The connector whose backlog reaches the limit first while one worker's tasks wait, and when.
///
/// # Leaves out
/// Sinks of several tasks: their siblings take the partitions over (see `lag`).
fn tightest(cluster: &Cluster, limit: Records) -> Option<(&str, Duration)> {
    let workers = u32::try_from(cluster.workers.len()).unwrap_or(u32::MAX).max(1);
    let waits = |connector: &&Connector| {
        connector.state == ConnectorState::Running
            && connector.tasks > 0
            && (connector.sink.is_none() || connector.tasks == 1)
    };
    let lasts = |connector: &Connector| {
        let arrival = connector.flow?.arrival;
        let share = f64::from(connector.tasks.div_ceil(workers)) / f64::from(connector.tasks);
        (arrival.0 > 0.0).then(|| limit / RecordsPerSec(arrival.0 * share))
    };
    let all = cluster.connectors.iter().filter(waits);
    all.filter_map(|connector| Some((connector.name.as_str(), lasts(connector)?))).min_by_key(|(_, lasts)| *lasts)
}

/// `Worker.CONNECTOR_GRACEFUL_SHUTDOWN_TIMEOUT_MS`.
const CONNECTORS_STOP: Duration = Duration::from_secs(5);

/// What the herder adds.
const BUFFER: Duration = Duration::from_secs(10);

/// Threads on which a herder stops tasks (`DistributedHerder`).
const POOL: usize = 8;

/// A task's start where no connector is described; the default of a description.
const QUICK_START: Duration = Duration::from_millis(100);
