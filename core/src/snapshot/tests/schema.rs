//! The schema and the snapshots that are written know the same.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::*;
use super::readings::{sink, snapshot};

/// A snapshot in which everything that there can be is known.
fn whole() -> Snapshot {
    let mut whole = snapshot();
    whole.sinks.push(sink());
    whole.endpoints[0] = Endpoint {
        url: "http://w1:8083".to_owned(),
        version: Seen::Known(Version {
            version: "4.4.0".to_owned(),
            commit: "0".to_owned(),
            kafka_cluster_id: "kafka-1".to_owned(),
        }),
        no_answer: None,
    };
    whole.endpoints[1].no_answer = Some(NoAnswer::Status(404));
    whole.endpoints[2].no_answer = Some(NoAnswer::TimedOut);
    whole
}

/// Whether a value is what a schema says; notes the keys that it has, and those it may have.
fn fits(value: &Value, schema: &Value, path: &str, known: &mut Keys) -> bool {
    if let Some(all) = schema.get("anyOf").and_then(Value::as_array) {
        return all.iter().any(|one| fits(value, one, path, known));
    }
    if let Some(constant) = schema.get("const") {
        return value == constant;
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.contains(value);
    }
    match (schema["type"].as_str(), value) {
        (Some("string"), Value::String(_)) | (Some("null"), Value::Null) => true,
        (Some("integer"), Value::Number(number)) => {
            number.as_i64().is_some_and(|number| schema["minimum"].as_i64().is_none_or(|least| number >= least))
        }
        (Some("array"), Value::Array(items)) => {
            let of = |place: usize| schema.get("prefixItems").map_or(&schema["items"], |each| &each[place]);
            let counts = |word: &str| schema[word].as_u64().is_none_or(|number| number == items.len() as u64);
            let mut all = items.iter().enumerate();
            counts("minItems") && counts("maxItems") && all.all(|(place, item)| fits(item, of(place), path, known))
        }
        (Some("object"), Value::Object(map)) => {
            let required = schema["required"].as_array();
            if !required.into_iter().flatten().all(|key| map.contains_key(key.as_str().unwrap())) {
                return false;
            }
            if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                known.may_have.extend(properties.keys().map(|key| format!("{path}.{key}")));
                known.has.extend(map.keys().map(|key| format!("{path}.{key}")));
            }
            map.iter().all(|(key, value)| {
                let named = schema["properties"].get(key).or(schema.get("additionalProperties"));
                named.is_some_and(|schema| fits(value, schema, &format!("{path}.{key}"), known))
            })
        }
        _ => false,
    }
}

#[derive(Default)]
struct Keys {
    has: BTreeSet<String>,
    may_have: BTreeSet<String>,
}

#[test]
fn what_is_written_is_what_the_schema_says() {
    let mut known = Keys::default();
    let value = serde_json::to_value(whole()).unwrap();
    assert!(fits(&value, &snapshot_schema(), "", &mut known), "{value:#}");
    let unwritten: Vec<_> = known.may_have.difference(&known.has).filter(|key| !key.ends_with("unknown")).collect();
    assert_eq!(unwritten, [""; 0], "the schema has keys that nothing writes");
    assert!(known.has.len() > 50, "{:?}", known.has);
}

#[test]
fn what_is_unknown_everywhere_fits_the_schema_too() {
    let mut unknown = snapshot();
    unknown.cluster_id = Seen::unknown("no broker answers");
    unknown.group = Seen::unknown("no broker answers");
    unknown.statuses = Seen::unknown("nobody answers");
    let value = serde_json::to_value(unknown).unwrap();
    assert!(fits(&value, &snapshot_schema(), "", &mut Keys::default()), "{value:#}");
}

#[test]
fn what_the_schema_refuses_the_reader_refuses() {
    for (key, wrong) in [
        ("took_ms", Value::from(-1)),
        ("taken_at", Value::from(5)),
        ("group", Value::from("none")),
        ("endpoints", Value::Null),
        ("schema_version", Value::from(2)),
    ] {
        let mut value = serde_json::to_value(snapshot()).unwrap();
        value[key] = wrong;
        assert!(!fits(&value, &snapshot_schema(), "", &mut Keys::default()), "{key}");
        assert!(Snapshot::read(&value.to_string()).is_err(), "{key}");
    }
}
