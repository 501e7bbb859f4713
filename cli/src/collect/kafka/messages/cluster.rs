//! The cluster: its brokers, who leads a partition, who coordinates a group.

use super::super::api::{Api, Request};
use super::super::codec::{Malformed, Reader, Writer};

/// The brokers, the cluster's id, and these topics. No topic is created by asking.
pub(in super::super) struct Metadata {
    pub(in super::super) topics: Vec<String>,
}

/// What the cluster looks like.
pub(in super::super) struct MetadataAnswer {
    pub(in super::super) brokers: Vec<Broker>,
    pub(in super::super) cluster: Option<String>,
    pub(in super::super) topics: Vec<Topic>,
}

/// A broker and where it says that it is.
pub(in super::super) struct Broker {
    pub(in super::super) id: i32,
    pub(in super::super) host: String,
    pub(in super::super) port: i32,
}

/// A topic that was asked about.
pub(in super::super) struct Topic {
    pub(in super::super) error: i16,
    pub(in super::super) name: String,
    pub(in super::super) partitions: Vec<Partition>,
}

/// Who leads a partition; -1 for nobody.
pub(in super::super) struct Partition {
    pub(in super::super) error: i16,
    pub(in super::super) index: i32,
    pub(in super::super) leader: i32,
}

impl Request for Metadata {
    const API: Api = Api::Metadata;
    type Answer = MetadataAnswer;

    fn write(&self, version: i16, to: &mut Writer) {
        to.array(&self.topics, |to, topic| {
            if version >= 10 {
                to.zero_uuid();
            }
            to.text(topic);
            to.tags();
        });
        to.flag(false); // allow_auto_topic_creation
        if (8..=10).contains(&version) {
            to.flag(false); // include_cluster_authorized_operations
        }
        if version >= 8 {
            to.flag(false); // include_topic_authorized_operations
        }
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        from.int32()?; // throttle_time_ms
        let brokers = from.array(|from| {
            let broker = Broker { id: from.int32()?, host: from.text()?, port: from.int32()? };
            from.text_or_null()?; // rack
            from.tags()?;
            Ok(broker)
        })?;
        let cluster = from.text_or_null()?;
        from.int32()?; // controller_id
        let topics = from.array(|from| topic(version, from))?;
        if (8..=10).contains(&version) {
            from.int32()?; // cluster_authorized_operations
        }
        from.tags()?;
        Ok(MetadataAnswer { brokers, cluster, topics })
    }
}

fn topic(version: i16, from: &mut Reader<'_>) -> Result<Topic, Malformed> {
    let error = from.int16()?;
    let name = from.text_or_null()?.unwrap_or_default();
    if version >= 10 {
        from.skip_uuid()?;
    }
    from.flag()?; // is_internal
    let partitions = from.array(|from| {
        let partition = Partition { error: from.int16()?, index: from.int32()?, leader: from.int32()? };
        if version >= 7 {
            from.int32()?; // leader_epoch
        }
        from.array(Reader::int32)?; // replica_nodes
        from.array(Reader::int32)?; // isr_nodes
        from.array(Reader::int32)?; // offline_replicas
        from.tags()?;
        Ok(partition)
    })?;
    if version >= 8 {
        from.int32()?; // topic_authorized_operations
    }
    from.tags()?;
    Ok(Topic { error, name, partitions })
}

/// Which broker coordinates each of these groups? Before version 4 only one can be asked for.
pub(in super::super) struct FindCoordinator {
    pub(in super::super) groups: Vec<String>,
}

/// The coordinator of one group.
pub(in super::super) struct FoundCoordinator {
    /// Empty before version 4, where only one group can be asked for.
    pub(in super::super) group: String,
    pub(in super::super) broker: Broker,
    pub(in super::super) error: i16,
}

impl FindCoordinator {
    /// From here on one request asks for any number of groups (KIP-699).
    pub(in super::super) const BATCHED: i16 = 4;
}

impl Request for FindCoordinator {
    const API: Api = Api::FindCoordinator;
    type Answer = Vec<FoundCoordinator>;

    fn write(&self, version: i16, to: &mut Writer) {
        const GROUP: i8 = 0;
        if version >= Self::BATCHED {
            to.int8(GROUP);
            to.array(&self.groups, |to, group| to.text(group));
        } else {
            to.text(self.groups.first().map(String::as_str).unwrap_or_default());
            to.int8(GROUP);
        }
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        from.int32()?; // throttle_time_ms
        let found = if version >= Self::BATCHED {
            from.array(|from| {
                let group = from.text()?;
                let broker = Broker { id: from.int32()?, host: from.text()?, port: from.int32()? };
                let error = from.int16()?;
                from.text_or_null()?; // error_message
                from.tags()?;
                Ok(FoundCoordinator { group, broker, error })
            })?
        } else {
            let error = from.int16()?;
            from.text_or_null()?; // error_message
            let broker = Broker { id: from.int32()?, host: from.text()?, port: from.int32()? };
            vec![FoundCoordinator { group: String::new(), broker, error }]
        };
        from.tags()?;
        Ok(found)
    }
}
