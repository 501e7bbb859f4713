//! A broker of the tests: a thread for each connection, answers as a script says.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
    ApiVersionsResponse, DescribeGroupsRequest, DescribeGroupsResponse, FindCoordinatorRequest,
    FindCoordinatorResponse, ListGroupsResponse, ListOffsetsRequest, ListOffsetsResponse, MetadataRequest,
    MetadataResponse, OffsetFetchRequest, OffsetFetchResponse,
};
use kafka_protocol::protocol::{Decodable, Encodable, StrBytes};

use super::super::api::Api;
use super::super::{Access, Kafka};

/// A request as it came.
pub(super) struct Asked {
    /// The address it was sent to.
    pub(super) address: String,
    pub(super) key: i16,
    pub(super) version: i16,
    correlation: i32,
    /// What follows the header.
    pub(super) body: Vec<u8>,
}

/// What a broker does with a request.
pub(super) enum Does {
    /// Answers it, with the right header and length.
    Answers(Vec<u8>),
    /// Sends these bytes.
    Sends(Vec<u8>),
    /// Sends these bytes, then closes the connection.
    Ends(Vec<u8>),
    /// Nothing, with the connection open.
    Hangs,
}

/// A broker, gone when it is dropped.
pub(super) struct Broker {
    pub(super) address: String,
    seen: Arc<Mutex<Vec<(i16, i16)>>>,
    over: Arc<Mutex<bool>>,
}

impl Broker {
    /// One that does with each request what the script says.
    pub(super) fn new(script: impl FnMut(&Asked) -> Does + Send + 'static) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").unwrap(), script)
    }

    pub(super) fn on(listener: TcpListener, script: impl FnMut(&Asked) -> Does + Send + 'static) -> Self {
        let address = listener.local_addr().unwrap().to_string();
        let (seen, over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(false)));
        let script: Script = Arc::new(Mutex::new(script));
        let (own, log, ends) = (address.clone(), Arc::clone(&seen), Arc::clone(&over));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if *ends.lock().unwrap() {
                    return;
                }
                let (stream, script) = (stream.unwrap(), Arc::clone(&script));
                let (own, log) = (own.clone(), Arc::clone(&log));
                std::thread::spawn(move || serve(stream, &own, &script, &log));
            }
        });
        Self { address, seen, over }
    }

    /// The keys of the requests that have come, without those for versions.
    pub(super) fn asked(&self) -> Vec<i16> {
        let seen = self.seen.lock().unwrap();
        seen.iter().map(|(key, _)| *key).filter(|key| *key != Api::ApiVersions.key()).collect()
    }

    /// The version of the last request of a kind.
    pub(super) fn version_of(&self, api: Api) -> Option<i16> {
        self.seen.lock().unwrap().iter().rev().find(|(key, _)| *key == api.key()).map(|(_, version)| *version)
    }

    pub(super) fn forget(&self) {
        self.seen.lock().unwrap().clear();
    }

    /// A client that begins with this broker.
    pub(super) fn client(&self) -> Kafka {
        Kafka::new(self.access()).unwrap()
    }

    pub(super) fn access(&self) -> Access {
        Access { bootstrap: vec![self.address.clone()], tls: None, sasl: None, timeout: Duration::from_millis(1500) }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        *self.over.lock().unwrap() = true;
        drop(TcpStream::connect(&self.address));
    }
}

type Script = Arc<Mutex<dyn FnMut(&Asked) -> Does + Send>>;

fn serve(mut stream: TcpStream, address: &str, script: &Script, seen: &Mutex<Vec<(i16, i16)>>) {
    while let Some(asked) = request(&mut stream, address) {
        seen.lock().unwrap().push((asked.key, asked.version));
        // A script that fails is a failing test; the others may go on.
        let does = (script.lock().unwrap_or_else(PoisonError::into_inner))(&asked);
        let sent = match does {
            Does::Answers(body) => stream.write_all(&answer(&asked, &body)),
            Does::Sends(bytes) => stream.write_all(&bytes),
            Does::Ends(bytes) => {
                drop(stream.write_all(&bytes));
                return;
            }
            Does::Hangs => Ok(()),
        };
        if sent.is_err() {
            return;
        }
    }
}

fn request(stream: &mut TcpStream, address: &str) -> Option<Asked> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = u32::from_be_bytes(length);
    if length > 1 << 20 {
        return None; // What no broker takes either: TLS, HTTP.
    }
    let mut frame = vec![0; length as usize];
    stream.read_exact(&mut frame).ok()?;
    let mut rest = &frame[..];
    let header = kafka_protocol::protocol::decode_request_header_from_buffer(&mut rest).unwrap();
    assert_eq!(header.client_id.as_deref(), Some("rollgate"));
    Some(Asked {
        address: address.to_owned(),
        key: header.request_api_key,
        version: header.request_api_version,
        correlation: header.correlation_id,
        body: rest.to_vec(),
    })
}

