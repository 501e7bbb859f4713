//! What is wrong with the other side is named, and nothing lasts longer than the time-out.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use kafka_protocol::messages::SaslHandshakeResponse;

use super::super::api::Api;
use super::super::{Access, Kafka, KafkaError};
use super::broker::{Asked, Broker, Does, answer, described, encoded, listed, text, usual, usual_with};

const DESCRIBE_GROUPS: i16 = 15;
const METADATA: i16 = 3;
const API_VERSIONS: i16 = 18;

/// A broker that does this with requests of one kind, and otherwise what brokers do.
fn with(key: i16, mut does: impl FnMut(&Asked) -> Does + Send + 'static) -> Broker {
    Broker::new(move |asked| if asked.key == key { does(asked) } else { usual(asked) })
}

/// What the client says of a broker; within the time-out.
fn error_of(broker: &Broker) -> KafkaError {
    let began = Instant::now();
    let described = broker.client().describe(&["connect"]);
    assert!(began.elapsed() < Duration::from_millis(2500), "it took {:?}", began.elapsed());
    match described {
        Err(error) => error,
        Ok(described) => described[0].error.clone().expect("an error"),
    }
}

#[test]
fn an_address_where_nobody_listens_is_named_with_the_reason() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let bootstrap = vec![gone.clone(), "no-such-host.invalid:9092".to_owned()];
    let access = Access { bootstrap, tls: None, sasl: None, timeout: Duration::from_secs(3) };
    let error = Kafka::new(access).unwrap().cluster_id().unwrap_err().to_string();
    let start = format!("no broker can be reached: {gone} (connection refused), no-such-host.invalid:9092 (the name ");
    assert!(error.starts_with(&start), "{error}");
}

#[test]
fn the_next_address_is_tried_when_the_first_is_dead() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let broker = Broker::new(usual);
    let access = Access { bootstrap: vec![gone, broker.address.clone()], ..broker.access() };
    assert_eq!(Kafka::new(access).unwrap().cluster_id().unwrap(), "the-cluster");
}

#[test]
fn an_address_that_only_the_cluster_knows_is_said_to_be_its() {
    let broker = with(10, |asked| Does::Answers(super::broker::coordinator(asked, "localhost:1", 0)));
    let error = error_of(&broker).to_string();
    assert_eq!(
        error,
        "no broker can be reached: localhost:1 (connection refused; the cluster advertises this address)"
    );
}

