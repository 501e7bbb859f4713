//! What a timeline looks like from outside: who was away when, and what nobody had.

use super::lanes::Levels;
pub(super) use crate::assessment::{level_at, unassigned};
use crate::model::{Cluster, WorkerId};
use crate::simulation::{Process, Timeline};

/// The lane of one worker: `░` stopping, `▒` down, `▓` starting, `█` a member, `·` frozen.
pub(super) fn lane(timeline: &Timeline, worker: WorkerId) -> Levels<char> {
    timeline
        .processes
        .iter()
        .filter(|change| change.worker == worker)
        .map(|change| (change.at, sign(change.process)))
        .collect()
}

/// How many workers are not members, from each change on.
pub(super) fn away(timeline: &Timeline, cluster: &Cluster) -> Levels<usize> {
    let mut gone = vec![false; cluster.workers.len()];
    let mut levels = Vec::new();
    for change in &timeline.processes {
        gone[change.worker.index()] = change.process != Process::Member;
        levels.push((change.at, gone.iter().filter(|gone| **gone).count()));
    }
    levels
}

/// The sign of a worker that is a member.
pub(super) const MEMBER: char = '█';

/// What the signs of a lane mean.
pub(super) const LEGEND: &str = "░ stopping  ▒ down  ▓ starting  █ in the group";

const fn sign(process: Process) -> char {
    match process {
        Process::Stopping => '░',
        Process::Down => '▒',
        Process::Starting | Process::Joining => '▓',
        Process::Member => MEMBER,
        Process::Frozen => '·',
    }
}
