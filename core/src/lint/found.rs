//! What one rule finds, without saying the same twice.

use std::cmp::Reverse;

use super::Rule;
use crate::finding::{Finding, Place};

/// Collects the findings of one rule. Of several at one place the worst stays, of equals the
/// first: workers that share a line share its finding.
#[derive(Debug)]
pub struct Found {
    rule: &'static Rule,
    list: Vec<About>,
}

/// A finding, and which of several things that can be said of a place it says.
#[derive(Debug)]
struct About {
    subject: &'static str,
    finding: Finding,
}

impl Found {
    /// Nothing yet.
    pub fn new(rule: &'static Rule) -> Self {
        Self { rule, list: Vec::new() }
    }

    /// Adds a finding with the rule's usual severity and confidence, and gives it back, so that
    /// these can be changed and other places added.
    pub fn add(&mut self, at: Place, evidence: impl Into<String>, advice: impl Into<String>) -> &mut Finding {
        self.add_about("", at, evidence, advice)
    }

    /// The same, of one of several things that can be said of a place; each is kept.
    pub fn add_about(
        &mut self,
        subject: &'static str,
        at: Place,
        evidence: impl Into<String>,
        advice: impl Into<String>,
    ) -> &mut Finding {
        let finding = Finding {
            rule: self.rule.id,
            severity: self.rule.severity,
            confidence: self.rule.confidence,
            at,
            also: Vec::new(),
            evidence: evidence.into(),
            advice: advice.into(),
        };
        let place = self.list.len();
        self.list.push(About { subject, finding });
        &mut self.list[place].finding
    }

    pub(super) fn finish(mut self) -> Vec<Finding> {
        let place = |About { subject, finding }: &About| {
            (finding.at.file.clone(), finding.at.span.start, finding.at.span.end, *subject)
        };
        self.list.sort_by_cached_key(|about| (place(about), Reverse(about.finding.severity)));
        self.list.dedup_by(|next, kept| place(next) == place(kept));
        self.list.into_iter().map(|about| about.finding).collect()
    }
}
