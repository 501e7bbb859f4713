//! The course of one roll.

use super::{MOST_CONNECTORS, MOST_ROUNDS, MOST_STEPS, parts, rest};
use crate::assessment::step_impacts;
use crate::report::course;
use crate::report::page::{Page, Tone};
use crate::report::run::Run;
use crate::report::{tables, words};

/// A roll in words and numbers.
pub fn simulate(run: &Run<'_>, page: &Page) -> String {
    let levels = course::unassigned(run.cluster, run.timeline);
    let sections = [
        summary(run, page),
        tables::steps(run.cluster, run.timeline).on(page, MOST_STEPS, |more| rest(more, "more restart"))
            + &parts::pauses(page, &step_impacts(run.cluster, run.timeline)),
        tables::rounds(run.cluster, run.timeline, &levels).on(page, MOST_ROUNDS, |more| rest(more, "more round")),
        parts::lanes(page, run.cluster, run.timeline, &levels),
        tables::lag(run.cluster, run.impact)
            .map(|table| table.on(page, MOST_CONNECTORS, |more| rest(more, "more connector")))
            .unwrap_or_default(),
        tables::sinks(run.cluster, run.impact)
            .map(|table| table.on(page, MOST_CONNECTORS, |more| rest(more, "more sink")))
            .unwrap_or_default(),
        parts::headroom(run.cluster, page),
        many(run, page),
        parts::races(page, run.impact.races),
        how_we_know(run, page),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
}

/// The answer in two or three sentences.
pub(in crate::report) fn summary(run: &Run<'_>, page: &Page) -> String {
    format!("{}{}{}", answer(run, page), share(run, page), parts::costs(page, run.impact))
}

/// What other runs of the same roll cost.
fn many(run: &Run<'_>, page: &Page) -> String {
    let Some(of) = run.distribution else { return String::new() };
    let table = tables::distribution(of, run.cluster.work.task_count());
    format!(
        "{}{}",
        page.sentences(Tone::Bold, &format!("Of {}", parts::runs(of))),
        table.on(page, usize::MAX, |_| String::new())
    )
}

/// What was assumed, and the seed.
pub(in crate::report) fn how_we_know(run: &Run<'_>, page: &Page) -> String {
    let seed = match run.distribution {
        None => format!("One run with seed {}; the same seed gives the same run.", run.seed.0),
        Some(of) => format!("The course is the median one of {}, that with seed {}.", parts::runs(of), run.seed.0),
    };
    parts::certainty(page, run.cluster, false, &seed)
}

/// The first line: how long it takes and how long the worst pause is.
fn answer(run: &Run<'_>, page: &Page) -> String {
    let restarts: usize = run.timeline.steps.iter().map(|step| step.workers.len()).sum();
    let again: usize = run.timeline.steps.iter().filter(|step| step.flush).map(|step| step.workers.len()).sum();
    let extra = if again > 0 { format!(", {again} of them again,") } else { String::new() };
    let what = format!("Restarting {}{extra}", words::count(restarts - again, "worker"));
    let pause = match run.impact.longest_task {
        None => "no task is without an owner at any time".to_owned(),
        Some(task) => format!(
            "no task is without an owner for more than {} ({})",
            run.impact.longest,
            run.cluster.work.task_name(task)
        ),
    };
    let Some(duration) = run.impact.duration else {
        let ended = words::clock(run.timeline.ended);
        let sentence = format!("{what} does not settle: after {ended} it still moves or waits.");
        return page.sentences(Tone::Red, &sentence);
    };
    page.sentences(Tone::Bold, &format!("{what} takes {duration}; {pause}."))
}

/// The second: how much at once, and in all.
fn share(run: &Run<'_>, page: &Page) -> String {
    let impact = run.impact;
    let all = run.cluster.work.task_count();
    let mut text = String::new();
    if impact.unassigned.0 > 0.0 {
        let held = if impact.peak_held == impact.peak {
            String::new()
        } else {
            format!(" ({} of them longer than a hand-over)", words::part_of(impact.peak_held, all))
        };
        let sentence = format!(
            "At most {} of {} ({}) are unassigned at once{held}; {} task-seconds in all.",
            words::part_of(impact.peak, all),
            words::count(all, "task"),
            impact.peak,
            words::task_seconds(impact.unassigned.0),
        );
        text.push_str(&page.sentences(Tone::Plain, &sentence));
    }
    if impact.failed > 0 {
        let failed = usize::try_from(impact.failed).unwrap_or(usize::MAX);
        let verbs = if failed == 1 { "ends FAILED and stays" } else { "end FAILED and stay" };
        let sentence = format!("{} {verbs} so until moved or restarted by hand.", words::count(failed, "task"));
        text.push_str(&page.sentences(Tone::Red, &sentence));
    }
    text
}
