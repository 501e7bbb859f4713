//! What falls behind meanwhile: backlog and catch-up, computed from a finished run.
//!
//! The *backlog* of a connector is what has arrived and has not been worked off yet. It is
//! a fluid here: what arrives is spread evenly over the parts of the connector, which are
//! the tasks of a source and the partitions of a sink. A part nobody works on gathers its
//! whole share. A running task works off its parts at no more than the given capacity, and
//! never more than there is. So a backlog is piecewise linear, and only its bends are kept.
//!
//! # The second group
//!
//! The tasks of a sink are consumers of one classic group, `connect-<connector>`, which
//! knows nothing of the group of workers, and the workers nothing of it: a task shows
//! RUNNING while it has no partition. Nothing flows back, hence all this comes after the run.
//!
//! - A consumer joins when its task runs, and leaves when its task has ended. When its process
//!   vanishes it stays a member until its session ends, counted from its last heartbeat.
//! - A change of members becomes a round. Who has a reason of its own joins at once: a newcomer,
//!   and a consumer that had to give up partitions. The others learn of it by their next
//!   heartbeat. All heartbeats count from the last completed round: S0 + k·h, k ≥ 1. A vanished
//!   consumer holds the round up until it expires. The round completes with the last of them.
//! - Range is eager: each sibling stops all its partitions when it learns of the round, until
//!   the round completes. Hence a replacement that joins before the vanished consumer expires
//!   makes all siblings stand still until then.
//! - `CooperativeSticky` (KIP-429): siblings go on. Partitions that move are given up at one round
//!   and handed out at the next, which comes a heartbeat later.
//! - The first consumer of an empty group waits `group.initial.rebalance.delay.ms`.
//!
//! Follows `WorkerSinkTask` of Connect, `AbstractCoordinator` of the consumer, and the classic
//! group of the broker's `GroupMetadataManager`, Kafka 4.3 and 4.4.
//!
//! # Leaves out
//!
//! - time to open and close partitions, to commit, and to fetch the first records (0.1 s in tests)
//! - consumers with `group.protocol=consumer` (KIP-848), static ones (KIP-345), and a client id of
//!   their own, which could change the order of the member ids
//! - several topics of one sink: all partitions are those of one topic
//! - what a source reads again after a crash: up to `offset.flush.interval.ms` of records
//! - a stop longer than the process lives on: its consumer may never send `LeaveGroup` and then
//!   holds its partitions until its session ends
//! - changes of the number of tasks, or a pause, in the middle of a run
//! - who of several consumers with equal claims keeps one more partition: Java's hash order of
//!   UUIDs decides; here it is the order of the member ids
//! - the phase of a consumer group's heartbeats before its first round of the run: unless given,
//!   the first event falls in the middle between two

mod backlog;
mod headroom;
mod instances;
mod service;
mod serving;
mod sink_group;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use backlog::{CaughtUp, ConnectorLag};
pub use headroom::{Headroom, headroom};
pub use service::{ServedChange, SinkService};
pub use serving::SinkRound;

use std::collections::BTreeMap;

use crate::model::{Cluster, Connector, ConnectorId, ConnectorState, Coordinator, Sink, Spread};
use crate::simulation::Timeline;
use crate::units::{Duration, SimTime};
use instances::Instances;
use serving::Serving;
use sink_group::Rules;

/// What falls behind in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lag {
    /// Each running connector whose flow is known, in the order of connectors. Of the others nothing is known.
    pub connectors: Vec<ConnectorLag>,
    /// Each running sink whose flow is known, or that was asked for, in the order of connectors.
    pub sinks: Vec<SinkService>,
}

/// What to compute, and what is known beside the timeline.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Whether to follow the consumer groups of sinks without a known flow, too.
    pub without_flow: bool,
    /// When the consumer group of a sink completed its last round before the run, where known.
    pub last_rounds: BTreeMap<ConnectorId, SimTime>,
}

/// What falls behind in a run, of all connectors whose flow is known.
pub fn lag(cluster: &Cluster, timeline: &Timeline) -> Lag {
    lag_within(cluster, timeline, &Scope::default())
}

