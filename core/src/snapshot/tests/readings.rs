//! What is read from a snapshot.

use super::super::*;
use super::*;
use crate::units::Timestamp;

fn claimed(state: ConnectorState, worker: &str) -> Claimed {
    Claimed { state, worker: worker.to_owned() }
}

/// `orders` with 6 tasks that run where the group has them: 0 and 5 on w1, 1 and 3 on w2, 4 on w3.
/// Task 2 is between two owners: w2 has just given it up.
pub(super) fn snapshot() -> Snapshot {
    let bytes = bytes();
    let mut group = Group::read(&described("Stable", &bytes)).unwrap();
    for member in &mut group.members {
        // After the rebalance that hands task 2 out.
        if member.id == "w2-b" {
            let Seen::Known(work) = &mut member.owns else { panic!("{member:?}") };
            work.tasks.push(("orders".to_owned(), 2));
        }
    }
    let on = |worker: &str| claimed(ConnectorState::Running, &format!("{worker}:8083"));
    let workers = ["w1", "w2", "w2", "w2", "w3", "w1"];
    let status = ConnectorStatus {
        kind: ConnectorType::Source,
        instance: Seen::Known(on("w1")),
        tasks: (0..).zip(workers.map(on)).collect(),
        configured_tasks: Seen::Known((0..6).collect()),
        config_hash: Seen::Known("0".repeat(64)),
        consumer_group: None,
    };
    let endpoint = |worker: &str| Endpoint {
        url: format!("http://{worker}:8083"),
        version: Seen::unknown("not asked"),
        no_answer: None,
    };
    Snapshot {
        schema_version: Snapshot::SCHEMA_VERSION,
        taken_at: Timestamp::from_millis(0),
        took_ms: 5,
        cluster_id: Seen::Known("kafka-1".to_owned()),
        group: Seen::Known(group),
        statuses: Seen::Known(Statuses {
            asked: "http://w1:8083".to_owned(),
            connectors: [("orders".to_owned(), status)].into(),
        }),
        endpoints: ["w1", "w2", "w3"].map(endpoint).into(),
        sinks: Vec::new(),
    }
}

fn orders(snapshot: &mut Snapshot) -> &mut ConnectorStatus {
    let Seen::Known(statuses) = &mut snapshot.statuses else { panic!("no statuses") };
    statuses.connectors.get_mut("orders").unwrap()
}

fn group(snapshot: &mut Snapshot) -> &mut Group {
    let Seen::Known(group) = &mut snapshot.group else { panic!("no group") };
    group
}

/// Nobody owns any more what that member had.
fn loses_its_work(snapshot: &mut Snapshot, id: &str) {
    let member = group(snapshot).members.iter_mut().find(|member| member.id == id).unwrap();
    member.owns = Seen::Known(WorkItems::default());
}

fn said(snapshot: &Snapshot) -> Vec<String> {
    disagreements(snapshot).iter().map(ToString::to_string).collect()
}

fn remarked(snapshot: &Snapshot) -> Vec<String> {
    remarks(snapshot).iter().map(ToString::to_string).collect()
}

#[test]
fn of_a_whole_cluster_there_is_nothing_to_say() {
    assert_eq!(said(&snapshot()), [""; 0]);
    assert_eq!(remarked(&snapshot()), [""; 0]);
    assert_eq!(snapshot().unowned(), Seen::Known(Vec::new()));
}

#[test]
fn running_with_the_address_of_the_restarted_worker_is_no_owner() {
    // Killed, or stopped in the generation in which it had started the tasks: the statuses
    // stay, and w2 is back under a new id with nothing to do.
    let mut snapshot = snapshot();
    loses_its_work(&mut snapshot, "w2-b");
    let running = |task| format!("orders-{task} is RUNNING on w2:8083 by its status, but nobody owns it by the group");
    assert_eq!(said(&snapshot), [1, 2, 3].map(running));
    let task = |number| Item::Task("orders".to_owned(), number);
    assert_eq!(snapshot.unowned(), Seen::Known(vec![task(1), task(2), task(3)]));
    assert_eq!(remarked(&snapshot)[0], "nobody owns orders-1: it runs nowhere");
}

