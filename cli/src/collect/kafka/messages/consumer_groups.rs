//! Groups of the consumer protocol (KIP-848), which sinks use with `group.protocol=consumer`.

use super::super::api::{Api, Request};
use super::super::codec::{Malformed, Reader, Writer};

/// State and members of these groups.
pub(in super::super) struct ConsumerGroupDescribe {
    pub(in super::super) groups: Vec<String>,
}

/// A group as its coordinator describes it.
pub(in super::super) struct ConsumerGroupFields {
    pub(in super::super) error: i16,
    pub(in super::super) id: String,
    pub(in super::super) state: String,
    pub(in super::super) epoch: i32,
    pub(in super::super) assignment_epoch: i32,
    pub(in super::super) assignor: String,
    pub(in super::super) members: Vec<ConsumerMember>,
}

/// A member of such a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsumerMember {
    /// Its member id.
    pub(crate) id: String,
    /// Its `client.id`.
    pub(crate) client_id: String,
    /// Where it connects from.
    pub(crate) host: String,
    /// The version of the group at which it has arrived.
    pub(crate) epoch: i32,
    /// The partitions that it owns, by topic.
    pub(crate) assigned: Vec<(String, Vec<i32>)>,
}

impl Request for ConsumerGroupDescribe {
    const API: Api = Api::ConsumerGroupDescribe;
    type Answer = Vec<ConsumerGroupFields>;

    fn write(&self, _version: i16, to: &mut Writer) {
        to.array(&self.groups, |to, group| to.text(group));
        to.flag(false); // include_authorized_operations
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        from.int32()?; // throttle_time_ms
        let groups = from.array(|from| {
            let error = from.int16()?;
            from.text_or_null()?; // error_message
            let group = ConsumerGroupFields {
                error,
                id: from.text()?,
                state: from.text()?,
                epoch: from.int32()?,
                assignment_epoch: from.int32()?,
                assignor: from.text()?,
                members: from.array(|from| member(version, from))?,
            };
            from.int32()?; // authorized_operations
            from.tags()?;
            Ok(group)
        })?;
        from.tags()?;
        Ok(groups)
    }
}

fn member(version: i16, from: &mut Reader<'_>) -> Result<ConsumerMember, Malformed> {
    let id = from.text()?;
    from.text_or_null()?; // instance_id
    from.text_or_null()?; // rack_id
    let epoch = from.int32()?;
    let (client_id, host) = (from.text()?, from.text()?);
    from.array(Reader::text)?; // subscribed_topic_names
    from.text_or_null()?; // subscribed_topic_regex
    let assigned = assignment(from)?;
    assignment(from)?; // target_assignment
    if version >= 1 {
        from.int8()?; // member_type
    }
    from.tags()?;
    Ok(ConsumerMember { id, client_id, host, epoch, assigned })
}

fn assignment(from: &mut Reader<'_>) -> Result<Vec<(String, Vec<i32>)>, Malformed> {
    let topics = from.array(|from| {
        from.skip_uuid()?;
        let topic = (from.text()?, from.array(Reader::int32)?);
        from.tags()?;
        Ok(topic)
    })?;
    from.tags()?;
    Ok(topics)
}
