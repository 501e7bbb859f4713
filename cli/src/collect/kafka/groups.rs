//! Groups: which there are, and what their coordinators say about them.

use std::time::Duration;

use super::client::Kafka;
use super::coordinators::Said;
use super::deadline::Deadline;
use super::error::{KafkaError, Permission, code, code_name};
use super::messages::{ConsumerGroupDescribe, ConsumerGroupFields, ConsumerMember, DescribeGroups, DescribedMember};
use super::messages::{GroupFields, ListGroups, ListedGroup};

/// A group of the classic protocol as its coordinator describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DescribedGroup {
    /// Its id.
    pub(crate) id: String,
    /// `Stable`, `PreparingRebalance`, `CompletingRebalance`, `Empty`; empty with an error.
    pub(crate) state: String,
    /// `connect`, `consumer`, …
    pub(crate) protocol_type: String,
    /// The protocol that was agreed on (`sessioned`, …); empty while a round is under way.
    pub(crate) protocol: String,
    /// `host:port` of the broker that said so; empty if none did.
    pub(crate) coordinator: String,
    /// The members in the coordinator's own order: for Connect its first is who leads next.
    pub(crate) members: Vec<DescribedMember>,
    /// Why the group could not be described; the rest is empty then.
    pub(crate) error: Option<KafkaError>,
}

/// A group of the consumer protocol (KIP-848) as its coordinator describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsumerGroup {
    /// Its id.
    pub(crate) id: String,
    /// `Stable`, `Assigning`, `Reconciling`, `Empty`; empty with an error.
    pub(crate) state: String,
    /// The version of the group.
    pub(crate) epoch: i32,
    /// The version of the group for which the assignment was made.
    pub(crate) assignment_epoch: i32,
    /// Which assignor makes it.
    pub(crate) assignor: String,
    /// The members.
    pub(crate) members: Vec<ConsumerMember>,
    /// Why the group could not be described; the rest is empty then.
    pub(crate) error: Option<KafkaError>,
}

impl Kafka {
    /// The groups of one type (`connect`) that the asker may see, in the order of their ids;
    /// asks every broker. A group that may not be described is left out without a word: an
    /// empty list may mean a missing `Describe on Group` or `Describe on Cluster`.
    ///
    /// # Errors
    /// See [`KafkaError`]; also if a single broker cannot be asked: the group may be there.
    pub(crate) fn groups(&mut self, protocol_type: &str) -> Result<Vec<ListedGroup>, KafkaError> {
        let deadline = self.deadline();
        let mut groups = Vec::new();
        for address in self.brokers(deadline)? {
            groups.extend(self.listed(address, deadline)?);
        }
        groups.retain(|group| group.protocol_type == protocol_type);
        groups.sort_by(|a, b| a.id.cmp(&b.id));
        groups.dedup_by(|a, b| a.id == b.id);
        Ok(groups)
    }

    /// The groups of one broker, as soon as it has loaded them.
    fn listed(&mut self, address: String, deadline: Deadline) -> Result<Vec<ListedGroup>, KafkaError> {
        const PAUSE: Duration = Duration::from_millis(200);
        loop {
            let (error, listed) = self.ask(&address, &ListGroups, deadline)?;
            match error {
                code::NONE => return Ok(listed),
                code::COORDINATOR_LOAD_IN_PROGRESS | code::COORDINATOR_NOT_AVAILABLE if deadline.pause(PAUSE) => {}
                code::GROUP_AUTHORIZATION_FAILED | code::CLUSTER_AUTHORIZATION_FAILED => {
                    return Err(KafkaError::NotAuthorised(Permission::Cluster));
                }
                other => {
                    let step = "ListGroups".to_owned();
                    return Err(KafkaError::Refused { address, step, why: code_name(other) });
                }
            }
        }
    }

    /// What the coordinators say about these groups, in the order in which they are named here:
    /// one request for each coordinator.
    ///
    /// # Errors
    /// See [`KafkaError`]. What is wrong with one group is said in [`DescribedGroup::error`].
    pub(crate) fn describe(&mut self, groups: &[&str]) -> Result<Vec<DescribedGroup>, KafkaError> {
        let mut outcomes = self.ask_coordinators(groups, "DescribeGroups", |kafka, address, groups, deadline| {
            let described = kafka.ask(address, &DescribeGroups { groups }, deadline)?;
            let said = |group: GroupFields| Said { group: group.id.clone(), error: said_of(&group), value: group };
            Ok(described.into_iter().map(said).collect())
        })?;
        let described = |id: &&str| match outcomes.remove(*id)? {
            Ok((coordinator, group)) => Some(DescribedGroup::new(coordinator, group)),
            Err(error) => Some(DescribedGroup::unknown(id, error)),
        };
        Ok(groups.iter().filter_map(described).collect())
    }

    /// What the coordinators say about these groups of the consumer protocol. A group of the
    /// classic protocol is not found by this, nor one of this by [`Kafka::describe`].
    ///
    /// # Errors
    /// See [`KafkaError`]. What is wrong with one group is said in [`ConsumerGroup::error`].
    pub(crate) fn describe_consumers(&mut self, groups: &[&str]) -> Result<Vec<ConsumerGroup>, KafkaError> {
        let mut outcomes =
            self.ask_coordinators(groups, "ConsumerGroupDescribe", |kafka, address, groups, deadline| {
                let described = kafka.ask(address, &ConsumerGroupDescribe { groups }, deadline)?;
                let said =
                    |group: ConsumerGroupFields| Said { group: group.id.clone(), error: group.error, value: group };
                Ok(described.into_iter().map(said).collect())
            })?;
        let described = |id: &&str| match outcomes.remove(*id)? {
            Ok((_, group)) => Some(ConsumerGroup::new(group)),
            // Brokers before 3.7, which have no such groups.
            Err(KafkaError::NoCommonVersion { .. }) => {
                Some(ConsumerGroup::unknown(id, KafkaError::GroupNotFound { group: (*id).to_owned() }))
            }
            Err(error) => Some(ConsumerGroup::unknown(id, error)),
        };
        Ok(groups.iter().filter_map(described).collect())
    }
}

impl DescribedGroup {
    fn new(coordinator: String, group: GroupFields) -> Self {
        Self {
            id: group.id,
            state: group.state,
            protocol_type: group.protocol_type,
            protocol: group.protocol,
            coordinator,
            members: group.members,
            error: None,
        }
    }

    fn unknown(id: &str, error: KafkaError) -> Self {
        Self {
            id: id.to_owned(),
            state: String::new(),
            protocol_type: String::new(),
            protocol: String::new(),
            coordinator: String::new(),
            members: Vec::new(),
            error: Some(error),
        }
    }
}

impl ConsumerGroup {
    fn new(group: ConsumerGroupFields) -> Self {
        Self {
            id: group.id,
            state: group.state,
            epoch: group.epoch,
            assignment_epoch: group.assignment_epoch,
            assignor: group.assignor,
            members: group.members,
            error: None,
        }
    }

    fn unknown(id: &str, error: KafkaError) -> Self {
        Self {
            id: id.to_owned(),
            state: String::new(),
            epoch: 0,
            assignment_epoch: 0,
            assignor: String::new(),
            members: Vec::new(),
            error: Some(error),
        }
    }
}

/// The error code of a described group. Before version 6 a group that does not exist is no
/// error but one in state `Dead` (KIP-1043).
fn said_of(group: &GroupFields) -> i16 {
    if group.error == code::NONE && group.state == "Dead" { code::GROUP_ID_NOT_FOUND } else { group.error }
}
