//! What rules over worker files share: what a file is, which workers read it, and which
//! files belong together.

use std::collections::BTreeMap;

use super::{Context, Worker, WorkerFile};
use crate::finding::Place;
use crate::text::properties::Property;

/// What a `.properties` file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A distributed worker.
    Worker,
    /// Another program or part of one, which the words name, and the setting that tells.
    Other(&'static str, &'static str),
}

impl Kind {
    /// What a file is for, by settings that nothing else has.
    pub(super) fn of(file: &WorkerFile) -> Self {
        let tells = |(setting, of): &(&'static str, &'static str)| {
            let others = *setting == "connector.class" || file.get("config.storage.topic").is_none();
            (others && file.get(setting).is_some()).then_some(Self::Other(of, setting))
        };
        TELLING.iter().find_map(tells).unwrap_or(Self::Worker)
    }
}

/// The files that are those of distributed workers.
pub(super) fn worker_files<'c, 'i>(context: &'c Context<'i>) -> impl Iterator<Item = &'i WorkerFile> + use<'c, 'i> {
    context.worker_files().iter().filter(|file| Kind::of(file) == Kind::Worker)
}

/// The workers, each with the number of workers that are known of its group.
pub(super) fn with_group_size<'c, 'i>(context: &'c Context<'i>) -> Vec<(&'c Worker<'i>, usize)> {
    let groups = context.groups();
    groups.iter().flat_map(|group| group.workers.iter().map(|worker| (*worker, group.workers.len()))).collect()
}

/// The property that counts for a key.
pub(super) fn property<'f>(file: &'f WorkerFile, key: &str) -> Option<&'f Property> {
    file.properties.all.iter().rev().find(|property| property.key.value == key)
}

/// The place of a key.
pub(super) fn key_of(context: &Context<'_>, file: &WorkerFile, key: &str) -> Place {
    property(file, key).map_or_else(|| context.beginning(file.file), |property| context.at(property.key.span))
}

/// Of the files with the same `group.id` and so on, which ones talk to one Kafka cluster: for each file a
/// number. Files that share an address of a broker do; those that name none are taken together.
pub(super) fn kafka_clusters(files: &[&WorkerFile]) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..files.len()).collect();
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, file) in files.iter().enumerate() {
        let servers = file.text("bootstrap.servers").unwrap_or_default();
        for server in servers.split(',').map(str::trim) {
            let server = server.rsplit_once("://").map_or(server, |(_, address)| address);
            let other = *first.entry(server).or_insert(place);
            let (one, other) = (root(&mut parents, place), root(&mut parents, other));
            if let Some(parent) = parents.get_mut(one.max(other)) {
                *parent = one.min(other);
            }
        }
    }
    (0..files.len()).map(|place| root(&mut parents, place)).collect()
}

/// The value most of them have, of equals the one that comes first.
pub(super) fn usual<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Option<&'v str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for value in values.clone() {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    values.into_iter().find(|value| counts.get(value) == Some(&most))
}

/// Follows parents to the end, and shortens the way for the next.
fn root(parents: &mut [usize], mut place: usize) -> usize {
    while let Some(&parent) = parents.get(place) {
        if parent == place {
            break;
        }
        let above = parents.get(parent).copied().unwrap_or(parent);
        if let Some(entry) = parents.get_mut(place) {
            *entry = above;
        }
        place = above;
    }
    place
}

/// The internal topics of a cluster.
pub(super) const TOPICS: [&str; 3] = ["config.storage.topic", "offset.storage.topic", "status.storage.topic"];

/// Settings that tell what a file is for, and what that is.
const TELLING: &[(&str, &str)] = &[
    ("connector.class", "a connector"),
    ("process.roles", "a broker"),
    ("node.id", "a broker"),
    ("broker.id", "a broker"),
    ("zookeeper.connect", "a broker"),
    ("log.dirs", "a broker"),
    ("offset.storage.file.filename", "a standalone worker"),
    ("clusters", "MirrorMaker"),
    ("kafkastore.bootstrap.servers", "a schema registry"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Inputs;
    use crate::text::Files;

    #[test]
    fn files_that_share_a_broker_are_of_one_kafka_cluster() {
        let texts = ["a:1,b:1", "c:1", "SSL://b:1,d:1", "", "d:1", ""].map(|servers| {
            if servers.is_empty() { "group.id=g\n".to_owned() } else { format!("bootstrap.servers={servers}\n") }
        });
        let files: Files = (0..).map(|place: usize| format!("{place}.properties")).zip(texts).collect();
        let names: Vec<String> = files.names().map(str::to_owned).collect();
        let inputs = Inputs::read(&files, None, &names);
        let list: Vec<&WorkerFile> = inputs.workers.iter().collect();
        assert_eq!(kafka_clusters(&list), [0, 1, 0, 3, 0, 3]);
    }

    #[test]
    fn the_usual_value_is_that_of_most_or_the_first() {
        assert_eq!(usual(["a", "b", "b"].into_iter()), Some("b"));
        assert_eq!(usual(["b", "a"].into_iter()), Some("b"));
        assert_eq!(usual([].into_iter()), None);
    }
}
