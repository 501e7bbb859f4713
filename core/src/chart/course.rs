//! What a roll looks like worker by worker: who leads, who restarts, who has how many tasks, and
//! which delays run.

use std::collections::BTreeSet;

use crate::assessment::Levels;
use crate::model::{Cluster, TaskId, WorkerId};
use crate::simulation::{Process, Round, TaskState, Timeline};
use crate::units::{Duration, SimTime};

/// From when to when.
pub(super) type Span = (SimTime, SimTime);

/// One worker over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lane {
    /// When its process is anything but a member, and what it is then.
    pub(super) phases: Vec<(Span, Process)>,
    /// How many tasks run on it, from each change on.
    pub(super) tasks: Levels,
    /// When it leads the group.
    pub(super) leads: Vec<Span>,
}

/// A scheduled rebalance delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) from: SimTime,
    /// When it ended, by itself or not.
    pub(super) until: SimTime,
    /// When it should end.
    pub(super) deadline: SimTime,
    /// Whether it went with the leader's memory before its time.
    pub(super) cut: bool,
}

/// The lanes of all workers, up to an instant.
pub(super) fn lanes(cluster: &Cluster, timeline: &Timeline, until: SimTime) -> Vec<Lane> {
    let mut lanes = vec![Lane::default(); cluster.workers.len()];
    phases(&mut lanes, timeline, until);
    tasks(&mut lanes, timeline);
    leaders(&mut lanes, timeline, until);
    lanes
}

/// The delays that run, one after another.
pub(super) fn windows(timeline: &Timeline, until: SimTime) -> Vec<Window> {
    let mut windows = Vec::new();
    let mut open: Option<(Window, WorkerId)> = None;
    for round in &timeline.rounds {
        let at = seen(round);
        let deadline = at + round.delay;
        let runs = round.delay > Duration::ZERO;
        if let Some((window, leader)) = open
            && !(runs && leader == round.leader && near(window.deadline, deadline))
        {
            let cut = !near(window.deadline, at) && at < window.deadline;
            windows.push(Window { until: at.min(window.deadline.max(window.from)), cut, ..window });
            open = None;
        }
        if runs && open.is_none() {
            open = Some((Window { from: at, until: at, deadline, cut: false }, round.leader));
        }
    }
    windows.extend(open.map(|(window, _)| Window { until: window.deadline.min(until), ..window }));
    windows
}

/// When a round was seen, or would have been.
pub(super) fn seen(round: &Round) -> SimTime {
    round.seen_at.unwrap_or(round.at)
}

fn phases(lanes: &mut [Lane], timeline: &Timeline, until: SimTime) {
    let mut now: Vec<Option<(SimTime, Process)>> = vec![None; lanes.len()];
    for change in &timeline.processes {
        let place = change.worker.index();
        if let Some((from, process)) = now[place].take() {
            lanes[place].phases.push(((from, change.at), process));
        }
        if change.process != Process::Member {
            now[place] = Some((change.at, change.process));
        }
    }
    for (lane, now) in lanes.iter_mut().zip(now) {
        lane.phases.extend(now.map(|(from, process)| ((from, until.max(from)), process)));
    }
}

fn tasks(lanes: &mut [Lane], timeline: &Timeline) {
    let mut running: BTreeSet<(TaskId, WorkerId)> = BTreeSet::new();
    let mut counts = vec![0_usize; lanes.len()];
    for change in &timeline.tasks {
        let count = &mut counts[change.worker.index()];
        let instance = (change.item, change.worker);
        match change.state {
            TaskState::Running if running.insert(instance) => *count += 1,
            TaskState::Stopped | TaskState::Vanished | TaskState::Failed if running.remove(&instance) => *count -= 1,
            _ => continue,
        }
        let (at, count) = (change.at.max(timeline.began), *count);
        let levels = &mut lanes[change.worker.index()].tasks;
        match levels.last_mut() {
            Some((last, level)) if *last == at => *level = count,
            _ => levels.push((at, count)),
        }
    }
}

