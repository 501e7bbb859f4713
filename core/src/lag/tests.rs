//! Measured restarts of sink connectors, and properties over random runs.
//!
//! The measured rows: 3 workers, a sink with 6 tasks on 12 partitions, two tasks on each
//! worker, Kafka 4.4.0, delay 20 s. Heartbeats are put where the broker's log showed them.
//! Measured pauses are gaps between records, so they contain the closing, opening and
//! fetching (0.1 to 0.2 s) that is left out here.

use super::testing::{ClusterOf, all, at, run, sink, timeline};
use super::{CaughtUp, Lag, Scope, SinkService, lag, lag_within};
use crate::model::{ConnectorId, ConsumerAssignor, Coordinator, TaskId};
use crate::simulation::{TaskState, Timeline};
use crate::units::{Duration, Records, SimTime};
use ConsumerAssignor::{CooperativeSticky, Range};

const DRIFT: Duration = Duration::from_millis(2);

/// w1 has the tasks 0 and 3, w2 1 and 4, w3 2 and 5.
fn six_on_twelve(assignor: ConsumerAssignor) -> ClusterOf {
    ClusterOf::workers(3).sink(6, sink(12, assignor)).drift(DRIFT)
}

fn heartbeat_at(secs: f64) -> Scope {
    Scope { without_flow: true, last_rounds: [(ConnectorId(0), at(secs))].into() }
}

fn service(cluster: ClusterOf, timeline: &Timeline, heartbeat: f64) -> SinkService {
    lag_within(&cluster.build(), timeline, &heartbeat_at(heartbeat)).sinks.remove(0)
}

/// How many partitions each task serves at an instant, and all of them.
fn served(service: &SinkService, secs: f64) -> (Vec<u32>, u32) {
    let mut counts = vec![0; 6];
    for &(task, count) in &service.initial {
        counts[task.index()] = count;
    }
    for change in service.changes.iter().filter(|change| change.at <= at(secs)) {
        counts[change.task.index()] = change.partitions;
    }
    let sum = counts.iter().sum();
    (counts, sum)
}

fn rounds(service: &SinkService) -> Vec<f64> {
    service.rounds.iter().map(|round| round.at.as_secs_f64()).collect()
}

fn near(actual: Duration, expected: f64, by: f64) {
    let actual = actual.as_secs_f64();
    assert!((actual - expected).abs() <= by, "{actual} s is not within {by} s of {expected} s");
}

/// As [`six_on_twelve`] at the beginning.
fn six(changes: &[(f64, u32, u32, TaskState)]) -> Timeline {
    timeline(6, 3, changes)
}

/// Stopped at 1.02 s, back at 22.0 s.
fn graceful() -> Timeline {
    six(&[all(1.02, &[1, 4], 1, TaskState::Stopped), run(22.0, &[1, 4], 1)].concat())
}

/// Killed at 0.5 s, replaced at 30.83 s.
fn killed() -> Timeline {
    six(&[all(0.5, &[1, 4], 1, TaskState::Vanished), run(30.83, &[1, 4], 1)].concat())
}

#[test]
fn range_siblings_carry_all_partitions_from_their_next_tick_measured_2_3_s_modelled_2_13_s() {
    let service = service(six_on_twelve(Range), &graceful(), 0.15);
    assert_eq!(served(&service, 1.0), (vec![2; 6], 12));
    assert_eq!(served(&service, 2.0), (vec![2, 0, 2, 2, 0, 2], 8));
    assert_eq!(served(&service, 4.0), (vec![3, 0, 3, 3, 0, 3], 12));
    near(service.longest_pause, 2.3, 0.2);
    near(service.paused, 4.0 * 2.13, 0.1);
    // Measured: close and reopen at 3.11 to 3.20 s and at 24.15 s; 7 ticks with their drift.
    assert_eq!(rounds(&service), [3.152, 24.166]);
    assert_eq!(served(&service, 24.166), (vec![2; 6], 12));
    assert_eq!(service.standstill, Duration::ZERO);
}