#[test]
fn a_broker_that_hangs_ends_at_the_time_out_and_the_step_is_named() {
    for (key, step) in [(API_VERSIONS, "ApiVersions"), (METADATA, "Metadata"), (DESCRIBE_GROUPS, "DescribeGroups")] {
        let broker = with(key, |_| Does::Hangs);
        match error_of(&broker) {
            KafkaError::TimedOut { address, step: at, after } => {
                assert_eq!((address, at.as_str()), (broker.address.clone(), step));
                assert!(after >= Duration::from_millis(1400), "{after:?}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn half_an_answer_with_the_connection_open_ends_at_the_time_out() {
    let broker = with(DESCRIBE_GROUPS, |asked| {
        let whole = answer(asked, &described(asked, 0));
        Does::Sends(whole[..whole.len() / 2].to_vec())
    });
    assert!(matches!(error_of(&broker), KafkaError::TimedOut { .. }));
}

#[test]
fn half_an_answer_and_the_end_of_the_connection_is_tried_again_to_the_time_out() {
    let broker = with(DESCRIBE_GROUPS, |asked| {
        let whole = answer(asked, &described(asked, 0));
        Does::Ends(whole[..whole.len() - 1].to_vec())
    });
    let step = "DescribeGroups".to_owned();
    assert_eq!(error_of(&broker), KafkaError::Closed { address: broker.address.clone(), step });
    assert!(broker.asked().iter().filter(|key| **key == DESCRIBE_GROUPS).count() > 2);
}

#[test]
fn a_kept_connection_that_was_closed_meanwhile_is_opened_anew() {
    let mut count = 0;
    let broker = with(DESCRIBE_GROUPS, move |asked| {
        count += 1;
        // Answers the first, closes at the second, answers again.
        if count == 2 { Does::Ends(Vec::new()) } else { usual(asked) }
    });
    let mut kafka = broker.client();
    for _ in 0..3 {
        assert_eq!(kafka.describe(&["connect"]).unwrap()[0].error, None);
    }
    // Without looking for the coordinator again.
    let first = [METADATA, 10, DESCRIBE_GROUPS];
    assert_eq!(broker.asked(), [&first[..], &[DESCRIBE_GROUPS, DESCRIBE_GROUPS], &[DESCRIBE_GROUPS]].concat());
}

#[test]
fn a_giant_length_is_refused_without_waiting_for_it() {
    let began = Instant::now();
    for length in [u32::MAX, 0x7fff_ffff, (64 << 20) + 1] {
        let broker = with(DESCRIBE_GROUPS, move |_| Does::Sends(length.to_be_bytes().to_vec()));
        let error = error_of(&broker).to_string();
        assert!(error.contains(&format!("DescribeGroups: an answer of {} bytes", length.cast_signed())), "{error}");
    }
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_giant_number_of_elements_is_refused_without_room_for_them() {
    // throttle_time_ms, then 2,147,483,647 groups.
    let broker = Broker::new(|asked| match asked.key {
        DESCRIBE_GROUPS => Does::Answers([&[0; 4][..], &i32::MAX.to_be_bytes()].concat()),
        _ => usual_with(&[(DESCRIBE_GROUPS, 4)], asked),
    });
    let error = error_of(&broker).to_string();
    assert!(error.ends_with("DescribeGroups: at byte 8: a length of 2147483647 where 0 bytes are left"), "{error}");
}

#[test]
fn an_answer_to_another_request_is_not_taken_for_this_one() {
    let broker = with(DESCRIBE_GROUPS, |asked| {
        let mut bytes = answer(asked, &described(asked, 0));
        bytes[7] = 99;
        Does::Sends(bytes)
    });
    let error = error_of(&broker).to_string();
    assert!(error.contains("DescribeGroups: at byte 0: it answers request 99, not "), "{error}");
}

#[test]
fn bytes_that_are_left_over_are_not_overlooked() {
    let broker = with(DESCRIBE_GROUPS, |asked| Does::Answers([described(asked, 0), vec![7]].concat()));
    assert!(error_of(&broker).to_string().ends_with(": 1 bytes are left over"));
}

#[test]
fn a_tls_port_and_an_http_server_are_recognised() {
    let alert = |_: &Asked| Does::Ends(vec![0x15, 3, 3, 0, 2, 2, 80]);
    let broker = with(API_VERSIONS, alert);
    assert_eq!(error_of(&broker), KafkaError::TlsPort { address: broker.address.clone() });
    let broker = with(API_VERSIONS, |_| Does::Ends(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()));
    assert_eq!(error_of(&broker), KafkaError::HttpPort { address: broker.address.clone() });
}

#[test]
fn tls_to_a_plain_text_port_is_recognised() {
    let broker = Broker::new(usual);
    let access = Access { tls: Some(super::super::Tls::default()), ..broker.access() };
    let error = Kafka::new(access).unwrap().cluster_id().unwrap_err();
    assert_eq!(error, KafkaError::PlainTextPort { address: broker.address.clone() });
}

#[test]
fn a_port_that_asks_for_authentication_is_recognised_with_what_it_offers() {
    let broker = Broker::new(|asked| match asked.key {
        API_VERSIONS => usual(asked),
        17 => {
            let offered = vec![text("PLAIN"), text("SCRAM-SHA-512")];
            let answer = SaslHandshakeResponse::default().with_error_code(33).with_mechanisms(offered);
            Does::Answers(encoded(asked, &answer))
        }
        _ => Does::Ends(Vec::new()),
    });
    let offered = vec!["PLAIN".to_owned(), "SCRAM-SHA-512".to_owned()];
    assert_eq!(error_of(&broker), KafkaError::SaslNeeded { address: broker.address.clone(), offered });
}

#[test]
fn a_permission_that_is_missing_is_named() {
    let broker = with(DESCRIBE_GROUPS, |asked| Does::Answers(described(asked, 30)));
    assert_eq!(error_of(&broker).to_string(), "not authorised: this needs Describe on Group connect");
    let broker = with(10, |asked| Does::Answers(super::broker::coordinator(asked, "localhost:1", 30)));
    assert_eq!(error_of(&broker).to_string(), "not authorised: this needs Describe on Group connect");
    let broker = with(16, |asked| Does::Answers(listed(asked, 31)));
    let error = broker.client().groups("connect").unwrap_err().to_string();
    assert_eq!(error, "not authorised: this needs Describe on Cluster");
    let broker = with(2, |asked| Does::Answers(super::broker::ends_or(asked, -1, 29)));
    let ends = broker.client().ends(&[("orders", 0)]).unwrap();
    let error = ends[0].offset.clone().unwrap_err().to_string();
    assert_eq!(error, "not authorised: this needs Describe on Topic orders");
}

#[test]
fn a_broker_without_a_common_version_is_refused_with_both() {
    // Before Kafka 1.0.
    let broker = Broker::new(|asked| usual_with(&[(METADATA, 4)], asked));
    let mut kafka = broker.client();
    let error = kafka.cluster_id().unwrap_err().to_string();
    let address = &broker.address;
    assert_eq!(
        error,
        format!("{address} and this client know no common version of Metadata: 0 to 4 there, 5 to 12 here")
    );
    assert_eq!(broker.version_of(Api::Metadata), None);
}

/// Any mixture of good answers, errors, silence, halves and garbage: the client ends in time,
/// and what it takes for an answer is the broker's.
#[test]
fn no_mixture_of_faults_makes_it_hang_or_believe_what_was_not_said() {
    let mut good = 0;
    for seed in 1..=30_u64 {
        let mut chance = seed;
        let broker = Broker::new(move |asked| {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let whole = match usual(asked) {
                Does::Answers(body) => answer(asked, &body),
                _ => Vec::new(),
            };
            let place = usize::try_from(chance >> 40).unwrap() % whole.len();
            match chance >> 33 & 15 {
                0 => Does::Hangs,
                1 => Does::Ends(whole[..place].to_vec()),
                2 => Does::Sends(whole[..place].to_vec()),
                3 => Does::Ends(vec![0xff; place]),
                4 if asked.key == DESCRIBE_GROUPS => Does::Answers(described(asked, 16)),
                5 if asked.key == DESCRIBE_GROUPS => Does::Answers(described(asked, -1)),
                _ => Does::Sends(whole),
            }
        });
        let began = Instant::now();
        let access = Access { timeout: Duration::from_millis(150), ..broker.access() };
        let mut kafka = Kafka::new(access).unwrap();
        for _ in 0..3 {
            let described = kafka.describe(&["connect"]);
            let ends = kafka.ends(&[("orders", 0)]);
            if let Ok([group]) = described.as_deref().map(|groups| groups.first_chunk().unwrap()) {
                assert_eq!(group.error.is_none(), group.members.len() == 2, "seed {seed}: {group:?}");
                good += usize::from(group.error.is_none());
            }
            if let Ok(offset) = ends.map_or_else(Err, |ends| ends[0].offset.clone()) {
                assert_eq!(offset, 100, "seed {seed}");
            }
        }
        assert!(began.elapsed() < Duration::from_millis(6 * 150 + 500), "seed {seed}: {:?}", began.elapsed());
    }
    assert!((15..90).contains(&good), "{good} good answers of 90");
}

#[test]
fn what_a_broker_says_is_one_printable_line() {
    let said = super::super::error::quoted("no\n\u{1b}[31msuch\tuser ");
    assert_eq!(said, "no  [31msuch user");
    assert_eq!(super::super::error::quoted(&"x".repeat(1000)).len(), 200);
}
