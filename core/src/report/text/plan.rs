//! A plan: what to do, what it costs, why, and what else there is.

use super::{MOST_CONNECTORS, MOST_STEPS, parts, rest};
use crate::assessment::{Distribution, Figure, Quantiles, hand_over};
use crate::model::{Cluster, ConnectProtocol, WorkerSetup};
use crate::plan::{Candidate, Limit, NoPlan, Plan, Reason};
use crate::report::page::{Page, Tone};
use crate::report::{course, roll, tables, words};
use crate::units::Share;

/// A plan for a person.
pub fn plan(cluster: &Cluster, plan: &Plan, page: &Page) -> String {
    let levels = course::unassigned(cluster, &plan.expected);
    let steps = tables::steps(cluster, &plan.expected);
    let lag = tables::lag(cluster, &plan.impact);
    let sections = [
        plan_summary(cluster, plan, page),
        steps.on(page, MOST_STEPS, |more| rest(more, "more step")),
        parts::lanes(page, cluster, &plan.expected, &levels),
        lag.map(|table| table.on(page, MOST_CONNECTORS, |more| rest(more, "more connector"))).unwrap_or_default(),
        tables::sinks(cluster, &plan.impact)
            .map(|table| table.on(page, MOST_CONNECTORS, |more| rest(more, "more sink")))
            .unwrap_or_default(),
        parts::headroom(cluster, page),
        headed(page, "Why", &reasons(plan, page)),
        headed(page, "Instead", &instead(cluster, plan, page)),
        plan_how_we_know(cluster, plan, page),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
}

/// Why there is no plan, for a person.
pub fn no_plan(cluster: &Cluster, none: &NoPlan, page: &Page) -> String {
    let mut text = page.sentences(Tone::Red, "No order and no wait respects the policy.");
    for breach in &none.binding {
        let sentence = format!(
            "{}: {} allowed, {} is the best within reach (p95).",
            breach.limit.key(),
            breach.limit.words(breach.allowed),
            breach.limit.words(breach.reached)
        );
        text.push_str(&page.item(Tone::Plain, "  ", &sentence));
    }
    if let Some(nearest) = &none.nearest {
        text.push('\n');
        text.push_str(&page.toned(Tone::Bold, "What comes nearest"));
        text.push('\n');
        text.push_str(&candidates(cluster, vec![("", nearest)], page));
        for breach in &nearest.breaches {
            text.push_str(&page.item(Tone::Plain, "  ", &format!("It breaks a limit: {breach}.")));
        }
    }
    text.push('\n');
    text.push_str(&failing(cluster, none, page));
    text.push_str(&page.sentences(
        Tone::Bold,
        "Allow more in the policy, shorten the restarts, or lower scheduled.rebalance.max.delay.ms, then plan again.",
    ));
    text.push('\n');
    let runs =
        none.nearest.as_ref().map_or_else(String::new, |of| format!("{} of each roll, ", runs(&of.distribution)));
    text.push_str(&parts::certainty(page, cluster, true, &format!("Drawn: {runs}seed {}.", none.seed.0)));
    text
}

/// Why tasks end FAILED, where that stands in the way.
fn failing(cluster: &Cluster, none: &NoPlan, page: &Page) -> String {
    if none.binding.iter().all(|breach| breach.limit != Limit::NoFailedTask) {
        return String::new();
    }
    let eager = |setup: &WorkerSetup| setup.settings.protocol == ConnectProtocol::Eager;
    let brings_eager = cluster.workers.iter().any(|worker| eager(&worker.after) && !eager(&worker.before));
    let sentence = if brings_eager {
        "An eager worker that joins a cooperative group makes tasks run twice, and those that come back to a worker \
         that still holds them end FAILED: leave connect.protocol as it is, or stop all workers at once."
    } else {
        "Tasks of exactly-once sources end FAILED when the leader goes while they start: wait until all is settled \
         before each restart, and restart what failed by hand."
    };
    page.sentences(Tone::Plain, sentence)
}

/// The answer in three sentences: how long, how much, and the rule.
pub(in crate::report) fn plan_summary(cluster: &Cluster, plan: &Plan, page: &Page) -> String {
    let of = |figure| plan.chosen.distribution.of(figure);
    let all = cluster.work.task_count();
    let restarts = words::count(cluster.workers.len(), "worker");
    let longest = of(Figure::Longest);
    let pause = if longest.worst > 0.0 {
        let (usual, most) = (words::seconds(longest.median), words::seconds(longest.p95));
        if usual == most {
            format!("no task is without an owner for more than {most}")
        } else {
            format!("in 19 of 20 runs no task is without an owner for more than {most} (median {usual})")
        }
    } else {
        "no task is without an owner at any time".to_owned()
    };
    let again: usize = plan.expected.steps.iter().filter(|step| step.flush).map(|step| step.workers.len()).sum();
    let again = if again > 0 { format!(" ({again} of them twice or more)") } else { String::new() };
    let answer = format!("Restart {restarts}{again} in {}; {pause}.", with_p95(of(Figure::Duration), words::seconds));
    let mut text = page.sentences(Tone::Bold, &answer);
    let unassigned = of(Figure::Unassigned);
    if unassigned.worst > 0.0 {
        let tasks = words::count(all, "task");
        let share = |value: f64| format!("{} of {tasks} ({})", words::part_of(Share(value), all), Share(value));
        let (peak, held) = (of(Figure::Peak).p95, of(Figure::PeakHeld).p95);
        let longer = if (peak - held).abs() > 1e-9 {
            let held = if held < 1e-9 { "none".to_owned() } else { words::part_of(Share(held), all) };
            format!(", {held} of them longer than a hand-over")
        } else {
            String::new()
        };
        let sum = with_worst(unassigned, words::task_seconds);
        let sentence = format!("At most {} are unassigned at once{longer}; {sum} task-seconds in all.", share(peak));
        text.push_str(&page.sentences(Tone::Plain, &sentence));
    }
    let rule = roll::words(cluster, &plan.chosen.schedule);
    text.push_str(&page.sentences(Tone::Plain, &format!("The rule: {rule}.")));
    if cluster.workers.len() > 1 && roll::asks_who_leads(&plan.chosen.schedule) {
        text.push_str(&page.sentences(Tone::Dim, WHO_LEADS));
    }
    text
}

/// One reason in each paragraph.
pub(in crate::report) fn reasons(plan: &Plan, page: &Page) -> String {
    let reason = |reason: &Reason| page.item(Tone::Plain, "- ", &reason.to_string());
    plan.reasons.iter().map(reason).collect::<Vec<String>>().concat()
}

/// This roll and the others, each with what is to be said of it.
pub fn alternatives(plan: &Plan) -> Vec<(&'static str, &Candidate)> {
    let mut list = vec![("this plan", &plan.chosen)];
    list.extend(plan.others.iter().map(|of| ("", of)));
    list.extend(plan.refused.iter().map(|of| ("refused", of)));
    let common = plan.careful.iter().filter(|careful| list.iter().all(|(_, of)| of.schedule != careful.schedule));
    let common: Vec<_> = common.map(|of| ("common practice", of)).collect();
    list.extend(common);
    list
}

/// What was assumed, drawn and left to chance.
pub(in crate::report) fn plan_how_we_know(cluster: &Cluster, plan: &Plan, page: &Page) -> String {
    let sentence = format!(
        "Drawn: {} of this plan; the steps, and the names in them, are those of the median run. Sums, times, rounds \
         and moves are medians; longest, held and peak are p95. Held: the largest share without an owner for longer \
         than a hand-over ({}: two heartbeats and a task's start); peak: at one instant. Seed {}.",
        runs(&plan.chosen.distribution),
        hand_over(cluster),
        plan.seed.0
    );
    let course = roll::call(cluster, &plan.chosen.schedule, plan.chosen.distribution.median_seed);
    let mut text = parts::certainty(page, cluster, true, &sentence);
    text.push_str(&page.sentences(Tone::Dim, &format!("The expected course in full: {course}")));
    text
}

fn instead(cluster: &Cluster, plan: &Plan, page: &Page) -> String {
    let list = alternatives(plan);
    if list.len() < 2 {
        return String::new();
    }
    candidates(cluster, list, page)
}

/// Rolls side by side, and below what each of them is.
fn candidates(cluster: &Cluster, list: Vec<(&str, &Candidate)>, page: &Page) -> String {
    let mut text = tables::candidates(cluster, list.iter().copied(), false).on(page, usize::MAX, |_| String::new());
    for (letter, (remark, candidate)) in ('A'..='Z').zip(list) {
        let roll = tables::roll_with(cluster, remark, candidate);
        text.push_str(&page.item(Tone::Plain, &format!("  {letter}  "), &roll));
    }
    text
}

fn headed(page: &Page, title: &str, body: &str) -> String {
    if body.is_empty() { String::new() } else { format!("{}\n{body}", page.toned(Tone::Bold, title)) }
}

/// The median, and the p95 where it says something else.
fn with_p95(of: Quantiles, say: impl Fn(f64) -> String) -> String {
    let (median, p95) = (say(of.median), say(of.p95));
    if median == p95 { median } else { format!("{median} (p95 {p95})") }
}

/// The same with the worst run, where that says something else again.
fn with_worst(of: Quantiles, say: impl Fn(f64) -> String) -> String {
    let (median, p95, worst) = (say(of.median), say(of.p95), say(of.worst));
    if p95 == worst { with_p95(of, say) } else { format!("{median} (p95 {p95}, worst {worst})") }
}

fn runs(distribution: &Distribution) -> String {
    words::count(usize::try_from(distribution.runs).unwrap_or(usize::MAX), "run")
}

/// How an operator sees the leader: no REST endpoint names it.
/// Source: `ConnectMetricsRegistry.LEADER_NAME`.
const WHO_LEADS: &str =
    "Who leads at a moment, each worker says in JMX: kafka.connect:type=connect-worker-rebalance-metrics, leader-name.";
