//! The parts that several texts share.

use crate::assessment::{Distribution, Impact, StepImpact, shown_until};
use crate::finding::{Finding, Severity};
use crate::lag::headroom as headroom_of;
use crate::model::{Assumption, Cluster, WorkerId};
use crate::report::course::{self, LEGEND, MEMBER};
use crate::report::lanes::{Axis, Levels, bar};
use crate::report::page::{Page, Tone};
use crate::report::width::width;
use crate::report::words;
use crate::simulation::{Process, Timeline};
use crate::units::{Records, RecordsPerSec};

/// The lanes of the workers and the height of what nobody has. Of many workers, only how
/// many are away.
pub(super) fn lanes(page: &Page, cluster: &Cluster, timeline: &Timeline, levels: &Levels<usize>) -> String {
    let many = cluster.workers.len() > MOST_LANES;
    let most = levels.iter().map(|(_, height)| *height).max().unwrap_or(0);
    let names = cluster.workers.iter().map(|worker| width(&worker.name)).max().unwrap_or(0).min(LABEL);
    let label = if many { AWAY.len() } else { names }.max(if most > 0 { UNASSIGNED.len() } else { 0 });
    let axis = Axis::new(page, label, timeline.began, shown_until(timeline, levels));
    let mut text = String::new();
    let mut legend = Vec::new();
    if many {
        let away = course::away(timeline, cluster);
        let peak = away.iter().map(|(_, height)| *height).max().unwrap_or(0);
        text.push_str(&bar(page, Tone::Plain, AWAY, label, &axis.heights(&away, peak)));
        legend.push(format!("away: {} at most", words::count(peak, "worker")));
    } else {
        for (place, worker) in cluster.workers.iter().enumerate() {
            let lane = course::lane(timeline, WorkerId(u32::try_from(place).unwrap_or(u32::MAX)));
            text.push_str(&bar(page, Tone::Plain, &worker.name, label, &axis.lane(&lane, MEMBER)));
        }
        legend.push(LEGEND.to_owned());
        if timeline.processes.iter().any(|change| change.process == Process::Frozen) {
            legend.push("· frozen".to_owned());
        }
    }
    if most > 0 {
        text.push_str(&bar(page, Tone::Red, UNASSIGNED, label, &axis.heights(levels, most)));
        legend.push(format!("▂▄█ up to {}", words::count(most, "task")));
    }
    text.push_str(&page.toned(Tone::Dim, axis.scale(label).trim_end()));
    text.push('\n');
    text.push_str(&page.toned(Tone::Dim, &format!("  {}", legend.join("  "))));
    text.push('\n');
    text
}

/// Findings of the files that a roll should know of: the worst first, notes left out.
pub(in crate::report) fn risks(risks: &[Finding], page: &Page) -> String {
    let mut told: Vec<&Finding> = risks.iter().filter(|finding| finding.severity > Severity::Note).collect();
    told.sort_by_key(|finding| std::cmp::Reverse((finding.severity, finding.confidence)));
    let mut text = String::new();
    for finding in told.iter().take(MOST_RISKS) {
        let (seen, advice) = (words::begun(&finding.evidence), words::begun(&finding.advice));
        let sentence = format!("{seen}. {advice}. ({})", finding.rule);
        text.push_str(&page.item(Tone::Plain, "- ", &sentence));
    }
    let notes = risks.len() - told.len();
    let more = told.len().saturating_sub(MOST_RISKS);
    let kinds = [(more, "more finding"), (notes, "note")];
    let kinds: Vec<String> =
        kinds.into_iter().filter(|(number, _)| *number > 0).map(|(number, kind)| words::count(number, kind)).collect();
    // Notes alone are no risk of the roll.
    if !kinds.is_empty() && !text.is_empty() {
        text.push_str(&page.item(Tone::Dim, "- ", &format!("And {}: rollgate lint FILE", kinds.join(" and "))));
    }
    text
}

/// What two columns of the steps mean; nothing if no task pauses.
pub(in crate::report) fn pauses(page: &Page, impacts: &[StepImpact]) -> String {
    if impacts.iter().all(|impact| impact.outages == 0) {
        return String::new();
    }
    let meant = "Pauses: how often a task is without an owner from this stop on and before the next; longest: the \
                 longest of these pauses.";
    page.sentences(Tone::Dim, meant)
}

