//! Workers of one group read different internal topics.

use std::collections::BTreeMap;

use crate::finding::{Confidence, Severity};
use crate::lint::files::{TOPICS, kafka_clusters, usual, worker_files};
use crate::lint::{Context, Found, Rule, WorkerFile};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "group-id-shared-with-different-topics",
    title: "workers with one group.id keep their state in different topics",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "Worker files with the same group.id, on one Kafka cluster, that name different config, offset or status \
            topics.",
    hurts: "They form one group whose leader takes the highest position in the config topic that any member reports. \
            Of two config topics one is longer: the leader can never read that far, sends everybody away with an \
            empty assignment, and all join again, without end. With different offset topics a source that moves to \
            another worker begins from the start.",
    todo: "Give each Connect cluster its own group.id and its own three topics, the same ones in all its workers.",
    wrong: "The files may be of Kafka clusters that share the name of a broker as seen from different networks.",
    sources: &[
        "IncrementalCooperativeAssignor.performTaskAssignment, WorkerCoordinator of Kafka 4.3: the config offset",
        "Kafka's documentation of Connect: group.id must be unique to a Connect cluster",
    ],
    settings: &["group.id", "config.storage.topic", "offset.storage.topic", "status.storage.topic"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let files: Vec<&WorkerFile> = worker_files(context).collect();
    let mut groups: BTreeMap<(usize, &str), Vec<&WorkerFile>> = BTreeMap::new();
    for (file, kafka) in files.iter().zip(kafka_clusters(&files)) {
        if let Some(group) = file.text("group.id") {
            groups.entry((kafka, group)).or_default().push(file);
        }
    }
    for ((_, group), files) in groups {
        let usual: Vec<_> = TOPICS.iter().map(|key| usual(files.iter().filter_map(|file| file.text(key)))).collect();
        let first = |key: &str, topic: &str| files.iter().find(|file| file.text(key) == Some(topic));
        for file in &files {
            // One of the topics is enough to tell.
            let differing = TOPICS.iter().zip(&usual).find_map(|(key, most)| {
                let setting = file.get(key)?;
                Some((*key, setting, most.filter(|most| setting.value.value.trim() != *most)?))
            });
            let Some((key, setting, most)) = differing else { continue };
            let topic = setting.value.value.trim();
            let finding = found.add(
                context.of(setting),
                format!("of the workers in group `{group}`, this one has {topic} as its {key}, others {most}"),
                "workers of one cluster share all three topics; give another cluster a group.id of its own",
            );
            let other = first(key, most).and_then(|file| file.get(key));
            finding.also.extend(other.map(|setting| context.of(setting).labelled("another worker of the group")));
            if file.get("bootstrap.servers").is_none() {
                finding.confidence = Confidence::Medium;
            }
        }
    }
}
