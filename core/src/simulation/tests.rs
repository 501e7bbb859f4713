//! Rolls and replays whose outcome is known.

use super::*;
use crate::model::{
    Broker, Cluster, Configured, ConnectProtocol, Connector, ConnectorState, Coordinator, Items, KafkaVersion,
    Ownership, Replay, ReplayEvent, ReplayEventKind, ReplayMember, Restart, Spread, Start, Work, Worker, WorkerId,
    WorkerSettings, WorkerSetup,
};
use crate::units::{Duration, SimTime};

fn setup(delay: Duration) -> WorkerSetup {
    WorkerSetup {
        version: KafkaVersion { major: 4, minor: 4, patch: 0 },
        rules: KafkaVersion::new(4, 4, 0).rules(),
        settings: WorkerSettings {
            protocol: ConnectProtocol::Sessioned,
            delay,
            heartbeat_interval: Duration::from_secs(3),
            session_timeout: Duration::from_secs(10),
            rebalance_timeout: Duration::from_secs(60),
            graceful_timeout: Duration::from_secs(5),
            sync_timeout: Duration::from_secs(3),
            unsync_backoff: Duration::from_secs(300),
            exactly_once: false,
        },
    }
}

/// Workers of 4.4.0 with that delay and start, all else as Kafka has it.
pub(crate) fn cluster(workers: u32, connectors: &[(&str, u32)], delay: Duration, start: Duration) -> Cluster {
    let fixed = |millis| Spread::Fixed(Duration::from_millis(millis));
    Cluster {
        broker: Broker {
            version: KafkaVersion { major: 4, minor: 4, patch: 0 },
            coordinator: Coordinator::Java,
            initial_rebalance_delay: Duration::from_secs(3),
            min_session_timeout: Duration::from_secs(6),
            max_session_timeout: Duration::from_secs(1_800),
        },
        workers: (1..=workers)
            .map(|n| Worker {
                name: format!("w{n}"),
                url: None,
                host: None,
                rack: None,
                client_id: format!("connect-10.0.0.{n}:8083"),
                client_id_after: format!("connect-10.0.0.{n}:8083"),
                member_id: None,
                leads: false,
                unready: false,
                before: setup(delay),
                after: setup(delay),
                restart: Restart {
                    stop: fixed(1000),
                    down: fixed(0),
                    start: Start::Whole(Spread::Fixed(start)),
                    grace: None,
                },
            })
            .collect(),
        connectors: connectors
            .iter()
            .map(|&(name, tasks)| Connector {
                name: name.into(),
                tasks,
                tasks_max: None,
                state: ConnectorState::Running,
                task_start: fixed(100),
                task_stop: fixed(0),
                exactly_once: false,
                reconfigures_after: None,
                flow: None,
                sink: None,
            })
            .collect(),
        work: Work::new(connectors.iter().copied()),
        group_order: None,
        ownership: None,
        heartbeat_drift: Duration::from_millis(2),
        unseen: Vec::new(),
        assumed: Vec::new(),
    }
}

fn owned(cluster: &Cluster, names: &[&str]) -> Items {
    let mut items = Items::default();
    for name in names {
        if let Some(connector) = cluster.work.connector(name) {
            items.connectors.push(connector);
        } else {
            let (connector, number) = name.rsplit_once('-').unwrap();
            let connector = cluster.work.connector(connector).unwrap();
            items.tasks.push(cluster.work.task(connector, number.parse().unwrap()).unwrap());
        }
    }
    items
}

