//! What follows from given facts, round by round.

use std::collections::BTreeSet;

use super::parts;
use crate::model::{Cluster, Configured, ConnectorState, Items, Replay, ReplayEventKind, TaskId};
use crate::report::page::{Page, Tone};
use crate::report::width::{fitted, left, width};
use crate::report::{Incident, course, words};
use crate::simulation::{Round, RoundMember};
use crate::units::SimTime;

/// A replay in words.
pub fn replay(incident: &Incident<'_>, page: &Page) -> String {
    let cluster = &incident.replay.cluster;
    let levels = course::unassigned(cluster, incident.timeline);
    let sections = [
        replay_summary(incident, page),
        replay_rounds(incident, page),
        parts::lanes(page, cluster, incident.timeline, &levels),
        replay_how_we_know(incident, page),
    ];
    sections.join("\n")
}

/// The answer in two sentences.
pub(in crate::report) fn replay_summary(incident: &Incident<'_>, page: &Page) -> String {
    let impact = incident.impact;
    let rounds = words::count(incident.timeline.rounds.len(), "rebalance");
    let pause = match impact.longest_task {
        None => "every task kept an owner".to_owned(),
        Some(task) => format!(
            "a task was without an owner for up to {} ({})",
            impact.longest,
            incident.replay.cluster.work.task_name(task)
        ),
    };
    let mut text = page.sentences(Tone::Bold, &format!("{rounds}; {pause}."));
    if impact.unassigned.0 > 0.0 {
        let all = incident.replay.cluster.work.task_count();
        let sentence = format!(
            "At most {} of {} were unassigned at once; {} task-seconds in all.",
            words::part_of(impact.peak, all),
            words::count(all, "task"),
            words::task_seconds(impact.unassigned.0)
        );
        text.push_str(&page.sentences(Tone::Plain, &sentence));
    }
    if impact.left_unassigned > 0 {
        let left = words::count(usize::try_from(impact.left_unassigned).unwrap_or(usize::MAX), "task");
        text.push_str(&page.sentences(
            Tone::Red,
            &format!("{left} still had none at the end, and nothing that is known of would change that."),
        ));
    }
    if impact.doubled.0 >= 0.05 {
        let sentence =
            format!("Tasks ran twice at a time for {} task-seconds in all.", words::task_seconds(impact.doubled.0));
        text.push_str(&page.sentences(Tone::Red, &sentence));
    }
    if impact.failed > 0 {
        let failed = words::count(usize::try_from(impact.failed).unwrap_or(usize::MAX), "start");
        text.push_str(&page.sentences(Tone::Red, &format!("{failed} FAILED.")));
    }
    text
}

/// How far what was seen and what was computed differ, and the seed.
pub(in crate::report) fn replay_how_we_know(incident: &Incident<'_>, page: &Page) -> String {
    let seen: Vec<i64> = incident
        .timeline
        .rounds
        .iter()
        .filter_map(|round| Some((round.seen_at?.as_millis() - round.at.as_millis()).abs()))
        .collect();
    let compared = match seen.iter().max() {
        None => String::new(),
        Some(most) => {
            format!("{} of the rounds were seen, at most {most} ms from where they were computed. ", seen.len())
        }
    };
    let contradicted = contradictions(incident);
    let contradicted =
        if contradicted.is_empty() { String::new() } else { format!("Seen but not computed so: {contradicted}. ") };
    let last = format!("{compared}{contradicted}Seed {}, for what the file leaves to chance.", incident.seed.0);
    parts::certainty(page, &incident.replay.cluster, false, &last)
}

/// Each round with who owns what after it.
pub(in crate::report) fn replay_rounds(incident: &Incident<'_>, page: &Page) -> String {
    let cluster = &incident.replay.cluster;
    let label = cluster.workers.iter().map(|worker| width(&worker.name)).max().unwrap_or(0).clamp(NOBODY.len(), LABEL);
    let last = incident.timeline.rounds.last().map_or(0, |round| round.generation);
    let mut text = String::new();
    for round in &incident.timeline.rounds {
        text.push_str(&page.sentences(Tone::Bold, &headline(cluster, round)));
        let mut members: Vec<&RoundMember> = round.members.iter().collect();
        members.sort_by_key(|member| member.worker);
        for member in members {
            let owns = list(cluster, &member.owns);
            let line = match (member.synced, member.revoked.is_empty()) {
                (false, _) => format!("never got its assignment; holds {owns}"),
                (true, true) => owns,
                (true, false) => format!("{owns}; gave up {}", list(cluster, &member.revoked)),
            };
            text.push_str(&entry(page, Tone::Plain, label, words::worker(cluster, member.worker), &line));
        }
        let nobody = unowned(incident.replay, round);
        if !nobody.is_empty() {
            let items = Items { connectors: Vec::new(), tasks: nobody };
            text.push_str(&entry(page, Tone::Red, label, NOBODY, &list(cluster, &items)));
        }
        if round.generation != last {
            text.push('\n');
        }
    }
    if text.is_empty() { page.sentences(Tone::Plain, "No rebalance follows from these facts.") } else { text }
}

