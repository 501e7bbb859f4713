//! Two groups keep their state in the same topics.

use std::collections::BTreeMap;

use crate::finding::{Confidence, Severity};
use crate::lint::files::{TOPICS, kafka_clusters, usual, worker_files};
use crate::lint::{Context, Found, Rule, WorkerFile};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "topics-shared-by-different-groups",
    title: "two groups keep their state in the same topics",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "Worker files with different group.ids, on one Kafka cluster, that name the same config, offset or status \
            topic.",
    hurts: "The config topic says what runs: each group runs all of it, so that every task runs twice and writes \
            everything twice, while the status topic shows each task once, on whichever worker wrote last. With the \
            same offset topic, connectors of one name go on from each other's positions.",
    todo: "Give each Connect cluster its own three topics. If the files are of one cluster, give them one group.id.",
    wrong: "The files may be of Kafka clusters that share the name of a broker as seen from different networks.",
    sources: &[
        "KafkaConfigBackingStore, KafkaStatusBackingStore of Kafka 4.3: the topics know no group",
        "Kafka's documentation of Connect: the topics must be the same for all workers with one group.id",
    ],
    settings: &["group.id", "config.storage.topic", "offset.storage.topic", "status.storage.topic"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let files: Vec<&WorkerFile> = worker_files(context).collect();
    let kafka = kafka_clusters(&files);
    let mut told = vec![false; files.len()];
    for key in TOPICS {
        let mut sharing: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
        for (place, (file, kafka)) in files.iter().zip(&kafka).enumerate() {
            if let (Some(topic), Some(_)) = (file.text(key), file.text("group.id")) {
                sharing.entry((*kafka, topic)).or_default().push(place);
            }
        }
        for ((_, topic), places) in sharing {
            let of = |place: &usize| files.get(*place).and_then(|file| file.text("group.id"));
            let Some(most) = usual(places.iter().filter_map(of)) else { continue };
            let Some(other) = places.iter().find(|place| of(place) == Some(most)) else { continue };
            for place in &places {
                let (Some(file), Some(group)) = (files.get(*place), of(place)) else { continue };
                // Files that share one topic mostly share all three: once is enough.
                if group == most || told.get(*place) == Some(&true) {
                    continue;
                }
                if let Some(told) = told.get_mut(*place) {
                    *told = true;
                }
                let Some(setting) = file.get(key) else { continue };
                let finding = found.add(
                    context.of(setting),
                    format!("the groups `{group}` and `{most}` both have {topic} as their {key}"),
                    "give each cluster its own topics, or all workers of one cluster the same group.id",
                );
                let at = files.get(*other).and_then(|file| file.get(key)).map(|setting| context.of(setting));
                finding.also.extend(at.map(|at| at.labelled(format!("group `{most}`"))));
                if key != "config.storage.topic" {
                    finding.severity = Severity::Warning;
                }
                if file.get("bootstrap.servers").is_none() {
                    finding.confidence = Confidence::Medium;
                }
            }
        }
    }
}