#[test]
fn unassigned_without_an_owner_agrees() {
    let mut snapshot = snapshot();
    loses_its_work(&mut snapshot, "w2-b");
    for task in 1..4 {
        orders(&mut snapshot).tasks.insert(task, claimed(ConnectorState::Unassigned, "w2:8083"));
    }
    assert_eq!(said(&snapshot), [""; 0]);
    assert_eq!(snapshot.unowned().map(|items| items.len()), Seen::Known(3));
}

#[test]
fn a_status_that_is_late_or_of_another_worker_is_named() {
    let mut snapshot = snapshot();
    let status = orders(&mut snapshot);
    status.instance = Seen::Known(claimed(ConnectorState::Paused, "w9:8083"));
    status.tasks.insert(0, claimed(ConnectorState::Unassigned, "w1:8083"));
    status.tasks.insert(1, claimed(ConnectorState::Failed, "w1:8083"));
    status.tasks.remove(&2);
    assert_eq!(
        said(&snapshot),
        [
            "orders is PAUSED on w9:8083 by its status, but w1:8083 owns it by the group",
            "orders-0 is UNASSIGNED by its status, but w1:8083 owns it by the group",
            "orders-1 is FAILED on w1:8083 by its status, but w2:8083 owns it by the group",
            "orders-2 has no status, but w2:8083 owns it",
        ]
    );
}

#[test]
fn tasks_that_are_not_configured_any_more_are_named() {
    let mut snapshot = snapshot();
    orders(&mut snapshot).configured_tasks = Seen::Known((0..5).collect());
    assert_eq!(
        said(&snapshot),
        [
            "orders-5 is RUNNING on w1:8083 by its status, but orders has 5 tasks now",
            "w1:8083 owns orders-5 by the group, but orders has 5 tasks now",
        ]
    );
}

#[test]
fn a_connector_that_the_answer_leaves_out_is_named() {
    let mut snapshot = snapshot();
    let Seen::Known(statuses) = &mut snapshot.statuses else { panic!("no statuses") };
    statuses.connectors.clear();
    assert_eq!(
        said(&snapshot),
        ["the members own 7 items of orders, but the status answer of http://w1:8083 leaves it out"]
    );
}

#[test]
fn a_connector_without_a_status_record_is_named() {
    let mut snapshot = snapshot();
    orders(&mut snapshot).instance = Seen::unknown("the answer holds no status");
    assert_eq!(said(&snapshot), ["orders has no status, but w1:8083 owns it"]);
}

#[test]
fn what_is_not_known_is_never_agreement() {
    let mut halfway = snapshot();
    group(&mut halfway).members[1].owns = Seen::unknown("the group is PreparingRebalance");
    assert_eq!(
        said(&halfway),
        ["who owns what: not known, hence not compared: what w2:8083 owns: the group is PreparingRebalance"]
    );
    assert!(halfway.unowned().known().is_none());
    let mut blind = snapshot();
    blind.group = Seen::unknown("no broker answers");
    orders(&mut blind).configured_tasks = Seen::unknown("the answer holds no info");
    assert_eq!(
        said(&blind),
        [
            "the group: not known, hence not compared: no broker answers",
            "the tasks configured for orders: not known, hence not compared: the answer holds no info",
        ]
    );
    assert_eq!(remarked(&blind), ["the group: not known: no broker answers"]);
    let mut deaf = snapshot();
    deaf.statuses = Seen::unknown("nobody answers");
    assert_eq!(said(&deaf), ["the statuses: not known, hence not compared: nobody answers"]);
    assert_eq!(remarked(&deaf), ["what nobody owns: not known: nobody answers"]);
}

