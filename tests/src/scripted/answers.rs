//! What a broker answers.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use bytes::{BufMut, Bytes, BytesMut};
use kafka_protocol::messages::api_versions_response::ApiVersion;
use kafka_protocol::messages::describe_groups_response::{DescribedGroup, DescribedGroupMember};
use kafka_protocol::messages::find_coordinator_response::Coordinator;
use kafka_protocol::messages::list_groups_response::ListedGroup;
use kafka_protocol::messages::list_offsets_response::{ListOffsetsPartitionResponse, ListOffsetsTopicResponse};
use kafka_protocol::messages::metadata_response::{
    MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic,
};
use kafka_protocol::messages::offset_fetch_response::{
    OffsetFetchResponseGroup, OffsetFetchResponsePartition, OffsetFetchResponsePartitions, OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
};
use kafka_protocol::messages::{
    ApiKey, ApiVersionsResponse, BrokerId, ConsumerProtocolAssignment, DescribeGroupsRequest, DescribeGroupsResponse,
    FindCoordinatorRequest, FindCoordinatorResponse, GroupId, ListGroupsResponse, ListOffsetsRequest,
    ListOffsetsResponse, MetadataRequest, MetadataResponse, OffsetFetchRequest, OffsetFetchResponse, TopicName,
    consumer_protocol_assignment,
};
use kafka_protocol::protocol::{Decodable, Encodable, StrBytes};
use rollgate_core::wire::{Assignment, Metadata, Part};

use super::{Consumer, Group, Member, Script};

/// Writes the answer to a request behind its header.
pub(super) fn answer(
    script: &Script,
    broker: usize,
    api: ApiKey,
    version: i16,
    mut request: Bytes,
    into: &mut BytesMut,
) -> Result<()> {
    let refused = script.refused.get(&format!("{api:?}")).copied().unwrap_or(0);
    match api {
        ApiKey::ApiVersions => versions().encode(into, version),
        ApiKey::Metadata => {
            metadata(script, &MetadataRequest::decode(&mut request, version)?, refused).encode(into, version)
        }
        ApiKey::FindCoordinator => {
            find(script, &FindCoordinatorRequest::decode(&mut request, version)?, version, refused)
                .encode(into, version)
        }
        ApiKey::ListGroups => list(script, broker, refused).encode(into, version),
        ApiKey::DescribeGroups => {
            let groups = DescribeGroupsRequest::decode(&mut request, version)?.groups;
            describe(script, broker, &groups, version, refused)?.encode(into, version)
        }
        ApiKey::OffsetFetch => {
            fetch(script, broker, &OffsetFetchRequest::decode(&mut request, version)?, version, refused)
                .encode(into, version)
        }
        ApiKey::ListOffsets => {
            ends(script, &ListOffsetsRequest::decode(&mut request, version)?, refused).encode(into, version)
        }
        other => bail!("{other:?} is no question"),
    }
}

fn versions() -> ApiVersionsResponse {
    let keys = ANSWERED.iter().map(|(api, first, last)| {
        ApiVersion::default().with_api_key(*api as i16).with_min_version(*first).with_max_version(*last)
    });
    ApiVersionsResponse::default().with_api_keys(keys.collect())
}

