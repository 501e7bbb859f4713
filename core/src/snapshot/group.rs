//! The group of workers as its coordinator describes it (`DescribeGroups`).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Seen;

/// The group of workers at its coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// `group.id`.
    pub id: String,
    /// Where it is in its rebalance.
    pub state: GroupState,
    /// `eager`, `compatible` or `sessioned`; nothing outside `Stable`, where the coordinator
    /// leaves it empty.
    pub protocol: Option<String>,
    /// The broker that coordinates it, as `host:port`.
    pub coordinator: String,
    /// The members, in the coordinator's own order: if the leader leaves, the first of the
    /// others leads (lab 3.4).
    pub members: Vec<Member>,
}

/// The states of a classic group (`ClassicGroupState`, 4.4.0).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GroupState {
    /// It has no members.
    Empty,
    /// Members are asked to join again.
    PreparingRebalance,
    /// All have joined; the leader's assignment is awaited.
    CompletingRebalance,
    /// Everyone has an assignment.
    Stable,
    /// It does not exist.
    Dead,
    /// A state that this program does not know, as the broker names it.
    #[serde(untagged)]
    Other(String),
}

/// One member of the group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its member id: new after each restart.
    pub id: String,
    /// Its `client.id`.
    pub client_id: String,
    /// The address from which it connects, as the broker sees it.
    pub host: String,
    /// Its advertised REST address, which tells the worker; known in `Stable` only.
    pub url: Seen<String>,
    /// How far it had read the config topic when it joined; known in `Stable` only.
    pub config_offset: Seen<i64>,
    /// What it reported to own when it joined; nothing for a fresh process or under `eager`;
    /// known in `Stable` only.
    pub reported: Seen<WorkItems>,
    /// What the leader gave it. Outside `Stable` that of the generation before; unknown to
    /// one that has only joined.
    pub assignment: Seen<Assignment>,
    /// What it has by both: assigned, then what it reported less what was revoked; under `eager`
    /// what was assigned. In a completed generation that is what it owns; known in `Stable` only.
    /// The order is that of the wire, which lists by connector; the worker's own may differ.
    pub owns: Seen<WorkItems>,
}

/// What the leader gave one member in the last completed generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// 0 for none, 1 if the configs of the members do not agree.
    pub error: i16,
    /// The leader's member id.
    pub leader: String,
    /// The leader's advertised REST address.
    pub leader_url: String,
    /// The offset of the config topic that the leader worked from.
    pub config_offset: i64,
    /// What is new to it.
    pub assigned: WorkItems,
    /// What it must stop.
    pub revoked: WorkItems,
    /// What was left of the delay when the leader computed this, in milliseconds; it does not
    /// count down. 0 if none ran.
    pub delay_ms: i64,
}

/// Connectors and tasks by name, in the order on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorkItems {
    /// Names of connectors (their instances, not their tasks).
    pub connectors: Vec<String>,
    /// Tasks as connector and number.
    pub tasks: Vec<(String, u32)>,
}

impl GroupState {
    /// The state that a broker names so.
    pub fn named(name: &str) -> Self {
        match name {
            "Empty" => Self::Empty,
            "PreparingRebalance" => Self::PreparingRebalance,
            "CompletingRebalance" => Self::CompletingRebalance,
            "Stable" => Self::Stable,
            "Dead" => Self::Dead,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// As the broker names it.
impl fmt::Display for GroupState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "Empty",
            Self::PreparingRebalance => "PreparingRebalance",
            Self::CompletingRebalance => "CompletingRebalance",
            Self::Stable => "Stable",
            Self::Dead => "Dead",
            Self::Other(name) => name,
        })
    }
}
