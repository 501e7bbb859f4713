//! From what `DescribeGroups` answers to the group.

use super::{Assignment, Group, GroupState, Member, Seen, WorkItems};
use crate::wire::{self, Metadata, Part};

/// A group as its coordinator describes it, with the members' bytes as they are.
#[derive(Clone, Debug, Default)]
pub struct DescribedGroup<'a> {
    /// `group_id`.
    pub id: &'a str,
    /// `group_state`.
    pub state: &'a str,
    /// `protocol_type`.
    pub protocol_type: &'a str,
    /// `protocol_data`: the name of the protocol that was agreed upon.
    pub protocol_data: &'a str,
    /// The broker that answered, as `host:port`.
    pub coordinator: &'a str,
    /// The members, in the order of the answer.
    pub members: Vec<DescribedMember<'a>>,
}

/// A member as the coordinator describes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DescribedMember<'a> {
    /// `member_id`.
    pub id: &'a str,
    /// `client_id`.
    pub client_id: &'a str,
    /// `client_host`.
    pub host: &'a str,
    /// `member_metadata`.
    pub metadata: &'a [u8],
    /// `member_assignment`.
    pub assignment: &'a [u8],
}

/// A group that is no group of Connect's workers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct NotConnect {
    /// Its id.
    pub group: String,
    /// Its protocol type.
    pub protocol_type: String,
}

impl NotConnect {
    fn sentence(&self) -> String {
        let Self { group, protocol_type } = self;
        match protocol_type.as_str() {
            "" => format!("the group {group} names no protocol type; that of Connect's workers names `connect`"),
            "consumer" => format!(
                "the group {group} is of type `consumer`, not `connect`: it is a group of consumers, such as those of \
                 a sink"
            ),
            other => format!("the group {group} is of type `{other}`, not `connect`"),
        }
    }
}

impl Group {
    /// The group, from what its coordinator says. Bytes of a member that are none of Connect's
    /// make its parts unknown, with the place.
    ///
    /// Outside `Stable` the coordinator leaves out the metadata, and the assignments are those
    /// of the generation before: what a member owns is unknown then.
    ///
    /// # Errors
    /// If its protocol type is another than `connect`. A group without members may have none.
    pub fn read(described: &DescribedGroup<'_>) -> Result<Self, NotConnect> {
        let of_nobody = described.members.is_empty() && described.protocol_type.is_empty();
        if described.protocol_type != "connect" && !of_nobody {
            return Err(NotConnect {
                group: described.id.to_owned(),
                protocol_type: described.protocol_type.to_owned(),
            });
        }
        let state = GroupState::named(described.state);
        let members = described.members.iter().map(|member| read_member(member, &state)).collect();
        Ok(Self {
            id: described.id.to_owned(),
            protocol: match described.protocol_data {
                "" => None,
                // `ConnectProtocolCompatibility.EAGER.protocol()`
                "default" => Some("eager".to_owned()),
                other => Some(other.to_owned()),
            },
            coordinator: described.coordinator.to_owned(),
            members,
            state,
        })
    }
}

fn read_member(described: &DescribedMember<'_>, state: &GroupState) -> Member {
    let (url, config_offset, reported) = match Metadata::decode(described.metadata) {
        Ok(Some(metadata)) => {
            let allocation = metadata.allocation.map(|allocation| allocation.assigned).unwrap_or_default();
            (Seen::Known(metadata.url), Seen::Known(metadata.config_offset), items_of(allocation))
        }
        Ok(None) => without_metadata(state),
        Err(error) => all_unknown(&format!("its metadata cannot be read: {error}")),
    };
    let (assignment, is_eager) = match wire::Assignment::decode(described.assignment) {
        Ok(Some(given)) => {
            let is_eager = given.version == 0;
            (read_assignment(given), is_eager)
        }
        Ok(None) if *state == GroupState::Stable => (Seen::unknown("it has no assignment"), false),
        Ok(None) => (Seen::unknown("it has joined and has no assignment yet"), false),
        Err(error) => (Seen::unknown(format!("its assignment cannot be read: {error}")), false),
    };
    let owns = if *state == GroupState::Stable {
        owned(&reported, &assignment, is_eager)
    } else {
        Seen::unknown(format!("the group is {state}: what a member owns is shown in Stable only"))
    };
    Member {
        id: described.id.to_owned(),
        client_id: described.client_id.to_owned(),
        host: described.host.to_owned(),
        url,
        config_offset,
        reported,
        assignment,
        owns,
    }
}

