//! The worker logs in to the brokers, the clients of its tasks do not.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "task-clients-without-security",
    title: "the worker logs in to the brokers, the clients of its tasks do not",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "A security.protocol of the worker other than PLAINTEXT, without one for the tasks' producers or consumers, \
            `producer.security.protocol` and `consumer.security.protocol`.",
    hurts: "What the worker says without a prefix counts for its own clients, which read and write the internal topics, \
            and for the admin clients of tasks. Producers of sources and consumers of sinks speak PLAINTEXT: they \
            cannot connect, and after the restart their tasks show RUNNING and do nothing, or fail.",
    todo: "Repeat the settings of security with `producer.` for sources and `consumer.` for sinks.",
    wrong: "Connectors may bring their own, by `producer.override.` and `consumer.override.`; and where only sources \
            or only sinks run, one of the two is enough.",
    sources: &[
        "Worker.baseProducerConfigs, baseConsumerConfigs, adminConfigs of Kafka 2.8 to 4.3",
        "Kafka's documentation of Connect: settings of the producers and consumers of tasks need the prefix",
    ],
    settings: &["security.protocol"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        let Some(setting) = file.get("security.protocol") else { continue };
        let protocol = setting.value.value.trim();
        if protocol.is_empty() || protocol.eq_ignore_ascii_case("PLAINTEXT") {
            continue;
        }
        let missing: Vec<&str> = ["producer", "consumer"]
            .into_iter()
            .filter(|client| file.get(&format!("{client}.security.protocol")).is_none())
            .collect();
        let (Some(first), more) = (missing.first(), missing.len() > 1) else { continue };
        let who = if more { "producers and consumers".to_owned() } else { format!("{first}s") };
        let finding = found.add(
            context.of(setting),
            format!("{protocol} counts for the worker only: the {who} of its tasks speak PLAINTEXT"),
            format!("write {} as well, with the login", prefixed(&missing)),
        );
        if !more {
            finding.confidence = Confidence::Low;
        }
    }
}

fn prefixed(clients: &[&str]) -> String {
    clients.iter().map(|client| format!("{client}.security.protocol")).collect::<Vec<_>>().join(" and ")
}