#[test]
fn range_siblings_of_killed_tasks_stand_still_from_the_replacements_to_the_expiry_measured_12_1_s() {
    // The ghosts failed at 43.916 s, 45 s after their last heartbeat.
    let service = service(six_on_twelve(Range).drift(Duration::ZERO), &killed(), -1.084);
    assert_eq!(rounds(&service), [43.916]);
    assert_eq!(served(&service, 30.9).1, 8, "replacements alone stop nobody");
    assert_eq!(served(&service, 31.9).1, 8);
    assert_eq!(served(&service, 31.92).1, 0);
    near(service.standstill, 12.1, 0.11);
    near(service.longest_pause, 43.2, 0.3);
    near(service.paused, 4.0 * 43.416 + 8.0 * 12.0, 0.01);
}

#[test]
fn range_siblings_of_killed_tasks_without_replacement_carry_on_after_the_expiry() {
    let timeline = six(&all(0.5, &[1, 4], 1, TaskState::Vanished));
    let service = service(six_on_twelve(Range).drift(Duration::ZERO), &timeline, -1.084);
    assert_eq!(rounds(&service), [43.916]);
    assert_eq!(served(&service, 43.916), (vec![3, 0, 3, 3, 0, 3], 12));
    assert_eq!(service.standstill, Duration::ZERO);
}

#[test]
fn range_pauses_four_partitions_twice_when_the_leader_restarts_measured_1_4_to_1_6_s() {
    // The leader's two tasks leave, run elsewhere two seconds later, move back after its return.
    let timeline = six(&[
        all(1.5, &[0, 3], 0, TaskState::Stopped),
        run(3.5, &[0], 1),
        run(3.5, &[3], 2),
        all(9.5, &[0], 1, TaskState::Stopped),
        all(9.5, &[3], 2, TaskState::Stopped),
        run(12.4, &[0, 3], 0),
    ]
    .concat());
    let service = service(six_on_twelve(Range).drift(Duration::ZERO), &timeline, 0.0);
    // Four rounds, at each of which all others close and reopen.
    assert_eq!(rounds(&service), [3.0, 6.0, 12.0, 15.0]);
    near(service.longest_pause, 2.5, 0.001);
    near(service.paused, 4.0 * 1.5 + 4.0 * 2.5, 0.001);
}

#[test]
fn cooperative_siblings_take_over_at_their_tick_and_give_back_in_one_heartbeat_measured_3_1_s() {
    let service = service(six_on_twelve(CooperativeSticky), &graceful(), -0.6);
    // Measured 1.6 to 1.7 s for the four partitions.
    assert_eq!(served(&service, 2.3), (vec![2, 0, 2, 2, 0, 2], 8));
    assert_eq!(served(&service, 2.5).1, 12);
    // The return: a revoking round at the tick and an assigning one a heartbeat later.
    assert_eq!(rounds(&service), [2.402, 23.416, 26.418]);
    assert_eq!(served(&service, 24.0), (vec![2, 0, 2, 2, 0, 2], 8), "only four partitions pause");
    assert_eq!(served(&service, 27.0), (vec![2; 6], 12));
    near(service.longest_pause, 3.1, 0.1);
    near(service.paused, 4.0 * 1.382 + 4.0 * 3.002, 0.001);
}

#[test]
fn cooperative_siblings_of_killed_tasks_are_not_touched_measured_42_5_s_for_the_dead_four() {
    let service = service(six_on_twelve(CooperativeSticky).drift(Duration::ZERO), &killed(), -2.0);
    assert_eq!(rounds(&service), [43.0]);
    assert_eq!(served(&service, 42.9), (vec![2, 0, 2, 2, 0, 2], 8));
    assert_eq!(served(&service, 43.0), (vec![2; 6], 12));
    near(service.longest_pause, 42.5, 0.01);
    near(service.paused, 4.0 * 42.5, 0.01);
}

#[test]
fn cooperative_partitions_move_more_than_once_when_tasks_leave_one_after_the_other() {
    let timeline = six(&[
        all(1.0, &[1], 1, TaskState::Stopped),
        all(4.0, &[4], 1, TaskState::Stopped),
        run(8.0, &[1], 1),
        run(12.5, &[4], 1),
    ]
    .concat());
    let service = service(six_on_twelve(CooperativeSticky).drift(Duration::ZERO), &timeline, 0.0);
    assert!(service.rounds.len() >= 5, "{:?}", service.rounds);
    assert_eq!(served(&service, 60.0), (vec![2; 6], 12));
}