/// What is not to be relied on: stops within a balancing round. Measured on Kafka 4.4.0: of seven
/// such leaves six were read before the leader's `SyncGroup`.
pub(in crate::report) fn races(page: &Page, races: u32) -> String {
    if races == 0 {
        return String::new();
    }
    let fall = if races == 1 { "stop falls" } else { "stops fall" };
    let sentence = format!(
        "Not to be relied on: {races} {fall} into a balancing round, when the worker's own JoinGroup waits. Its leave \
         is read right after the round, and if that is before the leader's SyncGroup, nobody gets the assignment, the \
         leader forgets, and no delay runs. The simulation lets the leave come first, as six of seven did that were \
         measured; it is a race of milliseconds. Wait a little longer, or not at all."
    );
    page.sentences(Tone::Yellow, &sentence)
}

/// `100 runs`.
pub(super) fn runs(distribution: &Distribution) -> String {
    words::count(usize::try_from(distribution.runs).unwrap_or(usize::MAX), "run")
}

/// What the roll costs beside the time.
pub(super) fn costs(page: &Page, impact: &Impact) -> String {
    let number = |count: u32, one: &str| words::count(usize::try_from(count).unwrap_or(usize::MAX), one);
    let mut said =
        vec![number(impact.rounds, "rebalance"), number(impact.moves, "move"), number(impact.starts, "start")];
    if impact.doubled.0 >= 0.05 {
        said.push(format!("{} task-seconds run twice", words::task_seconds(impact.doubled.0)));
    }
    page.sentences(Tone::Plain, &format!("{}.", said.join(", ")))
}

/// Connectors that the other workers cannot carry, or that never catch up; nothing where all is well.
pub(in crate::report) fn headroom(cluster: &Cluster, page: &Page) -> String {
    let mut text = String::new();
    for room in headroom_of(cluster).iter().filter(|room| !room.carries || !room.catches_up).take(MOST_WARNINGS) {
        let name = cluster.work.name(room.connector);
        let rate = |rate: RecordsPerSec| format!("{}/s", Records(rate.0));
        let sentence = if room.catches_up {
            format!(
                "Tight: while one worker is away, the tasks of {name} work off {} of the {} that arrive.",
                rate(room.capacity_without_largest_worker),
                rate(room.arrival)
            )
        } else {
            format!(
                "No headroom: all tasks of {name} together work off {} of the {} that arrive, so what falls behind \
                 stays behind.",
                rate(room.capacity_all),
                rate(room.arrival)
            )
        };
        text.push_str(&page.item(Tone::Yellow, "  ", &sentence));
    }
    text
}

/// What was assumed (of the policy only where that counts) and drawn: how we know.
pub(super) fn certainty(page: &Page, cluster: &Cluster, policy: bool, last: &str) -> String {
    let mut text = String::new();
    let measured: Vec<String> =
        cluster.measured().iter().map(|of| format!("{} ({})", of.key, words::count(of.samples, "sample"))).collect();
    if !measured.is_empty() {
        text.push_str(&page.sentences(Tone::Dim, &format!("Measured: {}.", measured.join(", "))));
    }
    if !cluster.assumed.is_empty() {
        let said = assumed(cluster.assumed.iter().filter(|of| policy || !of.key.starts_with("policy.")));
        text.push_str(&page.sentences(Tone::Dim, &format!("Assumed: {said}.")));
    }
    text.push_str(&page.sentences(Tone::Dim, last));
    text
}

/// All assumptions, those of one reason together.
fn assumed<'a>(list: impl Iterator<Item = &'a Assumption>) -> String {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for assumption in list {
        let key = assumption.key.strip_prefix("settings.").unwrap_or(&assumption.key);
        let said = format!("{key} {}", assumption.value);
        match reasons.iter_mut().find(|(reason, _)| *reason == assumption.reason) {
            Some((_, all)) => all.push(said),
            None => reasons.push((&assumption.reason, vec![said])),
        }
    }
    let of_reason = |(reason, all): &(&str, Vec<String>)| format!("{} ({reason})", all.join(", "));
    reasons.iter().map(of_reason).collect::<Vec<_>>().join("; ")
}

/// More findings than these are not read in a plan.
const MOST_RISKS: usize = 5;

/// The label of how many workers are not in the group.
const AWAY: &str = "away";

/// The label of how many tasks nobody has.
const UNASSIGNED: &str = "unassigned";

/// More workers have no lanes of their own.
const MOST_LANES: usize = 30;

/// Columns of a worker's name beside its lane.
const LABEL: usize = 20;

/// So many connectors without headroom are named.
const MOST_WARNINGS: usize = 5;
