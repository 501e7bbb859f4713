//! Sinks and their partitions, backlogs, and properties over random runs.

mod backlogs;
mod random;
mod sinks;

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
