//! The order that serialisation gives to lists.

use super::{HashOrder, Items, Java};
use crate::model::{ConnectorId, TaskId, Work};

/// Regroups lists as the wire does; reused so that no call allocates.
///
/// A list travels as a map from connector to its task numbers, the connector itself being
/// task -1. Groups of connectors that are listed themselves come first, then those of which
/// only tasks are listed, by the first of them; within a group tasks keep their order.
///
/// Source: `ConnectProtocol.Assignment.asMap`, `ExtendedAssignment.revokedAsMap`.
#[derive(Clone, Debug, Default)]
pub struct WireOrder {
    order: HashOrder,
    /// For each connector its group, or `NO_GROUP`.
    group_of: Vec<u32>,
    groups: Vec<ConnectorId>,
    next_place: Vec<u32>,
    connectors: Vec<ConnectorId>,
    tasks: Vec<TaskId>,
}

impl WireOrder {
    /// The orders of a worker on that Java; the default is [`Java::UpTo18`].
    pub fn of_java(java: Java) -> Self {
        Self { order: HashOrder::of_java(java), ..Self::default() }
    }

    /// Puts an assigned or reported list in the order in which its receiver decodes it.
    ///
    /// Listed connectors come in the order of a hash set. Repetitions go, as they do in the
    /// assignor when it has decoded the list.
    pub fn regroup(&mut self, work: &Work, items: &mut Items) {
        self.start(work);
        self.list_connectors(&items.connectors);
        let listed = &self.groups;
        let order = self.order.of_set_copied_from(listed.len(), |place| work.hash(listed[place]));
        self.connectors.clear();
        self.connectors.extend(order.iter().map(|place| listed[*place as usize]));
        self.finish(work, items);
    }

    /// The same for a revoked list, in which listed connectors keep their order.
    pub fn regroup_revoked(&mut self, work: &Work, items: &mut Items) {
        self.start(work);
        self.list_connectors(&items.connectors);
        self.connectors.clear();
        self.connectors.extend_from_slice(&self.groups);
        self.finish(work, items);
    }

    fn start(&mut self, work: &Work) {
        self.groups.clear();
        if self.group_of.len() < work.connector_count() {
            self.group_of.resize(work.connector_count(), NO_GROUP);
        }
    }

    fn list_connectors(&mut self, connectors: &[ConnectorId]) {
        for connector in connectors {
            let group = &mut self.group_of[connector.index()];
            if *group == NO_GROUP {
                *group = 0;
                self.groups.push(*connector);
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "connectors and tasks are far fewer than 2^32")]
    fn finish(&mut self, work: &Work, items: &mut Items) {
        items.connectors.clone_from(&self.connectors);
        self.groups.clone_from(&self.connectors);
        for (group, connector) in self.groups.iter().enumerate() {
            self.group_of[connector.index()] = group as u32;
        }
        self.next_place.clear();
        self.next_place.resize(self.groups.len(), 0);
        for task in &items.tasks {
            let connector = work.connector_of(*task);
            let group = &mut self.group_of[connector.index()];
            if *group == NO_GROUP {
                *group = self.groups.len() as u32;
                self.groups.push(connector);
                self.next_place.push(0);
            }
            self.next_place[*group as usize] += 1;
        }
        let mut start = 0;
        for count in &mut self.next_place {
            start += std::mem::replace(count, start);
        }
        self.tasks.clear();
        self.tasks.resize(items.tasks.len(), TaskId(0));
        for task in &items.tasks {
            let place = &mut self.next_place[self.group_of[work.connector_of(*task).index()] as usize];
            self.tasks[*place as usize] = *task;
            *place += 1;
        }
        items.tasks.clone_from(&self.tasks);
        for connector in &self.groups {
            self.group_of[connector.index()] = NO_GROUP;
        }
    }
}

/// Puts an assigned or reported list in the order in which its receiver decodes it.
///
/// For one list; whoever regroups many keeps a [`WireOrder`].
pub fn regroup(work: &Work, items: &mut Items) {
    WireOrder::default().regroup(work, items);
}

const NO_GROUP: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assigned_list_is_grouped_by_connector() {
        let work = Work::new([("A", 4), ("B", 4), ("C", 4)]);
        let connector = |name: &str| work.connector(name).unwrap();
        let task = |name: &str, number| work.task(connector(name), number).unwrap();
        let mut items = Items {
            connectors: vec![connector("B"), connector("A")],
            tasks: vec![task("A", 2), task("B", 1), task("C", 0), task("A", 0), task("C", 3)],
        };
        let mut revoked = items.clone();
        regroup(&work, &mut items);
        assert_eq!(items.connectors, [connector("A"), connector("B")]);
        assert_eq!(items.tasks, [task("A", 2), task("A", 0), task("B", 1), task("C", 0), task("C", 3)]);
        WireOrder::default().regroup_revoked(&work, &mut revoked);
        assert_eq!(revoked.connectors, [connector("B"), connector("A")]);
        assert_eq!(revoked.tasks, [task("B", 1), task("A", 2), task("A", 0), task("C", 0), task("C", 3)]);
    }
}
