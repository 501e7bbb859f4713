//! For tickets, chat and documents: the sentences of the text, its tables as Markdown.

use super::{Incident, Page, Run, course, tables, text};
use crate::model::Cluster;
use crate::plan::{NoPlan, Plan};

/// The course of one roll.
pub fn simulate(run: &Run<'_>) -> String {
    let levels = course::unassigned(run.cluster, run.timeline);
    let mut sections = vec![
        text::summary(run, &Page::default()),
        tables::steps(run.cluster, run.timeline).markdown(),
        tables::rounds(run.cluster, run.timeline, &levels).markdown(),
    ];
    sections.extend(tables::lag(run.cluster, run.impact).map(|table| table.markdown()));
    sections.extend(tables::sinks(run.cluster, run.impact).map(|table| table.markdown()));
    sections.extend(run.distribution.map(|of| tables::distribution(of, run.cluster.work.task_count()).markdown()));
    sections.push(text::how_we_know(run, &Page::default()));
    sections.join("\n")
}

/// What followed from given facts.
pub fn replay(incident: &Incident<'_>) -> String {
    let cluster = &incident.replay.cluster;
    let levels = course::unassigned(cluster, incident.timeline);
    let sections = [
        text::replay_summary(incident, &Page::default()),
        tables::rounds(cluster, incident.timeline, &levels).markdown(),
        format!("```text\n{}```\n", text::replay_rounds(incident, &Page::default())),
        text::replay_how_we_know(incident, &Page::default()),
    ];
    sections.join("\n")
}

/// A plan.
pub fn plan(cluster: &Cluster, plan: &Plan) -> String {
    let page = Page::default();
    let mut sections =
        vec![text::plan_summary(cluster, plan, &page), tables::steps(cluster, &plan.expected).markdown()];
    sections.extend(tables::lag(cluster, &plan.impact).map(|table| table.markdown()));
    sections.extend(tables::sinks(cluster, &plan.impact).map(|table| table.markdown()));
    sections.push(text::headroom(cluster, &page));
    sections.push(format!("**Why**\n\n{}", text::reasons(plan, &page)));
    sections.push(format!("**Instead**\n\n{}", tables::candidates(cluster, text::alternatives(plan), true).markdown()));
    sections.push(text::plan_how_we_know(cluster, plan, &page));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// A picture that lies beside the document.
pub fn picture(alternative: &str, folder: &str, file: &str) -> String {
    // In angle brackets a path may hold spaces and brackets; its own angle brackets are escaped.
    let folder = folder.trim_end_matches('/').replace('\\', "/").replace('<', "\\<").replace('>', "\\>");
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("\n![{alternative}](<{folder}{slash}{file}>)\n")
}

/// Why there is no plan.
pub fn no_plan(cluster: &Cluster, none: &NoPlan) -> String {
    text::no_plan(cluster, none, &Page::default())
}