/// A worker of three that left and came back after six seconds: seen on a real cluster of 4.4.0.
pub(crate) fn an_incident() -> Replay {
    let cluster = cluster(3, &[("alpha", 12)], Duration::from_secs(20), Duration::from_secs(5));
    let member = |id: &str, worker, leader, owns: &[&str]| ReplayMember {
        id: id.into(),
        worker: WorkerId(worker),
        leader,
        owns: owned(&cluster, owns),
    };
    let w2 = "connect-127.0.0.1:18082-7dab2aa1-19fe-4974-823f-2dc6d3b3b30d";
    Replay {
        configured: Configured { tasks_of: vec![Some(12)] },
        generation: Some(3),
        last_round: Some(SimTime::from_millis(-1210)),
        memory: None,
        map_buckets: None,
        members: vec![
            member(
                "connect-127.0.0.1:18083-cfb99aaa-5fbd-4b56-a9ba-42fc66085c69",
                2,
                false,
                &["alpha-2", "alpha-5", "alpha-8", "alpha-11"],
            ),
            member(
                "connect-127.0.0.1:18081-23c6037b-28ed-44c0-994d-0a326b24f0f7",
                0,
                true,
                &["alpha-0", "alpha-3", "alpha-6", "alpha-9", "alpha"],
            ),
            member(w2, 1, false, &["alpha-1", "alpha-4", "alpha-7", "alpha-10"]),
        ],
        events: vec![
            ReplayEvent { at: SimTime::from_millis(1292), kind: ReplayEventKind::Leave(w2.into()) },
            ReplayEvent {
                at: SimTime::from_millis(7155),
                kind: ReplayEventKind::Join {
                    id: "connect-127.0.0.1:18082-61da4dbb-76c9-4b34-8a08-a09eb7e56ba2".into(),
                    worker: WorkerId(1),
                    setup: None,
                    owns: None,
                },
            },
        ],
        observed: Vec::new(),
        cluster,
    }
}

#[test]
fn a_follower_that_is_back_after_six_seconds_waits_for_the_whole_delay() {
    let replayed = an_incident();
    let timeline = replay(&replayed, Seed(1));
    let near = |at: SimTime, millis: i64| (at - SimTime::from_millis(millis)).as_millis().abs() < 120;
    assert_eq!(timeline.rounds.len(), 3);
    assert!(
        near(timeline.rounds[0].at, 1815) && near(timeline.rounds[1].at, 7840) && near(timeline.rounds[2].at, 21859)
    );
    assert_eq!(timeline.rounds[0].delay, Duration::from_secs(20));
    assert!((timeline.rounds[1].delay.as_millis() - 13_980).abs() < 120);
    let home = timeline.rounds[2].members.iter().find(|part| part.worker == WorkerId(1)).unwrap();
    assert_eq!(home.owns, owned(&replayed.cluster, &["alpha-1", "alpha-4", "alpha-7", "alpha-10"]));
}

#[test]
fn a_stop_longer_than_the_grace_costs_a_session() {
    let timeline = rolled(Duration::from_secs(40), Some(Duration::from_secs(30)));
    let w2 = |process| {
        let of = |change: &&ProcessChange| change.worker == WorkerId(1) && change.process == process;
        timeline.processes.iter().find(of).map(|change| change.at)
    };
    assert_eq!(w2(Process::Down), Some(SimTime::from_millis(30_000)));
    let round = timeline.rounds.first().unwrap();
    assert!(round.causes.contains(&Cause::Expired(WorkerId(1))), "{:?}", round.causes);
    // Its last heartbeat was at most an interval before the kill.
    let waited = (round.at - SimTime::from_millis(30_000)).as_millis();
    assert!((7_000..10_100).contains(&waited), "{waited} ms");
    assert!(timeline.settled.is_some());
    assert!(timeline.rounds.iter().all(|round| !round.causes.contains(&Cause::Left(WorkerId(1)))));
}

#[test]
fn a_stop_within_the_grace_changes_nothing() {
    let stop = Duration::from_secs(40);
    let without = format!("{:?}", rolled(stop, None));
    assert_eq!(format!("{:?}", rolled(stop, Some(stop))), without);
    assert_eq!(format!("{:?}", rolled(stop, Some(Duration::from_secs(90)))), without);
    assert!(without.contains("Left"));
}

#[test]
fn slow_tasks_make_a_stop_outlast_the_grace() {
    let mut slow = cluster(3, &[("alpha", 6)], Duration::from_secs(20), Duration::from_secs(5));
    slow.connectors[0].task_stop = Spread::Fixed(Duration::from_secs(60));
    slow.workers[1].before.settings.graceful_timeout = Duration::from_secs(45);
    slow.workers[1].restart.grace = Some(Duration::from_secs(30));
    let timeline = rolled_of(&slow);
    assert!(timeline.rounds.iter().any(|round| round.causes.contains(&Cause::Expired(WorkerId(1)))));
    // With the default graceful timeout the tasks are abandoned in time.
    slow.workers[1].before.settings.graceful_timeout = Duration::from_secs(5);
    let timeline = rolled_of(&slow);
    assert!(timeline.rounds.iter().any(|round| round.causes.contains(&Cause::Left(WorkerId(1)))));
}

