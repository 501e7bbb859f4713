//! Findings for a terminal.

use std::fmt::Write;

use super::super::Findings;
use super::super::page::{Page, Tone};
use super::super::words::count;
use crate::description::covered;
use crate::finding::Severity;
use crate::lint::RULES;

/// What was found, each finding with its line.
pub fn lint(findings: &Findings<'_>, page: &Page) -> String {
    let mut text = page.sentences(Tone::Bold, &summary(findings));
    let shown = covered(findings.inputs.files);
    for finding in &findings.linted.findings {
        _ = writeln!(text, "\n{}", finding.render(&shown, page.color).trim_end());
    }
    if let Some(first) = findings.linted.findings.first() {
        text.push('\n');
        text.push_str(
            &page.sentences(Tone::Dim, &format!("Why, and when it can be wrong: rollgate explain {}", first.rule)),
        );
    }
    text
}

/// `2 warnings and 1 note in 3 files; 1 allowed.`
pub(in super::super) fn summary(findings: &Findings<'_>) -> String {
    let found: Vec<String> = Severity::ALL
        .into_iter()
        .rev()
        .map(|severity| (findings.count(severity), severity))
        .filter(|(number, _)| *number > 0)
        .map(|(number, severity)| count(number, severity.word()))
        .collect();
    let inputs = findings.inputs;
    let broken = inputs.names.iter().filter(|name| inputs.errors.iter().any(|error| error.file == **name)).count();
    let read = inputs.names.len() - broken;
    if read == 0 && found.is_empty() {
        return format!("No rule was asked: {} cannot be taken.", count(broken, "file"));
    }
    let said = match found.as_slice() {
        [] => format!("Nothing found by {}", count(RULES.len(), "rule")),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    let mut said = format!("{said} in {}", count(read, "file"));
    if !findings.linted.allowed.is_empty() {
        _ = write!(said, "; {} allowed", findings.linted.allowed.len());
    }
    if broken > 0 {
        _ = write!(said, "; {} cannot be taken", count(broken, "file"));
    }
    format!("{said}.")
}
