//! The next step of a roll, in sentences.

use super::{roll, words};
use crate::assessment::Figure;
use crate::model::{Cluster, WorkerId};
use crate::plan::{GoesNow, Moment, Next, NextStep, NoMoment, Side, Turned};
use crate::units::{Duration, Timestamp};

/// What the next step was asked for.
#[derive(Clone, Copy, Debug)]
pub struct NextAsked<'a> {
    /// When the cluster was seen.
    pub taken_at: Timestamp,
    /// The cluster as it was seen.
    pub cluster: &'a Cluster,
    /// Workers that are through.
    pub done: &'a [WorkerId],
    /// What to do.
    pub next: &'a Next,
}

/// What to do, as one sentence.
pub(super) fn answer(asked: &NextAsked<'_>) -> String {
    let NextAsked { cluster, next, .. } = *asked;
    match &next.turn {
        Turned::Away => {
            let (who, is) = said(cluster, &next.away);
            format!("Next: nobody. {who} {is} out of the group: see that it comes back before another one goes.")
        }
        Turned::Through => "Next: nobody. Every worker is done, and no delay runs: the roll is through.".to_owned(),
        Turned::Waits(_) => format!(
            "Next: nobody. Every worker is done, but a delay runs: the roll is through when it is over, in {} at most.",
            next.delay_left.unwrap_or_default()
        ),
        Turned::Restart(step, _) => {
            let again = step.workers.iter().all(|worker| !next.to_do.contains(worker));
            let (who, _) = said(cluster, &step.workers);
            let again = if again { " once more" } else { "" };
            let when = if step.when_settled { "when the delay that runs is over" } else { "now" };
            format!("Next: {who}{again}, {when}.")
        }
    }
}

/// Why this worker.
pub(super) fn why(asked: &NextAsked<'_>) -> String {
    let NextAsked { cluster, next, .. } = *asked;
    let step = match &next.turn {
        Turned::Restart(step, _) => step,
        Turned::Waits(Some(again)) => {
            let (who, _) = said(cluster, &again.workers);
            return format!(
                "{who} leads: restarting it once more would end the delay at once, for {} instead of {} task-seconds.",
                words::task_seconds(again.distribution.of(Figure::Unassigned).median),
                words::task_seconds(again.now.unassigned_anyway)
            );
        }
        _ => return String::new(),
    };
    let (who, leads) = (said(cluster, &step.workers).0, step.now.leads);
    if step.when_settled {
        let why = if step.then.during_delay {
            "To wait until what waits is handed out, and all is settled, costs least."
        } else {
            "The policy lets nobody go while a delay runs."
        };
        return format!(
            "{why} It is over in {} at most; then take a new snapshot.",
            next.delay_left.unwrap_or_default()
        );
    }
    let name = |worker: WorkerId| words::worker(cluster, worker);
    let then = step.now.then_leads.map_or("the next", name);
    let waits = words::count(step.now.waiting, "task");
    if leads && next.delay_left.is_some() && step.now.waiting > 0 {
        let verb = if step.now.waiting == 1 { "waits" } else { "wait" };
        return format!(
            "{who} leads: when it goes, {then} leads and knows of no loss, so that the delay ends and the {waits} that \
             {verb} for it are handed out at once."
        );
    }
    if leads {
        let still = next.successor.is_some_and(|successor| next.to_do.contains(&successor));
        let after = if still && next.to_do.len() > 2 { ", and is still to do itself" } else { "" };
        let first = format!(
            "{who} leads: when it goes, {then} leads{after}, and hands out its {} in its first round.",
            words::count(step.now.tasks, "task")
        );
        return if step.now.delay.is_none() { first + " No delay begins." } else { first };
    }
    let delay = step.now.delay.map(|delay| format!(" for {delay}, or until the leader goes")).unwrap_or_default();
    let reason = match (next.leader, next.successor) {
        (Some(leader), Some(successor)) if !next.to_do.contains(&leader) => {
            let both = if next.to_do.contains(&successor) { "" } else { ", as its successor is" };
            format!("{}, which leads, is done{both}", name(leader))
        }
        (Some(leader), Some(successor)) if !next.to_do.contains(&successor) => format!(
            "{}, which leads, is kept: {}, which would succeed it, is done, and the next leader should be one still to do",
            name(leader),
            name(successor)
        ),
        (Some(leader), _) => format!("{}, which leads, is kept for later", name(leader)),
        _ => "who leads is not known".to_owned(),
    };
    if step.now.tasks == 0 {
        return format!("{who} owns no task now: nothing stops. {}.", words::begun(&reason));
    }
    format!(
        "{}; {who} is a follower, and its {} wait{delay}.",
        words::begun(&reason),
        words::count(step.now.tasks, "task")
    )
}

