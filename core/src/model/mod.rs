//! What a description means: a validated cluster with dense ids.
//!
//! Names are interned once, in Kafka's natural order (UTF-16 code units for connectors,
//! numbers for tasks), so that comparing ids is comparing names.

mod build;
mod cluster;
mod measured;
mod ownership;
mod policy;
mod replay;
mod version;
mod work;

pub use crate::units::Spread;
pub(crate) use build::{Layers, default_client_id, layers_of, read_with_places, read_worker};
pub use build::{read, read_replay, read_with};
pub use cluster::{
    Assumption, Broker, Cluster, Connector, ConnectorState, ConsumerAssignor, Flow, Restart, Sink, Start, Worker,
    WorkerSettings, WorkerSetup, with_room,
};
pub use measured::Measured;
pub use ownership::Ownership;
pub use policy::{Policy, Wait};
pub use replay::{ConnectorConfig, Observed, Replay, ReplayEvent, ReplayEventKind, ReplayMember, ReplayMemory};
pub use version::{
    Balance, ConnectProtocol, Coordinator, KafkaVersion, NEWEST, ParsedVersion, Shutdown, VersionError, WorkerRules,
};
pub use work::{Configured, ConnectorId, Items, TaskId, Work, WorkerId, java_string_hash};
