//! What can be asked for by name: the rules of `lint`, the settings that decide what happens
//! in a roll, and the terms of this trade.

mod settings;
mod terms;

pub use settings::{SETTINGS, SettingDoc, Side};
pub use terms::{TERMS, Term};

use crate::description::nearest;
use crate::lint::{RULES, Rule, rule};

/// Something that can be explained.
#[derive(Clone, Copy, Debug)]
pub enum Topic {
    /// A rule.
    Rule(&'static Rule),
    /// A setting of Kafka.
    Setting(&'static SettingDoc),
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
        rules.chain(SETTINGS.iter().map(|setting| setting.name)).chain(TERMS.iter().map(|term| term.name))
    }
}

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
        let mut names: Vec<&str> =
            Topic::names().chain(TERMS.iter().flat_map(|term| term.also.iter().copied())).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
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