/// What the step does, at once and to the end of the roll.
pub(super) fn price(asked: &NextAsked<'_>, step: &NextStep) -> Vec<String> {
    let cluster = asked.cluster;
    let mut sentences = Vec::new();
    let now = &step.now;
    if step.when_settled {
        sentences.push(to_the_end(cluster, step));
        return sentences;
    }
    sentences.push(format!(
        "At most {} of {} ({}) are unassigned at once, one of them for {} at most; {} until all is settled.",
        now.unassigned_at_once(),
        words::count(now.all, "task"),
        crate::units::Share(now.peak.p95),
        words::seconds(now.longest.p95),
        words::count(rounds(now), "rebalance"),
    ));
    if !now.connectors_down.is_empty() {
        sentences.push(format!("{}: no task of it runs meanwhile.", listed(cluster, &now.connectors_down)));
    }
    if !now.sinks_paused.is_empty() {
        sentences.push(format!(
            "{}: all its tasks stop reading for a moment, as its own consumer group rebalances.",
            listed(cluster, &now.sinks_paused)
        ));
    }
    sentences.push(to_the_end(cluster, step));
    for breach in &step.breaches {
        sentences.push(format!("A limit is broken whoever goes: {breach}."));
    }
    sentences
}

fn to_the_end(cluster: &Cluster, step: &NextStep) -> String {
    let of = |figure| step.distribution.of(figure);
    format!(
        "To its end the roll then costs {} (p95 {}) task-seconds and takes {} (p95 {}), by the rule: {}.",
        words::task_seconds(of(Figure::Unassigned).median),
        words::task_seconds(of(Figure::Unassigned).p95),
        words::seconds(of(Figure::Duration).median),
        words::seconds(of(Figure::Duration).p95),
        roll::words(cluster, &step.then)
    )
}

/// The next best.
pub(super) fn instead(asked: &NextAsked<'_>) -> Option<String> {
    let other = asked.next.other.as_ref()?;
    let (who, _) = said(asked.cluster, &other.workers);
    let sum = other.distribution.of(Figure::Unassigned);
    let breach = other.breaches.first().map(|breach| format!("; it breaks a limit: {breach}")).unwrap_or_default();
    Some(format!(
        "Next best: {who}, {} (p95 {}) task-seconds to the end{breach}.",
        words::task_seconds(sum.median),
        words::task_seconds(sum.p95)
    ))
}

/// At which second, or why none is named.
pub(super) fn moment(asked: &NextAsked<'_>, moment: &Result<Moment, NoMoment>) -> String {
    match moment {
        Ok(moment) => {
            let side = match moment.side {
                Side::JustAfter => {
                    "leaves just after a heartbeat of the group and is back before the next, so that it \
                                    leaves and returns in one round, and nothing moves"
                }
                Side::BackBefore => {
                    "is back just before a heartbeat of the group, so that it leaves and returns in one \
                                     round, and nothing moves"
                }
                Side::JustBefore => {
                    "leaves just before a heartbeat of the group, so that the others learn of it at once"
                }
            };
            format!(
                "When: SIGTERM at {}, or a multiple of {} later, until {}. It then {side}: {} task-seconds instead of {} \
                 at any moment.",
                time_of_day(asked.taken_at.after(moment.after)),
                exact(moment.every),
                time_of_day(asked.taken_at.after(moment.until)),
                words::task_seconds(moment.unassigned),
                words::task_seconds(moment.unassigned_any)
            )
        }
        Err(why) => format!("When: at any second. {}", no_moment(*why)),
    }
}

