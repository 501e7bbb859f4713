//! Bytes as Kafka writes them, and bytes that it does not.

use super::*;

fn assignment() -> Assignment {
    Assignment {
        version: 2,
        error: 0,
        leader: "connect-w1:8083-1f3a".to_owned(),
        leader_url: "http://w1:8083/".to_owned(),
        config_offset: 41,
        assigned: vec![
            Part { connector: "orders".to_owned(), instance: true, tasks: vec![3, 0] },
            Part { connector: "größe ☂".to_owned(), instance: false, tasks: vec![7] },
        ],
        revoked: vec![Part { connector: "payments".to_owned(), instance: false, tasks: vec![1] }],
        delay_ms: 20_000,
    }
}

fn metadata() -> Metadata {
    let url = "http://w2:8083/".to_owned();
    Metadata { version: 2, url, config_offset: 41, allocation: Some(assignment()) }
}

#[test]
fn what_was_written_is_read() {
    let bytes = assignment().encode().unwrap();
    assert_eq!(Assignment::decode(&bytes), Ok(Some(assignment())));
    assert_eq!(Metadata::decode(&metadata().encode().unwrap()), Ok(Some(metadata())));
    let fresh = Metadata { allocation: None, ..metadata() };
    assert_eq!(Metadata::decode(&fresh.encode().unwrap()), Ok(Some(fresh)));
}

#[test]
fn the_connector_itself_is_task_minus_one() {
    let bytes = [
        &[0, 0, 0, 0, 0, 1, b'l', 0, 1, b'u', 0, 0, 0, 0, 0, 0, 0, 5][..],
        &[0, 0, 0, 1, 0, 1, b'A', 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 4],
    ]
    .concat();
    let read = Assignment::decode(&bytes).unwrap().unwrap();
    assert_eq!(read.assigned, [Part { connector: "A".to_owned(), instance: true, tasks: vec![4] }]);
    assert_eq!((read.config_offset, read.leader.as_str(), read.delay_ms), (5, "l", 0));
    assert_eq!(read.encode().unwrap(), bytes);
}

#[test]
fn no_bytes_are_no_error() {
    assert_eq!(Assignment::decode(&[]), Ok(None));
    assert_eq!(Metadata::decode(&[]), Ok(None));
}

#[test]
fn version_0_tells_neither_what_runs_nor_a_delay() {
    let eager = Metadata { version: 0, ..metadata() };
    assert_eq!(eager.encode().unwrap().len(), 2 + 2 + 15 + 8);
    assert_eq!(Metadata::decode(&eager.encode().unwrap()).unwrap().unwrap().allocation, None);
    let eager = Assignment { version: 0, ..assignment() };
    let read = Assignment::decode(&eager.encode().unwrap()).unwrap().unwrap();
    assert_eq!(read, Assignment { revoked: Vec::new(), delay_ms: 0, ..eager });
}

#[test]
fn an_assignment_may_end_before_its_lists_from_version_1_on() {
    let whole = Assignment { assigned: Vec::new(), revoked: Vec::new(), delay_ms: 0, ..assignment() };
    let bytes = whole.encode().unwrap();
    let lists = 3 * 4;
    for end in [4, 8, 12] {
        assert_eq!(Assignment::decode(&bytes[..bytes.len() - end]), Ok(Some(whole.clone())));
    }
    let mut null = bytes[..bytes.len() - lists].to_vec();
    null.extend([0xff; 8]);
    assert_eq!(Assignment::decode(&null), Ok(Some(whole.clone())));
    let eager = Assignment { version: 0, ..whole }.encode().unwrap();
    let message = Assignment::decode(&eager[..eager.len() - 4]).unwrap_err().to_string();
    assert_eq!(message, "byte 51, the assigned connectors: 4 bytes expected, 0 left");
}

#[test]
fn what_a_later_version_adds_is_passed_over() {
    let mut bytes = Assignment { version: 3, ..assignment() }.encode().unwrap();
    bytes.extend([1, 2, 3]);
    assert_eq!(Assignment::decode(&bytes), Ok(Some(Assignment { version: 3, ..assignment() })));
}

#[test]
fn an_error_says_where_and_what() {
    let said = |bytes: &[u8]| Metadata::decode(bytes).unwrap_err().to_string();
    assert_eq!(said(&[0]), "byte 0, the version: 2 bytes expected, 1 left");
    assert_eq!(said(&[0xff, 0xfe]), "byte 0, the version: -2 is none");
    assert_eq!(said(&[0, 1, 0, 9, b'h']), "byte 4, the worker's URL: 9 bytes expected, 1 left");
    assert_eq!(said(&[0, 1, 0xff, 0xff]), "byte 2, the length of a text: -1 is none");
    assert_eq!(said(&[0, 1, 0, 3, b'h', 0xc3, 0x28]), "byte 5, the worker's URL: no UTF-8");
    let mut bytes = metadata().encode().unwrap();
    let end = bytes.len();
    bytes.truncate(end - 1);
    assert_eq!(said(&bytes), format!("byte 31, the allocation: {} bytes expected, {} left", end - 31, end - 32));
}

#[test]
fn an_error_within_the_allocation_counts_from_the_start_of_the_metadata() {
    let mut bytes = metadata().encode().unwrap();
    let version_of_allocation = 2 + 2 + 15 + 8 + 4;
    bytes[version_of_allocation] = 0x80;
    let error = Metadata::decode(&bytes).unwrap_err();
    assert_eq!((error.offset, error.problem), (version_of_allocation, Problem::TooSmall(-32_766)));
}

#[test]
fn a_length_that_the_bytes_do_not_hold_allocates_nothing() {
    let whole = Assignment { assigned: Vec::new(), ..assignment() }.encode().unwrap();
    let lists = whole.len() - 4 - 4 - (4 + 2 + 8 + 4 + 4) + 4;
    let mut bytes = whole[..lists].to_vec();
    let start = bytes.len() - 4;
    bytes[start..].copy_from_slice(&i32::MAX.to_be_bytes());
    let error = Assignment::decode(&bytes).unwrap_err();
    assert_eq!(error.problem, Problem::Ends { needed: 6 * i32::MAX as usize, left: 0 });
    assert_eq!(error.offset, start);
}

#[test]
fn a_text_that_does_not_fit_is_refused() {
    let long = Metadata { url: "x".repeat(32_768), ..metadata() };
    assert_eq!(
        long.encode().unwrap_err().to_string(),
        "the worker's URL: 32768 bytes do not fit; the most that Kafka writes are 32767"
    );
}
