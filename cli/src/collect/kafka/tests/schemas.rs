//! Every version of every request and answer, against a codec that is made from Kafka's schemas.

use kafka_protocol::messages::{self as theirs, consumer_group_describe_response as consumers};
use kafka_protocol::protocol::{Decodable, Encodable};

use super::super::api::{Api, Request};
use super::super::codec::{Malformed, Reader, Writer};
use super::super::messages::{
    ApiVersions, ConsumerGroupDescribe, DescribeGroups, FindCoordinator, ListGroups, ListOffsets, Metadata,
    OffsetFetch, SaslAuthenticate, SaslHandshake,
};
use super::broker::text;

/// Writes a request in each of its versions and reads it with the other codec.
fn written<R: Request, T: Decodable>(request: &R, holds: impl Fn(i16, T)) {
    for version in R::API.versions() {
        let mut writer = Writer::new(R::API.flexible(version));
        request.write(version, &mut writer);
        let bytes = writer.into_bytes();
        let mut rest = &bytes[..];
        let read = T::decode(&mut rest, version).unwrap_or_else(|error| panic!("{:?} {version}: {error}", R::API));
        assert!(rest.is_empty(), "{:?} {version}: {} bytes left over", R::API, rest.len());
        holds(version, read);
    }
}

/// Writes an answer in each version with the other codec and reads it.
fn read<R: Request>(answer: impl Fn(i16) -> Vec<u8>, holds: impl Fn(i16, R::Answer)) {
    for version in R::API.versions() {
        let bytes = answer(version);
        let understood = reading::<R>(&bytes, version);
        holds(version, understood.unwrap_or_else(|error| panic!("{:?} {version}: {error:?}", R::API)));
        // Whatever else comes is an error with its place, or other data: never a panic.
        for cut in 0..bytes.len() {
            assert!(reading::<R>(&bytes[..cut], version).is_err(), "{:?} {version} cut at {cut}", R::API);
        }
        let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2000 {
            let mut broken = bytes.clone();
            for _ in 0..3 {
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let place = usize::try_from(chance >> 40).unwrap() % broken.len();
                broken[place] = [0, 1, 0x7f, 0x80, 0xff][usize::try_from(chance >> 33 & 0xff).unwrap() % 5];
            }
            drop(reading::<R>(&broken, version));
        }
    }
}

fn reading<R: Request>(bytes: &[u8], version: i16) -> Result<R::Answer, Malformed> {
    let mut reader = Reader::new(bytes, R::API.flexible(version));
    let answer = R::read(version, &mut reader)?;
    reader.end()?;
    Ok(answer)
}

fn bytes(message: &impl Encodable, version: i16) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes, version).unwrap();
    bytes
}

fn names() -> Vec<String> {
    vec!["connect".to_owned(), "größer".repeat(30)]
}

#[test]
fn requests_are_what_the_schemas_say() {
    let metadata = Metadata { topics: names() };
    written(&metadata, |_, read: theirs::MetadataRequest| {
        assert!(!read.allow_auto_topic_creation && !read.include_topic_authorized_operations);
        let topics: Vec<String> =
            read.topics.unwrap().iter().map(|topic| topic.name.as_ref().unwrap().to_string()).collect();
        assert_eq!(topics, names());
    });
    // No topics at all is not the same as all topics.
    written(&Metadata { topics: Vec::new() }, |_, read: theirs::MetadataRequest| assert_eq!(read.topics, Some(vec![])));
    written(&FindCoordinator { groups: names() }, |version, read: theirs::FindCoordinatorRequest| {
        assert_eq!(read.key_type, 0);
        if version < 4 {
            assert_eq!(read.key.as_str(), "connect");
        } else {
            assert_eq!(read.coordinator_keys.len(), 2);
        }
    });
    written(&ListGroups, |_, read: theirs::ListGroupsRequest| {
        assert!(read.states_filter.is_empty() && read.types_filter.is_empty());
    });
    written(&DescribeGroups { groups: names() }, |_, read: theirs::DescribeGroupsRequest| {
        assert_eq!(read.groups.iter().map(|id| id.to_string()).collect::<Vec<_>>(), names());
        assert!(!read.include_authorized_operations);
    });
    written(&ConsumerGroupDescribe { groups: names() }, |_, read: theirs::ConsumerGroupDescribeRequest| {
        assert_eq!(read.group_ids.len(), 2);
    });
    written(&OffsetFetch { groups: names() }, |version, read: theirs::OffsetFetchRequest| {
        assert!(!read.require_stable);
        if version < 8 {
            assert_eq!((read.group_id.as_str(), read.topics), ("connect", None));
        } else {
            assert!(read.groups.iter().all(|group| group.topics.is_none() && group.member_epoch == -1));
            assert_eq!(read.groups.len(), 2);
        }
    });
    let ends = ListOffsets { topics: vec![("orders".to_owned(), vec![0, 7])] };
    written(&ends, |_, read: theirs::ListOffsetsRequest| {
        assert_eq!((read.replica_id.0, read.isolation_level), (-1, 0));
        let partitions = &read.topics[0].partitions;
        assert!(partitions.iter().all(|each| each.timestamp == -1 && each.current_leader_epoch == -1));
        assert_eq!(partitions[1].partition_index, 7);
    });
    written(&ApiVersions, |_, _: theirs::ApiVersionsRequest| {});
    written(&SaslHandshake { mechanism: "PLAIN" }, |_, read: theirs::SaslHandshakeRequest| {
        assert_eq!(read.mechanism.as_str(), "PLAIN");
    });
    let message = vec![7; 300];
    written(&SaslAuthenticate { message }, |_, read: theirs::SaslAuthenticateRequest| {
        assert_eq!(read.auth_bytes[..], [7; 300]);
    });
}

