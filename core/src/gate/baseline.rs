//! How the cluster was before the first restart: what was broken then does not block, what
//! breaks since does.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::conditions::Sight;
use super::memory::Memory;
use super::reason::Reason;
use super::view::{GroupView, View, address};
use super::work::Work;
use super::{checks, reason::Way};
use crate::snapshot::{ConnectorState, ConnectorStatus, ConnectorType, GroupState, SinkGroup, Snapshot};
use crate::units::{Duration, Timestamp};

/// How a cluster was before the first restart of a roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// When it was taken.
    pub taken_at: Timestamp,
    /// The id of the Kafka cluster.
    pub cluster_id: String,
    /// The group; nothing where it cannot be asked.
    pub group: Option<GroupBefore>,
    /// The workers by `host:port`.
    pub workers: BTreeMap<String, WorkerBefore>,
    /// The connectors by name.
    pub connectors: BTreeMap<String, ConnectorBefore>,
    /// The consumer groups of the sinks that were read, by connector.
    pub sinks: BTreeMap<String, SinkBefore>,
    /// What a person overruled when it was taken, or what is not watched.
    pub notes: Vec<Reason>,
    /// Who had what.
    pub(super) memory: Memory,
}

/// The group before the first restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupBefore {
    /// `group.id`.
    pub id: String,
    /// `eager`, `compatible` or `sessioned`.
    pub protocol: Option<String>,
    /// The leader's `host:port`.
    pub leader: Option<String>,
    /// How far the leader had read the config topic.
    pub config_offset: Option<i64>,
}

/// A worker before the first restart.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorkerBefore {
    /// Its name in the description, or its `host:port`.
    pub name: String,
    /// Its member id; nothing where the group cannot be asked.
    pub member: Option<String>,
}

/// A connector before the first restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectorBefore {
    /// Source or sink.
    #[serde(rename = "type")]
    pub kind: ConnectorType,
    /// The state of its instance.
    pub instance: Option<ConnectorState>,
    /// The states of its tasks.
    pub tasks: BTreeMap<u32, ConnectorState>,
    /// The tasks that the config topic had for it.
    pub configured: BTreeSet<u32>,
    /// SHA-256 of its configuration.
    pub config_hash: Option<String>,
    /// What of it nobody had, or two, as far as a person let that pass.
    pub unowned: Work,
}

/// A sink's consumer group before the first restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SinkBefore {
    /// How many partitions were read.
    pub read: usize,
    /// Partitions with committed offsets that nobody read: topics it no longer subscribes to.
    pub unread: BTreeSet<(String, i32)>,
    /// How many records it was behind, if that was known.
    pub lag: Option<i64>,
}

impl Baseline {
    /// Takes the baseline. `names` are the workers' names by their addresses; `accepted` the
    /// kinds of reasons that a person overrules.
    ///
    /// # Errors
    /// Everything that keeps it from being one: what cannot be seen, and what would pass for
    /// normal ever after, such as tasks that only wait for a running delay.
    pub fn take(
        snapshot: &Snapshot,
        sight: &Sight,
        names: &BTreeMap<String, String>,
        accepted: &BTreeSet<String>,
    ) -> Result<Self, Vec<Reason>> {
        let mut reasons = Vec::new();
        let view = View::of(snapshot);
        let baseline = Self::of(&view, sight, names, &mut reasons);
        checks::seen(&view, sight, &mut reasons);
        if let Some(group) = &view.group {
            baseline.group_at_rest(group, &mut reasons);
        }
        work_at_rest(&view, &mut reasons);
        let (notes, blocking): (Vec<Reason>, Vec<Reason>) = reasons.into_iter().partition(|reason| {
            reason.way() == Way::Note || accepted.contains(reason.kind()) && Reason::can_be_accepted(reason.kind())
        });
        if blocking.is_empty() { Ok(Self { notes, ..baseline }) } else { Err(blocking) }
    }

