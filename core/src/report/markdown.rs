//! For tickets, chat and documents: the sentences of the text, its tables as Markdown.

use std::fmt::Write;

use super::page::Tone;
use super::table::{Side, Table};
use super::v1::first_sentence;
use super::{
    Explained, Findings, Incident, Page, Run, advice, compare, course, description, observe, tables, text,
    timeout as limits,
};
use crate::compare::{Comparison, Variant};
use crate::description::KeyDoc;
use crate::explain::{
    ELSEWHERE, KEY_SOURCE, KNOWN_SOURCE, SETTINGS, SettingDoc, TERMS, Topic, about, rules_of, terms_of,
};
use crate::finding::Finding;
use crate::lint::{RULES, Rule};
use crate::model::{Cluster, Policy};
use crate::plan::{NoPlan, Plan};
use crate::snapshot::Snapshot;
use crate::timeout::{Advice, Situation};

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
pub fn plan(cluster: &Cluster, plan: &Plan, risks: &[Finding]) -> String {
    let page = Page::default();
    let mut sections = vec![
        text::plan_summary(cluster, plan, &page),
        tables::planned_steps(cluster, plan).markdown(),
        text::pauses(&page, &plan.steps),
        text::each_step(plan, &page),
    ];
    sections.extend(tables::lag(cluster, &plan.impact).map(|table| table.markdown()));
    sections.extend(tables::sinks(cluster, &plan.impact).map(|table| table.markdown()));
    sections.push(text::headroom(cluster, &page));
    sections.push(format!("**Why**\n\n{}", text::reasons(plan, &page)));
    sections.push(format!("**Instead**\n\n{}", tables::candidates(cluster, text::alternatives(plan), true).markdown()));
    let unseen = advice::unseen_delay(cluster, plan).map(|table| table.markdown());
    sections
        .extend(unseen.map(|table| format!("**{}**\n\n{table}\n{}\n", advice::UNSEEN_DELAY, advice::SEE_THE_DELAY)));
    let changes = text::changes_markdown(cluster, Some(&plan.chosen), &plan.advice);
    sections.extend((!changes.is_empty()).then(|| format!("**If you may change something first**\n\n{changes}")));
    let risks = text::risks(risks, &page);
    sections.extend((!risks.is_empty()).then(|| format!("**What can go wrong**\n\n{risks}")));
    sections.push(text::races(&page, plan.impact.races));
    sections.push(text::plan_how_we_know(cluster, plan, &page));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// A complete description.
pub fn describe(cluster: &Cluster, policy: &Policy) -> String {
    let summary = text::describe_summary(cluster).join("\n");
    format!("{summary}\n\n```yaml\n{}```\n", description(cluster, policy).yaml())
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

/// A running cluster.
pub fn observe(snapshot: &Snapshot) -> String {
    let page = Page::default();
    let mut sections = vec![observe::summary(snapshot, &page)];
    sections.extend(observe::workers(snapshot).map(|table| table.markdown()));
    sections.extend(observe::sinks(snapshot).map(|table| table.markdown()));
    for (heading, _, items) in observe::lists(snapshot) {
        sections.push(format!("**{heading}**\n\n- {}\n", items.join("\n- ")));
    }
    sections.push(observe::how_we_know(snapshot, &page));
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

/// A rule, a setting, a key or a term.
pub fn explain(explained: &Explained) -> String {
    match &explained.topic {
        Topic::Rule(rule) => section(rule, explained),
        Topic::Setting(SettingDoc { name, of, meaning, default, since, source }) => {
            let since = format!("{since}\n- Default: {default}");
            setting((name, of.words()), meaning, &since, source)
        }
        Topic::Known(known) => {
            let (of, since) = about(known);
            setting((known.name, of), ELSEWHERE, &since, KNOWN_SOURCE)
        }
        Topic::Key(name, places) => of_key(name, places),
        Topic::Term(term) => {
            let see: Vec<String> = term.see.iter().map(|name| format!("`{name}`")).collect();
            format!("## {}\n\n{}\n\n- See: {}\n- Source: {}\n", term.name, term.meaning, see.join(", "), term.source)
        }
    }
}

fn of_key(name: &str, places: &[KeyDoc]) -> String {
    let quoted = |names: Vec<String>| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let mut text = format!("## `{name}`\n");
    for KeyDoc { paths, meaning, values, required } in places {
        let must = if *required { "; it must be there" } else { "" };
        _ = write!(text, "\n{meaning}\n\n- Key: {}\n- Value: {values}{must}\n", quoted(paths.clone()));
    }
    let terms: Vec<String> = terms_of(name, places).into_iter().map(str::to_owned).collect();
    let see = if terms.is_empty() { String::new() } else { format!("- See: {}\n", quoted(terms)) };
    format!("{text}\n{see}- Source: {KEY_SOURCE}\n")
}

fn setting((name, of): (&str, &str), meaning: &str, since: &str, source: &str) -> String {
    let rules: Vec<String> = rules_of(name).map(|rule| format!("`{}`", rule.id)).collect();
    let rules = if rules.is_empty() { "none".to_owned() } else { rules.join(", ") };
    format!("## `{name}`\n\n{meaning}\n\n- {of}\n- Since: {since}\n- Rules: {rules}\n- Source: {source}\n")
}

/// All that can be asked for.
pub fn topics() -> String {
    let list = |head: &str, rows: Vec<(&str, &str)>| {
        let rows: Vec<String> = rows.iter().map(|(name, about)| format!("- `{name}`: {about}")).collect();
        format!("## {head}\n\n{}\n", rows.join("\n"))
    };
    let keys = KeyDoc::all();
    let keys = keys.iter().filter_map(|doc| Some((doc.paths.first()?.as_str(), first_sentence(doc.meaning))));
    let sections = [
        list("Rules of lint", RULES.iter().map(|rule| (rule.id, rule.title)).collect()),
        list("Settings", SETTINGS.iter().map(|setting| (setting.name, setting.of.words())).collect()),
        list("Keys of a description", keys.collect()),
        list("Terms", TERMS.iter().map(|term| (term.name, first_sentence(term.meaning))).collect()),
    ];
    sections.join("\n")
}

/// The reference page of all rules.
pub fn rules(explained: &[Explained]) -> String {
    let mut page = String::from(RULES_HEAD);
    let mut table = Table::new(&[("rule", Side::Left), ("usually", Side::Left), ("what", Side::Left)]);
    for rule in RULES {
        let level = format!("{}, {} confidence", rule.severity, rule.confidence);
        table.row(Tone::Plain, vec![format!("[{0}](#{0})", rule.id), level, rule.title.to_owned()]);
    }
    page.push_str(&table.markdown());
    for one in explained {
        page.push('\n');
        page.push_str(&explain(one));
    }
    page
}

fn section(rule: &Rule, explained: &Explained) -> String {
    let mut parts = vec![
        format!("## {}\n\n*{}, {} confidence:* {}.\n", rule.id, rule.severity, rule.confidence, rule.title),
        format!("**What it finds.** {}\n", rule.finds),
        format!("**Why it hurts.** {}\n", rule.hurts),
    ];
    if let Some(example) = &explained.example {
        let [bad, better] = example;
        let rolls = [bad, better].map(|shown| {
            let side = shown.side;
            format!("```yaml\n# {}: --order {} --wait {}\n{}```\n", side.what, side.order, side.wait, side.description)
        });
        let how = format!("Medians of {} simulated rolls, seed {}.\n", explained.runs, explained.seed.0);
        parts.push(format!("**Example.**\n\n{}\n{}\n{how}", rolls.join("\n"), tables::example(example).markdown()));
    }
    parts.push(format!("**What to do.** {}\n", rule.todo));
    parts.push(format!("**When it can be wrong.** {}\n", rule.wrong));
    parts.push(format!("**Sources**\n\n- {}\n", rule.sources.join("\n- ")));
    parts.join("\n")
}

const RULES_HEAD: &str = "\
# The rules of lint

`rollgate lint` looks at a description and at worker files and says what will go wrong, before
anything is simulated. Each finding says how bad it is, how sure, what was seen and what to do.
A comment allows one: `# rollgate: allow <rule>`, on its line or the line above.

This page is made by rollgate itself (`UPDATE=1 cargo test -p rollgate-tests --test lint`), and
`rollgate explain <rule>` prints the same, with the examples simulated as you ask.

";
/// How long a restart may take, and what follows for the settings.
pub fn timeout(advice: &Advice, situation: &Situation<'_>) -> String {
    let page = Page::default();
    let sections = [
        limits::summary(advice, &page),
        limits::times(advice).markdown(),
        limits::settings(advice).markdown(),
        limits::steps(advice).markdown(),
        limits::how_we_know(advice, situation, &page),
    ];
    sections.join("\n")
}
/// More variants are a row each.
const MOST_COLUMNS: usize = 8;
