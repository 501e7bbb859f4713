//! A setting without which no worker starts.

use crate::finding::{Confidence, Severity};
use crate::lint::files::{key_of, worker_files};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "missing-required-setting",
    title: "a setting is missing without which a worker does not start",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "A worker file that says some of group.id, key.converter, value.converter and the three topics, but not all.",
    hurts: "A worker with this file stops as it starts, with a ConfigException. In a roll that is one worker that does \
            not come back, and its tasks wait for the whole delay.",
    todo: "Add the setting to the file.",
    wrong: "Start scripts may add it, or another file beside this one. A file that says none of them is taken for a \
            part of a file and not reported.",
    sources: &["DistributedConfig of Kafka 2.8 to 4.4: settings without a default"],
    settings: &REQUIRED,
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        let (said, missing): (Vec<&str>, Vec<&str>) = REQUIRED.iter().partition(|key| file.get(key).is_some());
        // group.id alone is often given to name the group.
        if missing.is_empty() || said.iter().all(|key| *key == "group.id") {
            continue;
        }
        let place = said.iter().find(|key| **key != "group.id").map(|key| key_of(context, file, key));
        let place = place.unwrap_or_else(|| context.beginning(file.file));
        found.add(
            place.labelled(format!("needed beside this: {}", missing.join(", "))),
            format!("a worker with this file does not start: it lacks {}", missing.join(", ")),
            "add what is missing",
        );
    }
}

const REQUIRED: [&str; 6] = [
    "config.storage.topic",
    "group.id",
    "key.converter",
    "offset.storage.topic",
    "status.storage.topic",
    "value.converter",
];
