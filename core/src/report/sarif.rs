//! Findings as SARIF 2.1.0, which code scanning reads.
//!
//! Follows the [OASIS standard](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html):
//! severities are its levels of the same names, confidence is a property, what a comment
//! allows is suppressed in the source, and a file that cannot be taken is a notification.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Findings;
use crate::finding::{Finding, Place};
use crate::lint::{RULES, Rule};
use crate::text::{DescriptionError, Files};

/// The log of one run.
pub fn sarif(findings: &Findings<'_>) -> Value {
    let inputs = findings.inputs;
    let shown = findings.linted.findings.iter().map(|finding| result(inputs.files, finding, false));
    let allowed = findings.linted.allowed.iter().map(|finding| result(inputs.files, finding, true));
    let notifications: Vec<Value> = inputs.errors.iter().map(|error| notification(inputs.files, error)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "rollgate",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": inputs.errors.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": shown.chain(allowed).collect::<Vec<_>>(),
        }],
    })
}

fn descriptor(rule: &Rule) -> Value {
    let Rule { finds, hurts, todo, wrong, .. } = rule;
    let text = format!("{finds} {hurts} {todo} When it can be wrong: {wrong}");
    let markdown = format!(
        "{finds}\n\n**Why it hurts.** {hurts}\n\n**What to do.** {todo}\n\n**When it can be wrong.** {wrong}\n"
    );
    json!({
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": finds},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": rule.severity.word()},
        "properties": {"precision": rule.confidence.word(), "settings": rule.settings},
    })
}

fn result(files: &Files, finding: &Finding, allowed: bool) -> Value {
    let related: Vec<Value> = finding.also.iter().map(|place| location(files, place)).collect();
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": RULES.iter().position(|rule| rule.id == finding.rule),
        "level": finding.severity.word(),
        "message": {"text": format!("{}; {}", finding.evidence, finding.advice)},
        "locations": [location(files, &finding.at)],
        "relatedLocations": related,
        "properties": {"confidence": finding.confidence.word()},
    });
    if allowed {
        result["suppressions"] = json!([{"kind": "inSource"}]);
    }
    result
}

fn location(files: &Files, place: &Place) -> Value {
    let (end_line, end_column) = end(files, place);
    let mut location = json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(&place.file)},
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    }});
    if let Some(label) = &place.label {
        location["message"] = json!({"text": label});
    }
    location
}

/// The line and column after the last character of a place.
pub(super) fn end(files: &Files, place: &Place) -> (u32, u32) {
    let text = files.get(&place.file).and_then(|text| text.get(place.span.clone())).unwrap_or_default();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    match text.rsplit_once('\n') {
        None => (place.line, place.column + count(text.chars().count())),
        Some((before, last)) => (place.line + 1 + count(before.matches('\n').count()), 1 + count(last.chars().count())),
    }
}

fn notification(files: &Files, error: &DescriptionError) -> Value {
    let place = Place {
        file: error.file.clone(),
        line: error.line,
        column: error.column,
        span: error.span.clone(),
        label: None,
    };
    json!({
        "level": "error",
        "message": {"text": error.message},
        "locations": [location(files, &place)],
    })
}

/// A path as a relative reference: what a URI gives another meaning is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_in_a_uri_is_escaped() {
        assert_eq!(uri("a b/c#d.yaml"), "a%20b/c%23d.yaml");
        assert_eq!(uri("é:1"), "%C3%A9%3A1");
    }

    #[test]
    fn a_place_ends_after_its_last_character() {
        let files: Files = [("f", "aé: 1\nb\n")].into_iter().collect();
        let place = |span| Place { file: "f".into(), line: 1, column: 1, span, label: None };
        assert_eq!(end(&files, &place(0..3)), (1, 3));
        assert_eq!(end(&files, &place(0..8)), (2, 2));
    }
}
