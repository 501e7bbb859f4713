//! The consumer groups of sinks.

use serde::{Deserialize, Serialize};

use super::{GroupState, Seen};

/// The consumer group of one sink connector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SinkGroup {
    /// The connector.
    pub connector: String,
    /// The group's id.
    pub group: String,
    /// Its state at its coordinator.
    pub state: Seen<GroupState>,
    /// Its members with what each has.
    pub consumers: Seen<Vec<Consumer>>,
    /// Where it is in each partition that it has committed or owns.
    pub partitions: Seen<Vec<Partition>>,
}

/// One consumer: a task of the sink.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consumer {
    /// Its `client.id`, which names connector and task: `connector-consumer-orders-0`.
    pub client_id: String,
    /// Its partitions as topic and number.
    pub partitions: Vec<(String, i32)>,
}

/// How far the group is in one partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partition {
    /// The topic.
    pub topic: String,
    /// The partition's number.
    pub partition: i32,
    /// The committed offset; `None` if nothing was committed yet.
    pub committed: Seen<Option<i64>>,
    /// The end of the partition. An end that is not known is no lag of 0.
    pub end: Seen<i64>,
}
