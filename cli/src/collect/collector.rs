//! One look at a cluster after the other.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rollgate_core::snapshot::{Endpoint, Group, Seen, Snapshot, Statuses};
use rollgate_core::units::Timestamp;

use super::address::Address;
use super::group::{self, NoGroup};
use super::kafka::Kafka;
use super::rest::Rest;
use super::sinks::{self, Sinks};
use super::statuses;

/// Whom to ask. Keeps between looks what does not change: the connections to brokers, the
/// cluster's id, and which group the workers are in.
pub(crate) struct Collector {
    workers: Vec<Address>,
    rest: Rest,
    kafka: Option<Kafka>,
    group: Option<String>,
    cluster_id: Option<String>,
    timeout: Duration,
}

/// What one look asks beside the group, the statuses and the sinks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look<'a> {
    /// Whose version is asked.
    pub(crate) versions: Versions<'a>,
    /// Workers that are being restarted: asked for the statuses only if nobody else answers.
    pub(crate) restarted: &'a [Address],
}

/// Whose version is asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Versions<'a> {
    /// Every worker's.
    #[default]
    OfAll,
    /// Only that of these.
    Of(&'a [Address]),
}

/// What was seen, and what of the essential was not.
#[derive(Clone, Debug)]
pub(crate) struct Looked {
    /// All of it; what was not seen is unknown there, with the reason.
    pub(crate) snapshot: Snapshot,
    /// What was asked for and could not be seen, each as a sentence without a full stop.
    pub(crate) lacking: Vec<String>,
}

impl Collector {
    /// Asks these workers and brokers; without `group` it is found out which one the workers are in.
    pub(crate) fn new(
        workers: Vec<Address>,
        rest: Rest,
        kafka: Option<Kafka>,
        group: Option<String>,
        timeout: Duration,
    ) -> Self {
        Self { workers, rest, kafka, group, cluster_id: None, timeout }
    }

    /// Looks once. What does not answer is unknown in the snapshot.
    ///
    /// # Errors
    /// What has to change in the call: several groups may be meant, or one that cannot be.
    pub(crate) fn look(&mut self, look: Look<'_>) -> Result<Looked, String> {
        let (taken_at, began) = (now(), Instant::now());
        let Self { workers, rest, kafka, group: wanted, cluster_id: known_id, timeout } = self;
        let (workers, rest) = (&*workers, &*rest);
        let asked = match look.versions {
            Versions::OfAll => workers,
            Versions::Of(some) => some,
        };
        let (cluster_id, group, endpoints) = std::thread::scope(|scope| {
            let versions: Vec<_> = asked.iter().map(|worker| scope.spawn(|| rest.version(worker))).collect();
            let (cluster_id, group) = of_kafka(kafka.as_mut(), known_id.as_ref(), wanted.as_deref(), workers);
            let endpoints: Vec<Endpoint> = versions.into_iter().filter_map(|version| version.join().ok()).collect();
            (cluster_id, group, endpoints)
        });
        let group = match group {
            Ok(group) => Seen::Known(group),
            Err(NoGroup::Unseen(why)) => Seen::unknown(why),
            Err(NoGroup::Call(why)) => return Err(why),
        };
        if let Seen::Known(group) = &group {
            *wanted = Some(group.id.clone());
        }
        *known_id = known_id.take().or_else(|| cluster_id.known().cloned());
        let statuses = if workers.is_empty() {
            Seen::unknown("no worker was named (--connect)")
        } else {
            let order = statuses::order(workers, &endpoints, group.known(), look.restarted);
            statuses::ask(rest, &order, group.known(), *timeout)
        };
        let sinks = match (kafka.as_mut(), statuses.known()) {
            (Some(kafka), Some(statuses)) => sinks::look(kafka, statuses),
            _ => Sinks::default(),
        };
        let lacking =
            lacking(kafka.is_some().then_some(&group), Some(&statuses).filter(|_| !workers.is_empty()), &sinks);
        let snapshot = Snapshot {
            schema_version: Snapshot::SCHEMA_VERSION,
            taken_at,
            took_ms: i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX),
            cluster_id: if kafka.is_some() { cluster_id } else { id_of_workers(&endpoints) },
            group,
            statuses,
            endpoints,
            sinks: sinks.groups,
        };
        Ok(Looked { snapshot, lacking })
    }
}

/// What was asked for and not seen.
fn lacking(group: Option<&Seen<Group>>, statuses: Option<&Seen<Statuses>>, sinks: &Sinks) -> Vec<String> {
    let mut lacking = Vec::new();
    if let Some(why) = group.and_then(Seen::why_unknown) {
        lacking.push(format!("the group of workers is not known: {why}"));
    }
    if let Some(why) = statuses.and_then(Seen::why_unknown) {
        lacking.push(format!("the statuses are not known: {why}"));
    }
    let permissions = sinks.lacking.iter();
    lacking.extend(permissions.map(|permission| format!("not all sinks are known: this needs {permission}")));
    lacking
}

/// The cluster's id, and the group. A cluster that says nothing of itself is not asked further.
fn of_kafka(
    kafka: Option<&mut Kafka>,
    known_id: Option<&String>,
    wanted: Option<&str>,
    workers: &[Address],
) -> (Seen<String>, Result<Group, NoGroup>) {
    let Some(kafka) = kafka else {
        let why = "no broker was named (--bootstrap)";
        return (Seen::unknown(why), Err(NoGroup::Unseen(why.to_owned())));
    };
    let id = known_id.map_or_else(|| kafka.cluster_id(), |id| Ok(id.clone()));
    match id {
        Ok(id) => (Seen::Known(id), group::find(kafka, wanted, workers)),
        Err(error) => {
            let why = error.to_string();
            (Seen::unknown(why.clone()), Err(NoGroup::Unseen(why)))
        }
    }
}

/// The id of the Kafka cluster that the workers work with, if those that answer agree.
fn id_of_workers(endpoints: &[Endpoint]) -> Seen<String> {
    let mut ids: Vec<&String> =
        endpoints.iter().filter_map(|of| of.version.known()).map(|version| &version.kafka_cluster_id).collect();
    ids.sort_unstable();
    ids.dedup();
    match ids.as_slice() {
        [] => Seen::unknown("no broker was named (--bootstrap), and no worker says it"),
        [id] => Seen::Known((*id).clone()),
        [first, second, ..] => Seen::unknown(format!("the workers name several: {first}, {second}")),
    }
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
