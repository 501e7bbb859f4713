//! The file is not that of a distributed worker.

use crate::finding::{Confidence, Severity};
use crate::lint::files::{Kind, key_of};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "file-of-another-program",
    title: "a file is not that of a distributed worker",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A file among the worker files that is a broker's, a connector's, a standalone worker's, MirrorMaker's or \
            a schema registry's, by a setting that only these have.",
    hurts: "Nothing in it says how a worker of the group behaves, so that everything computed from it is that of \
            Kafka's defaults. Other rules do not look at it.",
    todo: "Name the file with which the worker is started, often connect-distributed.properties.",
    wrong: "One file may serve several programs; one that names config.storage.topic is taken for a worker's.",
    sources: &["DistributedConfig, StandaloneConfig, ConnectorConfig of Kafka 4.4; KafkaConfig of Kafka 2.8 to 4.3"],
    settings: &["connector.class", "offset.storage.file.filename"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in context.worker_files() {
        if let Kind::Other(of, setting) = Kind::of(file) {
            found.add(
                key_of(context, file, setting),
                format!("this is the file of {of}: it says {setting}"),
                "give the file with which the distributed worker is started",
            );
        }
    }
}