/// What falls behind in a run, as far as asked.
pub fn lag_within(cluster: &Cluster, timeline: &Timeline, scope: &Scope) -> Lag {
    let running = |id: ConnectorId| cluster.connectors[id.index()].state == ConnectorState::Running;
    let wanted = |id: ConnectorId| {
        let connector = &cluster.connectors[id.index()];
        running(id) && (connector.flow.is_some() || (scope.without_flow && connector.sink.is_some()))
    };
    let mut lag = Lag::default();
    let all = Instances::read(cluster, timeline, wanted);
    for (id, instances) in cluster.work.connectors().zip(&all) {
        let Some(instances) = instances else { continue };
        let connector = &cluster.connectors[id.index()];
        let number = |instance: usize| cluster.work.number(instances.tasks[instance]);
        let serving = match &connector.sink {
            None => Serving::of_source(instances, tasks_ever(cluster, connector, id), number),
            Some(sink) => {
                let rules = rules(cluster, connector, sink);
                let last_round = scope.last_rounds.get(&id).copied();
                sink_group::run(instances, &rules, last_round.unwrap_or_else(|| middle(instances, &rules)), number)
            }
        };
        let first = serving.changes.first().map_or(timeline.began, |handover| handover.at);
        let last = serving.changes.last().map_or(timeline.ended, |handover| handover.at);
        let (start, end) = (timeline.began.min(first), timeline.ended.max(last));
        if connector.sink.is_some() {
            lag.sinks.push(SinkService::count(id, instances, &serving, end));
        }
        if let Some(flow) = connector.flow {
            lag.connectors.push(ConnectorLag::of(id, flow, &serving, start, end));
        }
    }
    lag
}

impl Lag {
    /// The backlog of a connector; `None` if nothing is known of its flow or it does not run.
    pub fn of(&self, connector: ConnectorId) -> Option<&ConnectorLag> {
        let place = self.connectors.binary_search_by_key(&connector, |lag| lag.connector).ok()?;
        self.connectors.get(place)
    }

    /// What the consumer group of a sink did; `None` for a source and where it was not followed.
    pub fn sink(&self, connector: ConnectorId) -> Option<&SinkService> {
        let place = self.sinks.binary_search_by_key(&connector, |service| service.connector).ok()?;
        self.sinks.get(place)
    }
}

/// The tasks of a connector when the run begins; of one that is created during it, all it ever has.
fn tasks_ever(cluster: &Cluster, connector: &Connector, id: ConnectorId) -> u32 {
    if connector.tasks > 0 {
        return connector.tasks;
    }
    u32::try_from(cluster.work.tasks_of(id).count()).unwrap_or(u32::MAX)
}

fn rules(cluster: &Cluster, connector: &Connector, sink: &Sink) -> Rules {
    // A group that had members is past generation 0, and from then on Scala never prolongs.
    let prolonged = cluster.broker.coordinator == Coordinator::Java || connector.tasks == 0;
    Rules {
        assignor: sink.assignor,
        partitions: sink.partitions,
        heartbeat: sink.heartbeat_interval + cluster.heartbeat_drift,
        session: sink.session_timeout,
        stop: usual(&connector.task_stop),
        initial_delay: cluster.broker.initial_rebalance_delay,
        prolonged,
    }
}

/// The last round before the run such that the first event falls in the middle between two heartbeats.
fn middle(instances: &Instances, rules: &Rules) -> SimTime {
    instances.first_turn().map_or(SimTime::ZERO, |at| at - rules.heartbeat / 2)
}

/// The mean of a spread: the run drew its own, which the timeline does not say.
fn usual(spread: &Spread) -> Duration {
    match spread {
        Spread::Fixed(span) => *span,
        Spread::Range(least, most) => (*least + *most) / 2,
        Spread::Samples(samples) => {
            let count = i64::try_from(samples.len()).unwrap_or(i64::MAX).max(1);
            samples.iter().copied().sum::<Duration>() / count
        }
    }
}
