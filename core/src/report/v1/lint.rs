//! Findings.

use serde::Serialize;

use super::SCHEMA_VERSION;
use crate::finding::{Confidence, Finding, Place, Severity};
use crate::lint::rule;
use crate::report::Findings;
use crate::text::DescriptionError;

/// What `rollgate lint -o json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintV1 {
    /// 1.
    pub schema_version: u32,
    /// `lint`.
    pub command: &'static str,
    /// Whether every file could be taken and no finding is denied.
    pub ok: bool,
    /// The least severity that is denied, or `never`.
    pub deny: &'static str,
    /// The files that were read, the description first.
    pub files: Vec<String>,
    /// How many findings there are.
    pub counts: CountsV1,
    /// What was found, in the order of files and lines.
    pub findings: Vec<FindingV1>,
    /// What comments allow.
    pub allowed: Vec<FindingV1>,
    /// Why files could not be taken; the others were linted.
    pub errors: Vec<MistakeV1>,
}

/// How many findings there are of each severity, and how many are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CountsV1 {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Notes.
    pub note: usize,
    /// Those that a comment allows, of whichever severity.
    pub allowed: usize,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingV1 {
    /// The rule's id.
    pub rule: &'static str,
    /// The rule in one line.
    pub title: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: Severity,
    /// `high`, `medium` or `low`.
    pub confidence: Confidence,
    /// What was seen and what would be right.
    pub evidence: String,
    /// What to do.
    pub advice: String,
    /// Where.
    pub at: PlaceV1,
    /// What takes part.
    pub also: Vec<PlaceV1>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceV1 {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is said of it, such as that nobody wrote the value that counts.
    pub label: Option<String>,
}

/// Why a file could not be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MistakeV1 {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl LintV1 {
    /// What was found.
    pub fn new(findings: &Findings<'_>) -> Self {
        let Findings { inputs, linted, deny } = findings;
        Self {
            schema_version: SCHEMA_VERSION,
            command: "lint",
            ok: findings.pass() && inputs.errors.is_empty(),
            deny: deny.map_or("never", Severity::word),
            files: inputs.names.clone(),
            counts: CountsV1 {
                error: findings.count(Severity::Error),
                warning: findings.count(Severity::Warning),
                note: findings.count(Severity::Note),
                allowed: linted.allowed.len(),
            },
            findings: linted.findings.iter().map(FindingV1::new).collect(),
            allowed: linted.allowed.iter().map(FindingV1::new).collect(),
            errors: inputs.errors.iter().map(MistakeV1::new).collect(),
        }
    }
}

impl FindingV1 {
    /// A finding.
    pub fn new(finding: &Finding) -> Self {
        Self {
            rule: finding.rule,
            title: rule(finding.rule).map_or("", |rule| rule.title),
            severity: finding.severity,
            confidence: finding.confidence,
            evidence: finding.evidence.clone(),
            advice: finding.advice.clone(),
            at: PlaceV1::new(&finding.at),
            also: finding.also.iter().map(PlaceV1::new).collect(),
        }
    }
}

impl PlaceV1 {
    fn new(place: &Place) -> Self {
        Self { file: place.file.clone(), line: place.line, column: place.column, label: place.label.clone() }
    }
}

impl MistakeV1 {
    fn new(error: &DescriptionError) -> Self {
        Self {
            file: error.file.clone(),
            line: error.line,
            column: error.column,
            message: error.message.clone(),
            help: error.help.clone(),
        }
    }
}
