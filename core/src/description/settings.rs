//! Settings by Kafka's own names, from `.properties` files and from the description.

use std::collections::BTreeMap;

use super::covered::is_covered;
use super::keys::SETTING;
use super::known::{KnownSetting, Owner, is_handed_on};
use super::shape::{Key, listed, nearest};
use super::written::{Remark, Setting, SettingsWritten};
use crate::text::yaml::Node;
use crate::text::{Errors, Files, Spanned, properties};

/// Reads `settings`, `settings_from` and `protocol` of a map.
pub(super) fn read(map: &Node, files: &Files, errors: &mut Errors) -> SettingsWritten {
    let mut settings = SettingsWritten::default();
    for (key, value) in map.get("settings").map(Node::entries).unwrap_or_default() {
        let Some(text) = value.text() else { continue };
        if !is_known(&key.text) {
            let near = nearest(&key.text, worker_keys());
            errors.add(key.span, format!("`{}` is no setting of a Connect worker", key.text)).help = Some(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "settings of connectors and plugins do not belong here".to_owned(),
            });
        }
        let value = Spanned::new(text.to_owned(), value.span);
        settings.inline.insert(key.text.clone(), Setting { value, key: key.span });
    }
    if let Some(protocol) = map.get("protocol")
        && let Some(text) = protocol.text()
    {
        let setting = Setting { value: Spanned::new(text.to_owned(), protocol.span), key: protocol.span };
        if let Some(other) = settings.inline.get("connect.protocol").filter(|other| other.value.value != text) {
            let message =
                format!("`protocol` is `{text}`, but `connect.protocol` in `settings` is `{}`", other.value.value);
            errors.add_with_also(protocol.span, message, other.value.span, "here");
        }
        settings.inline.insert("connect.protocol".to_owned(), setting);
    }
    if let Some(from) = map.get("settings_from")
        && let Some(path) = from.text()
    {
        if let Some(text) = files.get(path) {
            read_file(path, text, &mut settings, errors);
        } else {
            errors.add_with_help(
                from.span,
                format!("the file `{path}` was not found"),
                "its path begins at the folder of this description",
            );
        }
    }
    settings
}

/// Reads the brokers' settings.
pub(super) fn read_broker(map: &Node, errors: &mut Errors) -> BTreeMap<String, Setting> {
    let mut settings = BTreeMap::new();
    for (key, value) in map.get("settings").map(Node::entries).unwrap_or_default() {
        let Some(text) = value.text() else { continue };
        let known = BROKER_SETTINGS.iter().map(|known| known.name);
        if !known.clone().any(|known| known == key.text) {
            let near = nearest(&key.text, known.clone());
            errors
                .add(key.span, format!("`{}` is no setting of a broker that matters to a group of workers", key.text))
                .help = Some(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("those that matter are {}", listed(known)),
            });
        }
        let value = Spanned::new(text.to_owned(), value.span);
        settings.insert(key.text.clone(), Setting { value, key: key.span });
    }
    settings
}

fn read_file(path: &str, text: &str, settings: &mut SettingsWritten, errors: &mut Errors) {
    let file = errors.file(path);
    let properties = properties::parse(text, file, errors);
    for (replaced, kept) in properties.replaced() {
        settings.remarks.push(Remark {
            key: format!("{path}: {}", kept.key.value),
            value: shown(&kept.key.value, &kept.value.value),
            reason: format!(
                "given twice, in lines {} and {}; Java keeps the last",
                replaced.key.span.line, kept.key.span.line
            ),
        });
    }
    let mut read = BTreeMap::new();
    for (key, property) in properties.last() {
        if !is_known(key)
            && let Some(near) = typo_of(key)
        {
            settings.remarks.push(Remark {
                key: format!("{path}: {key}"),
                value: "ignored".to_owned(),
                reason: format!("line {}: Kafka does not know it; perhaps `{near}` is meant", property.key.span.line),
            });
        }
        let setting = Setting { value: property.value.clone(), key: property.key.span };
        read.insert(key.to_owned(), setting);
    }
    settings.file = Some(read);
}

/// A value as it may be shown: secrets, and what Kafka does not know, are not.
fn shown(key: &str, value: &str) -> String {
    if is_covered(key) { "(hidden)".to_owned() } else { value.to_owned() }
}

/// Whether a worker of some version knows the key, or hands it on to something inside.
pub(super) fn is_known(key: &str) -> bool {
    let known = KnownSetting::of(key).is_some_and(|known| matches!(known.owner, Owner::Worker | Owner::Client));
    known || is_handed_on(key) || ["sasl.", "ssl."].iter().any(|prefix| key.starts_with(prefix))
}

/// All settings of a worker itself.
pub(super) fn worker_keys() -> impl Iterator<Item = &'static str> {
    KnownSetting::all().iter().filter(|known| known.owner == Owner::Worker).map(|known| known.name)
}

/// The key that matters to the group and was probably meant.
fn typo_of(key: &str) -> Option<&'static str> {
    WORKER_SETTINGS.iter().map(|known| known.name).find(|known| strsim::damerau_levenshtein(key, known) <= 2)
}

/// The worker settings that decide what happens in a roll. Defaults are those of `DistributedConfig`, 2.8 to 4.4.
pub(super) const WORKER_SETTINGS: &[Key] = &[
    Key::new("connect.protocol", &SETTING, "eager, compatible or sessioned (KIP-415, KIP-507). Default: sessioned."),
    Key::new(
        "exactly.once.source.support",
        &SETTING,
        "disabled, preparing or enabled (KIP-618, from 3.3 on). Default: disabled.",
    ),
    Key::new("heartbeat.interval.ms", &SETTING, "Milliseconds; below session.timeout.ms. Default: 3000."),
    Key::new(
        "rebalance.timeout.ms",
        &SETTING,
        "Milliseconds a rebalance waits for its members; the largest counts. Default: 60000.",
    ),
    Key::new(
        "scheduled.rebalance.max.delay.ms",
        &SETTING,
        "Milliseconds that lost work waits for its worker; the leader's counts. Default: 300000.",
    ),
    Key::new(
        "session.timeout.ms",
        &SETTING,
        "Milliseconds without a heartbeat after which a member is dead. Default: 10000.",
    ),
    Key::new(
        "task.shutdown.graceful.timeout.ms",
        &SETTING,
        "Milliseconds that all tasks together have to stop. Default: 5000.",
    ),
    Key::new("worker.sync.timeout.ms", &SETTING, "Milliseconds to read the config topic up. Default: 3000."),
    Key::new(
        "worker.unsync.backoff.ms",
        &SETTING,
        "Milliseconds out of the group after that failed, eager only. Default: 300000.",
    ),
];

/// The broker settings that decide what happens in a roll.
pub(super) const BROKER_SETTINGS: &[Key] = &[
    Key::new(
        "group.coordinator.rebalance.protocols",
        &SETTING,
        "From 3.7 to 3.9, with `consumer` in it the Java coordinator runs. Default: classic.",
    ),
    Key::new(
        "group.initial.rebalance.delay.ms",
        &SETTING,
        "Milliseconds an empty group waits for more members. Default: 3000.",
    ),
    Key::new("group.max.session.timeout.ms", &SETTING, "Largest session.timeout.ms of a member. Default: 1800000."),
    Key::new("group.min.session.timeout.ms", &SETTING, "Smallest session.timeout.ms of a member. Default: 6000."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_that_matter_are_known() {
        for key in WORKER_SETTINGS {
            assert!(is_known(key.name), "{}", key.name);
        }
    }
}
