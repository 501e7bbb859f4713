//! What a scripted cluster is like at a moment.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

/// All that the servers of a scripted cluster say. Workers are named; where an address is
/// needed, a name that is a worker's stands for `127.0.0.1` and its port.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The id of the Kafka cluster.
    pub cluster_id: String,
    /// The workers, in the order of `--connect`.
    pub workers: Vec<Worker>,
    /// The brokers' ports: as many as there are brokers; the numbers are drawn at the start.
    pub brokers: Vec<u16>,
    /// All groups, in the order in which brokers list them.
    pub groups: Vec<Group>,
    /// What the status and config topics hold.
    pub connectors: BTreeMap<String, Connector>,
    /// The ends of partitions. What is not there is no partition.
    pub ends: BTreeMap<(String, i32), i64>,
    /// Kafka's error code for a kind of request, by its name: `DescribeGroups`.
    pub refused: BTreeMap<String, i16>,
    /// Whether brokers take connections and say nothing.
    pub brokers_hang: bool,
}

/// A worker's REST port.
#[derive(Clone, Debug)]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// Its port, drawn at the start.
    pub port: u16,
    /// The version it says it is.
    pub version: String,
    /// What its port does.
    pub does: Port,
    /// What it does instead for one path, or one call of it; the first that fits counts.
    pub turns: Vec<Turn>,
    /// User and password that it wants.
    pub user: Option<(String, String)>,
    /// If it speaks TLS: how.
    pub tls: Option<Tls>,
}

/// How a port speaks TLS.
#[derive(Clone, Debug)]
pub struct Tls {
    /// Its certificate and key: the name of the files in `tests/scenarios/observe/certificates`.
    pub certificate: String,
    /// Whether it wants a certificate of the same authority.
    pub wants_certificate: bool,
}

/// What a port does with a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Port {
    /// It answers what is so.
    #[default]
    Answers,
    /// Nobody listens.
    Closed,
    /// It answers with this status and body.
    Says(u16, String),
    /// It answers this JSON with status 200.
    Json(Value),
    /// It takes the connection and never answers.
    Hangs,
    /// It sends half of its answer, and no more.
    Half,
    /// It sends half of its answer and cuts the connection.
    Cuts,
    /// It cuts the connection without a word.
    Drops,
    /// It answers what is so, after that time.
    Slow(Duration),
}

/// What a port does for a path.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The path without its query.
    pub path: String,
    /// The numbers of the calls of this path, from 0 on.
    pub calls: std::ops::Range<usize>,
    /// What it does.
    pub does: Port,
}

/// A group of the classic protocol.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its id.
    pub id: String,
    /// `connect` or `consumer`.
    pub kind: String,
    /// `Stable`, `PreparingRebalance` and so on. Outside `Stable` members say nothing of themselves.
    pub state: String,
    /// `sessioned`, `range` and so on.
    pub protocol: String,
    /// The place of the broker that coordinates it.
    pub coordinator: usize,
    /// The members of a group of workers, in the coordinator's order.
    pub members: Vec<Member>,
    /// The members of a group of consumers.
    pub consumers: Vec<Consumer>,
    /// What a group of consumers has committed.
    pub committed: Vec<Committed>,
}

/// A worker as a member of its group.
#[derive(Clone, Debug, Default)]
pub struct Member {
    /// Its member id.
    pub id: String,
    /// The name of its worker, or any address.
    pub worker: String,
    /// How far it has read the config topic.
    pub config_offset: i64,
    /// What it reported: connectors, and tasks as `orders-3`.
    pub reported: Vec<String>,
    /// What it was given.
    pub assigned: Vec<String>,
    /// What it must stop.
    pub revoked: Vec<String>,
    /// What is left of the delay, by its assignment.
    pub delay_ms: i32,
    /// The member id of the leader, by its assignment; nothing if it has no assignment yet.
    pub leader: String,
    /// In the place of all that: these bytes as its metadata and its assignment.
    pub bytes: Option<(Vec<u8>, Vec<u8>)>,
}

/// A task of a sink as a member of its consumer group.
#[derive(Clone, Debug)]
pub struct Consumer {
    /// Its client id.
    pub client_id: String,
    /// Its partitions.
    pub partitions: Vec<(String, i32)>,
}

/// A committed offset.
#[derive(Clone, Debug)]
pub struct Committed {
    /// The topic.
    pub topic: String,
    /// The partition.
    pub partition: i32,
    /// The offset.
    pub offset: i64,
}

/// What the topics hold of a connector.
#[derive(Clone, Debug)]
pub struct Connector {
    /// `source` or `sink`.
    pub kind: String,
    /// Its configuration.
    pub config: BTreeMap<String, String>,
    /// The state of its instance, and the worker that wrote it; nothing if there is no record.
    pub instance: Option<(String, String)>,
    /// The statuses of its tasks.
    pub tasks: BTreeMap<u32, Task>,
    /// The numbers of its tasks in the config topic.
    pub configured: Vec<u32>,
}

/// What the status topic holds of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its state.
    pub state: String,
    /// The worker that wrote it.
    pub worker: String,
}

impl Worker {
    /// A worker of the newest version that answers.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            port: 0,
            version: "4.4.0".to_owned(),
            does: Port::Answers,
            turns: Vec::new(),
            user: None,
            tls: None,
        }
    }
}

impl Group {
    /// A stable group without members.
    pub fn new(id: &str, kind: &str, protocol: &str) -> Self {
        Self {
            id: id.to_owned(),
            kind: kind.to_owned(),
            state: "Stable".to_owned(),
            protocol: protocol.to_owned(),
            coordinator: 0,
            members: Vec::new(),
            consumers: Vec::new(),
            committed: Vec::new(),
        }
    }
}

impl Script {
    /// The port's number of a worker, by its name.
    pub(super) fn host_port(&self, worker: &str) -> String {
        let known = self.workers.iter().find(|known| known.name == worker);
        known.map_or_else(|| worker.to_owned(), |known| format!("127.0.0.1:{}", known.port))
    }

    /// The advertised address of a worker, by its name.
    pub(super) fn url(&self, worker: &str) -> String {
        let known = self.workers.iter().any(|known| known.name == worker);
        if known { format!("http://{}/", self.host_port(worker)) } else { worker.to_owned() }
    }

    /// The addresses of all workers.
    pub(super) fn addresses(&self) -> Vec<String> {
        let scheme = |worker: &Worker| if worker.tls.is_some() { "https" } else { "http" };
        self.workers.iter().map(|worker| format!("{}://127.0.0.1:{}", scheme(worker), worker.port)).collect()
    }
}