fn metadata(script: &Script, request: &MetadataRequest, refused: i16) -> MetadataResponse {
    let brokers = script.brokers.iter().enumerate().map(|(place, port)| {
        let host = StrBytes::from_static_str("127.0.0.1");
        MetadataResponseBroker::default().with_node_id(id(place)).with_host(host).with_port((*port).into())
    });
    let mut partitions: BTreeMap<&String, Vec<i32>> = BTreeMap::new();
    for (topic, partition) in script.ends.keys() {
        partitions.entry(topic).or_default().push(*partition);
    }
    // The topic in which groups are kept is there as soon as there is one.
    let kept_in = GROUPS.to_owned();
    if !script.groups.is_empty() {
        partitions.insert(&kept_in, vec![0]);
    }
    let topics = request.topics.iter().flatten().filter_map(|topic| topic.name.as_ref()).map(|name| {
        let known = partitions.iter().find(|(topic, _)| topic.as_str() == name.0.as_str());
        let described = known.into_iter().flat_map(|(_, partitions)| partitions).map(|partition| {
            MetadataResponsePartition::default()
                .with_partition_index(*partition)
                .with_leader_id(leader(script, *partition))
        });
        let unknown = if known.is_none() { UNKNOWN_TOPIC } else { 0 };
        MetadataResponseTopic::default()
            .with_name(Some(name.clone()))
            .with_error_code(if refused == 0 { unknown } else { refused })
            .with_partitions(described.collect())
    });
    MetadataResponse::default()
        .with_cluster_id(Some(script.cluster_id.clone().into()))
        .with_controller_id(id(0))
        .with_brokers(brokers.collect())
        .with_topics(topics.collect())
}

fn find(script: &Script, request: &FindCoordinatorRequest, version: i16, refused: i16) -> FindCoordinatorResponse {
    let of = |group: &str| {
        let place = script.groups.iter().find(|known| known.id == group).map_or(0, |known| known.coordinator);
        let port = script.brokers.get(place).copied().unwrap_or_default();
        Coordinator::default()
            .with_key(group.to_owned().into())
            .with_node_id(id(place))
            .with_host(StrBytes::from_static_str("127.0.0.1"))
            .with_port(port.into())
            .with_error_code(refused)
    };
    if version >= 4 {
        let coordinators = request.coordinator_keys.iter().map(|key| of(key));
        return FindCoordinatorResponse::default().with_coordinators(coordinators.collect());
    }
    let one = of(&request.key);
    FindCoordinatorResponse::default()
        .with_error_code(refused)
        .with_node_id(one.node_id)
        .with_host(one.host)
        .with_port(one.port)
}

fn list(script: &Script, broker: usize, refused: i16) -> ListGroupsResponse {
    let groups = script.groups.iter().filter(|group| group.coordinator == broker).map(|group| {
        ListedGroup::default()
            .with_group_id(GroupId(group.id.clone().into()))
            .with_protocol_type(group.kind.clone().into())
            .with_group_state(group.state.clone().into())
            .with_group_type(StrBytes::from_static_str("classic"))
    });
    ListGroupsResponse::default().with_error_code(refused).with_groups(if refused == 0 {
        groups.collect()
    } else {
        Vec::new()
    })
}

fn describe(
    script: &Script,
    broker: usize,
    groups: &[GroupId],
    version: i16,
    refused: i16,
) -> Result<DescribeGroupsResponse> {
    let mut described = Vec::new();
    for asked in groups {
        let answer = DescribedGroup::default().with_group_id(asked.clone());
        let known = script.groups.iter().find(|group| group.id == asked.0.as_str());
        described.push(match known {
            _ if refused != 0 => answer.with_error_code(refused),
            Some(group) if group.coordinator != broker => answer.with_error_code(NOT_COORDINATOR),
            Some(group) => answer
                .with_group_state(group.state.clone().into())
                .with_protocol_type(group.kind.clone().into())
                .with_protocol_data(if group.state == "Stable" { group.protocol.clone() } else { String::new() }.into())
                .with_members(members(script, group)?),
            None if version >= 6 => answer.with_error_code(GROUP_ID_NOT_FOUND),
            None => answer.with_group_state(StrBytes::from_static_str("Dead")),
        });
    }
    Ok(DescribeGroupsResponse::default().with_groups(described))
}

