//! What can be asked for by name: the rules of `lint`, the settings that decide what happens
//! in a roll, the keys of a description, and the terms of this trade.

mod settings;
mod terms;

pub use settings::{SETTINGS, SettingDoc, Side};
pub use terms::{TERMS, Term};

use crate::description::{KeyDoc, KnownSetting, Owner, key_meant, nearest};
use crate::lint::{RULES, Rule, rule};

/// Something that can be explained.
#[derive(Clone, Debug)]
pub enum Topic {
    /// A rule.
    Rule(&'static Rule),
    /// A setting that decides what happens in a roll.
    Setting(&'static SettingDoc),
    /// Another setting that Kafka knows.
    Known(&'static KnownSetting),
    /// A key of a description: as it was asked for, and what it means at each place where it may stand.
    Key(String, Vec<KeyDoc>),
    /// A term.
    Term(&'static Term),
}

impl Topic {
    /// What is called so, by its name or another name of it.
    pub fn find(name: &str) -> Option<Self> {
        let plain = name.trim().to_lowercase();
        let dashed = plain.replace([' ', '_'], "-");
        let key = || Some(KeyDoc::find(&plain)).filter(|docs| !docs.is_empty());
        let key = || key().map(|docs| Self::Key(plain.clone(), docs));
        // Terms and rules are written with dashes: who writes `leader_again` asks for the key.
        let written_as_key = plain.contains(['_', '.']);
        SETTINGS
            .iter()
            .find(|setting| setting.name == plain)
            .map(Self::Setting)
            .or_else(|| key().filter(|_| written_as_key))
            .or_else(|| rule(&dashed).map(Self::Rule))
            .or_else(|| term(&dashed).map(Self::Term))
            .or_else(key)
            .or_else(|| KnownSetting::of(&plain).map(Self::Known))
    }

    /// The names that come nearest to one that nothing has, at most three.
    pub fn near(name: &str) -> Vec<String> {
        let mut names = Self::names();
        let mut near: Vec<String> = key_meant(name).map(str::to_owned).into_iter().collect();
        names.retain(|name| !near.contains(name));
        while near.len() < 3
            && let Some(next) = nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
        {
            names.retain(|name| *name != next);
            near.push(next);
        }
        let word = name.to_lowercase();
        near.extend(names.into_iter().filter(|name| word.len() > 2 && name.contains(&word)));
        near.truncate(3);
        near
    }

    fn names() -> Vec<String> {
        let rules = RULES.iter().map(|rule| rule.id);
        let of_rules = RULES.iter().flat_map(|rule| rule.settings).copied();
        let others = of_rules.filter(|name| SETTINGS.iter().all(|setting| setting.name != *name));
        let settings = SETTINGS.iter().map(|setting| setting.name);
        let told = rules.chain(others).chain(settings).chain(TERMS.iter().map(|term| term.name));
        let mut names: Vec<String> = told.map(str::to_owned).collect();
        // Consumers' settings stand among the keys by Kafka's names.
        let is_kafkas = |path: &String| path.rsplit('.').next() == Some("ms");
        for path in KeyDoc::all().into_iter().flat_map(|doc| doc.paths).filter(|path| !is_kafkas(path)) {
            let last = last_of(&path).to_owned();
            if !names.contains(&last) {
                names.push(last);
            }
        }
        names
    }
}

/// The keys of a description that are called as a term is.
pub fn keys_of(term: &Term) -> Vec<String> {
    let names = std::iter::once(&term.name).chain(term.also).map(|name| name.replace('-', "_"));
    names.flat_map(|name| KeyDoc::find(&name)).flat_map(|doc| doc.paths).collect()
}

/// The terms that a key is called as, or that its text names.
pub fn terms_of(name: &str, places: &[KeyDoc]) -> Vec<&'static str> {
    let texts = places.iter().flat_map(|doc| [doc.meaning, doc.values.as_str()]);
    let named = texts.flat_map(|text| text.split('`').skip(1).step_by(2));
    let words = std::iter::once(last_of(name)).chain(named).map(|word| word.replace('_', "-"));
    let mut terms: Vec<&'static str> = Vec::new();
    for term in words.filter_map(|word| term(&word)) {
        if !terms.contains(&term.name) {
            terms.push(term.name);
        }
    }
    terms
}

/// The last level of a path.
fn last_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn term(dashed: &str) -> Option<&'static Term> {
    TERMS.iter().find(|term| term.name == dashed || term.also.contains(&dashed))
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

/// Where what is said of keys is known from.
pub const KEY_SOURCE: &str = "the format of descriptions; rollgate schema prints it for editors";

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
        assert_eq!(Topic::near("sesion.timeout.ms")[0], "session.timeout.ms");
        assert!(Topic::near("delay").contains(&"delayed-rebalance".to_owned()));
        assert_eq!(Topic::near("max_duration")[0], "window");
        assert_eq!(Topic::near("at_onc"), ["at_once"]);
        assert!(Topic::near("qqqqq").is_empty());
    }

    #[test]
    fn each_key_of_a_description_can_be_asked_for_by_its_last_word_and_by_its_path() {
        let found = |name: &str| match Topic::find(name) {
            Some(Topic::Key(_, docs)) => docs.into_iter().flat_map(|doc| doc.paths).collect(),
            Some(Topic::Term(term)) => keys_of(term),
            // Kafka's settings have their own page.
            Some(Topic::Setting(_)) => vec![name.to_owned()],
            other => panic!("{name}: {other:?}"),
        };
        for path in KeyDoc::all().into_iter().flat_map(|doc| doc.paths) {
            assert!(found(&path).contains(&path), "{path}");
            let last = if path.rsplit('.').next() == Some("ms") { continue } else { last_of(&path) };
            assert!(found(last).contains(&path), "{last}");
        }
    }

    #[test]
    fn a_key_points_at_the_terms_for_its_values_and_a_term_at_its_key() {
        let Some(Topic::Key(name, docs)) = Topic::find("wait") else { panic!("it is a key") };
        assert_eq!(terms_of(&name, &docs), ["back", "settled"]);
        assert!(matches!(Topic::find("leader_again"), Some(Topic::Key(..))));
        assert!(
            matches!(Topic::find("leader-again"), Some(Topic::Term(term)) if keys_of(term) == ["policy.leader_again"])
        );
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
