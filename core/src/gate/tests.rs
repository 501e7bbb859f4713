//! Tests of the room: every reason has its name, its words and its JSON.

use std::collections::{BTreeMap, BTreeSet};

use super::{Baseline, Rated, Reason, Sight, Way, Work};
use crate::snapshot::{GroupState, NoAnswer, Seen, Snapshot};
use crate::units::{Duration, Timestamp};

#[test]
fn every_reason_has_one_name_and_a_sentence() {
    let variants = variants();
    let mut kinds = BTreeSet::new();
    for reason in all() {
        let json = serde_json::to_value(&reason).unwrap();
        assert_eq!(json["kind"], reason.kind());
        assert_eq!(serde_json::from_value::<Reason>(json).unwrap(), reason);
        let sentence = reason.to_string();
        assert!(sentence.contains(' ') && !sentence.ends_with('.') && !sentence.contains("  "), "{sentence}");
        kinds.insert(reason.kind());
    }
    assert_eq!(kinds.len(), variants, "a reason has no sample here");
}

#[test]
fn limits_and_other_clusters_cannot_be_overruled() {
    for reason in all() {
        let can = Reason::can_be_accepted(reason.kind());
        assert!(!(can && reason.way() == Way::Never), "{}", reason.kind());
    }
    assert!(!Reason::can_be_accepted("worker-away") && !Reason::can_be_accepted("no-such-reason"));
    assert!(Reason::can_be_accepted("failed"));
}

#[test]
fn the_call_that_heals_names_a_connector_as_one_segment() {
    let mut work = Work::default();
    work.add("team/orders sink", Some(0));
    let sentence = Reason::Failed { work, quiet: true, exactly_once: false }.to_string();
    let call = "POST /connectors/team%2Forders%20sink/restart?includeTasks=true&onlyFailed=true";
    assert!(sentence.ends_with(call), "{sentence}");
}

#[test]
fn no_baseline_is_taken_of_what_cannot_be_seen() {
    let snapshot = Snapshot {
        schema_version: Snapshot::SCHEMA_VERSION,
        taken_at: Timestamp::from_millis(0),
        took_ms: 1,
        cluster_id: Seen::unknown("the broker does not answer"),
        group: Seen::unknown("the broker does not answer"),
        statuses: Seen::unknown("no worker answers"),
        endpoints: Vec::new(),
        sinks: Vec::new(),
    };
    let reasons = Baseline::take(&snapshot, &Sight::Group, &BTreeMap::new(), &BTreeSet::new()).unwrap_err();
    let kinds: Vec<&str> = reasons.iter().map(Reason::kind).collect();
    assert_eq!(kinds, ["cluster-unknown", "statuses-unknown", "group-unknown"]);
}

/// How many reasons the enum has, by its source.
fn variants() -> usize {
    let source = include_str!("reason.rs");
    let body = source.split("pub enum Reason {").nth(1).and_then(|rest| rest.split("\n}\n").next()).unwrap_or_default();
    body.lines().filter(|line| line.starts_with("    ") && line.trim_start().starts_with(char::is_uppercase)).count()
}

