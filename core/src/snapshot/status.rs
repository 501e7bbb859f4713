//! What the status topic claims (`GET /connectors?expand=status&expand=info`).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Seen;

/// The answer of one worker: its own copy of the status and config topics.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statuses {
    /// The REST address of the worker that was asked.
    pub asked: String,
    /// By name. A connector without a status record is left out by Kafka.
    pub connectors: BTreeMap<String, ConnectorStatus>,
}

/// What is claimed of one connector and its tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectorStatus {
    /// Source or sink.
    #[serde(rename = "type")]
    pub kind: ConnectorType,
    /// Its instance; unknown if the answer held no status.
    pub instance: Seen<Claimed>,
    /// Its tasks by number, as far as the status topic has them.
    pub tasks: BTreeMap<u32, TaskStatus>,
    /// The numbers of the tasks that the config topic has for it, ascending: these are
    /// expected to run. Unknown if the answer held no `info`.
    pub configured_tasks: Seen<Vec<u32>>,
    /// SHA-256 of its configuration in hexadecimal, to see that it changed; the configuration
    /// itself may hold secrets and is not kept.
    pub config_hash: Seen<String>,
    /// The consumer group of a sink: `consumer.override.group.id` of its configuration, else
    /// `connect-` and its name; nothing for a source.
    pub consumer_group: Option<String>,
}

/// The kind of a connector as Kafka says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConnectorType {
    /// It reads from elsewhere.
    Source,
    /// It consumes from Kafka: a group of its own.
    Sink,
    /// The worker did not know (it has only just started).
    Unknown,
}

/// A claim of the status topic: who wrote which state. Nobody takes it back for a worker
/// that is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// The state.
    pub state: ConnectorState,
    /// The worker that wrote it, as `host:port` of its advertised address.
    pub worker: String,
}

/// The status of one task.
pub type TaskStatus = Claimed;

/// The states of connectors and tasks (`AbstractStatus.State`, 4.4.0).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ConnectorState {
    /// Stopped in an orderly way and not started again.
    Unassigned,
    /// It has started.
    Running,
    /// It is asked to do nothing.
    Paused,
    /// It failed and does nothing more by itself.
    Failed,
    /// It has no tasks (KIP-875; 3.5 and later).
    Stopped,
    /// A restart was asked for (KIP-745; 3.0 and later).
    Restarting,
    /// A state that this program does not know, as the worker names it.
    #[serde(untagged)]
    Other(String),
}

/// `RUNNING on w2:8083`.
impl fmt::Display for Claimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.state, self.worker)
    }
}

/// As Kafka names it.
impl fmt::Display for ConnectorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unassigned => "UNASSIGNED",
            Self::Running => "RUNNING",
            Self::Paused => "PAUSED",
            Self::Failed => "FAILED",
            Self::Stopped => "STOPPED",
            Self::Restarting => "RESTARTING",
            Self::Other(name) => name,
        })
    }
}
