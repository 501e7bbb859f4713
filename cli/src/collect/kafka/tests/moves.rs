//! Coordinators and leaders that move, and how many requests an observation takes.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::api::Api;
use super::super::{DescribedMember, KafkaError};
use super::broker::{
    Broker, Does, coordinator, described, ends, ends_or, metadata, metadata_without_topics, usual, usual_with,
};

const LIST_OFFSETS: i16 = 2;
const METADATA: i16 = 3;
const OFFSET_FETCH: i16 = 9;
const FIND_COORDINATOR: i16 = 10;
const DESCRIBE_GROUPS: i16 = 15;

#[test]
fn members_come_in_the_coordinators_order_with_their_own_bytes() {
    let broker = Broker::new(usual);
    let groups = broker.client().describe(&["connect"]).unwrap();
    let group = &groups[0];
    assert_eq!((group.state.as_str(), group.protocol.as_str()), ("Stable", "sessioned"));
    assert_eq!((group.id.as_str(), &group.coordinator, &group.error), ("connect", &broker.address, &None));
    let member = |id: &str, byte: u8| DescribedMember {
        id: id.to_owned(),
        client_id: "connect-1".to_owned(),
        host: "/10.0.0.1".to_owned(),
        metadata: vec![byte; 3],
        assignment: vec![byte; 5],
    };
    assert_eq!(group.members, [member("b", 1), member("a", 2)]);
}

#[test]
fn asking_again_is_one_request() {
    let broker = Broker::new(usual);
    let mut kafka = broker.client();
    kafka.describe(&["connect"]).unwrap();
    assert_eq!(broker.asked(), [METADATA, FIND_COORDINATOR, DESCRIBE_GROUPS]);
    broker.forget();
    kafka.describe(&["connect"]).unwrap();
    assert_eq!(broker.asked(), [DESCRIBE_GROUPS]);
}

#[test]
fn the_number_of_requests_does_not_depend_on_that_of_groups_and_partitions() {
    let broker = Broker::new(usual);
    let mut kafka = broker.client();
    let sinks: Vec<String> = (0..50).map(|number| format!("connect-sink-{number}")).collect();
    let sinks: Vec<&str> = sinks.iter().map(String::as_str).collect();
    let topics: Vec<String> = (0..50).map(|number| format!("topic-{number}")).collect();
    let partitions: Vec<(&str, i32)> = topics.iter().map(|topic| (topic.as_str(), 0)).collect();
    for expected in [
        vec![METADATA, FIND_COORDINATOR, DESCRIBE_GROUPS, OFFSET_FETCH, METADATA, LIST_OFFSETS],
        vec![DESCRIBE_GROUPS, OFFSET_FETCH, LIST_OFFSETS],
    ] {
        broker.forget();
        assert_eq!(kafka.describe(&sinks).unwrap().len(), 50);
        assert!(kafka.committed(&sinks).unwrap().iter().all(|group| group.partitions.as_ref().unwrap().len() == 1));
        assert!(kafka.ends(&partitions).unwrap().iter().all(|end| end.offset == Ok(100)));
        assert_eq!(broker.asked(), expected);
    }
}

#[test]
fn brokers_of_kafka_2_1_are_asked_for_one_group_at_a_time() {
    let broker = Broker::new(|asked| usual_with(&[(2, 4), (3, 7), (9, 5), (10, 2), (15, 2), (16, 2)], asked));
    let mut kafka = broker.client();
    assert_eq!(kafka.committed(&["a", "b"]).unwrap().len(), 2);
    let each = [METADATA, FIND_COORDINATOR, FIND_COORDINATOR, OFFSET_FETCH, OFFSET_FETCH];
    assert_eq!(broker.asked(), each);
    assert_eq!(kafka.describe(&["a", "b"]).unwrap()[1].members.len(), 2);
    assert_eq!(kafka.ends(&[("orders", 0)]).unwrap()[0].offset, Ok(100));
    let groups = kafka.groups("connect").unwrap();
    assert_eq!((groups.len(), groups[0].state.clone()), (2, None));
    let spoken = [Api::ListOffsets, Api::Metadata, Api::OffsetFetch, Api::FindCoordinator, Api::DescribeGroups];
    assert_eq!(spoken.map(|api| broker.version_of(api)), [4, 7, 5, 2, 2].map(Some));
}

#[test]
fn groups_of_one_type_are_listed_in_order() {
    let broker = Broker::new(usual);
    let groups = broker.client().groups("connect").unwrap();
    let ids: Vec<&str> = groups.iter().map(|group| group.id.as_str()).collect();
    assert_eq!(ids, ["other", "workers"]);
    assert_eq!((groups[0].state.as_deref(), groups[0].kind.as_deref()), (Some("Stable"), Some("Classic")));
}

#[test]
fn a_coordinator_that_has_moved_is_found_again() {
    let second = Broker::new(usual);
    let new = second.address.clone();
    let moved = Arc::new(AtomicUsize::new(0));
    let now = Arc::clone(&moved);
    let first = Broker::new(move |asked| match asked.key {
        FIND_COORDINATOR if now.load(Ordering::SeqCst) > 0 => Does::Answers(coordinator(asked, &new, 0)),
        DESCRIBE_GROUPS if now.load(Ordering::SeqCst) > 0 => Does::Answers(described(asked, 16)),
        _ => usual(asked),
    });
    let mut kafka = first.client();
    assert_eq!(kafka.describe(&["connect"]).unwrap()[0].coordinator, first.address);
    moved.store(1, Ordering::SeqCst);
    let group = kafka.describe(&["connect"]).unwrap().remove(0);
    assert_eq!((group.coordinator, group.error), (second.address.clone(), None));
}