/// One of each.
fn all() -> Vec<Reason> {
    let mut work = Work::default();
    work.add("orders", Some(1));
    let text = || "text".to_owned();
    let names = || vec!["w2".to_owned()];
    let time = Duration::from_secs(4);
    let unmet = || vec![Reason::SnapshotMissing {}];
    vec![
        Reason::SnapshotMissing {},
        Reason::SnapshotStale { age: time, took: time, allowed: time },
        Reason::SnapshotRepeated {},
        Reason::SnapshotVersion { seen: 2, known: 2 },
        Reason::ClusterUnknown { why: text() },
        Reason::ClusterOther { seen: text(), expected: text() },
        Reason::GroupUnknown { why: text() },
        Reason::GroupOther { seen: text(), expected: text() },
        Reason::GroupStateUnknown { state: text() },
        Reason::GroupNotStable { state: GroupState::PreparingRebalance },
        Reason::MemberUnreadable { members: names(), why: text() },
        Reason::StatusesUnknown { why: text() },
        Reason::StatusesFromRestarted { worker: text() },
        Reason::AnswerIncomplete { connectors: names(), lacks: text() },
        Reason::StateUnknown { work: work.clone(), states: names() },
        Reason::WorkerMissing { workers: names(), answering: names() },
        Reason::WorkerTwice { workers: names() },
        Reason::AssignmentFailed { workers: names() },
        Reason::OwnsNothing { workers: names() },
        Reason::BetweenRounds { work: work.clone() },
        Reason::DelayRunning { left_at_most: time, exact: true, value: time, waiting: work.clone(), leader: text() },
        Reason::NoOwner { work: work.clone(), delay_runs: true },
        Reason::OwnedTwice { work: work.clone(), workers: names() },
        Reason::NotRunning { work: work.clone(), states: names(), overdue: true },
        Reason::StateAsked { work: work.clone(), states: names() },
        Reason::NoStatus { work: work.clone() },
        Reason::Disagreement { work: work.clone(), claimed: names(), owners: names() },
        Reason::MayBeStale { work: work.clone(), left: time },
        Reason::SecondWave { connectors: names(), left: time },
        Reason::Failed { work: work.clone(), quiet: true, exactly_once: true },
        Reason::TooManyWaiting { tasks: 3, allowed: 3, work: work.clone() },
        Reason::ShareWaiting { tasks: 3, of: 3, allowed: 0.5 },
        Reason::ExactlyOnceStarting { work: work.clone() },
        Reason::SinkUnknown { connector: text(), why: text() },
        Reason::SinkNotStable { connector: text(), state: GroupState::PreparingRebalance },
        Reason::SinkUnread { connector: text(), partitions: names(), read: 3, before: 3 },
        Reason::LagUnknown { connector: text(), why: text() },
        Reason::Lag { connector: text(), records: 7, allowed: 7, furthest: text(), furthest_records: 7 },
        Reason::ForeseenMissing {},
        Reason::ForeseenShare { tasks: 3, of: 3, allowed: 0.5 },
        Reason::ForeseenLongest { seen: time, allowed: time },
        Reason::ForeseenConnectors { connectors: names() },
        Reason::LeaderUnexpected { workers: names(), leader: text(), expected: true },
        Reason::WorkerAway { workers: names(), for_now: time, answering: names() },
        Reason::StillMember { workers: names(), for_now: time, port_closed: names() },
        Reason::NoRestPort { worker: text(), how: Some(NoAnswer::Refused) },
        Reason::BackFor { passed: time, asked: time },
        Reason::TooSoon { passed: time, needed: time },
        Reason::DelayUnknown {},
        Reason::RestartUnseen { workers: names() },
        Reason::Calm { held: time, window: time },
        Reason::NoTasks { connectors: names() },
        Reason::DeadlinePassed { passed: time, allowed: time, unmet: unmet() },
        Reason::NotBackInTime {
            workers: names(),
            passed: time,
            allowed: time,
            waiting_per_minute: Some(12.0),
            without: Some(12.0),
            unmet: unmet(),
        },
        Reason::NotSettledInTime { passed: time, allowed: time, unmet: unmet() },
        Reason::LeaderMoved { from: text(), to: text(), rated: Rated::PlanAgain },
        Reason::WorkerAdded { workers: names(), rated: Rated::PlanAgain },
        Reason::ProtocolChanged { from: text(), to: text(), rated: Rated::PlanAgain },
        Reason::ConnectorAdded { connectors: names(), rated: Rated::PlanAgain },
        Reason::ConnectorGone { connectors: names(), rated: Rated::PlanAgain },
        Reason::TasksChanged { connector: text(), from: 3, to: 3, rated: Rated::PlanAgain },
        Reason::ConfigEdited { connectors: names(), rated: Rated::PlanAgain },
        Reason::ConfigTopicMoved { from: 7, to: 7, rated: Rated::PlanAgain },
        Reason::LeftOverStatus { work: work.clone() },
        Reason::BrokenBefore { work: work.clone() },
        Reason::SinkNotWatched { connectors: names() },
        Reason::ClockJumped { by: time },
        Reason::NotWatched { for_now: Some(time), allowed: time },
    ]
}
