//! The JSON schema and the reader know the same keys.

#![expect(clippy::unwrap_used, reason = "a scenario that cannot be read fails its test")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use rollgate_core::description::{description_schema, replay_schema};
use rollgate_core::model::{read, read_replay};
use rollgate_core::text::Files;
use rollgate_tests::{files_of, scenarios};
use serde_json::Value;

/// A file of some scenario as JSON, with the scenario's other files.
fn scenario(name: &str) -> (Value, Files) {
    let folder: Option<PathBuf> = scenarios("description").into_iter().find(|folder| folder.ends_with(name));
    let files = files_of(&folder.unwrap());
    let text = files.get("cluster.yaml").or(files.get("incident.yaml")).unwrap();
    (serde_yaml::from_str(text).unwrap(), files)
}

/// All that a file means, as text; the errors if it is refused.
fn meaning(value: &Value, files: &Files, is_replay: bool) -> String {
    let mut files = files.clone();
    files.insert("main", value.to_string());
    if is_replay { format!("{:?}", read_replay(&files, "main")) } else { format!("{:?}", read(&files, "main")) }
}

/// Whether a value is what a schema says; only the words our schemas use are known.
fn fits(value: &Value, schema: &Value) -> bool {
    let Value::Object(schema) = schema else { panic!("no schema: {schema}") };
    schema.iter().all(|(word, wants)| match word.as_str() {
        "anyOf" => wants.as_array().unwrap().iter().any(|one| fits(value, one)),
        "type" => {
            let names = wants.as_array().cloned().unwrap_or_else(|| vec![wants.clone()]);
            names.iter().any(|name| match name.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                other => panic!("type {other}"),
            })
        }
        "enum" => wants.as_array().unwrap().contains(value),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| fits(item, wants))),
        "properties" => value
            .as_object()
            .is_none_or(|map| map.iter().all(|(key, value)| wants.get(key).is_none_or(|schema| fits(value, schema)))),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let own = |key: &str| schema.get("properties").is_some_and(|own| own.get(key).is_some());
            let mut others = map.iter().filter(|(key, _)| !own(key));
            if wants.is_boolean() { others.next().is_none() } else { others.all(|(_, value)| fits(value, wants)) }
        }),
        "required" => value
            .as_object()
            .is_none_or(|map| wants.as_array().unwrap().iter().all(|key| map.contains_key(key.as_str().unwrap()))),
        "minItems" => value.as_array().is_none_or(|items| !items.is_empty()),
        "minLength" => value.as_str().is_none_or(|text| !text.is_empty()),
        "minimum" => value.as_f64().is_none_or(|number| number >= wants.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= wants.as_f64().unwrap()),
        "pattern" | "description" | "title" | "$schema" => true,
        other => panic!("the schema says {other}"),
    })
}

/// The paths of all keys of a schema; lists and chosen names are `*`.
fn keys_of(schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    for one in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
        keys_of(one, path, found);
    }
    // Kafka's settings are open: those described are a help for whoever writes them.
    let open = schema.get("additionalProperties").is_some_and(Value::is_object);
    let properties = schema.get("properties").filter(|_| !open).and_then(Value::as_object);
    for (key, schema) in properties.into_iter().flatten() {
        let path = format!("{path}/{key}");
        keys_of(schema, &path, found);
        found.insert(path);
    }
    for more in ["items", "additionalProperties"] {
        if let Some(schema) = schema.get(more).filter(|schema| schema.is_object()) {
            keys_of(schema, &format!("{path}/*"), found);
        }
    }
}

/// The pointers of all entries of a value, each with the schema's path.
fn entries_of(
    value: &Value,
    pointer: &str,
    path: &str,
    schema_keys: &BTreeSet<String>,
    found: &mut Vec<(String, String)>,
) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let known = format!("{path}/{key}");
                let path = if schema_keys.contains(&known) { known } else { format!("{path}/*") };
                let pointer = format!("{pointer}/{key}");
                entries_of(value, &pointer, &path, schema_keys, found);
                found.push((pointer, path));
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                entries_of(item, &format!("{pointer}/{place}"), &format!("{path}/*"), schema_keys, found);
            }
        }
        _ => {}
    }
}

fn every_key_matters(schema: &Value, name: &str, redundant: &[&str], more: &[&str], is_replay: bool) {
    let (value, files) = scenario(name);
    assert!(fits(&value, schema), "{name} does not fit the schema");
    let mut keys = BTreeSet::new();
    keys_of(schema, "", &mut keys);
    let whole = meaning(&value, &files, is_replay);
    assert!(whole.starts_with("Ok("), "{whole}");
    let mut entries = Vec::new();
    entries_of(&value, "", "", &keys, &mut entries);
    let mut unused = keys.clone();
    let mut idle = Vec::new();
    for (pointer, path) in entries {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let mut without = value.clone();
        without.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key);
        if meaning(&without, &files, is_replay) == whole {
            idle.push(pointer.clone());
        }
        let mut misspelt = value.clone();
        let map = misspelt.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        let moved = map.remove(key).unwrap();
        map.insert(format!("{key}_x"), moved);
        if keys.contains(&path) {
            assert!(!fits(&misspelt, schema), "the schema accepts {pointer}_x");
            assert!(meaning(&misspelt, &files, is_replay).starts_with("Err("), "the reader accepts {pointer}_x");
        }
        unused.remove(&path);
    }
    for name in more {
        let (value, files) = scenario(name);
        assert!(fits(&value, schema) && meaning(&value, &files, is_replay).starts_with("Ok("), "{name}");
        let mut entries = Vec::new();
        entries_of(&value, "", "", &keys, &mut entries);
        for (_, path) in entries {
            unused.remove(&path);
        }
    }
    assert_eq!(idle, redundant, "nothing changes without these");
    assert!(unused.is_empty(), "keys of the schema that no scenario reads: {unused:?}");
}

/// What the scenario says although it would be so anyway: `exactly_once` can only confirm
/// the workers' setting, a connector with partitions is a sink, and settings of clients are
/// handed on.
const REDUNDANT: &[&str] = &["/connectors/0/exactly_once", "/connectors/1/kind", "/settings/producer.acks"];

/// A connector with partitions is a sink anyway, and a sink is never exactly-once.
const REDUNDANT_IN_REPLAY: &[&str] = &["/replay/connectors/beta/exactly_once", "/replay/connectors/beta/kind"];

#[test]
fn each_key_of_a_description_is_in_the_schema_and_changes_what_is_read() {
    every_key_matters(
        &description_schema(),
        "every_key_is_read",
        REDUNDANT,
        &["connectors_may_be_a_map", "parts_of_a_start_have_ranges"],
        false,
    );
}

#[test]
fn each_key_of_a_replay_file_is_in_the_schema_and_changes_what_is_read() {
    every_key_matters(
        &replay_schema(),
        "every_key_of_an_incident_is_read",
        REDUNDANT_IN_REPLAY,
        &["an_incident_is_read"],
        true,
    );
}

#[test]
fn the_schema_describes_each_key() {
    fn described(schema: &Value) {
        for (key, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            assert!(schema["description"].as_str().is_some_and(|text| text.len() > 10), "{key}");
            described(schema);
        }
        for one in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            described(one);
        }
        for more in ["items", "additionalProperties"] {
            if let Some(schema) = schema.get(more).filter(|schema| schema.is_object()) {
                described(schema);
            }
        }
    }
    described(&description_schema());
    described(&replay_schema());
}