/// A body with its header and length.
pub(super) fn answer(asked: &Asked, body: &[u8]) -> Vec<u8> {
    let mut bytes = asked.correlation.to_be_bytes().to_vec();
    let api = kafka_protocol::messages::ApiKey::try_from(asked.key).unwrap();
    if api.response_header_version(asked.version) > 0 {
        bytes.push(0);
    }
    bytes.extend(body);
    [&u32::try_from(bytes.len()).unwrap().to_be_bytes()[..], &bytes].concat()
}

/// A body in the version that was asked in.
pub(super) fn encoded(asked: &Asked, body: &impl Encodable) -> Vec<u8> {
    let mut bytes = Vec::new();
    body.encode(&mut bytes, asked.version).unwrap();
    bytes
}

/// What a lone and healthy broker does, with the newest versions: it coordinates all groups,
/// which are all `Stable`, and leads all partitions, which all end at 100.
pub(super) fn usual(asked: &Asked) -> Does {
    usual_with(&[], asked)
}

/// The same by a broker that knows no newer versions of these requests: key and version.
pub(super) fn usual_with(newest: &[(i16, i16)], asked: &Asked) -> Does {
    Does::Answers(match asked.key {
        2 => ends(asked, 100),
        3 => metadata(asked, &[&asked.address], 1),
        9 => committed(asked),
        10 => coordinator(asked, &asked.address, 0),
        15 => described(asked, 0),
        16 => listed(asked, 0),
        18 => encoded(asked, &versions(newest)),
        other => panic!("no answer to {other}"),
    })
}

fn versions(newest: &[(i16, i16)]) -> ApiVersionsResponse {
    let of = |key: i16, max: i16| {
        let max = newest.iter().find(|(limited, _)| *limited == key).map_or(max, |(_, newest)| *newest);
        ApiVersion::default().with_api_key(key).with_min_version(0).with_max_version(max)
    };
    let keys = [(2, 10), (3, 13), (9, 10), (10, 6), (15, 6), (16, 5), (17, 1), (18, 4), (36, 2), (69, 1)];
    ApiVersionsResponse::default().with_api_keys(keys.map(|(key, max)| of(key, max)).into())
}

/// Brokers 1, 2, … at these addresses; each topic has partition 0, led by `leader`.
pub(super) fn metadata(asked: &Asked, addresses: &[&str], leader: i32) -> Vec<u8> {
    let request = MetadataRequest::decode(&mut &asked.body[..], asked.version).unwrap();
    assert!(!request.allow_auto_topic_creation);
    let brokers = addresses.iter().zip(1..).map(|(address, id)| {
        let (host, port) = host_port(address);
        MetadataResponseBroker::default().with_node_id(id.into()).with_host(host).with_port(port)
    });
    let topics = request.topics.unwrap_or_default().into_iter().map(|topic| {
        let partition = MetadataResponsePartition::default().with_leader_id(leader.into());
        MetadataResponseTopic::default().with_name(topic.name).with_partitions(vec![partition])
    });
    let answer = MetadataResponse::default().with_brokers(brokers.collect()).with_topics(topics.collect());
    encoded(asked, &answer.with_cluster_id(Some(text("the-cluster"))))
}

/// The same without any topic.
pub(super) fn metadata_without_topics(asked: &Asked) -> Vec<u8> {
    let request = MetadataRequest::decode(&mut &asked.body[..], asked.version).unwrap();
    let (host, port) = host_port(&asked.address);
    let broker = MetadataResponseBroker::default().with_node_id(1.into()).with_host(host).with_port(port);
    let topics = request.topics.unwrap_or_default().into_iter();
    let topics = topics.map(|topic| MetadataResponseTopic::default().with_name(topic.name).with_error_code(3));
    encoded(asked, &MetadataResponse::default().with_brokers(vec![broker]).with_topics(topics.collect()))
}

pub(super) fn coordinator(asked: &Asked, address: &str, error: i16) -> Vec<u8> {
    let request = FindCoordinatorRequest::decode(&mut &asked.body[..], asked.version).unwrap();
    assert_eq!(request.key_type, 0);
    let (host, port) = host_port(address);
    let answer = FindCoordinatorResponse::default();
    if asked.version < 4 {
        return encoded(asked, &answer.with_error_code(error).with_node_id(1.into()).with_host(host).with_port(port));
    }
    let found = request.coordinator_keys.into_iter().map(|group| {
        let found = Coordinator::default().with_key(group).with_node_id(1.into()).with_error_code(error);
        found.with_host(host.clone()).with_port(port)
    });
    encoded(asked, &answer.with_coordinators(found.collect()))
}

