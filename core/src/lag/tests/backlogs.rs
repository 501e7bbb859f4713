//! How far connectors fall behind, and when they have caught up.

use super::*;

#[test]
fn a_source_task_gathers_its_share_and_works_it_off_with_what_it_has_to_spare() {
    // 4 tasks at 25/s each; task 1 is away for 20 s and catches up with 50 - 25.
    let cluster = ClusterOf::workers(2).source(4).flow(100.0, 50.0).build();
    let timeline = timeline(4, 2, &[all(10.0, &[1], 1, TaskState::Stopped), run(30.0, &[1], 0)].concat());
    let lag = lag(&cluster, &timeline);
    let source = lag.of(ConnectorId(0)).unwrap();
    assert_eq!((source.peak, source.peak_at), (Records(500.0), at(30.0)));
    assert_eq!(source.behind, Duration::from_secs(5));
    assert_eq!(source.furthest_behind, Duration::from_secs(20));
    near(source.caught_up.at().unwrap() - at(50.0), 0.0, 0.000_01);
    assert_eq!(source.points.len(), 4, "{:?}", source.points);
    assert!(lag.sinks.is_empty());
}

#[test]
fn a_task_without_spare_capacity_never_catches_up_and_the_reason_is_given() {
    let cluster = ClusterOf::workers(2).source(4).flow(100.0, 25.0).build();
    let timeline = timeline(4, 2, &[all(10.0, &[1], 1, TaskState::Stopped), run(30.0, &[1], 0)].concat());
    let lag = lag(&cluster, &timeline);
    let CaughtUp::TooSlow { arrival, capacity } = lag.connectors[0].caught_up else {
        panic!("{:?}", lag.connectors[0].caught_up)
    };
    assert_eq!((arrival.0, capacity.0), (25.0, 25.0));
}

#[test]
fn a_task_that_stays_failed_is_named_as_the_reason() {
    let cluster = ClusterOf::workers(2).source(4).flow(100.0, 50.0).build();
    let mut timeline = timeline(4, 2, &all(10.0, &[1], 1, TaskState::Failed));
    timeline.ended = at(110.0);
    let lag = lag(&cluster, &timeline);
    assert_eq!(lag.connectors[0].caught_up, CaughtUp::NotServed(1));
    assert_eq!(lag.connectors[0].peak, Records(2_500.0));
    assert_eq!(lag.connectors[0].peak_at, at(110.0));
}

#[test]
fn a_connector_that_never_stops_is_never_behind() {
    let cluster = ClusterOf::workers(2).source(4).flow(100.0, 25.0).build();
    let lag = lag(&cluster, &Timeline { ended: at(60.0), ..timeline(4, 2, &[]) });
    assert_eq!(lag.connectors[0].caught_up, CaughtUp::NeverBehind);
    assert_eq!(lag.connectors[0].peak, Records(0.0));
    assert_eq!(lag.connectors[0].worked_off, Records(6_000.0));
}

#[test]
fn nothing_is_said_of_paused_connectors_and_of_unknown_flows() {
    let cluster = ClusterOf::workers(2).source(4).source(4).flow(10.0, 10.0).paused().build();
    assert_eq!(lag(&cluster, &Timeline::default()), Lag::default());
}

#[test]
fn a_sink_whose_survivors_cannot_carry_falls_behind_during_the_delay_and_catches_up_after() {
    // 12 partitions at 50/s; 4 survivors with 3 each get 150/s and manage 110/s; 6 with 2 get 100/s.
    let cluster = six_on_twelve(Range).drift(Duration::ZERO).flow(600.0, 110.0).build();
    let lag = lag_within(&cluster, &graceful(), &heartbeat_at(0.15));
    let sink = lag.of(ConnectorId(0)).unwrap();
    // 2.13 s of 4 partitions, and 21 s of 4 tasks that miss 40/s; the siblings' first backlog comes on top.
    let expected = 4.0 * 50.0 * 2.13 + 21.0 * 4.0 * 40.0;
    assert!((sink.peak.0 - expected).abs() < 1e-3, "{}", sink.peak.0);
    assert_eq!(sink.peak_at, at(24.15));
    // Partitions keep their backlog when they move; 10/s to spare on each of 6 tasks.
    let gone = sink.caught_up.at().unwrap();
    assert!(gone > at(24.15) + Duration::from_secs_f64(expected / 60.0), "{gone:?}");
    assert_eq!(sink.points.last().map(|point| point.1), Some(Records(0.0)));
}

#[test]
fn a_connector_created_in_the_run_is_not_behind_before_it_begins() {
    let cluster = ClusterOf::workers(2).sink(0, sink(4, Range)).flow(100.0, 50.0).build();
    let mut timeline = timeline(0, 2, &run(10.0, &[0, 1, 2, 3], 0));
    timeline.ended = at(30.0);
    let lag = lag(&cluster, &timeline);
    // The first consumer opens the initial delay of an empty group; the others prolong it once.
    assert_eq!(lag.sinks[0].rounds.len(), 1);
    assert_eq!(lag.sinks[0].rounds[0].at, at(16.0));
    assert_eq!((lag.sinks[0].longest_pause, lag.sinks[0].unserved), (Duration::ZERO, 0));
    assert_eq!(lag.connectors[0].caught_up, CaughtUp::NeverBehind);
}

#[test]
fn a_source_task_that_runs_twice_counts_once_and_goes_on_when_one_instance_ends() {
    let cluster = ClusterOf::workers(2).source(1).flow(100.0, 150.0).build();
    let twice = timeline(1, 2, &[run(5.0, &[0], 1), all(9.0, &[0], 0, TaskState::Stopped)].concat());
    let lag = lag(&cluster, &twice);
    assert_eq!(lag.connectors[0].caught_up, CaughtUp::NeverBehind);
    assert_eq!(lag.connectors[0].worked_off, Records(900.0));
}

#[test]
fn a_task_the_timeline_does_not_mention_never_worked() {
    let cluster = ClusterOf::workers(2).source(4).flow(100.0, 50.0).build();
    let mut timeline = timeline(3, 2, &[]);
    timeline.ended = at(10.0);
    let lag = lag(&cluster, &timeline);
    assert_eq!(lag.connectors[0].caught_up, CaughtUp::NotServed(1));
    assert_eq!(lag.connectors[0].peak, Records(250.0));
}

#[test]
fn a_task_found_running_in_the_middle_of_a_run_works_from_then_on() {
    let cluster = ClusterOf::workers(2).source(1).flow(100.0, 200.0).build();
    let found =
        timeline(1, 2, &[all(10.0, &[0], 0, TaskState::Stopped), all(12.0, &[0], 1, TaskState::Running)].concat());
    let lag = lag(&cluster, &found);
    assert_eq!(lag.connectors[0].peak, Records(200.0));
}
