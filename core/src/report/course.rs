//! What a timeline looks like from outside: who was away when, and what nobody had.

use super::lanes::Levels;
use crate::assessment::outages;
use crate::model::{Cluster, WorkerId};
use crate::simulation::{Process, Timeline};
use crate::units::SimTime;

/// How many tasks of the baseline have no owner able to run them, from each change on.
pub(super) fn unassigned(cluster: &Cluster, timeline: &Timeline) -> Levels<usize> {
    let mut changes: Vec<(SimTime, bool)> =
        outages(cluster, timeline).iter().flat_map(|outage| [(outage.from, false), (outage.until, true)]).collect();
    changes.sort_unstable();
    let mut levels: Levels<usize> = Vec::new();
    let mut none = 0_usize;
    for (at, ends) in changes {
        if ends {
            none -= 1;
        } else {
            none += 1;
        }
        match levels.last_mut() {
            Some((last, level)) if *last == at => *level = none,
            _ => levels.push((at, none)),
        }
    }
    levels
}

/// The height that holds at an instant, its own changes included.
pub(super) fn level_at(levels: &Levels<usize>, at: SimTime) -> usize {
    levels.partition_point(|(change, _)| *change <= at).checked_sub(1).map_or(0, |place| levels[place].1)
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TaskId;
    use crate::simulation::tests::cluster;
    use crate::simulation::{Change, TaskState};
    use crate::units::Duration;

    fn change(millis: i64, task: u32, worker: u32, state: TaskState) -> Change<TaskId, TaskState> {
        Change { at: SimTime::from_millis(millis), item: TaskId(task), worker: WorkerId(worker), state }
    }

    #[test]
    fn a_task_is_nobodys_from_its_stop_to_its_next_running() {
        use TaskState::{Running, Starting, Stopped, Vanished};
        let timeline = Timeline {
            tasks: vec![
                change(0, 0, 0, Running),
                change(0, 1, 1, Running),
                change(10, 0, 0, Stopped),
                change(20, 1, 1, Vanished),
                change(30, 0, 1, Starting),
                change(40, 0, 1, Running),
                change(50, 1, 0, Running),
                // Not there when the run began.
                change(80, 2, 0, Running),
                change(90, 2, 0, Stopped),
            ],
            ended: SimTime::from_millis(100),
            ..Timeline::default()
        };
        let at = SimTime::from_millis;
        let levels = unassigned(&cluster(2, &[("alpha", 3)], Duration::ZERO, Duration::ZERO), &timeline);
        assert_eq!(levels, [(at(10), 1), (at(20), 2), (at(40), 1), (at(50), 0)]);
        assert_eq!(level_at(&levels, at(25)), 2);
        assert_eq!(level_at(&levels, at(-1)), 0);
    }
}
