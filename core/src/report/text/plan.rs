//! A plan: what to do, what it costs, why, and what else there is.

use super::{MOST_CONNECTORS, MOST_STEPS, parts, rest};
use crate::assessment::{Figure, Quantiles, hand_over};
use crate::finding::Finding;
use crate::model::{Cluster, Wait};
use crate::plan::{Advice, Candidate, Plan, Reason};
use crate::report::page::{Page, Tone};
use crate::report::{advice, course, roll, tables, words};
use crate::simulation::Order;
use crate::units::Share;

/// A plan for a person.
pub fn plan(cluster: &Cluster, plan: &Plan, risks: &[Finding], page: &Page) -> String {
    let levels = course::unassigned(cluster, &plan.expected);
    let steps = tables::planned_steps(cluster, plan);
    let lag = tables::lag(cluster, &plan.impact);
    let sections = [
        plan_summary(cluster, plan, page),
        steps.on(page, MOST_STEPS, |more| rest(more, "more step")) + &parts::pauses(page, &plan.steps),
        each_step(plan, page),
        parts::lanes(page, cluster, &plan.expected, &levels),
        lag.map(|table| table.on(page, MOST_CONNECTORS, |more| rest(more, "more connector"))).unwrap_or_default(),
        tables::sinks(cluster, &plan.impact)
            .map(|table| table.on(page, MOST_CONNECTORS, |more| rest(more, "more sink")))
            .unwrap_or_default(),
        parts::headroom(cluster, page),
        headed(page, "Why", &reasons(plan, page)),
        headed(page, "Instead", &instead(cluster, plan, page)),
        unseen_delay(cluster, plan, page),
        headed(page, "If you may change something first", &changes(cluster, Some(&plan.chosen), &plan.advice, page)),
        headed(page, "What can go wrong", &parts::risks(risks, page)),
        parts::races(page, plan.impact.races),
        plan_how_we_know(cluster, plan, page),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
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
        let next = if plan.chosen.schedule.order == Order::Succession { WHO_SUCCEEDS } else { "" };
        text.push_str(&page.sentences(Tone::Dim, &format!("{WHO_LEADS}{next}")));
    }
    text
}

