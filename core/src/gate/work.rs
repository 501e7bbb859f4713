//! Connectors and tasks, grouped as people name them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::units::count;

/// Connector instances and tasks, by the name of the connector.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Work(BTreeMap<String, Part>);

/// What of one connector is meant.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its instance.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub connector: bool,
    /// Numbers of its tasks.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tasks: BTreeSet<u32>,
}

impl Work {
    /// Adds a task, or with no number the connector's instance.
    pub fn add(&mut self, connector: &str, task: Option<u32>) {
        if !self.0.contains_key(connector) {
            self.0.insert(connector.to_owned(), Part::default());
        }
        if let Some(part) = self.0.get_mut(connector) {
            match task {
                Some(task) => _ = part.tasks.insert(task),
                None => part.connector = true,
            }
        }
    }

    /// Whether a task is in it, or with no number the connector's instance.
    pub fn has(&self, connector: &str, task: Option<u32>) -> bool {
        self.0.get(connector).is_some_and(|part| match task {
            Some(task) => part.tasks.contains(&task),
            None => part.connector,
        })
    }

    /// How many tasks.
    pub fn tasks(&self) -> usize {
        self.0.values().map(|part| part.tasks.len()).sum()
    }

    /// How many connector instances.
    pub fn connectors(&self) -> usize {
        self.0.values().filter(|part| part.connector).count()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// By the name of the connector.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &Part)> {
        self.0.iter().map(|(connector, part)| (connector.as_str(), part))
    }
}

/// `tasks 1, 3, 6-9 of orders`, `connector orders`, `4 tasks of 2 more connectors`.
impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 3;
        let named = if self.0.len() > NAMED + 1 { NAMED } else { self.0.len() };
        for (place, (connector, part)) in self.0.iter().take(named).enumerate() {
            f.write_str(if place > 0 { "; " } else { "" })?;
            let connector = Name(connector);
            match (part.connector, part.tasks.len()) {
                (_, 0) => write!(f, "connector {connector}")?,
                (true, _) => write!(f, "connector {connector} and its {}", Numbers(&part.tasks))?,
                (false, _) => write!(f, "{} of {connector}", Numbers(&part.tasks))?,
            }
        }
        if named < self.0.len() {
            let tasks = self.0.values().skip(named).map(|part| part.tasks.len()).sum();
            let connectors = count(self.0.len() - named, "more connector");
            match tasks {
                0 => write!(f, "; {connectors}")?,
                _ => write!(f, "; {} of {connectors}", count(tasks, "task"))?,
            }
        }
        if self.0.is_empty() { f.write_str("nothing") } else { Ok(()) }
    }
}

/// A name with its control characters escaped: old versions let them into a name.
pub(super) struct Name<'a>(pub(super) &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for sign in self.0.chars() {
            if sign.is_control() { write!(f, "{}", sign.escape_default())? } else { write!(f, "{sign}")? }
        }
        Ok(())
    }
}

/// Names in a row, the first few of many.
pub(super) struct Names<'a>(pub(super) &'a [String]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 5;
        let named = if self.0.len() > NAMED + 1 { NAMED } else { self.0.len() };
        for (place, name) in self.0.iter().take(named).enumerate() {
            let before = match place {
                0 => "",
                _ if place + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(f, "{before}{}", Name(name))?;
        }
        if named < self.0.len() { write!(f, " and {} more", self.0.len() - named) } else { Ok(()) }
    }
}

/// `task 4`, `tasks 0-3, 7`.
struct Numbers<'a>(&'a BTreeSet<u32>);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.len() == 1 { "task " } else { "tasks " })?;
        let numbers: Vec<u32> = self.0.iter().copied().collect();
        let runs = numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next));
        for (place, run) in runs.enumerate() {
            f.write_str(if place > 0 { ", " } else { "" })?;
            match run {
                [first, .., last] if last - first > 1 => write!(f, "{first}-{last}")?,
                [first, last] => write!(f, "{first}, {last}")?,
                _ => run.iter().try_for_each(|number| write!(f, "{number}"))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(items: &[(&str, Option<u32>)]) -> Work {
        let mut work = Work::default();
        for (connector, task) in items {
            work.add(connector, *task);
        }
        work
    }

    #[test]
    fn work_reads_as_people_name_it() {
        let tasks = [1, 3, 6, 7, 8, 9].map(|task| ("orders", Some(task)));
        assert_eq!(work(&tasks).to_string(), "tasks 1, 3, 6-9 of orders");
        assert_eq!(work(&[("orders", None)]).to_string(), "connector orders");
        assert_eq!(work(&[("orders", None), ("orders", Some(0))]).to_string(), "connector orders and its task 0");
        assert_eq!(work(&[("a", None), ("b", Some(0)), ("b", Some(1))]).to_string(), "connector a; tasks 0, 1 of b");
        assert_eq!(Work::default().to_string(), "nothing");
    }

    #[test]
    fn of_many_connectors_the_first_are_named_and_the_rest_counted() {
        let many: Vec<(String, Option<u32>)> = (0..9).map(|number| (format!("c{number}"), Some(0))).collect();
        let many: Vec<(&str, Option<u32>)> = many.iter().map(|(name, task)| (name.as_str(), *task)).collect();
        assert_eq!(work(&many).to_string(), "task 0 of c0; task 0 of c1; task 0 of c2; 6 tasks of 6 more connectors");
    }

    #[test]
    fn control_characters_of_a_name_are_escaped() {
        assert_eq!(work(&[("with\rreturn", Some(0))]).to_string(), "task 0 of with\\rreturn");
    }
}
