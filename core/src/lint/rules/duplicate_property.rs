//! A setting is given twice.

use crate::description::is_covered;
use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "duplicate-property",
    title: "a file says a setting twice",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A setting that a later line of the same file says again: a warning if the values differ, else a note.",
    hurts: "Java keeps the last line without a word. Who changes the first one, restarts all workers, and nothing has \
            changed.",
    todo: "Keep one of the lines.",
    wrong: "Where a start script appends lines on purpose, the last one is meant to win.",
    sources: &["java.util.Properties.load of JDK 17: a later pair replaces an earlier one"],
    settings: &[],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in context.worker_files() {
        for (replaced, kept) in file.properties.replaced() {
            let key = &replaced.key.value;
            let (before, after) = (replaced.value.value.trim(), kept.value.value.trim());
            let evidence = if before == after {
                format!("{key} is said again in line {}", kept.key.span.line)
            } else if is_covered(key) {
                format!("this {key} is ignored: line {} says another", kept.key.span.line)
            } else {
                format!("this {key} is ignored: line {} says {after}", kept.key.span.line)
            };
            let finding = found.add(context.at(replaced.key.span), evidence, "keep one of the lines");
            finding.also.push(context.at(kept.key.span).labelled("this line counts"));
            if before == after {
                finding.severity = Severity::Note;
            }
        }
    }
}
