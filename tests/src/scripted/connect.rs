//! What a worker's REST port answers.

use serde_json::{Map, Value, json};

use super::http::Request;
use super::{Connector, Script, Worker};

/// Status and body of the answer.
pub(super) fn answer(script: &Script, worker: &Worker, request: &Request) -> (u16, String) {
    if let Some((user, password)) = &worker.user
        && request.authorization.as_deref() != Some(&basic(user, password))
    {
        return (401, "User cannot access the resource.".to_owned());
    }
    if request.method != "GET" {
        return (405, json!({"error_code": 405, "message": "HTTP 405 Method Not Allowed"}).to_string());
    }
    match request.target.split_once('?').unwrap_or((&request.target, "")) {
        ("/", _) => {
            let version =
                json!({"version": worker.version, "commit": "scripted", "kafka_cluster_id": script.cluster_id});
            (200, version.to_string())
        }
        ("/connectors", query) => (200, connectors(script, query).to_string()),
        (path, _) => (404, json!({"error_code": 404, "message": format!("HTTP 404 Not Found: {path}")}).to_string()),
    }
}

/// A connector without a status record is left out, as Kafka does.
fn connectors(script: &Script, query: &str) -> Value {
    if query.is_empty() {
        return script.connectors.keys().cloned().collect();
    }
    let expands = |what: &str| query.split('&').any(|part| part == format!("expand={what}"));
    let mut all = Map::new();
    for (name, connector) in &script.connectors {
        let Some((state, worker)) = &connector.instance else { continue };
        let mut entry = Map::new();
        if expands("status") {
            let instance = json!({"state": state, "worker_id": script.host_port(worker)});
            entry.insert("status".to_owned(), status(script, name, connector, &instance));
        }
        if expands("info") {
            entry.insert("info".to_owned(), info(name, connector));
        }
        all.insert(name.clone(), Value::Object(entry));
    }
    Value::Object(all)
}

fn status(script: &Script, name: &str, connector: &Connector, instance: &Value) -> Value {
    let tasks: Vec<Value> = connector
        .tasks
        .iter()
        .map(|(id, task)| json!({"id": id, "state": task.state, "worker_id": script.host_port(&task.worker)}))
        .collect();
    json!({"name": name, "connector": instance, "tasks": tasks, "type": connector.kind})
}

fn info(name: &str, connector: &Connector) -> Value {
    let tasks: Vec<Value> = connector.configured.iter().map(|task| json!({"connector": name, "task": task})).collect();
    json!({"name": name, "config": connector.config, "tasks": tasks, "type": connector.kind})
}

/// The header of basic authentication.
fn basic(user: &str, password: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::from("Basic ");
    for three in format!("{user}:{password}").as_bytes().chunks(3) {
        let all = three.iter().enumerate().fold(0_u32, |all, (place, byte)| all | u32::from(*byte) << (16 - 8 * place));
        for place in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * place)) as usize & 63];
            encoded.push(if place > three.len() { '=' } else { letter.into() });
        }
    }
    encoded
}
