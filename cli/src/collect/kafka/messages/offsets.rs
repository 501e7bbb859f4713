//! Offsets: what groups have committed, and where partitions end.

use super::super::api::{Api, Request};
use super::super::codec::{Malformed, Reader, Writer};

/// All that these groups have committed. Before version 8 only one can be asked for.
pub(in super::super) struct OffsetFetch {
    pub(in super::super) groups: Vec<String>,
}

/// What one group has committed.
pub(in super::super) struct GroupOffsets {
    /// Empty before version 8, where only one group can be asked for.
    pub(in super::super) group: String,
    pub(in super::super) error: i16,
    pub(in super::super) partitions: Vec<PartitionOffset>,
}

/// An offset of one partition, or why there is none.
pub(in super::super) struct PartitionOffset {
    pub(in super::super) topic: String,
    pub(in super::super) partition: i32,
    pub(in super::super) error: i16,
    pub(in super::super) offset: i64,
}

impl OffsetFetch {
    /// From here on one request asks for any number of groups (KIP-709).
    pub(in super::super) const BATCHED: i16 = 8;
}

impl Request for OffsetFetch {
    const API: Api = Api::OffsetFetch;
    type Answer = Vec<GroupOffsets>;

    fn write(&self, version: i16, to: &mut Writer) {
        if version >= Self::BATCHED {
            to.array(&self.groups, |to, group| {
                to.text(group);
                if version >= 9 {
                    to.null_text(); // member_id
                    to.int32(-1); // member_epoch
                }
                to.null_array(); // all topics
                to.tags();
            });
        } else {
            to.text(self.groups.first().map(String::as_str).unwrap_or_default());
            to.null_array(); // all topics
        }
        if version >= 7 {
            to.flag(false); // require_stable: what is committed counts, transactions under way or not
        }
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        if version >= 3 {
            from.int32()?; // throttle_time_ms
        }
        let groups = if version >= Self::BATCHED {
            from.array(|from| {
                let (group, partitions, error) = (from.text()?, topics(version, from)?, from.int16()?);
                from.tags()?;
                Ok(GroupOffsets { group, error, partitions })
            })?
        } else {
            let (partitions, error) = (topics(version, from)?, from.int16()?);
            vec![GroupOffsets { group: String::new(), error, partitions }]
        };
        from.tags()?;
        Ok(groups)
    }
}

fn topics(version: i16, from: &mut Reader<'_>) -> Result<Vec<PartitionOffset>, Malformed> {
    let topics = from.array(|from| {
        let topic = from.text()?;
        let partitions = from.array(|from| {
            let (partition, offset) = (from.int32()?, from.int64()?);
            if version >= 5 {
                from.int32()?; // committed_leader_epoch
            }
            from.text_or_null()?; // metadata
            let error = from.int16()?;
            from.tags()?;
            Ok(PartitionOffset { topic: topic.clone(), partition, error, offset })
        })?;
        from.tags()?;
        Ok(partitions)
    })?;
    Ok(topics.into_iter().flatten().collect())
}

/// Where these partitions end: the offset that the next record gets (the high watermark,
/// as `kafka-consumer-groups` computes lag). To be asked of their leader.
pub(in super::super) struct ListOffsets {
    pub(in super::super) topics: Vec<(String, Vec<i32>)>,
}

impl Request for ListOffsets {
    const API: Api = Api::ListOffsets;
    type Answer = Vec<PartitionOffset>;

    fn write(&self, version: i16, to: &mut Writer) {
        const NO_REPLICA: i32 = -1;
        const READ_UNCOMMITTED: i8 = 0;
        const LATEST: i64 = -1;
        to.int32(NO_REPLICA);
        if version >= 2 {
            to.int8(READ_UNCOMMITTED);
        }
        to.array(&self.topics, |to, (topic, partitions)| {
            to.text(topic);
            to.array(partitions, |to, partition| {
                to.int32(*partition);
                if version >= 4 {
                    to.int32(-1); // current_leader_epoch
                }
                to.int64(LATEST);
                to.tags();
            });
            to.tags();
        });
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        if version >= 2 {
            from.int32()?; // throttle_time_ms
        }
        let topics = from.array(|from| {
            let topic = from.text()?;
            let partitions = from.array(|from| {
                let (partition, error) = (from.int32()?, from.int16()?);
                from.int64()?; // timestamp
                let offset = from.int64()?;
                if version >= 4 {
                    from.int32()?; // leader_epoch
                }
                from.tags()?;
                Ok(PartitionOffset { topic: topic.clone(), partition, error, offset })
            })?;
            from.tags()?;
            Ok(partitions)
        })?;
        from.tags()?;
        Ok(topics.into_iter().flatten().collect())
    }
}
