//! Snapshots in files.

use super::super::*;
use super::readings::snapshot;
use crate::units::Timestamp;

#[test]
fn what_is_unknown_reads_as_it_was_written() {
    let snapshot = Snapshot {
        schema_version: Snapshot::SCHEMA_VERSION,
        taken_at: Timestamp::from_millis(1_796_095_038_123),
        took_ms: 12,
        cluster_id: Seen::Known("kafka-1".to_owned()),
        group: Seen::Known(Group {
            id: "connect".to_owned(),
            state: GroupState::Other("Assigning".to_owned()),
            protocol: None,
            coordinator: "192.0.2.1:9092".to_owned(),
            members: Vec::new(),
        }),
        statuses: Seen::unknown("nobody answers"),
        endpoints: vec![Endpoint {
            url: "http://192.0.2.2:8083".to_owned(),
            version: Seen::unknown("HTTP status 404"),
            no_answer: Some(NoAnswer::Status(404)),
        }],
        sinks: Vec::new(),
    };
    let json = serde_json::to_string(&snapshot).unwrap();
    assert!(json.contains(r#""statuses":{"unknown":"nobody answers"}"#), "{json}");
    assert_eq!(serde_json::from_str::<Snapshot>(&json).unwrap(), snapshot);
}

fn json() -> String {
    serde_json::to_string_pretty(&snapshot()).unwrap()
}

fn refused(text: &str) -> Vec<String> {
    Snapshot::read(text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn a_file_reads_as_it_was_written() {
    assert_eq!(Snapshot::read(&json()), Ok(snapshot()));
}

#[test]
fn keys_of_a_newer_program_are_passed_over() {
    let text = json().replacen('{', r#"{"weather": {"wind": [1, 2]},"#, 1);
    let text = text.replacen(r#""coordinator""#, r#""generation": 12, "coordinator""#, 1);
    assert_eq!(Snapshot::read(&text), Ok(snapshot()));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_eq!(refused("{\n  \"schema_version\": 1,\n"), ["line 3, column 0: EOF while parsing a value"]);
    let broken = json().replacen("\"took_ms\": 5", "\"took_ms\": \"5\"", 1);
    assert_eq!(refused(&broken), [r#"line 4, column 16: invalid type: string "5", expected i64"#]);
}

#[test]
fn an_error_within_what_may_be_unknown_has_its_own_place() {
    let line = |text: &str, word: &str| 1 + text.lines().position(|line| line.contains(word)).unwrap();
    let broken = json().replacen("\"coordinator\": \"192.0.2.1:9092\"", "\"coordinator\": 9092", 1);
    let place = format!("line {}, ", line(&broken, "9092"));
    let errors = refused(&broken);
    assert!(errors[0].starts_with(&place) && errors[0].contains("expected a string"), "{errors:?}");
    let broken = json().replacen("\"config_offset\": 7", "\"config_offset\": [7]", 1);
    let place = format!("line {}, ", line(&broken, "[7]"));
    assert!(refused(&broken)[0].starts_with(&place), "{:?}", refused(&broken));
}

#[test]
fn another_version_of_the_format_is_refused() {
    let other = json().replacen("\"schema_version\": 1", "\"schema_version\": 2", 1);
    assert_eq!(refused(&other), ["its schema_version is 2; this program reads 1: take it with the same"]);
    assert_eq!(refused("{}"), ["it is no snapshot: `schema_version` is missing"]);
    assert_eq!(refused(" \n"), ["there is nothing in it"]);
    assert!(refused("[]")[0].starts_with("line 1, column "), "{:?}", refused("[]"));
}

#[test]
fn contradictions_are_named_all_at_once() {
    let mut snapshot = snapshot();
    snapshot.took_ms = -1;
    let Seen::Known(group) = &mut snapshot.group else { panic!("unknown") };
    group.members[1].id = group.members[0].id.clone();
    let Seen::Known(assignment) = &mut group.members[2].assignment else { panic!("unknown") };
    assignment.delay_ms = -5;
    let text = serde_json::to_string(&snapshot).unwrap();
    assert_eq!(
        refused(&text),
        ["took_ms is -1, and time does not run back", "two members have the id `w3-c`", "a delay_ms is -5, below 0"]
    );
}

#[test]
fn every_kind_of_value_may_be_unknown_or_known() {
    let partition = |committed, end| Partition { topic: "t".to_owned(), partition: 0, committed, end };
    for whole in [
        partition(Seen::Known(Some(4)), Seen::Known(-4)),
        partition(Seen::Known(None), Seen::unknown("no leader")),
        partition(Seen::unknown("refused"), Seen::Known(0)),
    ] {
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Partition>(&text).unwrap(), whole, "{text}");
    }
    let state = r#"{"unknown": "later words", "since": 3}"#;
    assert_eq!(serde_json::from_str::<Seen<GroupState>>(state).unwrap(), Seen::unknown("later words"));
    assert_eq!(serde_json::from_str::<Seen<GroupState>>(r#""Stable""#).unwrap(), Seen::Known(GroupState::Stable));
    assert_eq!(serde_json::from_str::<Seen<GroupState>>(r#""New""#).unwrap().known().unwrap().to_string(), "New");
}
