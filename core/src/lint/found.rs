//! What one rule finds, without saying the same twice.

use super::Rule;
use crate::finding::{Finding, Place};

/// Collects the findings of one rule. Of several at one place the first stays: workers
/// that share a file share its findings.
#[derive(Debug)]
pub struct Found {
    rule: &'static Rule,
    list: Vec<Finding>,
    /// Where a finding that is already there is written to once more.
    spare: Option<Finding>,
}

impl Found {
    /// Nothing yet.
    pub fn new(rule: &'static Rule) -> Self {
        Self { rule, list: Vec::new(), spare: None }
    }

    /// Adds a finding with the rule's usual severity and confidence, and gives it back, so that
    /// these can be changed and other places added.
    pub fn add(&mut self, at: Place, evidence: impl Into<String>, advice: impl Into<String>) -> &mut Finding {
        let known = self.list.iter().any(|known| known.at.file == at.file && known.at.span == at.span);
        let finding = Finding {
            rule: self.rule.id,
            severity: self.rule.severity,
            confidence: self.rule.confidence,
            at,
            also: Vec::new(),
            evidence: evidence.into(),
            advice: advice.into(),
        };
        if known {
            return self.spare.insert(finding);
        }
        let place = self.list.len();
        self.list.push(finding);
        &mut self.list[place]
    }

    pub(super) fn finish(self) -> Vec<Finding> {
        self.list
    }
}