#[test]
fn a_frozen_consumer_that_wakes_before_its_session_ends_goes_on_without_a_round() {
    let timeline = six(&[all(1.0, &[1], 1, TaskState::Vanished), all(20.0, &[1], 1, TaskState::Running)].concat());
    let service = service(six_on_twelve(Range), &timeline, 0.0);
    assert!(service.rounds.is_empty());
    near(service.longest_pause, 19.0, 0.001);
    assert_eq!(served(&service, 20.0), (vec![2; 6], 12));
}

#[test]
fn a_frozen_consumer_that_wakes_after_its_session_joins_as_a_stranger() {
    let timeline = six(&[all(1.0, &[1], 1, TaskState::Vanished), all(60.0, &[1], 1, TaskState::Running)].concat());
    let service = service(six_on_twelve(Range).drift(Duration::ZERO), &timeline, 0.0);
    // Expiry at 45 s is itself a tick; after the return the next one is at 60 s again.
    assert_eq!(rounds(&service), [45.0, 60.0]);
    assert_eq!(served(&service, 60.0), (vec![2; 6], 12));
}

#[test]
fn a_slow_stop_keeps_the_partitions_until_the_consumer_has_left() {
    let slow = six_on_twelve(Range)
        .drift(Duration::ZERO)
        .with(|connector| connector.task_stop = crate::model::Spread::Fixed(Duration::from_secs(4)));
    let service = service(slow, &graceful(), 0.15);
    // Stopped at 1.02 s, left at 5.02 s; nobody has a reason to join before.
    assert_eq!(service.rounds[0].at, at(6.15));
}

#[test]
fn the_only_task_of_a_sink_waits_the_initial_delay() {
    let cluster = ClusterOf::workers(2).sink(1, sink(4, Range));
    let timeline = timeline(1, 2, &[all(1.0, &[0], 0, TaskState::Stopped), run(2.0, &[0], 1)].concat());
    let service = service(cluster, &timeline, 0.0);
    assert_eq!(rounds(&service), [5.0]);
    near(service.standstill, 4.0, 0.001);
}

#[test]
fn further_consumers_prolong_the_initial_delay_under_the_java_coordinator_only() {
    let changes = [all(1.0, &[0, 1], 0, TaskState::Stopped), run(2.0, &[0], 1), run(4.0, &[1], 1)].concat();
    let cluster = ClusterOf::workers(2).sink(2, sink(4, Range));
    assert_eq!(rounds(&service(cluster.clone(), &timeline(2, 1, &changes), 0.0)), [8.0]);
    assert_eq!(rounds(&service(cluster.coordinator(Coordinator::Scala), &timeline(2, 1, &changes), 0.0)), [5.0]);
}

#[test]
fn a_session_longer_than_the_rebalance_timeout_does_not_hold_a_round_up() {
    let mut patient = sink(12, Range);
    patient.session_timeout = Duration::from_secs(1_800);
    let cluster = ClusterOf::workers(3).sink(6, patient);
    let service = service(cluster, &killed(), 0.0);
    assert_eq!(rounds(&service), [330.83]);
}

#[test]
fn member_ids_order_by_their_text_so_task_10_comes_before_task_2() {
    let cluster = ClusterOf::workers(1).sink(11, sink(12, Range));
    let lag = lag_within(&cluster.build(), &timeline(11, 1, &[]), &heartbeat_at(0.0));
    // 12 partitions for 11 consumers: connector-consumer-c000-0 is the first of all and gets one more.
    let initial = &lag.sinks[0].initial;
    assert_eq!(initial.iter().find(|(_, count)| *count == 2), Some(&(TaskId(0), 2)));
    let cluster = ClusterOf::workers(1).sink(11, sink(14, Range));
    let lag = lag_within(&cluster.build(), &timeline(11, 1, &[]), &heartbeat_at(0.0));
    let longer: Vec<u32> =
        lag.sinks[0].initial.iter().filter(|(_, count)| *count == 2).map(|(task, _)| task.0).collect();
    assert_eq!(longer, [0, 1, 10]);
}

