//! The work units of a run, numbered densely.

/// A worker of the cluster, by its place in the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u32);

/// A connector; integer order is the natural order of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectorId(pub u32);

/// A task of a connector; integer order is (connector name, task number).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

/// Connectors and tasks as one member lists them, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Items {
    /// Connector instances.
    pub connectors: Vec<ConnectorId>,
    /// Tasks.
    pub tasks: Vec<TaskId>,
}

/// What the config topic says exists at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configured {
    /// For each connector of [`Work`] its number of tasks, or `None` while it does not exist.
    pub tasks_of: Vec<Option<u32>>,
}

impl WorkerId {
    /// The place in an array that has one entry for each worker.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl ConnectorId {
    /// The place in an array that has one entry for each connector.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TaskId {
    /// The place in an array that has one entry for each task.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Everything that can be owned in one run: all connectors that exist at any time of it,
/// each with the largest number of tasks it ever has.
///
/// Which of it is configured at one moment is [`Configured`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    names: Vec<String>,
    hashes: Vec<i32>,
    /// The first task of each connector, and the number of all tasks at the end.
    first_task: Vec<u32>,
    /// The connector of each task.
    connector_of: Vec<ConnectorId>,
}

impl Work {
    /// Numbers the connectors and their tasks; of connectors named twice the larger
    /// number of tasks counts.
    pub fn new<'a>(connectors: impl IntoIterator<Item = (&'a str, u32)>) -> Self {
        let mut sorted: Vec<(Vec<u16>, &str, u32)> =
            connectors.into_iter().map(|(name, tasks)| (name.encode_utf16().collect(), name, tasks)).collect();
        sorted.sort();
        let mut work = Self { first_task: vec![0], ..Self::default() };
        let mut place = 0;
        while place < sorted.len() {
            let name = sorted[place].1;
            let mut tasks = 0;
            while place < sorted.len() && sorted[place].1 == name {
                tasks = sorted[place].2;
                place += 1;
            }
            #[expect(clippy::cast_possible_truncation, reason = "connectors are far fewer than 2^32")]
            let id = ConnectorId(work.names.len() as u32);
            work.names.push(name.to_owned());
            work.hashes.push(java_string_hash(name));
            work.connector_of.extend((0..tasks).map(|_| id));
            #[expect(clippy::cast_possible_truncation, reason = "tasks are far fewer than 2^32")]
            work.first_task.push(work.connector_of.len() as u32);
        }
        work
    }

    /// The number of connectors.
    pub fn connector_count(&self) -> usize {
        self.names.len()
    }

    /// The number of tasks of all connectors.
    pub fn task_count(&self) -> usize {
        self.connector_of.len()
    }

    /// All connectors, in order.
    pub fn connectors(&self) -> impl Iterator<Item = ConnectorId> + use<> {
        #[expect(clippy::cast_possible_truncation, reason = "connectors are far fewer than 2^32")]
        let count = self.names.len() as u32;
        (0..count).map(ConnectorId)
    }

    /// The tasks of a connector, in order.
    pub fn tasks_of(&self, connector: ConnectorId) -> impl Iterator<Item = TaskId> + use<> {
        (self.first_task[connector.index()]..self.first_task[connector.index() + 1]).map(TaskId)
    }

    /// The name of a connector.
    pub fn name(&self, connector: ConnectorId) -> &str {
        &self.names[connector.index()]
    }

    /// Java's `String.hashCode` of the connector's name.
    pub fn hash(&self, connector: ConnectorId) -> i32 {
        self.hashes[connector.index()]
    }

    /// The connector that a task belongs to.
    pub fn connector_of(&self, task: TaskId) -> ConnectorId {
        self.connector_of[task.index()]
    }

    /// The number of a task within its connector, from 0.
    pub fn number(&self, task: TaskId) -> u32 {
        task.0 - self.first_task[self.connector_of(task).index()]
    }

    /// The task of a connector with that number.
    pub fn task(&self, connector: ConnectorId, number: u32) -> Option<TaskId> {
        let task = self.first_task[connector.index()].checked_add(number)?;
        (task < self.first_task[connector.index() + 1]).then_some(TaskId(task))
    }

    /// The task that Kafka calls so.
    pub fn task_named(&self, name: &str) -> Option<TaskId> {
        let (connector, number) = split_task_name(name)?;
        self.task(self.connector(connector)?, number)
    }

    /// The connector of that name.
    pub fn connector(&self, name: &str) -> Option<ConnectorId> {
        self.names
            .binary_search_by(|other| other.encode_utf16().cmp(name.encode_utf16()))
            .ok()
            .and_then(|place| u32::try_from(place).ok())
            .map(ConnectorId)
    }

    /// As Kafka writes it: `alpha-3`.
    pub fn task_name(&self, task: TaskId) -> String {
        format!("{}-{}", self.name(self.connector_of(task)), self.number(task))
    }
}

impl Items {
    /// Whether there is neither a connector nor a task.
    pub fn is_empty(&self) -> bool {
        self.connectors.is_empty() && self.tasks.is_empty()
    }

    /// Removes everything, keeping the memory.
    pub fn clear(&mut self) {
        self.connectors.clear();
        self.tasks.clear();
    }
}

/// The connector and the number in the name of a task: `alpha-3`.
pub(super) fn split_task_name(name: &str) -> Option<(&str, u32)> {
    let (connector, number) = name.rsplit_once('-')?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && (number == "0" || !number.starts_with('0'));
    Some((connector, number.parse().ok().filter(|_| plain)?))
}

/// Java's `String.hashCode`: 31-polynomial over UTF-16 code units, wrapping.
pub fn java_string_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_utf16_units_and_tasks_by_number() {
        let work = Work::new([("b", 11), ("\u{1F600}", 1), ("\u{FF5E}", 1), ("a", 2)]);
        let names: Vec<_> = work.connectors().map(|c| work.name(c).to_owned()).collect();
        assert_eq!(names, ["a", "b", "\u{1F600}", "\u{FF5E}"]);
        let b = work.connector("b").unwrap();
        assert_eq!(work.task_name(work.task(b, 10).unwrap()), "b-10");
        assert_eq!(work.task(b, 11), None);
        assert_eq!(work.connector("c"), None);
        assert_eq!(work.task_named("b-10"), work.task(b, 10));
        assert!(["b-11", "b-01", "b-", "b", "c-0", "b-+1"].iter().all(|name| work.task_named(name).is_none()));
    }

    #[test]
    fn string_hash_is_javas() {
        assert_eq!(java_string_hash("connect-10.0.0.1:8083-1b4e28ba-2fa1-41d2-883f-0016d3cca427"), 1_564_260_432);
    }
}
