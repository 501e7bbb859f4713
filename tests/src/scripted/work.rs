//! Scripts made from a few words, and what usually happens to them.

use std::collections::BTreeMap;

use super::{Committed, Connector, Consumer, Group, Member, Script, Task, Worker};

impl Script {
    /// A cluster in which all is well: these workers in the group `connect`, the first of them
    /// leads; one broker; no connectors.
    pub fn of(workers: &[&str]) -> Self {
        let mut group = Group::new("connect", "connect", "sessioned");
        let leader = member_id(workers.first().copied().unwrap_or_default(), 1);
        group.members = workers
            .iter()
            .map(|name| Member {
                id: member_id(name, 1),
                worker: (*name).to_owned(),
                leader: leader.clone(),
                ..Member::default()
            })
            .collect();
        Self {
            cluster_id: "scripted-cluster".to_owned(),
            workers: workers.iter().map(|name| Worker::new(name)).collect(),
            brokers: vec![0],
            groups: vec![group],
            ..Self::default()
        }
    }

    /// The same with a source of so many tasks, dealt to the members in turn and running.
    #[must_use]
    pub fn source(self, name: &str, tasks: u32) -> Self {
        self.connector(name, "source", tasks)
    }

    /// The same with a sink of so many tasks, dealt to the members in turn and running. Each
    /// reads the partition of its number of the topic with the sink's name and is 10 records
    /// behind its end, 1,000.
    #[must_use]
    pub fn sink(self, name: &str, tasks: u32) -> Self {
        let mut script = self.connector(name, "sink", tasks);
        let mut group = Group::new(&format!("connect-{name}"), "consumer", "range");
        for task in 0..tasks {
            let partition = i32::try_from(task).unwrap_or(i32::MAX);
            group.consumers.push(Consumer {
                client_id: format!("connector-consumer-{name}-{task}"),
                partitions: vec![(name.to_owned(), partition)],
            });
            group.committed.push(Committed { topic: name.to_owned(), partition, offset: 990 });
            script.ends.insert((name.to_owned(), partition), 1_000);
        }
        script.groups.push(group);
        script
    }

    /// The group of workers.
    ///
    /// # Panics
    /// If there is none.
    pub fn group(&mut self) -> &mut Group {
        self.groups.iter_mut().find(|group| group.kind == "connect").expect("a group of workers")
    }

    /// A worker's REST port.
    ///
    /// # Panics
    /// If there is no worker of that name.
    pub fn worker(&mut self, name: &str) -> &mut Worker {
        self.workers.iter_mut().find(|worker| worker.name == name).expect("a worker of that name")
    }

    /// A worker as a member of the group.
    ///
    /// # Panics
    /// If it is none.
    pub fn member(&mut self, worker: &str) -> &mut Member {
        self.group().members.iter_mut().find(|member| member.worker == worker).expect("a member of that name")
    }

    /// The group of workers is asked to join again: all but what the broker keeps is unknown.
    pub fn rebalance(&mut self) {
        "PreparingRebalance".clone_into(&mut self.group().state);
    }

    fn connector(mut self, name: &str, kind: &str, tasks: u32) -> Self {
        let members: Vec<String> = self.group().members.iter().map(|member| member.worker.clone()).collect();
        let items = std::iter::once(name.to_owned()).chain((0..tasks).map(|task| format!("{name}-{task}")));
        let before: usize = self.group().members.iter().map(|member| member.assigned.len()).sum();
        let mut owners = BTreeMap::new();
        for (place, item) in items.enumerate() {
            let owner = (before + place).checked_rem(members.len()).and_then(|place| members.get(place));
            let owner = owner.cloned().unwrap_or_default();
            self.member(&owner).assigned.push(item.clone());
            owners.insert(item, owner);
        }
        let running = |item: &str| owners.get(item).cloned().unwrap_or_default();
        let tasks_of = (0..tasks)
            .map(|task| (task, Task { state: "RUNNING".to_owned(), worker: running(&format!("{name}-{task}")) }));
        let connector = Connector {
            kind: kind.to_owned(),
            config: BTreeMap::from([("name".to_owned(), name.to_owned())]),
            instance: Some(("RUNNING".to_owned(), running(name))),
            tasks: tasks_of.collect(),
            configured: (0..tasks).collect(),
        };
        self.connectors.insert(name.to_owned(), connector);
        self
    }
}

/// The member id of a worker's process: new with each.
pub(super) fn member_id(worker: &str, process: u32) -> String {
    format!("connect-{worker}-{process:08}-0000-4000-8000-000000000000")
}
