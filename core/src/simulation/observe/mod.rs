//! What an observer would have seen of a simulated run: the door from here to what judges a
//! running cluster.

mod statuses;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use statuses::statuses;

use super::history::{Generation, GroupChange, Part};
use super::latency;
use super::timeline::{Process, Timeline};
use crate::assignor::MemberId;
use crate::model::{Cluster, ConnectProtocol, ConnectorId, Items, Work, WorkerId};
use crate::protocol::GroupState;
use crate::snapshot::{Address, DescribedGroup, DescribedMember, Endpoint, Group, NoAnswer, Seen, Snapshot, Version};
use crate::units::{SimTime, Timestamp};
use crate::wire;

/// What an observer would have seen at `at` of a run that began at `epoch`.
///
/// What the group says is exact: members in the coordinator's order, leader, assignments, and
/// the delay as its leader computed it; outside `Stable` as little as a coordinator shows then.
/// It comes from the bytes that real members hand in and are given. Statuses are as Kafka
/// writes them, late and never taken back; see `statuses`. The run must be of
/// [`Detail::Full`](super::Detail::Full): of another one the group is unknown.
///
/// A worker is its `url`; without one its name with port 8083, if the name has none: `w2` is
/// `http://w2:8083/`.
///
/// # Leaves out
/// - the consumer groups of sinks and their lag
/// - connectors that are paused, resumed or stopped during the run
/// - the milliseconds in which a worker reads the status topic, and what of it was compacted
/// - what a fresh worker shows before it has read the status topic: it is not asked
/// - the closed port of a process that has only just begun to start: it answers 404 until it joins
pub fn observe(cluster: &Cluster, timeline: &Timeline, at: SimTime, epoch: Timestamp) -> Snapshot {
    let processes = processes(cluster, timeline, at);
    // Whoever has been up longest: a fresh process may not have read the topics yet.
    let members = processes.iter().enumerate().filter(|(_, (process, _))| *process == Process::Member);
    let asked = members.min_by_key(|(_, (_, since))| *since).map(|(place, _)| place);
    Snapshot {
        schema_version: Snapshot::SCHEMA_VERSION,
        taken_at: epoch.after(at - SimTime::ZERO),
        took_ms: 0,
        cluster_id: Seen::Known(CLUSTER_ID.to_owned()),
        group: group(cluster, timeline, at),
        statuses: match asked {
            Some(place) => {
                let setup = setup_of(cluster, place, &processes);
                let drops_late = setup.rules.drops_late_unassigned;
                Seen::Known(statuses(cluster, timeline, at, &url_of(cluster, worker_id(place)), drops_late))
            }
            None => Seen::unknown("no worker answers"),
        },
        endpoints: (0..processes.len()).map(|place| endpoint(cluster, place, &processes, at)).collect(),
        sinks: Vec::new(),
    }
}

/// What a worker writes of itself into its statuses: `w2:8083`.
fn host_port(cluster: &Cluster, worker: WorkerId) -> String {
    if let Some(url) = cluster.workers.get(worker.index()).and_then(|worker| worker.url.as_deref()) {
        return Address::of_url(url).to_string();
    }
    let host = cluster.name_of(worker).replace(['/', '?', '#', '@'], "-");
    Address::of(&host).or_port(REST_PORT).to_string()
}

fn url_of(cluster: &Cluster, worker: WorkerId) -> String {
    let given = cluster.workers.get(worker.index()).and_then(|worker| worker.url.clone());
    given.unwrap_or_else(|| format!("http://{}/", host_port(cluster, worker)))
}

/// What each worker's process is, and since when.
fn processes(cluster: &Cluster, timeline: &Timeline, at: SimTime) -> Vec<(Process, SimTime)> {
    let mut processes = vec![(Process::Member, SimTime::ZERO); cluster.workers.len()];
    for change in timeline.processes.iter().take_while(|change| change.at <= at) {
        if let Some(process) = processes.get_mut(change.worker.index()) {
            *process = (change.process, change.at);
        }
    }
    processes
}