type Told = (Seen<String>, Seen<i64>, Seen<WorkItems>);

fn without_metadata(state: &GroupState) -> Told {
    match state {
        GroupState::Stable => all_unknown("its metadata is empty"),
        other => all_unknown(&format!("the group is {other}: its coordinator shows no metadata")),
    }
}

fn all_unknown(reason: &str) -> Told {
    (Seen::unknown(reason), Seen::unknown(reason), Seen::unknown(reason))
}

fn read_assignment(given: wire::Assignment) -> Seen<Assignment> {
    let (assigned, revoked) = match (items_of(given.assigned), items_of(given.revoked)) {
        (Seen::Known(assigned), Seen::Known(revoked)) => (assigned, revoked),
        (Seen::Unknown(reason), _) | (_, Seen::Unknown(reason)) => return Seen::Unknown(reason),
    };
    Seen::Known(Assignment {
        error: given.error,
        leader: given.leader,
        leader_url: given.leader_url,
        config_offset: given.config_offset,
        assigned,
        revoked,
        delay_ms: given.delay_ms.into(),
    })
}

/// What the member holds once it has done as it was told: what is new to it, then what it
/// keeps (`WorkerCoordinator.onJoinComplete`).
fn owned(reported: &Seen<WorkItems>, assignment: &Seen<Assignment>, is_eager: bool) -> Seen<WorkItems> {
    let given = match assignment {
        Seen::Known(given) => given,
        Seen::Unknown(reason) => return Seen::Unknown(reason.clone()),
    };
    if is_eager {
        return Seen::Known(given.assigned.clone());
    }
    let reported = match reported {
        Seen::Known(reported) => reported,
        Seen::Unknown(reason) => return Seen::Unknown(reason.clone()),
    };
    Seen::Known(WorkItems {
        connectors: merged(&given.assigned.connectors, &reported.connectors, &given.revoked.connectors),
        tasks: merged(&given.assigned.tasks, &reported.tasks, &given.revoked.tasks),
    })
}

fn merged<T: Clone + Ord>(assigned: &[T], reported: &[T], revoked: &[T]) -> Vec<T> {
    let mut left_out: std::collections::BTreeSet<&T> = revoked.iter().chain(assigned).collect();
    let kept = reported.iter().filter(|item| left_out.insert(item));
    assigned.iter().chain(kept).cloned().collect()
}

/// A list of the wire by names. Each task takes a copy of its connector's name: bytes in which
/// a long name has very many tasks are no cluster's.
fn items_of(parts: Vec<Part>) -> Seen<WorkItems> {
    let bytes = parts.iter().map(|part| part.connector.len().saturating_mul(part.tasks.len()));
    if bytes.fold(0, usize::saturating_add) > MOST_BYTES {
        return Seen::unknown("it lists so many tasks with so long names that they are not read");
    }
    let mut items = WorkItems::default();
    for part in parts {
        items.tasks.extend(part.tasks.into_iter().map(|number| (part.connector.clone(), number)));
        if part.instance {
            items.connectors.push(part.connector);
        }
    }
    Seen::Known(items)
}

/// The names of a member's tasks may take so many bytes: 300,000 tasks with the longest names
/// that a topic may have.
const MOST_BYTES: usize = 300_000 * 249;