    fn of(view: &View<'_>, sight: &Sight, names: &BTreeMap<String, String>, reasons: &mut Vec<Reason>) -> Self {
        let snapshot = view.snapshot;
        let name = |at: &str| {
            let given = names.iter().find(|(url, _)| address(url) == at).map(|(_, name)| name.clone());
            given.unwrap_or_else(|| at.to_owned())
        };
        let mut workers = BTreeMap::new();
        for (place, at) in view.group.iter().flat_map(|group| group.addresses.iter().enumerate()) {
            let member = view.group.as_ref().map(|group| group.id(place).to_owned());
            workers.insert(at.clone(), WorkerBefore { name: name(at), member });
        }
        if view.group.is_none() {
            for url in snapshot.endpoints.iter().map(|endpoint| &endpoint.url).chain(names.keys()) {
                let at = address(url);
                let name = name(&at);
                workers.insert(at, WorkerBefore { name, member: None });
            }
        }
        let group = view.group.as_ref().map(|group| GroupBefore {
            id: group.group.id.clone(),
            protocol: group.group.protocol.clone(),
            leader: group.leader_address().map(str::to_owned),
            config_offset: group.config_offset(),
        });
        let statuses = snapshot.statuses.known().map(|statuses| &statuses.connectors);
        let connectors: BTreeMap<String, ConnectorBefore> = statuses
            .into_iter()
            .flatten()
            .map(|(name, status)| (name.clone(), ConnectorBefore::of(name, status, view.group.as_ref())))
            .collect();
        let known: Vec<&str> = connectors.keys().map(String::as_str).collect();
        let (memory, _) = Memory::default().next(view, &known, Duration::ZERO, true);
        let sinks: BTreeMap<String, SinkBefore> =
            snapshot.sinks.iter().filter_map(|sink| Some((sink.connector.clone(), SinkBefore::of(sink)?))).collect();
        let unwatched = unwatched(&connectors, &sinks, snapshot, sight, reasons);
        if !unwatched.is_empty() {
            reasons.push(Reason::SinkNotWatched { connectors: unwatched });
        }
        let cluster_id = snapshot.cluster_id.known().cloned().or_else(|| {
            let by_rest = matches!(sight, Sight::RestOnly(_));
            let ids = snapshot.endpoints.iter().filter_map(|endpoint| endpoint.version.known());
            by_rest.then(|| ids.map(|version| version.kafka_cluster_id.clone()).next()).flatten()
        });
        if cluster_id.is_none() {
            let why = snapshot.cluster_id.why_unknown().unwrap_or_default().to_owned();
            reasons.push(Reason::ClusterUnknown { why });
        }
        Self {
            taken_at: snapshot.taken_at,
            cluster_id: cluster_id.unwrap_or_default(),
            group,
            workers,
            connectors,
            sinks,
            notes: Vec::new(),
            memory,
        }
    }

    fn group_at_rest(&self, group: &GroupView<'_>, reasons: &mut Vec<Reason>) {
        if !group.revoked.is_empty() {
            reasons.push(Reason::BetweenRounds { work: group.revoked.clone() });
        }
        let mut unowned = Work::default();
        for (name, part) in self.connectors.values().flat_map(|connector| connector.unowned.parts()) {
            part.tasks.iter().for_each(|task| unowned.add(name, Some(*task)));
            if part.connector {
                unowned.add(name, None);
            }
        }
        if group.delay > Duration::ZERO {
            reasons.push(Reason::DelayRunning {
                left_at_most: group.delay,
                exact: false,
                value: group.delay,
                waiting: unowned.clone(),
                leader: group.leader_address().map(|at| self.name(at)).unwrap_or_default(),
            });
        }
        if !unowned.is_empty() {
            reasons.push(Reason::NoOwner { work: unowned, delay_runs: group.delay > Duration::ZERO });
        }
        if !group.twice.0.is_empty() {
            let workers = group.twice.1.iter().map(|place| self.name(group.address(*place))).collect();
            reasons.push(Reason::OwnedTwice { work: group.twice.0.clone(), workers });
        }
        let ghosts = group.at.iter().filter(|(_, members)| members.len() > 1);
        let ghosts: Vec<String> = ghosts.map(|(at, _)| self.name(at)).collect();
        if !ghosts.is_empty() {
            reasons.push(Reason::WorkerTwice { workers: ghosts });
        }
    }

    /// The name of the worker at an address.
    pub fn name(&self, url: &str) -> String {
        let at = address(url);
        self.workers.get(&at).map(|worker| worker.name.clone()).unwrap_or(at)
    }

    /// How many tasks it has that are expected to run.
    pub fn tasks(&self) -> usize {
        self.connectors.values().map(|connector| connector.configured.len()).sum()
    }
}

impl ConnectorBefore {
    fn of(name: &str, status: &ConnectorStatus, group: Option<&GroupView<'_>>) -> Self {
        let configured: BTreeSet<u32> = status.configured_tasks.known().into_iter().flatten().copied().collect();
        let mut unowned = Work::default();
        if let Some(group) = group {
            let items = std::iter::once(None).chain(configured.iter().map(|task| Some(*task)));
            let nobodys = |task: &Option<u32>| group.owner(name, *task).is_none() && !group.revoked.has(name, *task);
            items.filter(nobodys).for_each(|task| unowned.add(name, task));
        }
        Self {
            kind: status.kind,
            instance: status.instance.known().map(|claimed| claimed.state.clone()),
            tasks: status.tasks.iter().map(|(task, claimed)| (*task, claimed.state.clone())).collect(),
            configured,
            config_hash: status.config_hash.known().cloned(),
            unowned,
        }
    }

    /// The state a connector instance or task was in; tasks that are new are expected as the
    /// instance is.
    pub(super) fn state(&self, task: Option<u32>) -> Option<&ConnectorState> {
        match task {
            None => self.instance.as_ref(),
            Some(task) => self.tasks.get(&task).or(self.instance.as_ref()),
        }
    }
}

