//! What may be shown of files: the value of a key that Kafka does not know may be a secret of
//! something else, so that only the key is shown.

use std::ops::Range;

use super::known::KnownSetting;
use super::settings::{BROKER_SETTINGS, is_known};
use crate::text::yaml::{self, Kind, Node};
use crate::text::{Errors, FileId, Files, is_filled_in, names_a_secret, properties};

/// The files with stars and blanks over the values of settings that Kafka does not know; every place stays.
pub(crate) fn covered(files: &Files) -> Files {
    files.names().map(|name| (name, one(name, files.get(name).unwrap_or_default()))).collect()
}

fn one(name: &str, text: &str) -> String {
    let foreign = if is_yaml(name) { in_yaml(text) } else { in_properties(text) };
    let mut shown = text.to_owned();
    for place in foreign {
        if let Some(value) = text.get(place.clone()).filter(|value| !is_filled_in(value)) {
            shown.replace_range(place, &stars(value));
        }
    }
    shown
}

/// Whether a file is a description; what else is read are worker files.
fn is_yaml(name: &str) -> bool {
    match name.rsplit_once('.') {
        Some((_, ending)) => matches!(ending, "json" | "yaml" | "yml"),
        None => true,
    }
}

fn in_properties(text: &str) -> Vec<Range<usize>> {
    let read = properties::parse(text, FileId(0), &mut Errors::new(vec![String::new()]));
    let foreign = read.all.iter().filter(|property| is_foreign(&property.key.value));
    foreign.map(|property| property.value.span.bytes()).collect()
}

fn in_yaml(text: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    if let Some(root) = yaml::parse(text, FileId(0), &mut Errors::new(vec![String::new()])) {
        below(&root, &mut places);
    }
    places
}

/// Adds the places of the values of foreign settings, wherever `settings` may stand.
fn below(node: &Node, places: &mut Vec<Range<usize>>) {
    match &node.kind {
        Kind::Map(entries) => {
            for (key, value) in entries {
                if key.text == "settings" {
                    let foreign = value.entries().iter().filter(|(key, _)| is_foreign(&key.text));
                    places.extend(foreign.map(|(_, value)| value.span.bytes()));
                } else {
                    below(value, places);
                }
            }
        }
        Kind::List(items) => items.iter().for_each(|item| below(item, places)),
        Kind::Scalar { .. } => {}
    }
}

/// Whether the value of a key must not be told: it names a secret, or Kafka does not know it.
pub(crate) fn is_covered(key: &str) -> bool {
    names_a_secret(key) || is_foreign(key)
}

fn is_foreign(key: &str) -> bool {
    let of_broker = BROKER_SETTINGS.iter().any(|known| known.name == key);
    !(is_known(key) || of_broker || KnownSetting::of(key).is_some())
}

/// Stars of one length, whatever they cover, and blanks; lines stay lines.
fn stars(value: &str) -> String {
    let mut shown = String::with_capacity(value.len());
    let mut written = 0;
    for byte in value.bytes() {
        match byte {
            b'\n' | b'\r' => {
                written = 0;
                shown.push(char::from(byte));
            }
            _ if written < STARS => {
                written += 1;
                shown.push('*');
            }
            _ => shown.push(' '),
        }
    }
    shown
}

/// More would tell the length.
const STARS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_values_of_keys_that_kafka_does_not_know_are_covered() {
        let text = "group.id=g\nmy.token = hunter2é\n  more\nname=n\nmy.other=${env:X}\nvault.pin=a\\\n  bc\n";
        let shown = one("w.properties", text);
        assert_eq!(shown.len(), text.len());
        assert!(!shown.contains("hunter2") && !shown.contains("bc"), "{shown}");
        assert!(shown.contains("group.id=g\nmy.token = ********") && shown.contains("name=n\n"), "{shown}");
        assert!(shown.contains("${env:X}"), "{shown}");
    }

    #[test]
    fn foreign_settings_of_a_description_are_covered_too() {
        let text = "workers: 3\nsettings: {session.timeout.ms: 9000, my.token: \"ab cd\"}\nroll:\n  settings:\n    pin: 4711\n";
        let shown = one("c.yaml", text);
        assert!(shown.contains("9000") && shown.contains("workers: 3"), "{shown}");
        assert!(!shown.contains("ab cd") && !shown.contains("4711"), "{shown}");
        assert_eq!(shown.len(), text.len());
    }
}
