//! A setting that Kafka no longer reads.

use crate::description::{KnownSetting, Minor, Owner};
use crate::finding::{Confidence, Severity};
use crate::lint::files::{key_of, worker_files};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "removed-setting",
    title: "a setting is ignored because Kafka no longer knows it",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A setting of the worker that its version, or the version it is rolled to, no longer reads: \
            internal.key.converter, internal.value.converter, rest.host.name and rest.port since 3.0, \
            auto.include.jmx.reporter since 4.0.",
    hurts: "The worker starts all the same and does something else: with rest.port=8084 it listens on 8083, where \
            nobody asks it. That shows with the first worker of an upgrade.",
    todo: "Write `listeners=http://:8084` for rest.host.name and rest.port, and metric.reporters for \
           auto.include.jmx.reporter; take the converters out.",
    wrong: "Start scripts and health checks of images read some of them on their own; without a description the \
            workers may be old enough to read them.",
    sources: &[
        "DistributedConfig of 2.8.2 to 4.4.0, recorded in tests/oracle/settings/recorded.txt",
        "KAFKA-12482 (rest.host.name, rest.port), KAFKA-12717 (internal converters), KAFKA-14158 (JMX reporter)",
    ],
    settings: &[
        "auto.include.jmx.reporter",
        "internal.key.converter",
        "internal.value.converter",
        "rest.host.name",
        "rest.port",
    ],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let versions = context.setups().filter_map(|worker| worker.version);
    let newest: Option<Minor> = versions.map(|version| (version.major, version.minor)).max();
    for file in worker_files(context) {
        for key in file.settings.keys() {
            // What was handed to an internal converter goes with it.
            let name = ["internal.key.converter", "internal.value.converter"]
                .into_iter()
                .find(|converter| key.strip_prefix(converter).is_some_and(|rest| rest.starts_with('.')))
                .unwrap_or(key);
            if name != key && file.get(name).is_some() {
                continue;
            }
            let Some(known) = KnownSetting::of(name).filter(|known| known.owner == Owner::Worker) else { continue };
            let Some((major, minor)) = known.until else { continue };
            if newest.is_some_and(|newest| known.is_known_to(newest)) {
                continue;
            }
            let it = if name == key { "it" } else { name };
            let evidence = format!("{key} is ignored: Kafka {major}.{minor} was the last to read {it}");
            let finding = found.add(key_of(context, file, key), evidence, instead(name));
            if newest.is_none() {
                finding.confidence = Confidence::Medium;
            }
            if name.starts_with("internal.") || name == "auto.include.jmx.reporter" {
                finding.severity = Severity::Note;
            }
        }
    }
}

fn instead(name: &str) -> String {
    match name {
        "rest.port" | "rest.host.name" => "write listeners, such as `listeners=http://:8083`".to_owned(),
        "auto.include.jmx.reporter" => "write metric.reporters".to_owned(),
        _ => "take it out".to_owned(),
    }
}
