//! Findings as workflow commands, which GitHub shows beside the lines of a change.
//!
//! Follows GitHub's "Workflow commands for GitHub Actions" and the escaping of its
//! `actions/toolkit`, `core/src/command.ts`.

use std::fmt::Write;

use super::sarif::end;
use super::{Findings, text};
use crate::finding::{Place, Severity};

/// A command for each finding and mistake, and a line that sums them up.
pub fn github(findings: &Findings<'_>) -> String {
    let mut commands = String::new();
    let files = findings.inputs.files;
    for error in &findings.inputs.errors {
        let place = Place {
            file: error.file.clone(),
            line: error.line,
            column: error.column,
            span: error.span.clone(),
            label: None,
        };
        let help = error.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
        let message = format!("{}{help}", error.message);
        command(&mut commands, "error", &place, end(files, &place), "this file cannot be taken", &message);
    }
    for finding in &findings.linted.findings {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let label = finding.at.label.as_ref().map(|label| format!("\n{label}")).unwrap_or_default();
        let message = format!("{}{label}\n{}", finding.evidence, finding.advice);
        command(&mut commands, level, &finding.at, end(files, &finding.at), finding.rule, &message);
    }
    commands.push_str(&text::lint_summary(findings));
    commands.push('\n');
    commands
}

fn command(out: &mut String, level: &str, place: &Place, end: (u32, u32), title: &str, message: &str) {
    let (file, title, message) = (property(&place.file), property(title), data(message));
    let Place { line, column, .. } = place;
    _ = write!(out, "::{level} file={file},line={line},endLine={},col={column}", end.0);
    if end.0 == *line {
        _ = write!(out, ",endColumn={}", end.1);
    }
    _ = writeln!(out, ",title={title}::{message}");
}

/// A message, in which a line break would end the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, in which a colon and a comma would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        let mut out = String::new();
        let place = Place { file: "a,b:c%.yaml".into(), line: 2, column: 3, span: 0..1, label: None };
        command(&mut out, "error", &place, (2, 4), "x::y", "50 %: one\r\ntwo, three");
        let expected = "::error file=a%2Cb%3Ac%25.yaml,line=2,endLine=2,col=3,endColumn=4,title=x%3A%3Ay\
                        ::50 %25: one%0D%0Atwo, three\n";
        assert_eq!(out, expected);
    }
}