/// Why no second is named.
pub(super) fn no_moment(why: NoMoment) -> String {
    match why {
        NoMoment::NotSeen => "Which one costs least only the group's heartbeats would tell, and they count from its \
                              last rebalance, which nobody saw."
            .to_owned(),
        NoMoment::TooLongAgo(age) => format!(
            "The group's heartbeats count from its last rebalance, which was {age} ago: by then the workers' clocks have \
             drifted apart."
        ),
        NoMoment::DifferentIntervals => {
            "The workers' heartbeat intervals differ, so that they do not beat together.".to_owned()
        }
        NoMoment::StopVaries(by) => format!(
            "From SIGTERM to the leave it takes now less, now more, by up to {by}: that cannot be aimed at a heartbeat."
        ),
        NoMoment::NotOneWorker => "Several go together, and each leaves at its own moment.".to_owned(),
        NoMoment::NoGain => "None costs less than the others.".to_owned(),
    }
}

/// Who is done, who is not, who leads, and what runs.
pub(super) fn state(asked: &NextAsked<'_>) -> String {
    let NextAsked { cluster, done, next, .. } = *asked;
    let names = |workers: &[WorkerId]| {
        let all: Vec<&str> = workers.iter().map(|worker| words::worker(cluster, *worker)).collect();
        if all.is_empty() { "nobody".to_owned() } else { all.join(", ") }
    };
    let leads = match (next.leader, next.successor) {
        (Some(leader), Some(successor)) => {
            format!(
                "{} leads, {} is the first to succeed",
                words::worker(cluster, leader),
                words::worker(cluster, successor)
            )
        }
        (Some(leader), None) => format!("{} leads", words::worker(cluster, leader)),
        _ => "who leads is not known".to_owned(),
    };
    let delay = match next.delay_left {
        Some(left) => {
            let waiting = cluster.ownership.as_ref().map_or(0, |ownership| ownership.waiting.tasks.len());
            format!("; a delay runs, with at most {left} left and {} that wait", words::count(waiting, "task"))
        }
        None => "; no delay runs".to_owned(),
    };
    format!("Seen at {}: {leads}{delay}. Done: {}. To do: {}.", asked.taken_at, names(done), names(&next.to_do))
}

/// Names with commas and `and`, and the verb that goes with them.
fn said(cluster: &Cluster, workers: &[WorkerId]) -> (String, &'static str) {
    let names: Vec<&str> = workers.iter().map(|worker| words::worker(cluster, *worker)).collect();
    match names.as_slice() {
        [] => ("nobody".to_owned(), "is"),
        [one] => ((*one).to_owned(), "is"),
        [first @ .., last] => (format!("{} and {last}", first.join(", ")), "are"),
    }
}

fn listed(cluster: &Cluster, connectors: &[crate::model::ConnectorId]) -> String {
    let names: Vec<&str> = connectors.iter().take(MOST).map(|&connector| cluster.work.name(connector)).collect();
    let more = connectors.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of few rounds")]
fn rounds(now: &GoesNow) -> usize {
    now.rounds.median.max(0.0) as usize
}

/// `03:17:21.4`
fn time_of_day(at: Timestamp) -> String {
    let tenths = at.as_millis().div_euclid(100).rem_euclid(864_000);
    let (seconds, tenth) = (tenths / 10, tenths % 10);
    format!("{:02}:{:02}:{:02}.{tenth} UTC", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// In milliseconds, for what is added up many times.
fn exact(of: Duration) -> String {
    format!("{:.3} s", of.as_secs_f64())
}

/// So many connectors are named.
const MOST: usize = 5;
