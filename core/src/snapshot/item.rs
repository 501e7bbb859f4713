//! A connector or a task by name.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::WorkItems;

/// A unit of work: what one member owns and, if all is well, runs.
///
/// Sorted by connector; the connector itself comes before its tasks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    /// A connector itself: its instance, not its tasks.
    Connector(String),
    /// A task, by connector and number.
    Task(String, u32),
}

impl Item {
    /// The name of its connector.
    pub fn connector(&self) -> &str {
        match self {
            Self::Connector(name) | Self::Task(name, _) => name,
        }
    }

    /// The number of a task; none for a connector itself.
    pub fn number(&self) -> Option<u32> {
        match self {
            Self::Connector(_) => None,
            Self::Task(_, number) => Some(*number),
        }
    }
}

impl WorkItems {
    /// All of it: the connectors, then the tasks, each in the order on the wire.
    pub fn items(&self) -> impl Iterator<Item = Item> + '_ {
        let connectors = self.connectors.iter().map(|name| Item::Connector(name.clone()));
        connectors.chain(self.tasks.iter().map(|(name, number)| Item::Task(name.clone(), *number)))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.connectors.len() + self.tasks.len()
    }
}

/// As Kafka's log names it: `orders` the connector, `orders-3` its task 3.
impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connector(name) => f.write_str(name),
            Self::Task(name, number) => write!(f, "{name}-{number}"),
        }
    }
}

impl Ord for Item {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.connector(), self.number()).cmp(&(other.connector(), other.number()))
    }
}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connector_comes_before_its_tasks_and_those_by_number() {
        let task = |number| Item::Task("orders".to_owned(), number);
        let mut items = vec![Item::Connector("payments".to_owned()), task(10), task(2)];
        items.push(Item::Connector("orders".to_owned()));
        items.sort();
        let said: Vec<String> = items.iter().map(ToString::to_string).collect();
        assert_eq!(said, ["orders", "orders-2", "orders-10", "payments"]);
    }

    #[test]
    fn all_work_is_listed_in_its_order() {
        let work =
            WorkItems { connectors: vec!["b".to_owned()], tasks: vec![("b".to_owned(), 1), ("a".to_owned(), 0)] };
        let said: Vec<String> = work.items().map(|item| item.to_string()).collect();
        assert_eq!(said, ["b", "b-1", "a-0"]);
        assert_eq!(work.count(), 3);
    }
}