fn leaders(lanes: &mut [Lane], timeline: &Timeline, until: SimTime) {
    let Some(first) = timeline.rounds.first() else { return };
    // Who led before the first round: the one stopped as the leader, else who leads on.
    let stopped = timeline.steps.first().filter(|step| step.leads && step.workers.len() == 1);
    let before = stopped.map_or(first.leader, |step| step.workers[0]);
    let mut leads = (timeline.began, before);
    for (at, leader) in timeline.rounds.iter().map(|round| (seen(round), round.leader)) {
        // A round may bring the same leader back as a new member: then it led with a break.
        let gone = lanes[leads.1.index()].phases.iter().find_map(|((from, _), process)| {
            (*process == Process::Down && *from >= leads.0 && *from <= at).then_some(*from)
        });
        if leader != leads.1 || gone.is_some() {
            let end = gone.unwrap_or(at);
            lanes[leads.1.index()].leads.push((leads.0, end));
            leads = (at, leader);
        }
    }
    lanes[leads.1.index()].leads.push((leads.0, until.max(leads.0)));
}

/// The rest of a delay is told in milliseconds and counted from the answer: it wanders a little.
fn near(one: SimTime, other: SimTime) -> bool {
    let apart = one.max(other) - one.min(other);
    apart < Duration::from_secs(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Wait;
    use crate::simulation::tests::cluster;
    use crate::simulation::{Detail, Order, Schedule, Seed, simulate};

    fn rolled(order: Order, wait: Wait, delay: i64) -> (Cluster, Timeline) {
        let cluster = cluster(3, &[("alpha", 6)], Duration::from_secs(delay), Duration::from_secs(5));
        let schedule = Schedule::new(order, wait);
        let timeline = simulate(&cluster, &schedule, Seed(7), Detail::Full);
        (cluster, timeline)
    }

    #[test]
    fn somebody_leads_at_each_moment_but_while_a_leader_goes() {
        let (cluster, timeline) = rolled(Order::PresentLeader, Wait::Settled, 30);
        let lanes = lanes(&cluster, &timeline, timeline.ended);
        let mut spans: Vec<Span> = lanes.iter().flat_map(|lane| lane.leads.iter().copied()).collect();
        spans.sort_unstable();
        assert_eq!((spans[0].0, spans[spans.len() - 1].1), (timeline.began, timeline.ended));
        let gone = timeline.steps.iter().filter(|step| step.leads).count();
        assert!(gone > 0 && spans.len() == gone + 1, "{gone} leaders went: {spans:?}");
        assert!(spans.windows(2).all(|pair| pair[0].1 <= pair[1].0), "two lead at once: {spans:?}");
    }

    #[test]
    fn lanes_hold_all_tasks_when_all_is_settled() {
        let (cluster, timeline) = rolled(Order::LeaderLast, Wait::Settled, 30);
        let lanes = lanes(&cluster, &timeline, timeline.ended);
        let last: usize = lanes.iter().filter_map(|lane| lane.tasks.last()).map(|(_, count)| count).sum();
        assert_eq!(last, 6);
        assert!(lanes.iter().all(|lane| lane.phases.iter().any(|(_, process)| *process == Process::Down)));
    }

    #[test]
    fn a_delay_runs_out_or_goes_with_the_leader() {
        let (_, waited) = rolled(Order::LeaderLast, Wait::Settled, 30);
        let whole = windows(&waited, waited.ended);
        assert!(whole.iter().any(|window| !window.cut && window.until - window.from > Duration::from_secs(25)));
        let (_, hurried) = rolled(Order::LeaderLast, Wait::Back, 300);
        let cut = windows(&hurried, hurried.ended);
        assert!(cut.iter().any(|window| window.cut && window.until < window.deadline), "{cut:?}");
        assert!(windows(&rolled(Order::LeaderLast, Wait::Back, 0).1, SimTime::NEVER).is_empty());
    }
}
