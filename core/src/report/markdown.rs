//! For tickets, chat and documents: the sentences of the text, its tables as Markdown.

use super::page::Tone;
use super::table::{Side, Table};
use super::{Findings, Incident, Page, Run, course, tables, text};
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

/// Why there is no plan.
pub fn no_plan(cluster: &Cluster, none: &NoPlan) -> String {
    text::no_plan(cluster, none, &Page::default())
}

/// Findings.
pub fn lint(findings: &Findings<'_>) -> String {
    let mut sections = vec![text::lint_summary(findings) + "\n"];
    if !findings.linted.findings.is_empty() {
        let heads = ["where", "how bad", "rule", "what", "what to do"];
        let mut table = Table::new(&heads.map(|head| (head, Side::Left)));
        for finding in &findings.linted.findings {
            let at = &finding.at;
            table.row(
                Tone::Plain,
                vec![
                    format!("{}:{}", at.file, at.line),
                    format!("{}, {} confidence", finding.severity, finding.confidence),
                    finding.rule.to_owned(),
                    finding.evidence.clone(),
                    finding.advice.clone(),
                ],
            );
        }
        sections.push(table.markdown());
    }
    if !findings.inputs.errors.is_empty() {
        let mistakes = findings.inputs.errors.iter().map(|error| format!("- {error}\n"));
        sections.push(mistakes.collect());
    }
    sections.join("\n")
}