#[test]
fn headers_are_what_the_schemas_say() {
    let apis = [
        Api::ListOffsets,
        Api::Metadata,
        Api::OffsetFetch,
        Api::FindCoordinator,
        Api::DescribeGroups,
        Api::ListGroups,
        Api::SaslHandshake,
        Api::ApiVersions,
        Api::SaslAuthenticate,
        Api::ConsumerGroupDescribe,
    ];
    for api in apis {
        let schema = theirs::ApiKey::try_from(api.key()).unwrap();
        assert_eq!(format!("{schema:?}").trim_end_matches("Key"), api.name());
        for version in api.versions() {
            assert_eq!(schema.request_header_version(version) == 2, api.flexible(version), "{api:?} {version}");
            assert_eq!(schema.response_header_version(version) == 1, api.flexible(version), "{api:?} {version}");
        }
    }
}

#[test]
fn answers_about_the_cluster_are_understood() {
    use theirs::find_coordinator_response::Coordinator;
    use theirs::metadata_response::{MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic};
    let answer = |version| {
        let broker =
            MetadataResponseBroker::default().with_node_id(3.into()).with_host(text("kafka-3")).with_port(9092);
        let broker = broker.with_rack(Some(text("a")));
        let replicas = vec![3.into(), 4.into()];
        let partition = MetadataResponsePartition::default().with_partition_index(7).with_leader_id(3.into());
        let partition = partition.with_replica_nodes(replicas.clone()).with_isr_nodes(replicas);
        let topic =
            MetadataResponseTopic::default().with_name(Some(text("orders").into())).with_partitions(vec![partition]);
        let response = theirs::MetadataResponse::default().with_brokers(vec![broker]).with_topics(vec![topic]);
        bytes(&response.with_cluster_id(Some(text("id"))), version)
    };
    read::<Metadata>(answer, |_, read| {
        assert_eq!((read.brokers[0].id, read.brokers[0].host.as_str(), read.brokers[0].port), (3, "kafka-3", 9092));
        assert_eq!(read.cluster.as_deref(), Some("id"));
        let partition = &read.topics[0].partitions[0];
        assert_eq!((read.topics[0].name.as_str(), partition.index, partition.leader), ("orders", 7, 3));
    });
    let answer = |version| {
        let response = theirs::FindCoordinatorResponse::default();
        let response = if version < 4 {
            response.with_node_id(3.into()).with_host(text("kafka-3")).with_port(9092)
        } else {
            let found = Coordinator::default().with_key(text("connect")).with_node_id(3.into());
            response.with_coordinators(vec![found.with_host(text("kafka-3")).with_port(9092)])
        };
        bytes(&response, version)
    };
    read::<FindCoordinator>(answer, |version, read| {
        assert_eq!(read[0].group, if version < 4 { "" } else { "connect" });
        assert_eq!((read[0].broker.id, read[0].broker.host.as_str(), read[0].error), (3, "kafka-3", 0));
    });
}

