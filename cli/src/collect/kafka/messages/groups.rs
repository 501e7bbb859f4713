//! Groups of the classic protocol: which there are, and who is in them.

use super::super::api::{Api, Request};
use super::super::codec::{Malformed, Reader, Writer};

/// The groups that the asked broker coordinates and that the asker may see.
pub(in super::super) struct ListGroups;

/// A group in a broker's list.
pub(in super::super) struct ListedGroup {
    pub(in super::super) id: String,
    pub(in super::super) protocol_type: String,
    /// Not said before version 4 (KIP-518).
    pub(in super::super) state: Option<String>,
    /// Not said before version 5 (KIP-848).
    pub(in super::super) kind: Option<String>,
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
    pub(in super::super) members: Vec<Member>,
}

/// A member as the coordinator describes it.
pub(in super::super) struct Member {
    pub(in super::super) id: String,
    pub(in super::super) client_id: String,
    pub(in super::super) host: String,
    pub(in super::super) metadata: Vec<u8>,
    pub(in super::super) assignment: Vec<u8>,
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

fn member(version: i16, from: &mut Reader<'_>) -> Result<Member, Malformed> {
    let id = from.text()?;
    if version >= 4 {
        from.text_or_null()?; // group_instance_id
    }
    let member =
        Member { id, client_id: from.text()?, host: from.text()?, metadata: from.bytes()?, assignment: from.bytes()? };
    from.tags()?;
    Ok(member)
}
