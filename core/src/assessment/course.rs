//! What a run looks like over time: how much nobody has, from each change on.

use super::outages;
use crate::model::Cluster;
use crate::simulation::Timeline;
use crate::units::{Duration, SimTime};

/// How many, from each instant on.
pub type Levels = Vec<(SimTime, usize)>;

/// How many tasks of the baseline have no owner able to run them, from each change on.
pub fn unassigned(cluster: &Cluster, timeline: &Timeline) -> Levels {
    let mut changes: Vec<(SimTime, bool)> =
        outages(cluster, timeline).iter().flat_map(|outage| [(outage.from, false), (outage.until, true)]).collect();
    changes.sort_unstable();
    let mut levels: Levels = Vec::new();
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
pub fn level_at(levels: &[(SimTime, usize)], at: SimTime) -> usize {
    levels.partition_point(|(change, _)| *change <= at).checked_sub(1).map_or(0, |place| levels[place].1)
}

/// How long a run is worth looking at: to a little after its last change, not to the end of the
/// simulated time, which may be long after.
pub fn shown_until(timeline: &Timeline, levels: &[(SimTime, usize)]) -> SimTime {
    let rounds = timeline.rounds.last().map(|round| round.at);
    let processes = timeline.processes.last().map(|change| change.at);
    let tasks = levels.last().map(|(at, _)| *at);
    let last = [rounds, processes, tasks, timeline.settled].into_iter().flatten().max().unwrap_or(timeline.ended);
    let margin = Duration::from_micros((last - timeline.began).as_micros() / 40);
    if timeline.ended > last { (last + margin).min(timeline.ended) } else { last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{TaskId, WorkerId};
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
