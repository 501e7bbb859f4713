//! Who works on which part of a connector: the tasks of a source, the partitions of a sink.

use super::instances::{Becomes, Instances};
use crate::units::SimTime;

/// Who works on which part, as changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Serving {
    /// By part: the instance that works on it when the run begins.
    pub(super) initial: Vec<Option<usize>>,
    /// From when on which instance works on a part, in the order of time.
    pub(super) changes: Vec<Handover>,
    /// The completed rounds of the sink's consumer group; none of a source.
    pub(super) rounds: Vec<SinkRound>,
}

/// A part passes from one instance to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handover {
    pub(super) at: SimTime,
    pub(super) part: usize,
    pub(super) to: Option<usize>,
}

/// A completed rebalance of a sink's consumer group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkRound {
    /// What brought it about: when the first consumer left, expired, joined or asked again.
    pub since: SimTime,
    /// When its last consumer joined.
    pub at: SimTime,
    /// The consumers in it.
    pub consumers: usize,
}

impl Serving {
    /// A source: each task is a part of its own. `number` gives the number of an instance's task;
    /// numbers beyond `tasks` are left out.
    pub(super) fn of_source(instances: &Instances, tasks: u32, number: impl Fn(usize) -> u32) -> Self {
        let part_of = |instance: usize| Some(number(instance)).filter(|&task| task < tasks).map(|task| task as usize);
        let mut serving = Self { initial: vec![None; tasks as usize], ..Self::default() };
        // A task may run twice; the older instance counts until it ends.
        let mut running: Vec<Vec<usize>> = vec![Vec::new(); tasks as usize];
        for &instance in &instances.initial {
            if let Some(part) = part_of(instance) {
                running[part].push(instance);
                serving.initial[part] = running[part].first().copied();
            }
        }
        for turn in &instances.turns {
            let Some(part) = part_of(turn.instance) else { continue };
            let before = running[part].first().copied();
            running[part].retain(|&instance| instance != turn.instance);
            if matches!(turn.becomes, Becomes::Working | Becomes::Awake) {
                running[part].push(turn.instance);
            }
            let to = running[part].first().copied();
            if to != before {
                serving.changes.push(Handover { at: turn.at, part, to });
            }
        }
        serving
    }
}
