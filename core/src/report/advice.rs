//! What else could be had, in words and as a table.

use super::page::Tone;
use super::roll;
use super::table::{Side, Table};
use super::words;
use crate::assessment::Figure;
use crate::model::Cluster;
use crate::plan::{Advice, Candidate, Change, Plan};
use crate::simulation::Aim;
use crate::units::{Duration, Share};

/// The change as it would be written: `scheduled.rebalance.max.delay.ms 5 min → 0`.
pub(super) fn change(change: &Change) -> String {
    match change {
        Change::Delay { from, to } => format!("scheduled.rebalance.max.delay.ms {} → {}", delay(*from), delay(*to)),
        Change::Eager => "connect.protocol eager".to_owned(),
        Change::WithLeader => "policy.at_once 1 → 2".to_owned(),
        Change::LeaderAgain => "policy.leader_again true".to_owned(),
        Change::DuringDelay => "policy.during_delay true".to_owned(),
        Change::AnyWait => "no policy.wait".to_owned(),
        Change::MaxShare { from, to } => format!("policy.max_share {from} → {to}"),
        Change::Aimed(Aim::JustAfter) => "each stop just after a heartbeat".to_owned(),
        Change::Aimed(_) => "each stop just before a heartbeat".to_owned(),
    }
}

/// Why it helps, and what it costs elsewhere.
pub(super) fn why(cluster: &Cluster, advice: &Advice) -> String {
    let held = Share(advice.price.distribution.of(Figure::PeakHeld).p95);
    let needed = if held.0 > 0.0 {
        format!(" {held} of the tasks are held at once, so policy.max_share must allow that.")
    } else {
        String::new()
    };
    match &advice.change {
        Change::Delay { to, .. } if to.is_zero() => format!(
            "Lost tasks are handed out in the next round, whoever leads. Brought in by this roll it counts from the \
             moment a restarted worker leads{}. The trap: afterwards each short absence of a worker moves its tasks \
             twice.",
            later(advice)
        ),
        Change::Delay { to, .. } => format!(
            "Every restart is back within it, and tasks that nobody flushes wait {to} instead of minutes{}. The trap: \
             a restart that takes longer moves its tasks away and back.",
            later(advice)
        ),
        Change::Eager => "Only to compare with, where all workers run it before and after: every change of members \
                          stops every task, and a roll that brings eager into a live group runs tasks twice and ends \
                          with FAILED ones."
            .to_owned(),
        Change::WithLeader => format!(
            "A follower goes together with the leader: both have left before the new leader's first round, which \
             knows of no loss and starts no delay.{needed} Not with exactly-once sources."
        ),
        Change::LeaderAgain => {
            "The leader, restarted once more, ends a delay that runs; its own tasks pause once for that.".to_owned()
        }
        Change::DuringDelay => "During a delay nothing happens, so waiting for its end helps nobody.".to_owned(),
        Change::AnyWait | Change::MaxShare { .. } => format!("Then: {}.", roll::words(cluster, &advice.price.schedule)),
        Change::Aimed(Aim::JustAfter) => {
            "A restart that is back before the group's next heartbeat leaves and returns in one round, and nothing \
             moves. All members beat together, in step with the last rebalance; who saw that knows the moment for \
             some minutes."
                .to_owned()
        }
        Change::Aimed(_) => {
            "The others learn that a worker left at their next heartbeat: the sooner it comes, the sooner its tasks \
             are handed out. All members beat together, in step with the last rebalance; who saw that knows the \
             moment for some minutes."
                .to_owned()
        }
    }
}

/// One row for each change, this plan first.
pub(super) fn table(present: Option<&Candidate>, advice: &[&Advice]) -> Table {
    let mut table = Table::new(&[
        ("task-seconds", Side::Right),
        ("later rolls", Side::Right),
        ("held", Side::Right),
        ("peak", Side::Right),
        ("takes", Side::Right),
        ("change", Side::Left),
    ]);
    let cells = |name: String, price: &Candidate, later: String| {
        let of = |figure| price.distribution.of(figure);
        vec![
            words::task_seconds(of(Figure::Unassigned).median),
            later,
            Share(of(Figure::PeakHeld).p95).to_string(),
            Share(of(Figure::Peak).p95).to_string(),
            words::seconds(of(Figure::Duration).median),
            name,
        ]
    };
    if let Some(present) = present {
        table.row(Tone::Plain, cells("none: this plan".to_owned(), present, String::new()));
    }
    for one in advice {
        let later = one
            .later
            .as_ref()
            .map_or_else(String::new, |later| words::task_seconds(later.distribution.of(Figure::Unassigned).median));
        let name = match &one.change {
            Change::Delay { from, to } => format!("delay {} → {}", delay(*from), delay(*to)),
            other => change(other),
        };
        table.row(Tone::Plain, cells(name, &one.price, later));
    }
    table
}

/// What the plan, and the best roll, costs with each likely delay; `None` if the delay is known.
pub(super) fn unseen_delay(cluster: &Cluster, plan: &Plan) -> Option<Table> {
    let mut table = Table::new(&[
        ("delay", Side::Right),
        ("this plan", Side::Right),
        ("longest", Side::Right),
        ("best", Side::Right),
        ("by", Side::Left),
    ]);
    for one in &plan.unseen_delay {
        let of = |candidate: &Candidate, figure| candidate.distribution.of(figure);
        let same = one.best.schedule == plan.chosen.schedule;
        let by = if same { "this plan".to_owned() } else { roll::words(cluster, &one.best.schedule) };
        table.row(
            Tone::Plain,
            vec![
                delay(one.delay),
                words::task_seconds(of(&one.plan, Figure::Unassigned).median),
                words::seconds(of(&one.plan, Figure::Longest).p95),
                words::task_seconds(of(&one.best, Figure::Unassigned).median),
                by,
            ],
        );
    }
    (!plan.unseen_delay.is_empty()).then_some(table)
}

/// What stands above that table.
pub(super) const UNSEEN_DELAY: &str = "The delay is not known: task-seconds with each";

/// How to know it.
pub(super) const SEE_THE_DELAY: &str = "scheduled.rebalance.max.delay.ms stands in the workers' files: \
    rollgate discover takes one with --settings-from.";

fn later(advice: &Advice) -> String {
    advice.later.as_ref().map_or_else(String::new, |later| {
        let sum = words::task_seconds(later.distribution.of(Figure::Unassigned).median);
        format!("; a later roll, with the setting everywhere from the start, loses {sum}")
    })
}

fn delay(of: Duration) -> String {
    if of.is_zero() { "0".to_owned() } else { of.to_string() }
}