#[test]
fn the_unknown_phase_of_the_heartbeats_puts_the_first_event_between_two() {
    let lag = lag_within(
        &six_on_twelve(Range).drift(Duration::ZERO).build(),
        &graceful(),
        &Scope { without_flow: true, ..Scope::default() },
    );
    near(lag.sinks[0].longest_pause, 1.5, 0.001);
}

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
fn a_task_stopped_while_it_starts_never_was_a_consumer() {
    let changes = [all(1.0, &[1], 1, TaskState::Stopped), all(5.0, &[1], 2, TaskState::Starting)].concat();
    let mut timeline = six(&[changes, all(6.0, &[1], 2, TaskState::Stopped)].concat());
    timeline.ended = at(20.0);
    let service = service(six_on_twelve(Range), &timeline, 0.0);
    assert_eq!(service.rounds.len(), 1, "{:?}", service.rounds);
    assert_eq!(served(&service, 20.0).1, 12);
}

#[test]
fn leave_and_return_before_the_next_tick_are_one_round() {
    let timeline = six(&[all(3.1, &[1, 4], 1, TaskState::Stopped), run(5.5, &[1, 4], 1)].concat());
    let service = service(six_on_twelve(Range).drift(Duration::ZERO), &timeline, 0.0);
    assert_eq!(rounds(&service), [6.0]);
    near(service.longest_pause, 2.9, 0.001);
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

/// Random runs, each from its own printed seed.
mod random {
    use rand_core::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::instances::{Becomes, Instances};
    use super::super::serving::Serving;
    use super::super::{rules, sink_group};
    use super::*;
    use crate::model::{Cluster, WorkerId};
    use crate::simulation::{Change, TaskChange};

    const RUNS: u64 = 1_000;

    struct Case {
        cluster: Cluster,
        timeline: Timeline,
        last_round: SimTime,
    }

    /// Tasks that stop, vanish, fail, wake, and start elsewhere, sometimes several at one instant.
    fn case(seed: u64) -> Case {
        let mut chance = Pcg64Mcg::seed_from_u64(seed);
        let mut below = |limit: u32| chance.next_u32() % limit;
        let (workers, tasks, partitions) = (1 + below(4), 1 + below(7), below(14));
        let assignor = if below(2) == 0 { Range } else { CooperativeSticky };
        let is_sink = below(4) > 0;
        let cluster = ClusterOf::workers(workers);
        let cluster = if is_sink { cluster.sink(tasks, sink(partitions, assignor)) } else { cluster.source(tasks) };
        let arrival = f64::from(below(900));
        let capacity = arrival / f64::from(tasks) * f64::from(5 + below(20)) / 10.0;
        let stop = Duration::from_millis(i64::from(below(3)) * 700);
        let cluster = cluster
            .flow(arrival, capacity)
            .drift(DRIFT)
            .with(|connector| connector.task_stop = crate::model::Spread::Fixed(stop))
            .build();
        let mut changes: Vec<TaskChange> = Vec::new();
        let mut place: Vec<Option<u32>> = (0..tasks).map(|task| Some(task % workers)).collect();
        let mut vanished: Vec<Option<u32>> = vec![None; tasks as usize];
        let mut now = 0_i64;
        for task in 0..tasks {
            let worker = WorkerId(task % workers);
            changes.push(Change { at: SimTime::ZERO, item: TaskId(task), worker, state: TaskState::Running });
        }
        for _ in 0..below(40) {
            now += i64::from(below(3)) * i64::from(below(9_000));
            let at = SimTime::from_millis(now);
            let task = below(tasks);
            let item = TaskId(task);
            let mut push = |worker, state| changes.push(Change { at, item, worker: WorkerId(worker), state });
            match (place[task as usize], below(4)) {
                (Some(worker), 0) => {
                    push(worker, TaskState::Vanished);
                    place[task as usize] = None;
                    vanished[task as usize] = Some(worker);
                }
                (Some(worker), 1) => {
                    push(worker, TaskState::Failed);
                    place[task as usize] = None;
                }
                (Some(worker), _) => {
                    push(worker, TaskState::Stopped);
                    place[task as usize] = None;
                }
                (None, 0) if vanished[task as usize].is_some() => {
                    let worker = vanished[task as usize].take().unwrap_or(0);
                    push(worker, TaskState::Running);
                    place[task as usize] = Some(worker);
                }
                (None, _) => {
                    let worker = below(workers);
                    push(worker, TaskState::Starting);
                    push(worker, TaskState::Running);
                    place[task as usize] = Some(worker);
                    vanished[task as usize] = vanished[task as usize].filter(|&other| other != worker);
                }
            }
        }
        let ended = SimTime::from_millis(now + i64::from(below(30_000)));
        let last_round = SimTime::from_millis(-i64::from(below(3_000)));
        Case { cluster, timeline: Timeline { tasks: changes, ended, ..Timeline::default() }, last_round }
    }

    #[expect(clippy::print_stdout, reason = "a failing test must say which seeds it ran")]
    #[expect(clippy::disallowed_methods, reason = "a test is the edge: it may be told which seeds to run")]
    fn seeds() -> impl Iterator<Item = u64> {
        let given = std::env::var("ROLLGATE_SEED").ok().and_then(|seed| seed.parse().ok());
        let first: u64 = given.unwrap_or(20_261_130);
        println!("ROLLGATE_SEED={first} and the {RUNS} after it");
        (0..RUNS).map(move |run| first.wrapping_add(run))
    }

    impl Case {
        fn scope(&self) -> Scope {
            Scope { without_flow: true, last_rounds: [(ConnectorId(0), self.last_round)].into() }
        }

        fn lag(&self) -> Lag {
            lag_within(&self.cluster, &self.timeline, &self.scope())
        }

        fn instances(&self) -> Instances {
            Instances::read(&self.cluster, &self.timeline, |_| true).remove(0).unwrap()
        }

        fn serving(&self, instances: &Instances) -> Serving {
            let connector = &self.cluster.connectors[0];
            let number = |instance: usize| self.cluster.work.number(instances.tasks[instance]);
            match &connector.sink {
                None => Serving::of_source(instances, connector.tasks, number),
                Some(sink) => {
                    sink_group::run(instances, &rules(&self.cluster, connector, sink), self.last_round, number)
                }
            }
        }
    }

    #[test]
    fn what_arrives_is_worked_off_or_left_and_no_backlog_is_negative() {
        for seed in seeds() {
            let case = case(seed);
            for lag in case.lag().connectors {
                let flow = case.cluster.connectors[0].flow.unwrap();
                let parts = case.cluster.connectors[0].sink.as_ref().map_or(1, |sink| sink.partitions);
                let (first, last) = (lag.points[0], lag.points[lag.points.len() - 1]);
                let arrived = if parts == 0 { Records(0.0) } else { flow.arrival * (last.0 - first.0) };
                let accounted = lag.worked_off + last.1;
                let scale = arrived.0.max(1.0);
                assert!((arrived - accounted).0.abs() / scale < 1e-6, "seed {seed}: {arrived:?} {accounted:?}");
                assert!(lag.points.iter().all(|point| point.1.0 >= 0.0), "seed {seed}: {:?}", lag.points);
                assert!(lag.points.windows(2).all(|pair| pair[0].0 < pair[1].0), "seed {seed}: {:?}", lag.points);
                assert!(lag.furthest_behind >= Duration::ZERO);
                if let CaughtUp::At(_) | CaughtUp::NeverBehind = lag.caught_up {
                    assert_eq!(last.1, Records(0.0), "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn partitions_are_served_by_running_tasks_only_and_by_all_of_them_in_the_end() {
        for seed in seeds() {
            let case = case(seed);
            let instances = case.instances();
            let serving = case.serving(&instances);
            let mut runs = vec![false; instances.tasks.len()];
            instances.initial.iter().for_each(|&instance| runs[instance] = true);
            let mut owner = serving.initial.clone();
            let mut turns = instances.turns.iter().peekable();
            let mut changes = serving.changes.iter().peekable();
            while turns.peek().is_some() || changes.peek().is_some() {
                let next = |at: Option<SimTime>| at.unwrap_or(SimTime::NEVER);
                let now = next(turns.peek().map(|turn| turn.at)).min(next(changes.peek().map(|change| change.at)));
                while let Some(turn) = turns.next_if(|turn| turn.at <= now) {
                    runs[turn.instance] = matches!(turn.becomes, Becomes::Working | Becomes::Awake);
                }
                while let Some(change) = changes.next_if(|change| change.at <= now) {
                    owner[change.part] = change.to;
                }
                assert!(owner.iter().flatten().all(|&instance| runs[instance]), "seed {seed}, {now:?}: {owner:?}");
            }
            let running = runs.iter().filter(|&&runs| runs).count();
            if case.cluster.connectors[0].sink.is_none() || running == 0 {
                continue;
            }
            assert!(owner.iter().all(Option::is_some), "seed {seed}: {owner:?}");
            let mut counts = vec![0_usize; runs.len()];
            owner.iter().flatten().for_each(|&instance| counts[instance] += 1);
            let least = owner.len() / running;
            let fair = (0..runs.len()).filter(|&instance| runs[instance]);
            assert!(fair.clone().all(|instance| counts[instance].abs_diff(least) <= 1), "seed {seed}: {counts:?}");
            let service = &case.lag().sinks[0];
            assert_eq!(service.unserved, 0, "seed {seed}");
        }
    }

    #[test]
    fn counts_of_served_partitions_never_exceed_all_and_pauses_add_up() {
        for seed in seeds() {
            let case = case(seed);
            for service in case.lag().sinks {
                let mut counts = vec![0_u32; case.cluster.work.task_count()];
                service.initial.iter().for_each(|&(task, count)| counts[task.index()] = count);
                let mut missing = Duration::ZERO;
                let mut since = case.timeline.began;
                for batch in service.changes.chunk_by(|one, other| one.at == other.at) {
                    let active: u32 = counts.iter().sum();
                    missing += (batch[0].at - since) * i64::from(service.partitions - active);
                    since = batch[0].at;
                    for change in batch {
                        counts[change.task.index()] = change.partitions;
                    }
                    assert!(counts.iter().sum::<u32>() <= service.partitions, "seed {seed}");
                }
                let active: u32 = counts.iter().sum();
                let end = case.timeline.ended.max(since);
                missing += (end - since) * i64::from(service.partitions - active);
                assert_eq!(missing, service.paused, "seed {seed}");
                assert!(service.standstill * i64::from(service.partitions) <= service.paused, "seed {seed}");
            }
        }
    }

    /// The backlog of each part in steps of 10 ms, by the same rules but without any formula of time.
    #[test]
    fn backlogs_agree_with_small_steps() {
        const STEP: f64 = 0.01;
        for seed in seeds().step_by(20) {
            let case = case(seed);
            let (Some(flow), Some(lag)) = (case.cluster.connectors[0].flow, case.lag().connectors.first().cloned())
            else {
                continue;
            };
            let instances = case.instances();
            let serving = case.serving(&instances);
            let parts = serving.initial.len();
            let share = flow.arrival.0 / f64::from(u32::try_from(parts.max(1)).unwrap());
            let (mut owner, mut left) = (serving.initial.clone(), vec![0.0_f64; parts]);
            let mut changes = serving.changes.iter().peekable();
            let mut points = lag.points.iter().skip(1).peekable();
            let mut step = 0_i64;
            while let Some(&&(until, expected)) = points.peek() {
                let now = SimTime::from_millis(step * 10);
                if now >= until {
                    let total: f64 = left.iter().sum();
                    // Each change of owner may come a step late, and so may the point.
                    let slack = flow.arrival.0 * STEP * f64::from(4 + u32::try_from(serving.changes.len()).unwrap());
                    assert!((total - expected.0).abs() <= slack, "seed {seed}, {until:?}: {total} {expected:?}");
                    points.next();
                    continue;
                }
                while let Some(change) = changes.next_if(|change| change.at <= now) {
                    owner[change.part] = change.to;
                }
                for part in (0..parts).filter(|&part| owner[part].is_none()) {
                    left[part] += share * STEP;
                }
                for instance in 0..instances.tasks.len() {
                    let own: Vec<usize> = (0..parts).filter(|&part| owner[part] == Some(instance)).collect();
                    let count = f64::from(u32::try_from(own.len()).unwrap());
                    let total: f64 = own.iter().map(|&part| left[part]).sum();
                    let change = (share * count - flow.capacity_per_task.0) * STEP;
                    for part in own {
                        if change > 0.0 {
                            left[part] += change / count;
                        } else if total > 0.0 {
                            left[part] += change.max(-total) * left[part] / total;
                        }
                    }
                }
                step += 1;
            }
        }
    }
}
