//! The tables that text and Markdown share.

use super::Shown;
use super::course;
use super::lanes::Levels;
use super::page::Tone;
use super::roll;
use super::table::{Side, Table};
use super::words::{self, clock};
use crate::assessment::{Distribution, Figure, Impact, step_impacts};
use crate::lag::CaughtUp;
use crate::model::Cluster;
use crate::plan::{Candidate, Plan};
use crate::simulation::{Step, Timeline};
use crate::units::{Duration, Records, Share};

/// The restarts of a roll, one in each row.
pub(super) fn steps(cluster: &Cluster, timeline: &Timeline) -> Table {
    let mut table = Table::new(&[
        ("step", Side::Right),
        ("worker", Side::Left),
        ("stopped at", Side::Right),
        ("away for", Side::Right),
        ("pauses", Side::Right),
        ("longest", Side::Right),
        ("", Side::Left),
    ]);
    let labels = words::labels(cluster);
    let impacts = step_impacts(cluster, timeline);
    for (place, (step, impact)) in timeline.steps.iter().zip(&impacts).enumerate() {
        let workers: Vec<&str> =
            step.workers.iter().map(|worker| labels.get(worker.index()).map_or("?", String::as_str)).collect();
        let pauses = impact.outages;
        let cells = vec![
            (place + 1).to_string(),
            workers.join(", "),
            clock(step.at),
            step.back.map_or_else(|| "for good".to_owned(), |back| (back - step.at).to_string()),
            if pauses == 0 { "–".to_owned() } else { Records(f64::from(pauses)).to_string() },
            if pauses == 0 { "–".to_owned() } else { impact.longest.to_string() },
            note(step),
        ];
        table.row(if step.back.is_some() { Tone::Plain } else { Tone::Red }, cells);
    }
    table
}

/// The steps of a plan, one in each row: what is expected, the time-out, and what should be seen.
pub(super) fn planned_steps(cluster: &Cluster, plan: &Plan) -> Table {
    let mut table = Table::new(&[
        ("#", Side::Right),
        ("worker", Side::Left),
        ("stopped at", Side::Right),
        ("back after", Side::Right),
        ("at most", Side::Right),
        ("pauses", Side::Right),
        ("longest", Side::Right),
        ("", Side::Left),
    ]);
    let labels = words::labels(cluster);
    let steps = plan.expected.steps.iter().zip(&plan.steps).zip(&plan.planned);
    for (place, ((step, impact), planned)) in steps.enumerate() {
        let workers: Vec<&str> =
            step.workers.iter().map(|worker| labels.get(worker.index()).map_or("?", String::as_str)).collect();
        let pauses = impact.outages;
        let mut notes = Vec::new();
        notes.extend(step.leads.then(|| if step.flush { "leads again".to_owned() } else { "leads".to_owned() }));
        if planned.seen.delay.is_some() && planned.seen.waiting > 0 {
            let wait = if planned.seen.waiting == 1 { "waits" } else { "wait" };
            notes.push(format!("{} {wait}", planned.seen.waiting));
        }
        let cells = vec![
            (place + 1).to_string(),
            workers.join(", "),
            clock(step.at),
            step.back.map_or_else(|| "for good".to_owned(), |back| (back - step.at).to_string()),
            planned.back_within.to_string(),
            if pauses == 0 { "–".to_owned() } else { Records(f64::from(pauses)).to_string() },
            if pauses == 0 { "–".to_owned() } else { impact.longest.to_string() },
            notes.join(", "),
        ];
        table.row(if step.back.is_some() { Tone::Plain } else { Tone::Red }, cells);
    }
    table
}

/// Rolls side by side: medians, but the p95 of the longest pause and of the shares, which the policy limits.
/// Each is known by a letter; with `words`, what it is stands in the last column.
pub(super) fn candidates<'a>(
    cluster: &Cluster,
    candidates: impl IntoIterator<Item = (&'a str, &'a Candidate)>,
    words: bool,
) -> Table {
    let mut heads = vec![
        ("", Side::Left),
        ("task-seconds", Side::Right),
        ("p95", Side::Right),
        ("longest", Side::Right),
        ("held", Side::Right),
        ("peak", Side::Right),
        ("takes", Side::Right),
        ("rounds", Side::Right),
        ("moves", Side::Right),
    ];
    if words {
        heads.push(("roll", Side::Left));
    }
    let mut table = Table::new(&heads);
    for (letter, (remark, candidate)) in ('A'..='Z').zip(candidates) {
        let of = |figure| candidate.distribution.of(figure);
        let mut cells = vec![
            letter.to_string(),
            words::task_seconds(of(Figure::Unassigned).median),
            words::task_seconds(of(Figure::Unassigned).p95),
            words::seconds(of(Figure::Longest).p95),
            Share(of(Figure::PeakHeld).p95).to_string(),
            Share(of(Figure::Peak).p95).to_string(),
            words::seconds(of(Figure::Duration).median),
            format!("{:.0}", of(Figure::Rounds).median),
            Records(of(Figure::Moves).median).to_string(),
        ];
        if words {
            cells.push(roll_with(cluster, remark, candidate));
        }
        table.row(Tone::Plain, cells);
    }
    table
}

/// A roll in words, with what is to be said of it.
pub(super) fn roll_with(cluster: &Cluster, remark: &str, candidate: &Candidate) -> String {
    let roll = roll::words(cluster, &candidate.schedule);
    if remark.is_empty() { roll } else { format!("{roll} ({remark})") }
}