fn headline(cluster: &Cluster, round: &Round) -> String {
    let seen = match round.seen_at {
        None => String::new(),
        Some(seen) => format!(" (seen at {})", words::clock(seen)),
    };
    let delay = if round.delay.is_zero() { "no delay".to_owned() } else { format!("a delay of {} runs", round.delay) };
    format!(
        "{}{seen}, round {}: {}; {} leads, {delay}.",
        words::clock(round.at),
        round.generation,
        words::causes(cluster, &round.causes),
        words::worker(cluster, round.leader),
    )
}

/// One line, its end given up if it is too long.
fn entry(page: &Page, tone: Tone, label: usize, name: &str, text: &str) -> String {
    let line = fitted(text, page.columns - label - 4);
    format!("  {}  {}\n", left(&fitted(name, label), label), page.toned(tone, &line))
}

/// `4 tasks: alpha-1, alpha-4, …; 1 connector: alpha`.
fn list(cluster: &Cluster, items: &Items) -> String {
    if items.is_empty() {
        return "nothing".to_owned();
    }
    let mut parts = Vec::new();
    if !items.tasks.is_empty() {
        let names: Vec<String> = items.tasks.iter().map(|task| cluster.work.task_name(*task)).collect();
        parts.push(format!("{}: {}", words::count(names.len(), "task"), names.join(", ")));
    }
    if !items.connectors.is_empty() {
        let names: Vec<&str> = items.connectors.iter().map(|of| cluster.work.name(*of)).collect();
        parts.push(format!("{}: {}", words::count(names.len(), "connector"), names.join(", ")));
    }
    parts.join("; ")
}

/// The tasks that are configured when a round completes and that no member owns after it.
fn unowned(replay: &Replay, round: &Round) -> Vec<TaskId> {
    let owned: BTreeSet<TaskId> = round.members.iter().flat_map(|member| member.owns.tasks.iter().copied()).collect();
    let configured = configured_at(replay, round.seen_at.unwrap_or(round.at));
    let work = &replay.cluster.work;
    let wanted = work.connectors().flat_map(|connector| {
        let count = configured.tasks_of.get(connector.index()).copied().flatten().unwrap_or(0);
        work.tasks_of(connector).take(usize::try_from(count).unwrap_or(usize::MAX))
    });
    wanted.filter(|task| !owned.contains(task)).collect()
}

fn configured_at(replay: &Replay, at: SimTime) -> Configured {
    let mut configured = replay.configured.clone();
    for event in replay.events.iter().filter(|event| event.at <= at) {
        let ReplayEventKind::Config(changes) = &event.kind else { continue };
        for (connector, change) in changes {
            let Some(tasks) = configured.tasks_of.get_mut(connector.index()) else { continue };
            *tasks = match change {
                None => None,
                Some(to) if to.state == Some(ConnectorState::Stopped) => Some(0),
                Some(to) => to.tasks.or(*tasks),
            };
        }
    }
    configured
}

/// The label of what no member owns.
const NOBODY: &str = "nobody";

/// Columns of a worker's name.
const LABEL: usize = 20;

/// Rounds that were seen and did not follow from the events, or not then: the file lacks an event, or
/// the model is wrong.
fn contradictions(incident: &Incident<'_>) -> String {
    let far = |generation: i32, at: SimTime| {
        let computed = incident.timeline.rounds.iter().find(|round| round.generation == generation);
        match computed {
            None => Some(format!("round {generation} at {}", words::clock(at))),
            Some(round) if (round.at - at).as_millis().abs() > FAR_MILLIS => {
                Some(format!("round {generation} at {} (computed: {})", words::clock(at), words::clock(round.at)))
            }
            Some(_) => None,
        }
    };
    let said: Vec<String> = incident.replay.observed.iter().filter_map(|seen| far(seen.generation, seen.at)).collect();
    said.join(", ")
}

/// A round this far from where it was computed had another cause.
const FAR_MILLIS: i64 = 1_000;