pub(super) fn described(asked: &Asked, error: i16) -> Vec<u8> {
    let request = DescribeGroupsRequest::decode(&mut &asked.body[..], asked.version).unwrap();
    let member = |id: &str, byte: u8| {
        let member = DescribedGroupMember::default().with_member_id(text(id)).with_client_id(text("connect-1"));
        let member = member.with_client_host(text("/10.0.0.1"));
        member.with_member_metadata(vec![byte; 3].into()).with_member_assignment(vec![byte; 5].into())
    };
    let groups = request.groups.into_iter().map(|id| {
        let group = DescribedGroup::default().with_group_id(id).with_error_code(error);
        if error != 0 {
            return group;
        }
        let group = group.with_group_state(text("Stable")).with_protocol_type(text("connect"));
        group.with_protocol_data(text("sessioned")).with_members(vec![member("b", 1), member("a", 2)])
    });
    encoded(asked, &DescribeGroupsResponse::default().with_groups(groups.collect()))
}

pub(super) fn listed(asked: &Asked, error: i16) -> Vec<u8> {
    let group = |id: &str, kind: &str| {
        let group = ListedGroup::default().with_group_id(text(id).into()).with_protocol_type(text(kind));
        let group = if asked.version >= 4 { group.with_group_state(text("Stable")) } else { group };
        if asked.version >= 5 { group.with_group_type(text("Classic")) } else { group }
    };
    let groups = vec![group("workers", "connect"), group("connect-sink", "consumer"), group("other", "connect")];
    encoded(asked, &ListGroupsResponse::default().with_error_code(error).with_groups(groups))
}

/// Each group has committed 90 for `orders-0` and nothing for `orders-1`.
pub(super) fn committed(asked: &Asked) -> Vec<u8> {
    let request = OffsetFetchRequest::decode(&mut &asked.body[..], asked.version).unwrap();
    assert!(!request.require_stable);
    let answer = OffsetFetchResponse::default();
    if asked.version < 8 {
        assert_eq!(request.topics, None, "all topics are asked for");
        let of = |index, offset| {
            OffsetFetchResponsePartition::default().with_partition_index(index).with_committed_offset(offset)
        };
        let topic = OffsetFetchResponseTopic::default().with_name(text("orders").into());
        return encoded(asked, &answer.with_topics(vec![topic.with_partitions(vec![of(0, 90), of(1, -1)])]));
    }
    let of = |index, offset| {
        OffsetFetchResponsePartitions::default().with_partition_index(index).with_committed_offset(offset)
    };
    let groups = request.groups.into_iter().map(|group| {
        assert_eq!(group.topics, None, "all topics are asked for");
        let topic = OffsetFetchResponseTopics::default().with_name(text("orders").into());
        let topic = topic.with_partitions(vec![of(0, 90), of(1, -1)]);
        OffsetFetchResponseGroup::default().with_group_id(group.group_id).with_topics(vec![topic])
    });
    encoded(asked, &answer.with_groups(groups.collect()))
}

pub(super) fn ends(asked: &Asked, offset: i64) -> Vec<u8> {
    ends_or(asked, offset, 0)
}

pub(super) fn ends_or(asked: &Asked, offset: i64, error: i16) -> Vec<u8> {
    let request = ListOffsetsRequest::decode(&mut &asked.body[..], asked.version).unwrap();
    assert_eq!((request.replica_id.0, request.isolation_level), (-1, 0));
    let topics = request.topics.into_iter().map(|topic| {
        let partitions = topic.partitions.into_iter().map(|partition| {
            assert_eq!(partition.timestamp, -1, "the latest offset is asked for");
            let answer = ListOffsetsPartitionResponse::default().with_partition_index(partition.partition_index);
            answer.with_offset(offset).with_error_code(error)
        });
        ListOffsetsTopicResponse::default().with_name(topic.name).with_partitions(partitions.collect())
    });
    encoded(asked, &ListOffsetsResponse::default().with_topics(topics.collect()))
}

pub(super) fn text(text: &str) -> StrBytes {
    StrBytes::from_string(text.to_owned())
}

fn host_port(address: &str) -> (StrBytes, i32) {
    let (host, port) = address.rsplit_once(':').unwrap();
    (text(host), port.parse().unwrap())
}
