//! The JSON schema of descriptions and replay files, made of the same tables that the
//! reader checks against.

use serde_json::{Map, Value, json};

use super::keys::DESCRIPTION;
use super::replay_keys::REPLAY_FILE;
use super::shape::{Key, Leaf, Shape};

/// The JSON schema (draft 2020-12) of a description.
pub fn description_schema() -> Value {
    titled(&DESCRIPTION, "rollgate: a Kafka Connect cluster and what its roll must respect")
}

/// The JSON schema (draft 2020-12) of a replay file.
pub fn replay_schema() -> Value {
    titled(&REPLAY_FILE, "rollgate: what is known of a group of Kafka Connect workers, and what happened to it")
}

fn titled(shape: &Shape, title: &str) -> Value {
    let mut schema = of(shape);
    if let Value::Object(schema) = &mut schema {
        schema.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        schema.insert("title".into(), title.into());
    }
    schema
}

fn of(shape: &Shape) -> Value {
    match shape {
        Shape::Map(keys) => map(keys, &json!(false)),
        Shape::Settings(keys) => map(keys, &leaf(Leaf::Setting)),
        Shape::Names(shape) => json!({"type": "object", "additionalProperties": of(shape)}),
        Shape::List(shape) => json!({"type": "array", "items": of(shape)}),
        Shape::Filled(shape) => json!({"type": "array", "items": of(shape), "minItems": 1}),
        Shape::Leaf(kind) => leaf(*kind),
        Shape::Any(shapes) => json!({"anyOf": shapes.iter().map(|shape| of(shape)).collect::<Vec<_>>()}),
    }
}

fn map(keys: &[Key], others: &Value) -> Value {
    let mut properties = Map::new();
    for key in keys {
        let mut schema = of(key.shape);
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".into(), key.doc.into());
        }
        properties.insert(key.name.into(), schema);
    }
    let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": others});
    if let Value::Object(schema) = &mut schema
        && !required.is_empty()
    {
        schema.insert("required".into(), json!(required));
    }
    schema
}

fn leaf(kind: Leaf) -> Value {
    let time = |pattern: String| json!({"type": ["string", "integer"], "pattern": pattern, "minimum": 0, "maximum": 0});
    match kind {
        Leaf::Name => json!({"type": "string", "minLength": 1}),
        Leaf::Version => json!({"type": ["string", "number"]}),
        Leaf::Count(min, max) => json!({"type": "integer", "minimum": min, "maximum": max}),
        Leaf::Time => time(format!("^{TIME}$")),
        Leaf::SignedTime => time(format!("^-?{TIME}$")),
        Leaf::Spread => time(format!(r"^{TIME}(\.\. *{TIME})?$")),
        Leaf::Share => json!({"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)? *%$"}),
        Leaf::Rate => json!({"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)? */ *(us|ms|s|sec|m|min|h|d)$"}),
        Leaf::Flag => json!({"type": "boolean"}),
        Leaf::Words(words) => json!({"enum": words}),
        Leaf::Setting => json!({"type": ["string", "number", "boolean"]}),
        Leaf::Null => json!({"type": "null"}),
    }
}

/// A time: numbers, each with its unit; or 0.
const TIME: &str = r"(0|([0-9]+(\.[0-9]+)? *(us|µs|ms|s|sec|m|min|h|d) *)+)";
