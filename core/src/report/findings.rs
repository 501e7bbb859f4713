//! What `lint` has to tell.

use crate::finding::Severity;
use crate::lint::{Inputs, Linted};

/// What was linted and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'r> {
    /// What was read.
    pub inputs: &'r Inputs<'r>,
    /// What was found.
    pub linted: &'r Linted,
    /// The least severity that is denied; none if all are let through.
    pub deny: Option<Severity>,
}

impl Findings<'_> {
    /// How many findings are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.linted.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether no finding is denied.
    pub fn pass(&self) -> bool {
        self.deny.is_none_or(|deny| self.linted.findings.iter().all(|finding| finding.severity < deny))
    }
}