/// What to wait for before and after each step.
pub(in crate::report) fn each_step(plan: &Plan, page: &Page) -> String {
    let delayed = plan.planned.iter().any(|step| step.seen.delay.is_some());
    let during = match plan.chosen.schedule.during_delay {
        _ if !delayed => "",
        true => "; a delay may run",
        false => ", and no delay runs",
    };
    let then = match plan.chosen.schedule.wait {
        Wait::Back => format!("as soon as the worker before is a member again under a new id{during}"),
        Wait::Fixed(pause) => format!("{pause} after the worker before is a member again under a new id{during}"),
        Wait::Settled => "when the worker before is a member again, every task runs and no delay runs".to_owned(),
    };
    let mixed =
        matches!(&plan.chosen.schedule.order, Order::Turns(turns) if turns.iter().any(|turn| turn.wait.is_some()));
    let then = if mixed { "when its own wait is over (the rule names it)".to_owned() } else { then };
    let first = match plan.planned.first().map(|step| step.before) {
        Some(before) if !before.all_run && !before.no_delay => {
            "Begin at once: a delay runs, and the plan counts with what waits for it now."
        }
        Some(before) if !before.all_run => "Begin when the delay that runs is over.",
        _ => "Begin when all workers are members, every task runs and no delay runs.",
    };
    let next = if plan.expected.steps.len() > 1 { format!(" Begin each next step {then}.") } else { String::new() };
    let known = plan.planned.iter().filter(|step| step.likely.0 >= 1.0).count();
    let unsure = if known == plan.planned.len() {
        String::new()
    } else if known == 0 {
        " Which worker comes at which step depends on who leads then; the names are those of the expected course."
            .to_owned()
    } else if known == 1 {
        " Who goes first is known; later it depends on who leads then, and the names are those of the expected course."
            .to_owned()
    } else {
        format!(
            " Who goes in the first {known} steps is known; later it depends on who leads then, and the names are those of \
             the expected course."
        )
    };
    let last = " Where a worker is away for longer than \"at most\" (half as long again as in the longest of the runs), \
                stop the roll and look.";
    let waits = plan.planned.iter().any(|step| step.seen.delay.is_some() && step.seen.waiting > 0);
    let waits = if waits { " Tasks that wait are nobody's until the next leader hands them out." } else { "" };
    page.sentences(Tone::Plain, &format!("{first}{next}{unsure}{last}{waits}"))
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

/// What the plan costs with each likely delay, where nobody could see the setting.
fn unseen_delay(cluster: &Cluster, plan: &Plan, page: &Page) -> String {
    let Some(table) = advice::unseen_delay(cluster, plan) else { return String::new() };
    let table = table.on(page, usize::MAX, |_| String::new());
    headed(page, advice::UNSEEN_DELAY, &format!("{table}{}", page.sentences(Tone::Plain, advice::SEE_THE_DELAY)))
}

/// What could be changed and what that buys, the advised only.
pub(in crate::report) fn changes(
    cluster: &Cluster,
    present: Option<&Candidate>,
    all: &[Advice],
    page: &Page,
) -> String {
    let advised: Vec<&Advice> = all.iter().filter(|advice| advice.advised).take(MOST_CHANGES).collect();
    if advised.is_empty() {
        return String::new();
    }
    let mut text = advice::table(present, &advised).on(page, MOST_CHANGES + 1, |more| rest(more, "more change"));
    for one in advised {
        let sentence = format!("{}. {}", advice::change(&one.change), advice::why(cluster, one));
        text.push_str(&page.item(Tone::Plain, "- ", &sentence));
    }
    text
}

/// The same as Markdown.
pub(in crate::report) fn changes_markdown(cluster: &Cluster, present: Option<&Candidate>, all: &[Advice]) -> String {
    let advised: Vec<&Advice> = all.iter().filter(|advice| advice.advised).take(MOST_CHANGES).collect();
    if advised.is_empty() {
        return String::new();
    }
    let why = |one: &&Advice| {
        let sentence = format!("{}. {}", advice::change(&one.change), advice::why(cluster, one));
        Page::default().item(Tone::Plain, "- ", &sentence)
    };
    let whys: Vec<String> = advised.iter().map(why).collect();
    format!("{}\n{}", advice::table(present, &advised).markdown(), whys.concat())
}

/// What was assumed, drawn and left to chance.
pub(in crate::report) fn plan_how_we_know(cluster: &Cluster, plan: &Plan, page: &Page) -> String {
    let sentence = format!(
        "Drawn: {} of this plan; the steps, and the names in them, are those of the median run{}. Sums, times, rounds \
         and moves are medians; longest, held and peak are p95. Held: the largest share without an owner for longer \
         than a hand-over ({}: two heartbeats and a task's start); peak: at one instant. Seed {}.",
        parts::runs(&plan.chosen.distribution),
        plan.impact.duration.map_or_else(String::new, |takes| format!(", which takes {takes}")),
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
pub(super) fn candidates(cluster: &Cluster, list: Vec<(&str, &Candidate)>, page: &Page) -> String {
    let mut text = tables::candidates(cluster, list.iter().copied(), false).on(page, usize::MAX, |_| String::new());
    for (letter, (remark, candidate)) in ('A'..='Z').zip(list) {
        let roll = tables::roll_with(cluster, remark, candidate);
        text.push_str(&page.item(Tone::Plain, &format!("  {letter}  "), &roll));
    }
    text
}

pub(super) fn headed(page: &Page, title: &str, body: &str) -> String {
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
    // Where the runs have two humps, the median is one of them: the mean is what ranks rolls.
    let mean =
        if (of.mean - of.median).abs() > 0.1 * of.median { format!("mean {}, ", say(of.mean)) } else { String::new() };
    match (median == p95, p95 == worst) {
        (true, true) => median,
        (_, true) => format!("{median} ({mean}p95 {p95})"),
        _ => format!("{median} ({mean}p95 {p95}, worst {worst})"),
    }
}

/// More changes than these are not read.
const MOST_CHANGES: usize = 5;

/// How an operator sees the leader: no REST endpoint names it.
/// Source: `ConnectMetricsRegistry.LEADER_NAME`.
const WHO_LEADS: &str =
    "Who leads at a moment, each worker says in JMX: kafka.connect:type=connect-worker-rebalance-metrics, leader-name.";

/// How an operator sees who would lead next. Source: `ClassicGroup.members` and `maybeElectNewJoinedLeader`
/// of Kafka 4.x, `GroupMetadata` before.
const WHO_SUCCEEDS: &str = " The successor is the first other member in the order in which DescribeGroups lists them.";
