//! What a rule is: what it looks for, and everything a person can ask about it.

use super::{Context, Found};
use crate::finding::{Confidence, Severity};

/// A rule. Its texts are sentences; `explain`, the reference page and tooltips print them.
#[derive(Debug)]
pub struct Rule {
    /// Names the pattern in kebab-case and reads after "allow".
    pub id: &'static str,
    /// The pattern in one line, without a full stop.
    pub title: &'static str,
    /// How bad it usually is.
    pub severity: Severity,
    /// How sure it usually is.
    pub confidence: Confidence,
    /// What it finds.
    pub finds: &'static str,
    /// Why that hurts.
    pub hurts: &'static str,
    /// What to do.
    pub todo: &'static str,
    /// When it can be wrong.
    pub wrong: &'static str,
    /// Where the facts come from: KIPs, tickets, classes with their version, measurements.
    pub sources: &'static [&'static str],
    /// The settings it is about, by Kafka's names.
    pub settings: &'static [&'static str],
    /// A small roll, badly and better, where a simulation can show the harm.
    pub example: Option<Example>,
    /// Looks for the pattern.
    pub check: fn(&Context<'_>, &mut Found),
}

/// A roll that shows the harm, and how it is avoided.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What the rule finds.
    pub bad: Side,
    /// What it advises.
    pub better: Side,
}

/// One of the two rolls.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// What is done, in a few words.
    pub what: &'static str,
    /// The description.
    pub description: &'static str,
    /// The order, as `rollgate simulate --order` takes it.
    pub order: &'static str,
    /// The wait, as `--wait` takes it.
    pub wait: &'static str,
}