/// How the worker runs: as after its restart, once its process has begun anew.
fn setup_of<'a>(cluster: &'a Cluster, place: usize, processes: &[(Process, SimTime)]) -> &'a crate::model::WorkerSetup {
    let worker = &cluster.workers[place];
    let anew = processes.get(place).is_some_and(|(_, since)| *since > SimTime::ZERO);
    if anew { &worker.after } else { &worker.before }
}

fn endpoint(cluster: &Cluster, place: usize, processes: &[(Process, SimTime)], at: SimTime) -> Endpoint {
    let (process, since) = processes[place];
    let (why, no_answer) = match process {
        Process::Stopping if at - since < latency::STOP_ORDER => ("", None),
        Process::Stopping | Process::Down => ("connection refused", Some(NoAnswer::Refused)),
        Process::Starting => ("HTTP status 404", Some(NoAnswer::Status(404))),
        Process::Frozen => ("no answer in time", Some(NoAnswer::TimedOut)),
        Process::Joining | Process::Member => ("", None),
    };
    let version = match no_answer {
        Some(_) => Seen::unknown(why),
        None => Seen::Known(Version {
            version: setup_of(cluster, place, processes).version.to_string(),
            commit: CLUSTER_ID.to_owned(),
            kafka_cluster_id: CLUSTER_ID.to_owned(),
        }),
    };
    Endpoint { url: url_of(cluster, worker_id(place)), version, no_answer }
}

fn group(cluster: &Cluster, timeline: &Timeline, at: SimTime) -> Seen<Group> {
    let history = &timeline.group;
    if history.away.iter().take_while(|(since, _)| *since <= at).last().is_some_and(|(_, away)| *away) {
        return Seen::unknown("the coordinator does not answer");
    }
    let until = history.changes.partition_point(|change| change.at <= at).max(1);
    let Some(now) = history.changes.get(until - 1) else {
        return Seen::unknown("the run was kept without the changes of its group");
    };
    let stable = history.changes[..until].iter().rev().find(|change| change.state == GroupState::Stable);
    let in_force = stable
        .and_then(|change| history.generations.iter().rev().find(|generation| generation.number == change.generation));
    let view = View { cluster, timeline, now, in_force };
    match view.bytes() {
        Ok(members) => view.read(&members),
        Err(error) => Seen::unknown(error.to_string()),
    }
}

/// The group at one instant.
struct View<'a> {
    cluster: &'a Cluster,
    timeline: &'a Timeline,
    now: &'a GroupChange,
    /// The last generation that was stable.
    in_force: Option<&'a Generation>,
}

struct Bytes {
    metadata: Vec<u8>,
    assignment: Vec<u8>,
}

