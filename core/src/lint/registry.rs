//! All rules.

use super::Rule;
use super::rules::{all_workers_at_once, allow_of_unknown_rule};

/// All rules, in the order of their ids.
pub static RULES: &[&Rule] = &[&all_workers_at_once::RULE, &allow_of_unknown_rule::RULE];

/// The rule of that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}