fn members(script: &Script, group: &Group) -> Result<Vec<DescribedGroupMember>> {
    let described = |id: &str, client_id: &str, (metadata, assignment): (Vec<u8>, Vec<u8>)| {
        let metadata = if group.state == "Stable" { metadata } else { Vec::new() };
        DescribedGroupMember::default()
            .with_member_id(id.to_owned().into())
            .with_client_id(client_id.to_owned().into())
            .with_client_host(StrBytes::from_static_str("/127.0.0.1"))
            .with_member_metadata(metadata.into())
            .with_member_assignment(assignment.into())
    };
    let mut all = Vec::new();
    for member in &group.members {
        all.push(described(&member.id, "connect-scripted", of_worker(script, group, member)?));
    }
    for consumer in &group.consumers {
        all.push(described(&format!("{}-id", consumer.client_id), &consumer.client_id, of_consumer(consumer)?));
    }
    Ok(all)
}

/// What a worker says of itself, and what it was given.
fn of_worker(script: &Script, group: &Group, member: &Member) -> Result<(Vec<u8>, Vec<u8>)> {
    if let Some(bytes) = &member.bytes {
        return Ok(bytes.clone());
    }
    let version = match group.protocol.as_str() {
        "default" | "eager" => 0,
        "compatible" => 1,
        _ => 2,
    };
    let given = Assignment {
        version,
        leader: member.leader.clone(),
        leader_url: group
            .members
            .iter()
            .find(|other| other.id == member.leader)
            .map(|leader| script.url(&leader.worker))
            .unwrap_or_default(),
        config_offset: member.config_offset,
        assigned: parts(script, &member.assigned),
        revoked: parts(script, &member.revoked),
        delay_ms: member.delay_ms,
        ..Assignment::default()
    };
    let allocation =
        Assignment { assigned: parts(script, &member.reported), revoked: Vec::new(), delay_ms: 0, ..given.clone() };
    let metadata = Metadata {
        version,
        url: script.url(&member.worker),
        config_offset: member.config_offset,
        allocation: (version > 0 && !member.reported.is_empty()).then_some(allocation),
    };
    let assignment = if member.leader.is_empty() { Vec::new() } else { given.encode()? };
    Ok((metadata.encode()?, assignment))
}

/// Connectors by name and tasks as `orders-3`, as they lie on the wire. What is named like a
/// connector of the script is one.
fn parts(script: &Script, items: &[String]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for item in items {
        let task = item.rsplit_once('-').and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?)));
        let (name, task) = match task {
            Some((name, number)) if !script.connectors.contains_key(item) => (name, Some(number)),
            _ => (item.as_str(), None),
        };
        if !parts.iter().any(|part| part.connector == name) {
            parts.push(Part { connector: name.to_owned(), ..Part::default() });
        }
        if let Some(part) = parts.iter_mut().find(|part| part.connector == name) {
            part.tasks.extend(task);
            part.instance |= task.is_none();
        }
    }
    parts
}

/// The bytes of a consumer's assignment (`ConsumerProtocolAssignment`, version 0); of what it
/// says of itself nothing is read.
fn of_consumer(consumer: &Consumer) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut by_topic: BTreeMap<&String, Vec<i32>> = BTreeMap::new();
    for (topic, partition) in &consumer.partitions {
        by_topic.entry(topic).or_default().push(*partition);
    }
    let topics = by_topic.into_iter().map(|(topic, partitions)| {
        consumer_protocol_assignment::TopicPartition::default()
            .with_topic(TopicName(topic.clone().into()))
            .with_partitions(partitions)
    });
    let mut bytes = BytesMut::new();
    bytes.put_i16(0);
    ConsumerProtocolAssignment::default().with_assigned_partitions(topics.collect()).encode(&mut bytes, 0)?;
    Ok((Vec::new(), bytes.to_vec()))
}

