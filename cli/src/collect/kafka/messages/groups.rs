//! Groups of the classic protocol: which there are, and who is in them.

use super::super::api::{Api, Request};
use super::super::codec::{Malformed, Reader, Writer};

/// The groups that the asked broker coordinates and that the asker may see.
pub(in super::super) struct ListGroups;

/// A group that some broker coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedGroup {
    /// Its id.
    pub(crate) id: String,
    /// `connect`, `consumer`, …
    pub(crate) protocol_type: String,
    /// `Stable`, `Empty`, …; brokers before 2.6 do not say.
    pub(crate) state: Option<String>,
    /// `Classic`, `Consumer`, …; brokers before 3.7 do not say.
    pub(crate) kind: Option<String>,
}

impl Request for ListGroups {
    const API: Api = Api::ListGroups;
    type Answer = (i16, Vec<ListedGroup>);

    fn write(&self, version: i16, to: &mut Writer) {
        let any: [&str; 0] = [];
        if version >= 4 {
            to.array(&any, |to, state| to.text(state));
        }
        if version >= 5 {
            to.array(&any, |to, kind| to.text(kind));
        }
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        if version >= 1 {
            from.int32()?; // throttle_time_ms
        }
        let error = from.int16()?;
        let groups = from.array(|from| {
            let (id, protocol_type) = (from.text()?, from.text()?);
            let state = if version >= 4 { Some(from.text()?) } else { None };
            let kind = if version >= 5 { Some(from.text()?) } else { None };
            from.tags()?;
            Ok(ListedGroup { id, protocol_type, state, kind })
        })?;
        from.tags()?;
        Ok((error, groups))
    }
}

/// State and members of these groups.
pub(in super::super) struct DescribeGroups {
    pub(in super::super) groups: Vec<String>,
}

/// A group as its coordinator describes it.
pub(in super::super) struct GroupFields {
    pub(in super::super) error: i16,
    pub(in super::super) id: String,
    pub(in super::super) state: String,
    pub(in super::super) protocol_type: String,
    pub(in super::super) protocol: String,
    pub(in super::super) members: Vec<DescribedMember>,
}

/// A member as the coordinator describes it, with its own bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DescribedMember {
    /// The member id that the coordinator gave it.
    pub(crate) id: String,
    /// Its `client.id`.
    pub(crate) client_id: String,
    /// Where it connects from.
    pub(crate) host: String,
    /// What it said when it joined; empty while a round is under way.
    pub(crate) metadata: Vec<u8>,
    /// What the leader gave it; while a round is under way: in the one before.
    pub(crate) assignment: Vec<u8>,
}

impl Request for DescribeGroups {
    const API: Api = Api::DescribeGroups;
    type Answer = Vec<GroupFields>;

    fn write(&self, version: i16, to: &mut Writer) {
        to.array(&self.groups, |to, group| to.text(group));
        if version >= 3 {
            to.flag(false); // include_authorized_operations
        }
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        if version >= 1 {
            from.int32()?; // throttle_time_ms
        }
        let groups = from.array(|from| {
            let error = from.int16()?;
            if version >= 6 {
                from.text_or_null()?; // error_message
            }
            let group = GroupFields {
                error,
                id: from.text()?,
                state: from.text()?,
                protocol_type: from.text()?,
                protocol: from.text()?,
                members: from.array(|from| member(version, from))?,
            };
            if version >= 3 {
                from.int32()?; // authorized_operations
            }
            from.tags()?;
            Ok(group)
        })?;
        from.tags()?;
        Ok(groups)
    }
}

fn member(version: i16, from: &mut Reader<'_>) -> Result<DescribedMember, Malformed> {
    let id = from.text()?;
    if version >= 4 {
        from.text_or_null()?; // group_instance_id
    }
    let member = DescribedMember {
        id,
        client_id: from.text()?,
        host: from.text()?,
        metadata: from.bytes()?,
        assignment: from.bytes()?,
    };
    from.tags()?;
    Ok(member)
}
