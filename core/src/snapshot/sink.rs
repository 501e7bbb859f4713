//! The consumer groups of sinks.

use std::collections::BTreeSet;

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

impl SinkGroup {
    /// How many records lie between what is committed and the ends of all its partitions.
    /// Unknown if that of any partition is.
    pub fn lag(&self) -> Seen<i64> {
        self.partitions.map_known(|partitions| {
            let mut sum: i64 = 0;
            for partition in partitions {
                match partition.lag() {
                    Seen::Known(lag) => sum = sum.saturating_add(lag),
                    unknown @ Seen::Unknown(_) => return unknown,
                }
            }
            Seen::Known(sum)
        })
    }

    /// Those of the configured tasks that have no partition: no consumer of theirs is in the
    /// group, or it was given none. More tasks than partitions is one reason.
    ///
    /// Unknown if the consumers' `client.id` names no tasks, which an override can bring about.
    pub fn idle_tasks(&self, configured: &[u32]) -> Seen<Vec<u32>> {
        self.consumers.map_known(|consumers| {
            let mut busy = BTreeSet::new();
            for consumer in consumers {
                let Some(task) = consumer.task_of(&self.connector) else {
                    let id = &consumer.client_id;
                    return Seen::unknown(format!("the client.id `{id}` names no task of {}", self.connector));
                };
                if !consumer.partitions.is_empty() {
                    busy.insert(task);
                }
            }
            Seen::Known(configured.iter().copied().filter(|task| !busy.contains(task)).collect())
        })
    }
}

impl Consumer {
    /// The task of the connector that this is, by the default `client.id`
    /// (`Worker.baseConsumerConfigs`: `connector-consumer-orders-0`).
    pub fn task_of(&self, connector: &str) -> Option<u32> {
        let rest = self.client_id.strip_prefix("connector-consumer-")?;
        rest.strip_prefix(connector)?.strip_prefix('-')?.parse().ok()
    }
}

impl Partition {
    /// How many records lie between what is committed and the end.
    ///
    /// Unknown if either is, if nothing was committed yet in a partition that has records, or if
    /// more is committed than there is, as in a topic that was made anew. The end is to be asked
    /// for after the commits, so that no commit lies between.
    pub fn lag(&self) -> Seen<i64> {
        let Self { topic, partition, .. } = self;
        match (&self.committed, &self.end) {
            (Seen::Unknown(reason), _) | (_, Seen::Unknown(reason)) => Seen::Unknown(reason.clone()),
            (Seen::Known(None), Seen::Known(0)) => Seen::Known(0),
            (Seen::Known(None), Seen::Known(_)) => {
                Seen::unknown(format!("nothing was committed for {topic}-{partition} yet"))
            }
            (Seen::Known(Some(committed)), Seen::Known(end)) if committed > end => {
                Seen::unknown(format!("{topic}-{partition} ends at {end}, before what is committed, {committed}"))
            }
            (Seen::Known(Some(committed)), Seen::Known(end)) => Seen::Known(end.saturating_sub(*committed)),
        }
    }
}
