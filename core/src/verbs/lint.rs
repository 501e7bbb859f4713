//! `lint`: what can go wrong, seen from the files alone.

use serde::Deserialize;

use super::{OptionError, Refusal};
use crate::finding::Severity;
use crate::lint::{Inputs, lint as look};
use crate::report::{Findings, Format, github, json, markdown, sarif, text, v1, yaml};
use crate::text::Files;

/// What is denied, and which files are worker files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LintOptions {
    /// `error`, `warning`, `note`, or `never`: the least severity that makes the answer no.
    pub deny: String,
    /// The names of worker files beside the description, or of all files if there is none.
    pub workers: Vec<String>,
}

/// What findings are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LintFormat {
    /// As other reports.
    Report(Format),
    /// As SARIF 2.1.0, for code scanning.
    Sarif,
    /// As workflow commands of GitHub.
    GitHub,
}

/// What `lint` gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Linting {
    /// The report in the form that was asked for.
    pub report: String,
    /// Whether no finding is denied.
    pub yes: bool,
    /// What is wrong with files; the others were linted all the same.
    pub refused: Option<Refusal>,
}

/// Lints the description `main`, where there is one, and worker files.
///
/// # Errors
/// The first option that cannot be taken. What is wrong with files stands in the answer.
pub fn lint(
    files: &Files,
    main: Option<&str>,
    options: &LintOptions,
    format: LintFormat,
) -> Result<Linting, OptionError> {
    let deny = options.deny()?;
    let inputs = Inputs::read(files, main, &options.workers);
    let linted = look(&inputs);
    let findings = Findings { inputs: &inputs, linted: &linted, deny };
    let report = match format {
        LintFormat::Report(Format::Text(page)) => text::lint(&findings, &page),
        LintFormat::Report(Format::Json) => json(&v1::LintV1::new(&findings)),
        LintFormat::Report(Format::Yaml) => yaml(&v1::LintV1::new(&findings)),
        LintFormat::Report(Format::Markdown) => markdown::lint(&findings),
        LintFormat::Sarif => json(&sarif(&findings)),
        LintFormat::GitHub => github(&findings),
    };
    let yes = findings.pass();
    let refused = (!inputs.errors.is_empty()).then_some(Refusal::Files(inputs.errors));
    Ok(Linting { report, yes, refused })
}

impl LintOptions {
    fn deny(&self) -> Result<Option<Severity>, OptionError> {
        match self.deny.as_str() {
            "never" => Ok(None),
            word => Severity::ALL
                .into_iter()
                .find(|severity| severity.word() == word)
                .map(Some)
                .ok_or_else(|| OptionError(format!("deny `{word}` is none of never, note, warning and error"))),
        }
    }
}

impl Default for LintOptions {
    fn default() -> Self {
        Self { deny: "error".into(), workers: Vec::new() }
    }
}
