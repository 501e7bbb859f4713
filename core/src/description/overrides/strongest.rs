//! What is set for all is the strongest: what the file says of one worker gives way.

use super::apply::names_of;
use crate::text::yaml::{Key, Kind, Node};

/// Takes away what would be stronger than the value just put at `path`. Told is whose that was.
pub(super) fn replace(root: &mut Node, path: &[&str], value: &Node) -> Option<String> {
    let mut whose: Vec<String> = Vec::new();
    match *path {
        ["settings", key] => {
            if key == PROTOCOL {
                root.take("protocol");
            }
            whose = workers(root, |worker| setting(worker, key, value));
            if let Some(key) = key.strip_prefix("consumer.") {
                whose.extend(each(root.get_mut("connectors"), |connector| {
                    let key = if key == "partition.assignment.strategy" { "assignor" } else { key };
                    connector.get_mut("consumer").and_then(|consumer| consumer.take(key)).is_some()
                }));
            }
        }
        ["protocol"] => {
            take(root.get_mut("settings"), PROTOCOL);
            whose = workers(root, |worker| setting(worker, PROTOCOL, value));
        }
        ["kafka" | "settings_from" | "leader"] => whose = workers(root, |worker| worker.take(path[0]).is_some()),
        ["restart"] => whose = workers(root, |worker| worker.take("restart").is_some()),
        ["restart", part, ..] => whose = workers(root, |worker| take(worker.get_mut("restart"), part)),
        ["workers", leader, "leader"] if value.text() == Some("true") => {
            root.take("leader");
            let names = root.get("workers").map(names_of).unwrap_or_default();
            let mut names = names.iter();
            _ = workers(root, |worker| {
                names.next().is_some_and(|name| name != leader) && worker.take("leader").is_some()
            });
        }
        ["roll", ref key @ ..] => {
            let roll = root.get_mut("roll")?;
            one_protocol(roll, key);
            whose = each(roll.get_mut("workers"), |worker| match *key {
                ["settings", PROTOCOL] | ["protocol"] => {
                    let own = worker.take("protocol").is_some();
                    take(worker.get_mut("settings"), PROTOCOL) || own
                }
                ["settings", key] => take(worker.get_mut("settings"), key),
                ["kafka" | "settings_from"] => worker.take(key[0]).is_some(),
                _ => false,
            });
        }
        _ => {}
    }
    (!whose.is_empty()).then(|| whose.join(", "))
}

/// `protocol` and `connect.protocol` say the same: the one just put takes the place of the other.
pub(super) fn one_protocol(map: &mut Node, path: &[impl AsRef<str>]) {
    match path {
        [one] if one.as_ref() == "protocol" => drop(take(map.get_mut("settings"), PROTOCOL)),
        [one, two] if one.as_ref() == "settings" && two.as_ref() == PROTOCOL => drop(map.take("protocol")),
        _ => {}
    }
}

/// A worker's own setting gives way; where its own file may say something, the value stands beside it.
fn setting(worker: &mut Node, key: &str, value: &Node) -> bool {
    let mut own = take(worker.get_mut("settings"), key);
    if key == PROTOCOL {
        own |= worker.take("protocol").is_some();
    }
    if worker.get("settings_from").is_some() {
        let at = |text: &str| Key { text: text.to_owned(), span: value.span };
        if worker.get("settings").is_none() {
            worker.put(at("settings"), Node { span: value.span, kind: Kind::Map(Vec::new()) });
        }
        if let Some(settings) = worker.get_mut("settings") {
            settings.put(at(key), value.clone());
        }
    }
    own
}

fn workers(root: &mut Node, take: impl FnMut(&mut Node) -> bool) -> Vec<String> {
    each(root.get_mut("workers"), take)
}

/// The names of those that gave something up.
fn each(list: Option<&mut Node>, mut take: impl FnMut(&mut Node) -> bool) -> Vec<String> {
    let Some(list) = list else { return Vec::new() };
    let names = names_of(list);
    let items: Vec<&mut Node> = match &mut list.kind {
        Kind::List(items) => items.iter_mut().collect(),
        Kind::Map(entries) => entries.iter_mut().map(|(_, item)| item).collect(),
        Kind::Scalar { .. } => Vec::new(),
    };
    let whose = items.into_iter().zip(names).filter_map(|(item, name)| take(item).then_some(name));
    whose.collect()
}

fn take(map: Option<&mut Node>, key: &str) -> bool {
    map.and_then(|map| map.take(key)).is_some()
}

const PROTOCOL: &str = "connect.protocol";