#[test]
fn a_coordinator_that_is_down_is_found_again() {
    let second = Broker::new(usual);
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let new = second.address.clone();
    let mut times = 0;
    let first = Broker::new(move |asked| match asked.key {
        FIND_COORDINATOR => {
            times += 1;
            Does::Answers(coordinator(asked, if times > 2 { &new } else { &gone }, 0))
        }
        _ => usual(asked),
    });
    let group = first.client().describe(&["connect"]).unwrap().remove(0);
    assert_eq!((group.coordinator, group.error), (second.address.clone(), None));
}

#[test]
fn a_coordinator_that_still_loads_is_waited_for_but_not_for_ever() {
    let mut times = 0;
    let broker = Broker::new(move |asked| match asked.key {
        DESCRIBE_GROUPS => {
            times += 1;
            Does::Answers(described(asked, if times > 3 { 0 } else { 14 }))
        }
        _ => usual(asked),
    });
    assert_eq!(broker.client().describe(&["connect"]).unwrap()[0].error, None);
    let broker = Broker::new(|asked| match asked.key {
        DESCRIBE_GROUPS => Does::Answers(described(asked, 14)),
        _ => usual(asked),
    });
    match broker.client().describe(&["connect"]).unwrap()[0].error.clone() {
        Some(KafkaError::CoordinatorNotReady { group, why, after }) => {
            assert_eq!((group.as_str(), why.as_str()), ("connect", "COORDINATOR_LOAD_IN_PROGRESS"));
            assert!(after.as_millis() >= 1400, "{after:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_group_that_is_refused_leaves_the_others() {
    let broker = Broker::new(|asked| match asked.key {
        // Only the first of both is answered, and refused.
        DESCRIBE_GROUPS if asked.body.windows(5).any(|bytes| bytes == b"first") => Does::Answers(described(asked, 30)),
        _ => usual(asked),
    });
    let mut kafka = broker.client();
    let refused = kafka.describe(&["first"]).unwrap().remove(0);
    assert!(matches!(refused.error, Some(KafkaError::NotAuthorised(_))));
    assert_eq!(kafka.describe(&["second"]).unwrap()[0].error, None);
}

#[test]
fn a_cluster_in_which_no_group_ever_was_is_not_asked_for_a_coordinator() {
    // It would create the topic in which groups are kept.
    let broker = Broker::new(|asked| match asked.key {
        METADATA => Does::Answers(metadata_without_topics(asked)),
        _ => usual(asked),
    });
    let error = broker.client().describe(&["connect"]).unwrap()[0].error.clone();
    assert_eq!(error, Some(KafkaError::GroupNotFound { group: "connect".to_owned() }));
    assert_eq!(broker.asked(), [METADATA]);
}

#[test]
fn a_leader_that_has_moved_is_found_again() {
    let second = Broker::new(|asked| {
        Does::Answers(match asked.key {
            LIST_OFFSETS => ends(asked, 200),
            _ => return usual(asked),
        })
    });
    let other = second.address.clone();
    let mut leader = 1;
    let first = Broker::new(move |asked| match asked.key {
        METADATA => {
            let answer = metadata(asked, &[&asked.address, &other], leader);
            leader = 2;
            Does::Answers(answer)
        }
        LIST_OFFSETS => Does::Answers(ends_or(asked, -1, 6)),
        _ => usual(asked),
    });
    assert_eq!(first.client().ends(&[("orders", 0)]).unwrap()[0].offset, Ok(200));
}

#[test]
fn an_end_that_is_not_known_is_an_error_and_never_0() {
    let broker = Broker::new(|asked| match asked.key {
        METADATA => Does::Answers(metadata(asked, &[&asked.address], -1)),
        _ => usual(asked),
    });
    let end = broker.client().ends(&[("orders", 0), ("orders", 5)]).unwrap();
    assert!(matches!(end[0].offset, Err(KafkaError::NoLeader { partition: 0, .. })), "{end:?}");
    assert!(matches!(end[1].offset, Err(KafkaError::PartitionNotFound { partition: 5, .. })), "{end:?}");
    let broker = Broker::new(|asked| match asked.key {
        LIST_OFFSETS => Does::Answers(ends_or(asked, -1, 0)),
        _ => usual(asked),
    });
    assert!(broker.client().ends(&[("orders", 0)]).unwrap()[0].offset.is_err());
}

#[test]
fn partitions_for_which_nothing_is_committed_are_not_there() {
    for newest in [2, 5, 7, 8, 9] {
        let broker = Broker::new(move |asked| usual_with(&[(OFFSET_FETCH, newest)], asked));
        let groups = broker.client().committed(&["connect-sink"]).unwrap();
        let partitions = groups[0].partitions.clone().unwrap();
        let found: Vec<_> = partitions.iter().map(|each| (each.topic.as_str(), each.partition, &each.offset)).collect();
        assert_eq!(found, [("orders", 0, &Ok(90))]);
        assert_eq!(broker.version_of(Api::OffsetFetch), Some(newest));
    }
}
