//! What was seen of a running cluster at one moment: the second door into the core.
//!
//! A snapshot holds what the group itself says, what the status topic claims, what each
//! worker's REST port answered and where the sinks' consumers are. It judges nothing. What
//! could not be seen is there too, with the reason: unknown is a value, and never means yes.

mod address;
mod disagreement;
mod file;
mod given;
mod group;
mod item;
mod ownership;
mod read;
mod remark;
mod rest;
mod schema;
mod seen;
mod sink;
mod status;
mod worker;

use serde::{Deserialize, Serialize};

pub use address::{Address, same_worker};
pub use disagreement::{Disagreement, disagreements};
pub use file::SnapshotError;
pub use group::{Assignment, Group, GroupState, Member, WorkItems};
pub use item::Item;
pub use read::{DescribedGroup, DescribedMember, NotConnect};
pub use remark::{Remark, remarks};
pub use schema::snapshot_schema;
pub use seen::{Seen, Unknown};
pub use sink::{Consumer, Partition, SinkGroup};
pub use status::{Claimed, ConnectorState, ConnectorStatus, ConnectorType, Statuses, TaskStatus};
pub use worker::{Endpoint, NoAnswer, Version};

use crate::units::Timestamp;

/// One look at a cluster. All parts were asked for within `took_ms` after `taken_at`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The version of this format: [`Snapshot::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// When the first question was asked.
    pub taken_at: Timestamp,
    /// From the first question to the last answer, in milliseconds.
    pub took_ms: i64,
    /// The id of the Kafka cluster.
    pub cluster_id: Seen<String>,
    /// The group of workers, as its coordinator describes it.
    pub group: Seen<Group>,
    /// What the status topic claims, as one worker's REST port told it.
    pub statuses: Seen<Statuses>,
    /// The REST ports that were asked for their version, in the order asked.
    pub endpoints: Vec<Endpoint>,
    /// The consumer groups of the sinks, by connector.
    pub sinks: Vec<SinkGroup>,
}

impl Snapshot {
    /// The version of the format that this program writes and reads.
    pub const SCHEMA_VERSION: u32 = 1;
}

#[cfg(test)]
mod tests;