impl SinkBefore {
    /// What was read; nothing if no consumer was there, or nobody knows.
    fn of(sink: &SinkGroup) -> Option<Self> {
        let stable = sink.state.known() == Some(&GroupState::Stable);
        let consumers = sink.consumers.known().filter(|consumers| stable && !consumers.is_empty())?;
        let partitions = sink.partitions.known()?;
        let read: BTreeSet<(&str, i32)> = consumers
            .iter()
            .flat_map(|consumer| &consumer.partitions)
            .map(|(topic, number)| (topic.as_str(), *number))
            .collect();
        let unread = partitions.iter().filter(|of| !read.contains(&(of.topic.as_str(), of.partition)));
        let unread = unread.map(|of| (of.topic.clone(), of.partition)).collect();
        let lag = checks::lag(partitions, &unread).ok().map(|lag| lag.records);
        Some(Self { read: read.len(), unread, lag })
    }
}

/// Names what of the work is not at rest: neither running nor in a state that a person chose.
fn work_at_rest(view: &View<'_>, reasons: &mut Vec<Reason>) {
    let Some(statuses) = view.snapshot.statuses.known() else { return };
    let mut not_running = (Work::default(), BTreeSet::new());
    let mut strange = (Work::default(), BTreeSet::new());
    let mut no_status = Work::default();
    let mut broken = Work::default();
    let mut no_tasks = Vec::new();
    for (name, status) in &statuses.connectors {
        checks::incomplete(name, status, reasons);
        let claimed = status.instance.known().map(|claimed| (None, &claimed.state));
        let tasks = status.tasks.iter().map(|(task, claimed)| (Some(*task), &claimed.state));
        let configured = status.configured_tasks.known();
        for (task, state) in claimed.into_iter().chain(tasks) {
            let left_over = task.is_some_and(|task| configured.is_some_and(|all| !all.contains(&task)));
            match state {
                _ if left_over => {}
                ConnectorState::Running | ConnectorState::Paused | ConnectorState::Stopped => {}
                ConnectorState::Failed => broken.add(name, task),
                ConnectorState::Unassigned | ConnectorState::Restarting => {
                    not_running.0.add(name, task);
                    not_running.1.insert(super::memory::state_name(state).to_owned());
                }
                ConnectorState::Other(other) => {
                    strange.0.add(name, task);
                    strange.1.insert(other.clone());
                }
            }
        }
        let silent = |task: &&u32| !status.tasks.contains_key(task);
        configured.into_iter().flatten().filter(silent).for_each(|task| no_status.add(name, Some(*task)));
        let runs = status.instance.known().is_some_and(|claimed| claimed.state == ConnectorState::Running);
        if status.kind == ConnectorType::Sink && runs && configured.is_some_and(Vec::is_empty) {
            no_tasks.push(name.clone());
        }
    }
    let states = |states: BTreeSet<String>| states.into_iter().collect();
    if !not_running.0.is_empty() {
        reasons.push(Reason::NotRunning { work: not_running.0, states: states(not_running.1), overdue: false });
    }
    if !strange.0.is_empty() {
        reasons.push(Reason::StateUnknown { work: strange.0, states: states(strange.1) });
    }
    if !no_status.is_empty() {
        reasons.push(Reason::NoStatus { work: no_status });
    }
    if !no_tasks.is_empty() {
        reasons.push(Reason::NoTasks { connectors: no_tasks });
    }
    if !broken.is_empty() {
        reasons.push(Reason::BrokenBefore { work: broken });
    }
}

/// The sinks whose partitions cannot be watched; a sink that runs and whose group cannot be
/// seen is a reason not to begin.
fn unwatched(
    connectors: &BTreeMap<String, ConnectorBefore>,
    sinks: &BTreeMap<String, SinkBefore>,
    snapshot: &Snapshot,
    sight: &Sight,
    reasons: &mut Vec<Reason>,
) -> Vec<String> {
    let mut unwatched = Vec::new();
    for (name, connector) in connectors {
        if connector.kind != ConnectorType::Sink || sinks.contains_key(name) {
            continue;
        }
        let runs =
            connector.configured.iter().any(|task| connector.state(Some(*task)) == Some(&ConnectorState::Running));
        let sink = snapshot.sinks.iter().find(|sink| sink.connector == *name);
        let state = sink.and_then(|sink| sink.state.known());
        match state {
            _ if !runs => {}
            _ if matches!(sight, Sight::RestOnly(_)) => unwatched.push(name.clone()),
            Some(state) if *state != GroupState::Stable => {
                reasons.push(Reason::SinkNotStable { connector: name.clone(), state: state.clone() });
            }
            _ => {
                let why = sink.and_then(checks::sink_unknown).unwrap_or("nobody asked for its consumer group");
                reasons.push(Reason::SinkUnknown { connector: name.clone(), why: why.to_owned() });
            }
        }
    }
    unwatched
}
