//! What can be asked for by name: the rules of `lint`, the settings that decide what happens
//! in a roll, and the terms of this trade.

mod settings;
mod terms;

pub use settings::{SETTINGS, SettingDoc, Side};
pub use terms::{TERMS, Term};

use crate::description::{KnownSetting, Owner, nearest};
use crate::lint::{RULES, Rule, rule};

/// Something that can be explained.
#[derive(Clone, Copy, Debug)]
pub enum Topic {
    /// A rule.
    Rule(&'static Rule),
    /// A setting that decides what happens in a roll.
    Setting(&'static SettingDoc),
    /// Another setting that Kafka knows.
    Known(&'static KnownSetting),
    /// A term.
    Term(&'static Term),
}

impl Topic {
    /// What is called so, by its name or another name of it.
    pub fn find(name: &str) -> Option<Self> {
        let plain = name.trim().to_lowercase();
        let dashed = plain.replace([' ', '_'], "-");
        let term = |term: &&'static Term| term.name == dashed || term.also.contains(&dashed.as_str());
        rule(&dashed)
            .map(Self::Rule)
            .or_else(|| SETTINGS.iter().find(|setting| setting.name == plain).map(Self::Setting))
            .or_else(|| TERMS.iter().find(term).map(Self::Term))
            .or_else(|| KnownSetting::of(&plain).map(Self::Known))
    }

    /// The names that come nearest to one that nothing has, at most three.
    pub fn near(name: &str) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = Self::names().collect();
        let mut near = Vec::new();
        while near.len() < 3
            && let Some(next) = nearest(name, names.iter().copied())
        {
            names.retain(|name| *name != next);
            near.push(next);
        }
        let word = name.to_lowercase();
        near.extend(names.into_iter().filter(|name| word.len() > 2 && name.contains(&word)));
        near.truncate(3);
        near
    }

    fn names() -> impl Iterator<Item = &'static str> {
        let rules = RULES.iter().map(|rule| rule.id);
        let of_rules = RULES.iter().flat_map(|rule| rule.settings).copied();
        let others = of_rules.filter(|name| SETTINGS.iter().all(|setting| setting.name != *name));
        rules.chain(others).chain(SETTINGS.iter().map(|setting| setting.name)).chain(TERMS.iter().map(|term| term.name))
    }
}

/// What is known of a setting that is not among [`SETTINGS`]: whose it is, and since when.
pub fn about(known: &KnownSetting) -> (&'static str, String) {
    let of = match known.owner {
        Owner::Worker => "a setting of the workers",
        Owner::Client => "a setting of the workers' Kafka clients",
        Owner::Connector => "a setting of connectors",
        Owner::Standalone => "a setting of standalone workers",
    };
    let (major, minor) = known.since;
    // Nothing before 2.8 was looked at.
    let since = if known.since == (2, 8) { "2.8 or before".to_owned() } else { format!("{major}.{minor}") };
    match known.until {
        Some((major, minor)) => (of, format!("{since}; until {major}.{minor}")),
        None => (of, since),
    }
}

/// What is said of the meaning of such a setting.
pub const ELSEWHERE: &str = "Kafka's documentation says what it does; rollgate has no words of its own for it.";

/// Where that is known from.
pub const KNOWN_SOURCE: &str = "Kafka's own definitions, 2.8 to 4.4 (tests/oracle/settings)";

/// The rules that are about a setting.
pub fn rules_of(setting: &str) -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(move |rule| rule.settings.contains(&setting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_the_ways_people_write_it() {
        let term = |name| matches!(Topic::find(name), Some(Topic::Term(term)) if term.name == "delayed-rebalance");
        assert!(term("delayed-rebalance") && term("Delayed rebalance") && term("rebalance-delay"));
        assert!(matches!(Topic::find("session.timeout.ms"), Some(Topic::Setting(_))));
        assert!(matches!(Topic::find("single-worker"), Some(Topic::Rule(_))));
        assert!(matches!(Topic::find("plugin.path"), Some(Topic::Known(_))));
        assert!(Topic::find("downtime").is_none());
    }

    #[test]
    fn what_is_not_known_gives_the_names_that_come_near() {
        assert_eq!(Topic::near("sesion.timeout.ms").first(), Some(&"session.timeout.ms"));
        assert!(Topic::near("delay").contains(&"delayed-rebalance"));
        assert!(Topic::near("qqqqq").is_empty());
    }

    #[test]
    fn no_name_means_two_things() {
        let also = TERMS.iter().flat_map(|term| term.also.iter().copied());
        let rules = RULES.iter().map(|rule| rule.id);
        let terms = TERMS.iter().map(|term| term.name);
        let mut names: Vec<&str> = rules.chain(terms).chain(also).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn every_setting_that_a_rule_is_about_can_be_asked_for() {
        for setting in RULES.iter().flat_map(|rule| rule.settings) {
            assert!(matches!(Topic::find(setting), Some(Topic::Setting(_) | Topic::Known(_))), "{setting}");
        }
    }

    #[test]
    fn what_a_text_points_at_is_there() {
        for term in TERMS {
            for other in term.see {
                assert!(Topic::find(other).is_some(), "{}: {other}", term.name);
            }
        }
        assert!(TERMS.is_sorted_by_key(|term| term.name));
        assert!(SETTINGS.is_sorted_by_key(|setting| setting.name));
    }
}