/// The rounds, one in each row.
pub(super) fn rounds(cluster: &Cluster, timeline: &Timeline, levels: &Levels<usize>) -> Table {
    let mut table = Table::new(&[
        ("round", Side::Right),
        ("at", Side::Right),
        ("leader", Side::Left),
        ("delay", Side::Right),
        ("unassigned", Side::Right),
        ("because", Side::Left),
    ]);
    let labels = words::labels(cluster);
    for round in &timeline.rounds {
        let none = course::level_at(levels, round.at);
        let cells = vec![
            round.generation.to_string(),
            clock(round.at),
            labels.get(round.leader.index()).cloned().unwrap_or_default(),
            if round.delay.is_zero() { "–".to_owned() } else { round.delay.to_string() },
            if none == 0 { "–".to_owned() } else { words::count(none, "task") },
            words::causes(cluster, &round.causes),
        ];
        table.row(Tone::Plain, cells);
    }
    table
}

/// How far the connectors fall behind, those furthest behind as a whole first, as in the chart of lag; `None`
/// if none does.
pub(super) fn lag(cluster: &Cluster, impact: &Impact) -> Option<Table> {
    let mut behind: Vec<_> = impact.connectors.iter().filter(|of| of.peak.0 >= 0.5).collect();
    if behind.is_empty() {
        return None;
    }
    behind.sort_by(|one, other| other.behind.cmp(&one.behind).then(one.connector.cmp(&other.connector)));
    let mut table = Table::new(&[
        ("connector", Side::Left),
        ("behind by", Side::Right),
        ("its worst task by", Side::Right),
        ("records", Side::Right),
        ("caught up at", Side::Right),
    ]);
    for of in &behind {
        let (tone, caught_up) = match of.caught_up {
            CaughtUp::At(at) => (Tone::Plain, clock(at)),
            CaughtUp::NeverBehind => (Tone::Plain, "–".to_owned()),
            CaughtUp::TooSlow { .. } => (Tone::Yellow, "never: too slow".to_owned()),
            CaughtUp::NotServed(_) => (Tone::Yellow, "never: no task".to_owned()),
        };
        let name = cluster.work.name(of.connector).to_owned();
        table.row(tone, vec![name, of.behind.to_string(), of.furthest.to_string(), of.peak.to_string(), caught_up]);
    }
    Some(table)
}

/// How long partitions of sinks stand still, the longest first; `None` if none does for a second.
pub(super) fn sinks(cluster: &Cluster, impact: &Impact) -> Option<Table> {
    let second = Duration::from_secs(1);
    let mut paused: Vec<_> = impact.sinks.iter().filter(|of| of.longest_pause >= second).collect();
    if paused.is_empty() {
        return None;
    }
    paused.sort_by(|one, other| other.longest_pause.cmp(&one.longest_pause).then(one.connector.cmp(&other.connector)));
    let mut table = Table::new(&[
        ("sink", Side::Left),
        ("a partition unread, longest", Side::Right),
        ("all unread, in all", Side::Right),
    ]);
    for of in paused {
        let still = if of.standstill.is_zero() { "–".to_owned() } else { of.standstill.to_string() };
        let name = cluster.work.name(of.connector).to_owned();
        table.row(Tone::Plain, vec![name, of.longest_pause.to_string(), still]);
    }
    Some(table)
}

/// Median, p95 and worst of many runs.
pub(super) fn distribution(distribution: &Distribution, tasks: usize) -> Table {
    let mut table =
        Table::new(&[("", Side::Left), ("median", Side::Right), ("p95", Side::Right), ("worst", Side::Right)]);
    let mut row = |name: &str, figure: Figure, say: &dyn Fn(f64) -> String| {
        let of = distribution.of(figure);
        table.row(Tone::Plain, vec![name.to_owned(), say(of.median), say(of.p95), say(of.worst)]);
    };
    let share = |value: f64| format!("{} ({})", words::part_of(Share(value), tasks), Share(value));
    row("unassigned, task-seconds", Figure::Unassigned, &words::task_seconds);
    row("longest of one task", Figure::Longest, &words::seconds);
    row("tasks unassigned at once", Figure::Peak, &share);
    row("… longer than a hand-over", Figure::PeakHeld, &share);
    row("duration", Figure::Duration, &words::seconds);
    row("rebalances", Figure::Rounds, &|value| format!("{value:.0}"));
    row("moves", Figure::Moves, &|value| format!("{value:.0}"));
    table
}

/// The two rolls of an example, by their medians.
pub(super) fn example(example: &[Shown; 2]) -> Table {
    let heads = [("task-seconds", Side::Right), ("longest", Side::Right), ("at once", Side::Right)];
    let last = [("settled after", Side::Right)];
    let mut table = Table::new(&[&[("", Side::Left)], &heads[..], &last].concat());
    for shown in example {
        let median = |figure| shown.distribution.of(figure).median;
        let left = median(Figure::LeftUnassigned);
        let longest = if left > 0.0 { f64::INFINITY } else { median(Figure::Longest) };
        let cells = [
            if left > 0.0 { "no end".to_owned() } else { words::task_seconds(median(Figure::Unassigned)) },
            if longest.is_finite() { words::seconds(longest) } else { "no end".to_owned() },
            Share(median(Figure::Peak)).to_string(),
            words::seconds(median(Figure::Duration)),
        ];
        table.row(Tone::Plain, [vec![shown.side.what.to_owned()], cells.into()].concat());
    }
    table
}

fn note(step: &Step) -> String {
    match (step.leads, step.flush) {
        (_, true) => "leads, goes again".to_owned(),
        (true, false) => "leads the group".to_owned(),
        (false, false) => String::new(),
    }
}
