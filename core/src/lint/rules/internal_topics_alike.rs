//! One topic for two purposes.

use crate::finding::{Confidence, Severity};
use crate::lint::files::{TOPICS, worker_files};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "internal-topics-alike",
    title: "two internal topics of a worker have one name",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A file in which two of the config, offset and status topics have the same name.",
    hurts: "Each holds records of another form under keys of its own, and the config topic must have one partition, \
            the others have several. Workers read records they cannot understand, and the first to start decides how \
            many partitions there are.",
    todo: "Give each of the three a name of its own.",
    wrong: "Something may replace the names as the worker starts.",
    sources: &["KafkaConfigBackingStore, KafkaOffsetBackingStore, KafkaStatusBackingStore of Kafka 4.3"],
    settings: &TOPICS,
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        for (place, key) in TOPICS.iter().enumerate() {
            let Some(setting) = file.get(key) else { continue };
            let Some(topic) = file.text(key).filter(|topic| !topic.is_empty()) else { continue };
            let before = TOPICS.iter().take(place).find(|other| file.text(other) == Some(topic));
            if let Some(other) = before {
                let finding = found.add(
                    context.of(setting),
                    format!("{key} and {other} are both {topic}"),
                    "give each of the three topics a name of its own",
                );
                finding.also.extend(file.get(other).map(|setting| context.of(setting)));
            }
        }
    }
}