impl View<'_> {
    fn id(&self, member: MemberId) -> (&str, WorkerId) {
        self.timeline.group.members.get(member.index()).map_or(("?", WorkerId(0)), |(id, worker)| (id, *worker))
    }

    fn bytes(&self) -> Result<Vec<Bytes>, wire::TooLong> {
        let bytes = |&member: &MemberId| {
            let part = self.in_force.and_then(|generation| {
                generation.parts.iter().find(|part| part.member == member).map(|part| (generation, part))
            });
            Ok(match part {
                Some((generation, part)) => Bytes {
                    metadata: match self.now.state {
                        GroupState::Stable => self.metadata(generation, part).encode()?,
                        _ => Vec::new(),
                    },
                    assignment: self.assignment(generation, &part.assigned, &part.revoked).encode()?,
                },
                None => Bytes { metadata: Vec::new(), assignment: Vec::new() },
            })
        };
        self.now.members.iter().map(bytes).collect()
    }

    fn metadata(&self, generation: &Generation, part: &Part) -> wire::Metadata {
        let (_, worker) = self.id(part.member);
        let fresh = part.reported.connectors.is_empty() && part.reported.tasks.is_empty();
        let allocation = (!fresh).then(|| self.assignment(generation, &part.reported, &Items::default()));
        wire::Metadata {
            version: version_of(generation.protocol),
            url: url_of(self.cluster, worker),
            config_offset: i64::try_from(generation.config_offset).unwrap_or(i64::MAX),
            allocation,
        }
    }

    fn assignment(&self, generation: &Generation, assigned: &Items, revoked: &Items) -> wire::Assignment {
        let (leader, worker) = self.id(generation.leader);
        wire::Assignment {
            version: version_of(generation.protocol),
            error: 0,
            leader: leader.to_owned(),
            leader_url: url_of(self.cluster, worker),
            config_offset: i64::try_from(generation.config_offset).unwrap_or(i64::MAX),
            assigned: parts(&self.cluster.work, assigned),
            revoked: parts(&self.cluster.work, revoked),
            delay_ms: i32::try_from(generation.delay.as_millis()).unwrap_or(i32::MAX),
        }
    }

    fn read(&self, bytes: &[Bytes]) -> Seen<Group> {
        let members = self.now.members.iter().zip(bytes).map(|(&member, bytes)| {
            let (id, worker) = self.id(member);
            DescribedMember {
                id,
                client_id: client_id(id),
                host: self.cluster.name_of(worker),
                metadata: &bytes.metadata,
                assignment: &bytes.assignment,
            }
        });
        let (state, protocol_data) = match self.now.state {
            GroupState::Empty => ("Empty", ""),
            GroupState::Preparing => ("PreparingRebalance", ""),
            GroupState::Completing => ("CompletingRebalance", ""),
            GroupState::Stable => ("Stable", self.in_force.map_or("", |generation| name_of(generation.protocol))),
        };
        let group = Group::read(&DescribedGroup {
            id: GROUP_ID,
            state,
            protocol_type: "connect",
            protocol_data,
            coordinator: COORDINATOR,
            members: members.collect(),
        });
        match group {
            Ok(group) => Seen::Known(group),
            Err(error) => Seen::unknown(error.to_string()),
        }
    }
}

/// A list as the wire has it: each connector once, in the order in which it first comes.
fn parts(work: &Work, items: &Items) -> Vec<wire::Part> {
    let mut places: BTreeMap<ConnectorId, usize> = BTreeMap::new();
    let mut parts: Vec<wire::Part> = Vec::new();
    let mut part_of = |connector: ConnectorId, parts: &mut Vec<wire::Part>| {
        *places.entry(connector).or_insert_with(|| {
            parts.push(wire::Part { connector: work.name(connector).to_owned(), ..wire::Part::default() });
            parts.len() - 1
        })
    };
    for &connector in &items.connectors {
        let place = part_of(connector, &mut parts);
        parts[place].instance = true;
    }
    for &task in &items.tasks {
        let place = part_of(work.connector_of(task), &mut parts);
        parts[place].tasks.push(work.number(task));
    }
    parts
}

fn version_of(protocol: ConnectProtocol) -> i16 {
    match protocol {
        ConnectProtocol::Eager => 0,
        ConnectProtocol::Compatible => 1,
        ConnectProtocol::Sessioned => 2,
    }
}

/// As `ConnectProtocolCompatibility.protocol()` names it.
fn name_of(protocol: ConnectProtocol) -> &'static str {
    match protocol {
        ConnectProtocol::Eager => "default",
        ConnectProtocol::Compatible => "compatible",
        ConnectProtocol::Sessioned => "sessioned",
    }
}

/// The part of a member id before its UUID.
fn client_id(id: &str) -> &str {
    let end = id.len().saturating_sub(UUID_WITH_DASH);
    id.get(..end).filter(|_| id.as_bytes().get(end) == Some(&b'-')).unwrap_or(id)
}

fn worker_id(place: usize) -> WorkerId {
    WorkerId(u32::try_from(place).unwrap_or(u32::MAX))
}

const CLUSTER_ID: &str = "simulated";
const GROUP_ID: &str = "connect";
const COORDINATOR: &str = "broker:9092";
const UUID_WITH_DASH: usize = 37;
/// Kafka's default (`listeners`).
const REST_PORT: u16 = 8083;
