//! Whether the other workers can carry a connector while one is away.

use crate::model::{Cluster, Connector, ConnectorId, ConnectorState, Flow};
use crate::units::RecordsPerSec;

/// What a connector can work off with all workers and with one fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Headroom {
    /// The connector.
    pub connector: ConnectorId,
    /// What arrives.
    pub arrival: RecordsPerSec,
    /// What all its tasks can work off.
    pub capacity_all: RecordsPerSec,
    /// What can be worked off while the worker with most of its tasks is away: by a source
    /// once its tasks have moved to the others; by a sink meanwhile, when the tasks that are
    /// left carry the partitions of the missing ones.
    pub capacity_without_largest_worker: RecordsPerSec,
    /// Whether that keeps up with what arrives, on every task.
    pub carries: bool,
    /// Whether a backlog is worked off once all tasks run again.
    pub catches_up: bool,
}

/// The headroom of each running connector whose flow is known, in the order of connectors.
///
/// Those not listed are unknown, not safe.
///
/// # Leaves out
/// - an uneven distribution: a connector's tasks are taken to be spread evenly over the workers
/// - what a worker's own processor, memory and network allow: capacity is per task
pub fn headroom(cluster: &Cluster) -> Vec<Headroom> {
    let workers = cluster.workers.len();
    cluster
        .work
        .connectors()
        .filter_map(|id| of_connector(id, &cluster.connectors[id.index()], u32::try_from(workers).unwrap_or(u32::MAX)))
        .collect()
}

fn of_connector(id: ConnectorId, connector: &Connector, workers: u32) -> Option<Headroom> {
    let flow = connector.flow.filter(|_| connector.state == ConnectorState::Running && connector.tasks > 0)?;
    let tasks = connector.tasks;
    let left = if workers < 2 { 0 } else { tasks - tasks.div_ceil(workers) };
    let (all, without) = match &connector.sink {
        None => (shared(flow, tasks, tasks), shared(flow, if workers < 2 { 0 } else { tasks }, tasks)),
        Some(sink) => (shared(flow, tasks, sink.partitions), shared(flow, left, sink.partitions)),
    };
    Some(Headroom {
        connector: id,
        arrival: flow.arrival,
        capacity_all: all.capacity,
        capacity_without_largest_worker: without.capacity,
        carries: without.busiest <= flow.capacity_per_task.0 || flow.arrival.0 <= 0.0,
        catches_up: all.busiest < flow.capacity_per_task.0 || flow.arrival.0 <= 0.0,
    })
}

struct Shared {
    capacity: RecordsPerSec,
    /// What arrives at the task with most parts; infinite if there is none.
    busiest: f64,
}

/// `parts` equal parts of the arrival shared out evenly over so many tasks.
fn shared(flow: Flow, tasks: u32, parts: u32) -> Shared {
    let working = tasks.min(parts);
    let busiest = if working == 0 {
        f64::INFINITY
    } else {
        flow.arrival.0 * f64::from(parts.div_ceil(working)) / f64::from(parts)
    };
    Shared { capacity: flow.capacity_per_task * f64::from(working), busiest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lag::testing::{ClusterOf, sink};
    use crate::model::ConsumerAssignor;

    fn of(cluster: ClusterOf) -> Option<Headroom> {
        headroom(&cluster.build()).first().copied()
    }

    #[test]
    fn a_sink_left_with_too_few_tasks_falls_behind_but_catches_up() {
        let room = of(ClusterOf::workers(3).sink(6, sink(12, ConsumerAssignor::Range)).flow(600.0, 110.0)).unwrap();
        assert_eq!(room.capacity_all, RecordsPerSec(660.0));
        assert_eq!(room.capacity_without_largest_worker, RecordsPerSec(440.0));
        assert!(!room.carries && room.catches_up);
    }

    #[test]
    fn a_source_keeps_its_capacity_when_its_tasks_move() {
        let room = of(ClusterOf::workers(3).source(6).flow(600.0, 100.0)).unwrap();
        assert_eq!(room.capacity_without_largest_worker, RecordsPerSec(600.0));
        assert!(room.carries && !room.catches_up);
    }

    #[test]
    fn an_uneven_share_of_partitions_binds_before_the_sum_does() {
        // 3 tasks could take 300/s of 240/s, but one of them has 2 of 4 partitions: 120/s.
        let room = of(ClusterOf::workers(4).sink(4, sink(4, ConsumerAssignor::Range)).flow(240.0, 100.0)).unwrap();
        assert!(!room.carries);
    }

    #[test]
    fn a_single_worker_leaves_nobody() {
        let room = of(ClusterOf::workers(1).source(6).flow(600.0, 200.0)).unwrap();
        assert_eq!(room.capacity_without_largest_worker, RecordsPerSec(0.0));
        assert!(!room.carries && room.catches_up);
    }

    #[test]
    fn a_connector_without_known_flow_is_not_judged() {
        assert_eq!(of(ClusterOf::workers(3).source(6)), None);
        assert_eq!(of(ClusterOf::workers(3).source(6).flow(10.0, 10.0).paused()), None);
    }
}
