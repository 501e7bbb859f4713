//! An internal topic has a single copy.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "internal-topic-replication-factor-one",
    title: "an internal topic is kept by one broker only",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "A config, offset or status topic with replication.factor=1, as in the file that Kafka ships.",
    hurts: "While that one broker is away no worker can start, because it reads these topics to the end first, and no \
            task can commit offsets or change its status. Without the broker's disk all connectors and their \
            positions are lost.",
    todo: "Leave the setting out, which means 3, or -1 for the brokers' default. The setting only counts when the \
           topic is created: raise an existing one with kafka-reassign-partitions.",
    wrong: "With a single broker there is no other way; hosted services such as Azure Event Hubs replicate on their \
            own and ignore the number; and the topic may have been made by hand with more copies.",
    sources: &[
        "DistributedConfig of Kafka 4.4: default 3, -1 for the brokers' default; TopicAdmin creates what is missing",
        "config/connect-distributed.properties of Kafka, which says 1 for each",
    ],
    settings: &[
        "config.storage.replication.factor",
        "offset.storage.replication.factor",
        "status.storage.replication.factor",
    ],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        let ones: Vec<_> =
            RULE.settings.iter().filter(|key| file.text(key) == Some("1")).filter_map(|key| file.get(key)).collect();
        let Some((first, others)) = ones.split_first() else { continue };
        let what = if others.is_empty() { "one internal topic has" } else { "the internal topics have" };
        let finding = found.add(
            context.of(first),
            format!("{what} one copy: no worker can start while that broker is away"),
            "leave the setting out, which means 3; raise existing topics with kafka-reassign-partitions",
        );
        finding.also.extend(others.iter().map(|setting| context.of(setting)));
    }
}
