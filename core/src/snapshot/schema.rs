//! The JSON schema of a snapshot, for those who make one with programs of their own.

use serde_json::{Map, Value, json};

use super::Snapshot;

/// The JSON schema (draft 2020-12) of a snapshot.
pub fn snapshot_schema() -> Value {
    let mut schema = object(&[
        ("schema_version", "The version of this format.", json!({"const": Snapshot::SCHEMA_VERSION})),
        ("taken_at", "When the first question was asked (RFC 3339).", json!({"type": "string", "format": "date-time"})),
        (
            "took_ms",
            "From the first question to the last answer, in milliseconds.",
            json!({"type": "integer", "minimum": 0}),
        ),
        ("cluster_id", "The id of the Kafka cluster.", seen(&text())),
        ("group", "The group of workers, as its coordinator describes it.", seen(&group())),
        ("statuses", "What the status topic claims, as one worker's REST port told it.", seen(&statuses())),
        ("endpoints", "The REST ports that were asked for their version.", list(&endpoint())),
        ("sinks", "The consumer groups of the sinks.", list(&sink())),
    ]);
    if let Value::Object(schema) = &mut schema {
        schema.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        schema.insert("title".into(), "rollgate: what was seen of a Kafka Connect cluster at one moment".into());
    }
    schema
}

fn group() -> Value {
    let member = object(&[
        ("id", "Its member id.", text()),
        ("client_id", "Its client.id.", text()),
        ("host", "The address from which it connects.", text()),
        ("url", "Its advertised REST address.", seen(&text())),
        ("config_offset", "How far it had read the config topic when it joined.", seen(&integer())),
        ("reported", "What it reported to own when it joined.", seen(&work())),
        ("assignment", "What the leader gave it.", seen(&assignment())),
        ("owns", "What it owns by both.", seen(&work())),
    ]);
    object(&[
        ("id", "group.id.", text()),
        ("state", "Where it is in its rebalance, as the broker names it: Stable.", text()),
        ("protocol", "The protocol; null outside Stable.", json!({"anyOf": [text(), {"type": "null"}]})),
        ("coordinator", "The broker that coordinates it, as host:port.", text()),
        ("members", "The members, in the coordinator's order.", list(&member)),
    ])
}

fn assignment() -> Value {
    object(&[
        ("error", "0 for none, 1 if the configs of the members do not agree.", integer()),
        ("leader", "The leader's member id.", text()),
        ("leader_url", "The leader's advertised REST address.", text()),
        ("config_offset", "The offset of the config topic that the leader worked from.", integer()),
        ("assigned", "What is new to it.", work()),
        ("revoked", "What it must stop.", work()),
        (
            "delay_ms",
            "What was left of the delay when the leader computed this.",
            json!({"type": "integer", "minimum": 0}),
        ),
    ])
}

fn work() -> Value {
    object(&[
        ("connectors", "Names of connectors.", list(&text())),
        ("tasks", "Tasks as connector and number.", list(&pair(&text(), &count()))),
    ])
}

fn statuses() -> Value {
    let claimed = object(&[
        ("state", "The state, as Kafka names it: RUNNING.", text()),
        ("worker", "The worker that wrote it, as host:port.", text()),
    ]);
    let connector = object(&[
        ("type", "Source, sink, or unknown to the worker.", json!({"enum": ["source", "sink", "unknown"]})),
        ("instance", "Its instance.", seen(&claimed.clone())),
        ("tasks", "Its tasks by number, as far as the status topic has them.", by_name(&claimed)),
        ("configured_tasks", "The numbers of the tasks that the config topic has.", seen(&list(&count()))),
        ("config_hash", "SHA-256 of its configuration in hexadecimal.", seen(&text())),
        (
            "consumer_group",
            "The consumer group of a sink; null for a source.",
            json!({"anyOf": [text(), {"type": "null"}]}),
        ),
    ]);
    object(&[
        ("asked", "The REST address of the worker that was asked.", text()),
        ("connectors", "The connectors by name.", by_name(&connector)),
    ])
}

fn endpoint() -> Value {
    let version = object(&[
        ("version", "Its Kafka version.", text()),
        ("commit", "The commit of that build.", text()),
        ("kafka_cluster_id", "The id of the Kafka cluster that it works with.", text()),
    ]);
    let words = ["refused", "unreachable", "timed-out", "broken", "forbidden", "unreadable", "certificate"];
    let status = object(&[("status", "Another HTTP status than 200.", count())]);
    let no_answer = json!({"anyOf": [{"enum": words}, status]});
    let mut schema = object(&[
        ("url", "Its address as it was given, without credentials.", text()),
        ("version", "What it said of itself, or why there is no answer.", seen(&version)),
        ("no_answer", "How there was no answer, where there was none.", no_answer),
    ]);
    schema["required"] = json!(["url", "version"]);
    schema
}

fn sink() -> Value {
    let consumer = object(&[
        ("client_id", "Its client.id, which names connector and task.", text()),
        ("partitions", "Its partitions as topic and number.", list(&pair(&text(), &integer()))),
    ]);
    let partition = object(&[
        ("topic", "The topic.", text()),
        ("partition", "The partition's number.", integer()),
        (
            "committed",
            "The committed offset; null if nothing was committed yet.",
            seen(&json!({"anyOf": [integer(), {"type": "null"}]})),
        ),
        ("end", "The end of the partition.", seen(&integer())),
    ]);
    object(&[
        ("connector", "The connector.", text()),
        ("group", "The group's id.", text()),
        ("state", "Its state at its coordinator.", seen(&text())),
        ("consumers", "Its members with what each has.", seen(&list(&consumer))),
        ("partitions", "Where it is in each partition.", seen(&list(&partition))),
    ])
}

/// A map with these keys, all of them required; a newer program may write more.
fn object(keys: &[(&str, &str, Value)]) -> Value {
    let mut properties = Map::new();
    for (name, doc, schema) in keys {
        let mut schema = schema.clone();
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".into(), (*doc).into());
        }
        properties.insert((*name).into(), schema);
    }
    let required: Vec<&str> = keys.iter().map(|(name, ..)| *name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// The value, or why it is not known.
fn seen(value: &Value) -> Value {
    json!({"anyOf": [object(&[("unknown", "Why it is not known.", text())]), value]})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

fn pair(first: &Value, second: &Value) -> Value {
    json!({"type": "array", "prefixItems": [first, second], "minItems": 2, "maxItems": 2})
}

fn by_name(values: &Value) -> Value {
    json!({"type": "object", "additionalProperties": values})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn integer() -> Value {
    json!({"type": "integer"})
}

fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}
