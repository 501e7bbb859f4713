//! Connectors created one after the other in a running group, each when all tasks of the one before run.

use rollgate_core::model::{
    Cluster, Configured, ConnectorConfig, ConnectorId, Items, Replay, ReplayEvent, ReplayEventKind, ReplayMember,
    TaskId, WorkerId,
};
use rollgate_core::simulation::{Seed, replay};
use rollgate_core::units::SimTime;

/// Seconds until all connectors of the cluster run, beginning with none: the sum of the times
/// that each creation takes until nothing more moves.
///
/// # Panics
/// If a creation comes to no end.
pub fn seconds_to_create_all(cluster: &Cluster, seed: Seed) -> f64 {
    let all: Vec<ConnectorId> = cluster.work.connectors().collect();
    (0..all.len()).map(|existing| seconds_to_create(cluster, &all, existing, seed)).sum()
}

/// Seconds that the creation of one more connector takes in a group at rest.
fn seconds_to_create(cluster: &Cluster, all: &[ConnectorId], existing: usize, seed: Seed) -> f64 {
    let tasks = |connector: ConnectorId| cluster.connectors[connector.index()].tasks;
    let config = ConnectorConfig { tasks: Some(tasks(all[existing])), state: None };
    let group = Replay {
        cluster: cluster.clone(),
        configured: Configured {
            tasks_of: (0..).zip(all).map(|(place, &of)| (place < existing).then_some(tasks(of))).collect(),
        },
        generation: None,
        last_round: Some(SimTime::from_millis(-60_000)),
        memory: None,
        map_buckets: None,
        members: members(cluster, &all[..existing]),
        events: vec![ReplayEvent {
            at: SimTime::ZERO,
            kind: ReplayEventKind::Config(vec![(all[existing], Some(config))]),
        }],
        observed: Vec::new(),
    };
    let settled = replay(&group, seed).settled;
    settled.unwrap_or_else(|| panic!("the creation of connector {existing} comes to no end")).as_secs_f64()
}

/// The workers, with equal parts of what exists; the first leads.
fn members(cluster: &Cluster, existing: &[ConnectorId]) -> Vec<ReplayMember> {
    let workers = cluster.workers.len();
    let tasks: Vec<TaskId> = existing.iter().flat_map(|&connector| cluster.work.tasks_of(connector)).collect();
    let member = |place: usize| ReplayMember {
        id: format!("{}-00000000-0000-4000-8000-{place:012}", cluster.workers[place].client_id),
        worker: WorkerId(u32::try_from(place).expect("few workers")),
        leader: place == 0,
        owns: Items {
            connectors: existing.iter().copied().skip(place).step_by(workers).collect(),
            tasks: tasks.iter().copied().skip(place).step_by(workers).collect(),
        },
    };
    (0..workers).map(member).collect()
}
