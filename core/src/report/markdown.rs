//! For tickets, chat and documents: the sentences of the text, its tables as Markdown.

use super::{Incident, Page, Run, compare, course, tables, text};
use crate::compare::{Comparison, Variant};
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
    sections.extend(Some(text::races(&Page::default(), run.impact.races)).filter(|text| !text.is_empty()));
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
    let mut sections = vec![
        text::plan_summary(cluster, plan, &page),
        tables::planned_steps(cluster, plan).markdown(),
        text::each_step(plan, &page),
    ];
    sections.extend(tables::lag(cluster, &plan.impact).map(|table| table.markdown()));
    sections.extend(tables::sinks(cluster, &plan.impact).map(|table| table.markdown()));
    sections.push(text::headroom(cluster, &page));
    sections.push(format!("**Why**\n\n{}", text::reasons(plan, &page)));
    sections.push(format!("**Instead**\n\n{}", tables::candidates(cluster, text::alternatives(plan), true).markdown()));
    let changes = text::changes_markdown(cluster, Some(&plan.chosen), &plan.advice);
    sections.extend((!changes.is_empty()).then(|| format!("**If you may change something first**\n\n{changes}")));
    sections.push(text::races(&page, plan.impact.races));
    sections.push(text::plan_how_we_know(cluster, plan, &page));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// Variants side by side: a column each, of many a row each.
pub fn compare(comparison: &Comparison) -> String {
    let page = Page::default();
    let few = comparison.variants.len() <= MOST_COLUMNS;
    let table = if few { compare::columns(comparison) } else { compare::rows(comparison, true) };
    let mut sections = vec![compare::summary(comparison, &page), table.markdown()];
    let item = |variant: &Variant| {
        let refused =
            if variant.answer.feasible() { String::new() } else { format!(" ({})", compare::refusal(variant)) };
        format!("- **{}** {}{refused}\n", variant.name, compare::remarked(comparison, variant))
    };
    sections.push(comparison.variants.iter().map(item).collect());
    let told = compare::differences(comparison);
    if !told.is_empty() {
        sections.push(format!("**Differences explained**\n\n- {}\n", told.join("\n- ")));
    }
    sections.push(compare::how_we_know(comparison, &page));
    sections.join("\n")
}

/// Why there is no plan.
pub fn no_plan(cluster: &Cluster, none: &NoPlan) -> String {
    text::no_plan(cluster, none, &Page::default())
}

/// More variants are a row each.
const MOST_COLUMNS: usize = 8;