fn fetch(
    script: &Script,
    broker: usize,
    request: &OffsetFetchRequest,
    version: i16,
    refused: i16,
) -> OffsetFetchResponse {
    let committed = |id: &GroupId| {
        let known = script.groups.iter().find(|group| group.id == id.0.as_str());
        let error = match known {
            _ if refused != 0 => refused,
            Some(group) if group.coordinator != broker => NOT_COORDINATOR,
            _ => 0,
        };
        let mut topics: BTreeMap<String, Vec<(i32, i64)>> = BTreeMap::new();
        for entry in known.filter(|_| error == 0).into_iter().flat_map(|group| &group.committed) {
            topics.entry(entry.topic.clone()).or_default().push((entry.partition, entry.offset));
        }
        (error, topics)
    };
    if version >= 8 {
        let groups = request.groups.iter().map(|asked| {
            let (error, topics) = committed(&asked.group_id);
            let topics = topics.into_iter().map(|(topic, partitions)| {
                let partitions = partitions.into_iter().map(|(partition, offset)| {
                    OffsetFetchResponsePartitions::default()
                        .with_partition_index(partition)
                        .with_committed_offset(offset)
                });
                OffsetFetchResponseTopics::default()
                    .with_name(TopicName(topic.into()))
                    .with_partitions(partitions.collect())
            });
            OffsetFetchResponseGroup::default()
                .with_group_id(asked.group_id.clone())
                .with_error_code(error)
                .with_topics(topics.collect())
        });
        return OffsetFetchResponse::default().with_groups(groups.collect());
    }
    let (error, topics) = committed(&request.group_id);
    let topics = topics.into_iter().map(|(topic, partitions)| {
        let partitions = partitions.into_iter().map(|(partition, offset)| {
            OffsetFetchResponsePartition::default().with_partition_index(partition).with_committed_offset(offset)
        });
        OffsetFetchResponseTopic::default().with_name(TopicName(topic.into())).with_partitions(partitions.collect())
    });
    OffsetFetchResponse::default().with_error_code(error).with_topics(topics.collect())
}

fn ends(script: &Script, request: &ListOffsetsRequest, refused: i16) -> ListOffsetsResponse {
    let topics = request.topics.iter().map(|topic| {
        let partitions = topic.partitions.iter().map(|asked| {
            let end = script.ends.get(&(topic.name.0.to_string(), asked.partition_index));
            let unknown = if end.is_none() { UNKNOWN_TOPIC } else { 0 };
            ListOffsetsPartitionResponse::default()
                .with_partition_index(asked.partition_index)
                .with_error_code(if refused == 0 { unknown } else { refused })
                .with_offset(if refused == 0 { end.copied().unwrap_or(-1) } else { -1 })
        });
        ListOffsetsTopicResponse::default().with_name(topic.name.clone()).with_partitions(partitions.collect())
    });
    ListOffsetsResponse::default().with_topics(topics.collect())
}

/// The broker that leads a partition: they take turns.
fn leader(script: &Script, partition: i32) -> BrokerId {
    id(usize::try_from(partition).unwrap_or(0) % script.brokers.len().max(1))
}

fn id(place: usize) -> BrokerId {
    BrokerId(i32::try_from(place).unwrap_or(0) + 1)
}

/// What is answered, with the first and last version of each.
const ANSWERED: [(ApiKey, i16, i16); 7] = [
    (ApiKey::ListOffsets, 1, 7),
    (ApiKey::Metadata, 1, 12),
    (ApiKey::OffsetFetch, 1, 9),
    (ApiKey::FindCoordinator, 0, 6),
    (ApiKey::DescribeGroups, 0, 6),
    (ApiKey::ListGroups, 0, 5),
    (ApiKey::ApiVersions, 0, 4),
];

/// Where coordinators keep groups.
const GROUPS: &str = "__consumer_offsets";

/// `UNKNOWN_TOPIC_OR_PARTITION`
const UNKNOWN_TOPIC: i16 = 3;

/// `NOT_COORDINATOR`
const NOT_COORDINATOR: i16 = 16;

/// `GROUP_ID_NOT_FOUND`
const GROUP_ID_NOT_FOUND: i16 = 69;
