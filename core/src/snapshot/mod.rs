//! What was seen of a running cluster at one moment: the second door into the core.
//!
//! A snapshot holds what the group itself says, what the status topic claims, what each
//! worker's REST port answered and where the sinks' consumers are. It judges nothing. What
//! could not be seen is there too, with the reason: unknown is a value, and never means yes.

mod group;
mod seen;
mod sink;
mod status;
mod worker;

use serde::{Deserialize, Serialize};

pub use group::{Assignment, Group, GroupState, Member, WorkItems};
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
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_reads_as_it_was_written() {
        let snapshot = Snapshot {
            schema_version: Snapshot::SCHEMA_VERSION,
            taken_at: Timestamp::from_millis(1_796_095_038_123),
            took_ms: 12,
            cluster_id: Seen::Known("kafka-1".to_owned()),
            group: Seen::Known(Group {
                id: "connect".to_owned(),
                state: GroupState::Other("Assigning".to_owned()),
                protocol: None,
                coordinator: "192.0.2.1:9092".to_owned(),
                members: Vec::new(),
            }),
            statuses: Seen::unknown("nobody answers"),
            endpoints: vec![Endpoint {
                url: "http://192.0.2.2:8083".to_owned(),
                version: Seen::unknown("HTTP status 404"),
                no_answer: Some(NoAnswer::Status(404)),
            }],
            sinks: Vec::new(),
        };
        let json = serde_json::to_string(&snapshot).unwrap();
        assert!(json.contains(r#""statuses":{"unknown":"nobody answers"}"#), "{json}");
        assert_eq!(serde_json::from_str::<Snapshot>(&json).unwrap(), snapshot);
    }
}
