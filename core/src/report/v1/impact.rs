//! What a roll costs.

use serde::Serialize;

use super::rounded;
use crate::assessment::{ConnectorImpact, Impact};
use crate::lag::{CaughtUp, headroom};
use crate::model::Cluster;
use crate::units::{Duration, SimTime};

/// The numbers of an assessment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpactV1 {
    /// Sum over all tasks of the time without a running instance.
    pub unassigned_task_seconds: f64,
    /// The longest time of one task.
    pub longest_ms: i64,
    /// Which task that was.
    pub longest_task: Option<String>,
    /// The largest share of the tasks that was unassigned at one instant.
    pub peak_share: f64,
    /// The largest share that was unassigned for longer than a hand-over.
    pub peak_held_share: f64,
    /// Completed rebalances.
    pub rounds: u32,
    /// Tasks that run on another worker than before, counted each time.
    pub moves: u32,
    /// Starts of tasks.
    pub starts: u32,
    /// Sum of the time that tasks ran twice.
    pub doubled_task_seconds: f64,
    /// Tasks that still had no running instance at the end.
    pub left_unassigned: u32,
    /// Tasks that ended FAILED.
    pub failed_tasks: u32,
    /// Stops that fell into a balancing round: a race of milliseconds decides what they cost.
    pub races: u32,
    /// From the first stop until all runs and nothing more moves; `null` if that never came.
    pub duration_ms: Option<i64>,
    /// How far the connectors fell behind whose flow is known.
    pub connectors: Vec<ConnectorImpactV1>,
    /// How long partitions of sinks stood still whose flow is known.
    pub sinks: Vec<SinkImpactV1>,
}

/// What a sink's consumer group did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SinkImpactV1 {
    /// Its name.
    pub connector: String,
    /// The longest time one partition was served by nobody.
    pub longest_pause_ms: i64,
    /// How long no partition was served at all.
    pub standstill_ms: i64,
}

/// How far one connector fell behind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConnectorImpactV1 {
    /// Its name.
    pub connector: String,
    /// Its largest backlog.
    pub peak_lag_records: f64,
    /// That backlog divided by what arrives: how far behind the connector as a whole is.
    pub peak_lag_ms: i64,
    /// How far behind its task, or partition, gets that is furthest behind.
    pub furthest_behind_ms: i64,
    /// When the backlog was gone; `null` if there was none or it stayed.
    pub caught_up_at_ms: Option<i64>,
    /// Whether the backlog stays: the tasks are too slow, or some are not served.
    pub stays_behind: bool,
}

/// Whether the others can carry a connector while one worker is away.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadroomV1 {
    /// Its name.
    pub connector: String,
    /// What arrives.
    pub arrival_records_per_sec: f64,
    /// What all its tasks can work off.
    pub capacity_records_per_sec: f64,
    /// What can be worked off while the worker with most of its tasks is away.
    pub capacity_without_largest_worker_records_per_sec: f64,
    /// Whether that keeps up with what arrives.
    pub carries: bool,
    /// Whether a backlog is worked off once all tasks run again.
    pub catches_up: bool,
}

impl HeadroomV1 {
    /// Of each connector whose flow is known; those not listed are unknown.
    pub(super) fn all(cluster: &Cluster) -> Vec<Self> {
        headroom(cluster)
            .iter()
            .map(|room| Self {
                connector: cluster.work.name(room.connector).to_owned(),
                arrival_records_per_sec: rounded(room.arrival.0),
                capacity_records_per_sec: rounded(room.capacity_all.0),
                capacity_without_largest_worker_records_per_sec: rounded(room.capacity_without_largest_worker.0),
                carries: room.carries,
                catches_up: room.catches_up,
            })
            .collect()
    }
}

impl ImpactV1 {
    /// The numbers of a run.
    pub fn new(cluster: &Cluster, impact: &Impact) -> Self {
        Self {
            unassigned_task_seconds: rounded(impact.unassigned.0),
            longest_ms: impact.longest.as_millis(),
            longest_task: impact.longest_task.map(|task| cluster.work.task_name(task)),
            peak_share: rounded(impact.peak.0),
            peak_held_share: rounded(impact.peak_held.0),
            rounds: impact.rounds,
            moves: impact.moves,
            starts: impact.starts,
            doubled_task_seconds: rounded(impact.doubled.0),
            left_unassigned: impact.left_unassigned,
            failed_tasks: impact.failed,
            races: impact.races,
            duration_ms: impact.duration.map(Duration::as_millis),
            connectors: impact.connectors.iter().map(|of| ConnectorImpactV1::new(cluster, of)).collect(),
            sinks: impact
                .sinks
                .iter()
                .map(|of| SinkImpactV1 {
                    connector: cluster.work.name(of.connector).to_owned(),
                    longest_pause_ms: of.longest_pause.as_millis(),
                    standstill_ms: of.standstill.as_millis(),
                })
                .collect(),
        }
    }
}

impl ConnectorImpactV1 {
    fn new(cluster: &Cluster, impact: &ConnectorImpact) -> Self {
        Self {
            connector: cluster.work.name(impact.connector).to_owned(),
            peak_lag_records: rounded(impact.peak.0),
            peak_lag_ms: impact.behind.as_millis(),
            furthest_behind_ms: impact.furthest.as_millis(),
            stays_behind: matches!(impact.caught_up, CaughtUp::TooSlow { .. } | CaughtUp::NotServed(_)),
            caught_up_at_ms: impact.caught_up.at().map(SimTime::as_millis),
        }
    }
}