#[test]
fn answers_about_groups_are_understood() {
    use theirs::describe_groups_response::{DescribedGroup, DescribedGroupMember};
    use theirs::list_groups_response::ListedGroup;
    let answer = |version| {
        let group = ListedGroup::default().with_group_id(text("connect").into()).with_protocol_type(text("connect"));
        let group = if version >= 4 { group.with_group_state(text("Stable")) } else { group };
        let group = if version >= 5 { group.with_group_type(text("Classic")) } else { group };
        bytes(&theirs::ListGroupsResponse::default().with_groups(vec![group]), version)
    };
    read::<ListGroups>(answer, |version, (error, groups)| {
        assert_eq!((error, groups[0].id.as_str(), groups[0].protocol_type.as_str()), (0, "connect", "connect"));
        assert_eq!((groups[0].state.is_some(), groups[0].kind.is_some()), (version >= 4, version >= 5));
    });
    let answer = |version| {
        let member = DescribedGroupMember::default().with_member_id(text("m")).with_client_id(text("c"));
        let member = if version >= 4 { member.with_group_instance_id(Some(text("static"))) } else { member };
        let member = member.with_member_metadata(vec![1; 3].into()).with_member_assignment(vec![2; 200].into());
        let group = DescribedGroup::default().with_group_id(text("connect").into()).with_group_state(text("Stable"));
        let group = group.with_protocol_data(text("sessioned")).with_members(vec![member]);
        bytes(&theirs::DescribeGroupsResponse::default().with_groups(vec![group]), version)
    };
    read::<DescribeGroups>(answer, |_, groups| {
        let member = &groups[0].members[0];
        assert_eq!((groups[0].state.as_str(), groups[0].protocol.as_str()), ("Stable", "sessioned"));
        assert_eq!((member.id.as_str(), member.client_id.as_str()), ("m", "c"));
        assert_eq!((&member.metadata[..], &member.assignment[..]), (&[1; 3][..], &[2; 200][..]));
    });
    let answer = |version| {
        let owned =
            consumers::TopicPartitions::default().with_topic_name(text("orders").into()).with_partitions(vec![4]);
        let assignment = consumers::Assignment::default().with_topic_partitions(vec![owned]);
        let member = consumers::Member::default().with_member_id(text("m")).with_member_epoch(8);
        let member = if version >= 1 { member.with_member_type(1) } else { member };
        let member = member.with_assignment(assignment).with_subscribed_topic_names(vec![text("orders").into()]);
        let group = consumers::DescribedGroup::default().with_group_id(text("connect-sink").into()).with_group_epoch(9);
        let group = group.with_group_state(text("Reconciling")).with_members(vec![member]);
        bytes(&theirs::ConsumerGroupDescribeResponse::default().with_groups(vec![group]), version)
    };
    read::<ConsumerGroupDescribe>(answer, |_, groups| {
        assert_eq!((groups[0].state.as_str(), groups[0].epoch), ("Reconciling", 9));
        let member = &groups[0].members[0];
        assert_eq!((member.epoch, &member.assigned[..]), (8, &[("orders".to_owned(), vec![4])][..]));
    });
}

#[test]
fn answers_about_offsets_are_understood() {
    use theirs::list_offsets_response::{ListOffsetsPartitionResponse, ListOffsetsTopicResponse};
    use theirs::offset_fetch_response as fetch;
    let answer = |version| {
        let response = theirs::OffsetFetchResponse::default();
        let response = if version < 8 {
            let partition = fetch::OffsetFetchResponsePartition::default().with_partition_index(4);
            let partition = partition.with_committed_offset(1 << 40).with_metadata(Some(text("note")));
            let topic = fetch::OffsetFetchResponseTopic::default().with_name(text("orders").into());
            response.with_topics(vec![topic.with_partitions(vec![partition])])
        } else {
            let partition = fetch::OffsetFetchResponsePartitions::default().with_partition_index(4);
            let partition = partition.with_committed_offset(1 << 40).with_metadata(Some(text("note")));
            let topic = fetch::OffsetFetchResponseTopics::default().with_name(text("orders").into());
            let topics = vec![topic.with_partitions(vec![partition])];
            let group = fetch::OffsetFetchResponseGroup::default().with_group_id(text("sink").into());
            response.with_groups(vec![group.with_topics(topics)])
        };
        bytes(&response, version)
    };
    read::<OffsetFetch>(answer, |version, groups| {
        assert_eq!((groups[0].group.as_str(), groups[0].error), (if version < 8 { "" } else { "sink" }, 0));
        let partition = &groups[0].partitions[0];
        assert_eq!((partition.topic.as_str(), partition.partition, partition.offset), ("orders", 4, 1 << 40));
    });
    let answer = |version| {
        let partition = ListOffsetsPartitionResponse::default().with_partition_index(4).with_offset(1 << 40);
        let topic = ListOffsetsTopicResponse::default().with_name(text("orders").into());
        let topics = vec![topic.with_partitions(vec![partition.with_error_code(6)])];
        bytes(&theirs::ListOffsetsResponse::default().with_topics(topics), version)
    };
    read::<ListOffsets>(answer, |_, ends| {
        assert_eq!((ends[0].topic.as_str(), ends[0].partition, ends[0].error), ("orders", 4, 6));
        assert_eq!(ends[0].offset, 1 << 40);
    });
}

#[test]
fn answers_at_the_beginning_of_a_connection_are_understood() {
    let answer = |version| {
        let api = theirs::api_versions_response::ApiVersion::default();
        let api = api.with_api_key(15).with_min_version(0).with_max_version(6);
        bytes(&theirs::ApiVersionsResponse::default().with_api_keys(vec![api]), version)
    };
    read::<ApiVersions>(answer, |_, (error, versions)| {
        assert_eq!((error, versions[0].key, versions[0].min, versions[0].max), (0, 15, 0, 6));
    });
    let answer = |version| {
        let response = theirs::SaslHandshakeResponse::default().with_error_code(33);
        bytes(&response.with_mechanisms(vec![text("PLAIN")]), version)
    };
    read::<SaslHandshake<'_>>(answer, |_, read| assert_eq!(read, (33, vec!["PLAIN".to_owned()])));
    let answer = |version| {
        let response = theirs::SaslAuthenticateResponse::default().with_auth_bytes(vec![7; 9].into());
        let response = if version >= 1 { response.with_session_lifetime_ms(1 << 33) } else { response };
        bytes(&response.with_error_message(Some(text("why"))), version)
    };
    read::<SaslAuthenticate>(answer, |_, read| assert_eq!(read, (0, Some("why".to_owned()), vec![7; 9])));
}