#[test]
fn work_that_two_own_is_named_with_both() {
    let mut snapshot = snapshot();
    let Seen::Known(work) = &mut group(&mut snapshot).members[0].owns else { panic!("unknown") };
    work.tasks.push(("orders".to_owned(), 1));
    assert_eq!(remarked(&snapshot), ["orders-1 is owned by w3:8083 and w2:8083: it may run twice"]);
    assert_eq!(said(&snapshot), [""; 0]);
}

#[test]
fn a_ghost_beside_its_successor_is_named() {
    let mut snapshot = snapshot();
    let members = &mut group(&mut snapshot).members;
    let mut ghost = members[1].clone();
    ghost.id = "w2-old".to_owned();
    ghost.url = Seen::Known("HTTP://W2:8083".to_owned());
    ghost.owns = Seen::Known(WorkItems::default());
    members.push(ghost);
    assert_eq!(remarked(&snapshot), ["2 members advertise w2:8083: one may be a process that is gone (w2-b, w2-old)"]);
}

#[test]
fn members_and_ports_that_do_not_belong_together_are_named() {
    let mut snapshot = snapshot();
    snapshot.endpoints[2].url = "http://w4:8083".to_owned();
    snapshot.endpoints[2].version = Seen::unknown("connection refused");
    group(&mut snapshot).members[1].config_offset = Seen::Known(9);
    assert_eq!(
        remarked(&snapshot),
        [
            "the members had read the config topic to different offsets: w3:8083 and w1:8083 up to 7; w2:8083 up to 9",
            "http://w3:8083/ is a member, and its REST port was not asked",
            "http://w4:8083 is no member's address, and does not answer: connection refused",
        ]
    );
}

/// A sink of 3 tasks, of which task 2 has no partition.
pub(super) fn sink() -> SinkGroup {
    let consumer = |task: u32, partitions: &[i32]| Consumer {
        client_id: format!("connector-consumer-orders-{task}"),
        partitions: partitions.iter().map(|&partition| ("t".to_owned(), partition)).collect(),
    };
    let partition = |partition, committed, end| Partition {
        topic: "t".to_owned(),
        partition,
        committed: Seen::Known(committed),
        end: Seen::Known(end),
    };
    SinkGroup {
        connector: "orders".to_owned(),
        group: "connect-orders".to_owned(),
        state: Seen::Known(GroupState::Stable),
        consumers: Seen::Known(vec![consumer(0, &[0]), consumer(1, &[1]), consumer(2, &[])]),
        partitions: Seen::Known(vec![partition(0, Some(90), 100), partition(1, None, 0)]),
    }
}

#[test]
fn tasks_of_a_sink_without_partitions_are_named() {
    let mut snapshot = snapshot();
    snapshot.sinks.push(sink());
    assert_eq!(remarked(&snapshot), ["orders-2, orders-3, orders-4 and orders-5 have no partition to read"]);
    let Seen::Known(consumers) = &mut snapshot.sinks[0].consumers else { panic!("unknown") };
    consumers[0].client_id = "my-client".to_owned();
    assert_eq!(
        remarked(&snapshot),
        ["which tasks of orders have partitions: not known: the client.id `my-client` names no task of orders"]
    );
}

#[test]
fn the_lag_of_a_sink_is_what_its_partitions_lack() {
    assert_eq!(sink().lag(), Seen::Known(10));
}

#[test]
fn a_lag_that_cannot_be_told_is_not_zero() {
    let unknown = |change: fn(&mut Partition)| {
        let mut sink = sink();
        let Seen::Known(partitions) = &mut sink.partitions else { panic!("unknown") };
        change(&mut partitions[0]);
        sink.lag().why_unknown().map(str::to_owned)
    };
    let end = unknown(|partition| partition.end = Seen::unknown("no leader for t-0"));
    assert_eq!(end.as_deref(), Some("no leader for t-0"));
    let nothing = unknown(|partition| partition.committed = Seen::Known(None));
    assert_eq!(nothing.as_deref(), Some("nothing was committed for t-0 yet"));
    let anew = unknown(|partition| partition.end = Seen::Known(3));
    assert_eq!(anew.as_deref(), Some("t-0 ends at 3, before what is committed, 90"));
}
