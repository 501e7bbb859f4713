//! The names of the file that Kafka ships.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "sample-names",
    title: "the group and its topics have the names of Kafka's sample file",
    severity: Severity::Note,
    confidence: Confidence::Low,
    finds: "The group.id connect-cluster together with the topics connect-configs, connect-offsets and connect-status.",
    hurts: "Whoever starts another cluster from the same sample on the same Kafka joins this one: its workers get tasks \
            whose plug-ins they may lack, and each of their restarts moves work here.",
    todo: "Give a cluster names of its own before it has connectors: afterwards new topics mean that all of them, \
           and their positions, begin anew.",
    wrong: "If this is the only Connect cluster on that Kafka, and stays so, the names do no harm.",
    sources: &["config/connect-distributed.properties of Kafka 2.8 to 4.4"],
    settings: &["group.id", "config.storage.topic", "offset.storage.topic", "status.storage.topic"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        if SAMPLE.iter().all(|(key, name)| file.text(key) == Some(name))
            && let Some(setting) = file.get("group.id")
        {
            found.add(
                context.of(setting),
                "group and topics have the names of Kafka's sample file: a second such cluster would join this one",
                "give the next cluster names of its own",
            );
        }
    }
}

const SAMPLE: [(&str, &str); 4] = [
    ("group.id", "connect-cluster"),
    ("config.storage.topic", "connect-configs"),
    ("offset.storage.topic", "connect-offsets"),
    ("status.storage.topic", "connect-status"),
];
