//! Who reads the partitions of a sink meanwhile: restarts as they were measured, and the rules behind them.
//!
//! The measured rows: 3 workers, a sink with 6 tasks on 12 partitions, two tasks on each
//! worker, Kafka 4.4.0, delay 20 s. Heartbeats are put where the broker's log showed them.
//! Measured pauses are gaps between records, so they contain the closing, opening and
//! fetching (0.1 to 0.2 s) that is left out here.

use super::*;

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