#[test]
fn a_grace_below_the_order_to_stop_kills_what_still_runs() {
    let timeline = rolled(Duration::from_secs(1), Some(Duration::from_millis(1)));
    let vanished = timeline.tasks.iter().filter(|change| change.state == TaskState::Vanished);
    assert!(vanished.clone().all(|change| change.at == SimTime::from_millis(1) && change.worker == WorkerId(1)));
    assert_eq!(vanished.count(), 4);
    assert!(timeline.settled.is_some());
}

/// Restarts the second of three workers, which leads not.
fn rolled(stop: Duration, grace: Option<Duration>) -> Timeline {
    let mut cluster = cluster(3, &[("alpha", 12)], Duration::from_secs(20), Duration::from_secs(5));
    cluster.workers[1].restart.stop = Spread::Fixed(stop);
    cluster.workers[1].restart.grace = grace;
    rolled_of(&cluster)
}

fn rolled_of(cluster: &Cluster) -> Timeline {
    let mut cluster = cluster.clone();
    cluster.workers[0].leads = true;
    let schedule = Schedule::new(Order::Listed(vec![WorkerId(1)]), crate::model::Wait::Back);
    simulate(&cluster, &schedule, Seed(1), Detail::Full)
}

/// Three workers in a delay: w2 is back without work, its tasks wait.
fn in_a_delay(left: Duration) -> Cluster {
    let mut cluster = cluster(3, &[("alpha", 6)], Duration::from_secs(300), Duration::from_secs(5));
    cluster.workers[0].leads = true;
    let owns = vec![
        owned(&cluster, &["alpha", "alpha-0", "alpha-3"]),
        owned(&cluster, &[]),
        owned(&cluster, &["alpha-2", "alpha-5"]),
    ];
    let waiting = owned(&cluster, &["alpha-1", "alpha-4"]);
    let last_round = Some(Duration::from_secs(9));
    cluster.ownership = Some(Ownership { owns, waiting, delay_left: Some(left), last_round });
    cluster
}

#[test]
fn what_waits_at_the_beginning_is_handed_out_when_the_observed_delay_is_over() {
    let cluster = in_a_delay(Duration::from_secs(40));
    let roll = Schedule::new(Order::Listed(vec![WorkerId(2)]), crate::model::Wait::Settled);
    let timeline = simulate(&cluster, &roll, Seed(3), Detail::Full);
    let first = &timeline.rounds[0];
    assert!(first.causes.contains(&Cause::DelayOver), "{first:?}");
    assert_eq!(first.at.as_millis() / 1_000, 40);
    // The one that was seen without work gets it.
    assert_eq!(first.members.iter().find(|part| part.worker == WorkerId(1)).unwrap().owns.tasks.len(), 2);
    assert!(timeline.steps[0].at > first.at, "the roll waits until all is settled");
}

#[test]
fn a_leader_that_goes_ends_the_observed_delay() {
    let cluster = in_a_delay(Duration::from_secs(200));
    let roll = Schedule::new(Order::PresentLeader, crate::model::Wait::Back);
    let timeline = simulate(&cluster, &roll, Seed(3), Detail::Full);
    assert_eq!(timeline.steps[0].workers, [WorkerId(0)]);
    assert_eq!(timeline.steps[0].at, SimTime::ZERO);
    let first = &timeline.rounds[0];
    assert!(first.delay.is_zero(), "the new leader knows of no loss: {first:?}");
    let owned: usize = first.members.iter().map(|part| part.owns.tasks.len()).sum();
    assert_eq!(owned, 6);
    // The heartbeats count from the round that was seen nine seconds ago.
    let tick = (first.at.as_millis() + 9_000) % 3_002;
    assert!(tick < 60, "{tick} ms after a tick");
}

#[test]
fn a_roll_that_respects_delays_waits_for_the_observed_one() {
    let cluster = in_a_delay(Duration::from_secs(40));
    let mut roll = Schedule::new(Order::Listed(vec![WorkerId(2)]), crate::model::Wait::Back);
    assert_eq!(simulate(&cluster, &roll, Seed(3), Detail::Figures).steps[0].at, SimTime::ZERO);
    roll.during_delay = false;
    assert!(simulate(&cluster, &roll, Seed(3), Detail::Figures).steps[0].at.as_millis() >= 40_000);
}
