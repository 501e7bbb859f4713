//! What can go wrong in a roll, seen from the description and the worker files alone.
//!
//! One rule is one file in `rules` and one line of the [`registry`](RULES). A rule reads a
//! [`Context`] and adds [`Finding`]s; it simulates nothing. Its
//! text in fixed parts ([`Rule`]) is what `rollgate explain` and the reference page print.
//!
//! A finding can be allowed by a comment, `# rollgate: allow <rule>`, on its line or the
//! line above; it is then counted and not shown.

mod allow;
mod bugs;
mod context;
mod files;
mod found;
mod inputs;
mod registry;
mod rule;
mod rules;
mod times;
mod worker;

pub use bugs::{Bug, Meets};
pub use context::Context;
pub use found::Found;
pub use inputs::{Described, Inputs, ListedConnector, WorkerFile};
pub use registry::{RULES, rule};
pub use rule::{Example, Rule, Side};
pub use worker::{Group, Phase, Worker};

use std::collections::BTreeMap;

use crate::finding::Finding;

/// What the rules have found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linted {
    /// What is not allowed, in the order of files and lines.
    pub findings: Vec<Finding>,
    /// What a comment allows, in the same order.
    pub allowed: Vec<Finding>,
}

/// Asks each rule about what was read.
pub fn lint(inputs: &Inputs<'_>) -> Linted {
    let context = Context::new(inputs);
    let mut findings = Vec::new();
    for rule in RULES {
        let mut found = Found::new(rule);
        (rule.check)(&context, &mut found);
        findings.extend(found.finish());
    }
    let order: BTreeMap<&str, usize> = inputs.names.iter().map(String::as_str).zip(0..).collect();
    let of = |finding: &Finding| order.get(finding.at.file.as_str()).copied();
    findings.sort_by_cached_key(|finding| (of(finding), finding.at.span.start, finding.rule));
    let (allowed, findings) = findings.into_iter().partition(|finding| allow::allows(inputs.files, finding));
    Linted { findings, allowed }
}
