//! What a worker's REST port answers, read.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{Claimed, ConnectorState, ConnectorStatus, ConnectorType, Seen, Statuses, Version};

impl Statuses {
    /// Reads what the worker `asked` answers to `GET /connectors?expand=status&expand=info`
    /// (KIP-465; Kafka 2.3 and later). Fields that are not known are passed over.
    ///
    /// # Errors
    /// Why this is no answer of a worker, as a clause. Nothing of the answer is repeated in it:
    /// configurations may hold secrets.
    pub fn read(asked: &str, json: &str) -> Result<Self, String> {
        let answer: Value = value(json)?;
        let Value::Object(entries) = answer else {
            let what = if answer.is_array() { "a list of names (Connect before 2.3)" } else { "no object" };
            return Err(format!("it answers with {what} where connectors with their statuses are expected"));
        };
        let connectors = entries.into_iter().map(|(name, entry)| {
            let status = connector(&name, entry)?;
            Some((name, status))
        });
        let connectors = connectors.collect::<Option<_>>().ok_or("its JSON is not that of a Connect worker")?;
        Ok(Self { asked: asked.to_owned(), connectors })
    }
}

impl Version {
    /// Reads what a worker answers to `GET /`.
    ///
    /// # Errors
    /// Why this is no answer of a worker, as a clause.
    pub fn read(json: &str) -> Result<Self, String> {
        read(value(json)?).ok_or_else(|| "its JSON is not that of a Connect worker".to_owned())
    }
}

/// `status` of the answer.
#[derive(Deserialize)]
struct Status {
    connector: Claim,
    #[serde(default)]
    tasks: Vec<TaskClaim>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Claim {
    state: ConnectorState,
    #[serde(default)]
    worker_id: String,
}

#[derive(Deserialize)]
struct TaskClaim {
    id: u32,
    #[serde(flatten)]
    claim: Claim,
}

/// `info` of the answer.
#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    config: Map<String, Value>,
    tasks: Vec<TaskName>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct TaskName {
    task: u32,
}

impl From<Claim> for Claimed {
    fn from(claim: Claim) -> Self {
        Self { state: claim.state, worker: claim.worker_id }
    }
}

/// One connector; nothing if the entry holds neither of what was asked for.
fn connector(name: &str, entry: Value) -> Option<ConnectorStatus> {
    let Value::Object(mut entry) = entry else { return None };
    let (status, info) = (entry.remove("status"), entry.remove("info"));
    if status.is_none() && info.is_none() {
        return None;
    }
    let status: Seen<Status> = part(status, "status");
    let info: Seen<Info> = part(info, "info");
    let said = [status.known().and_then(|of| of.kind.as_deref()), info.known().and_then(|of| of.kind.as_deref())];
    let kind = said.into_iter().flatten().map(kind).find(|kind| *kind != ConnectorType::Unknown);
    let kind = kind.unwrap_or(ConnectorType::Unknown);
    let consumer_group = info.known().filter(|_| kind == ConnectorType::Sink).map(|info| group_of_sink(name, info));
    let (configured_tasks, config_hash) = match info {
        Seen::Known(info) => {
            let mut tasks: Vec<u32> = info.tasks.iter().map(|of| of.task).collect();
            tasks.sort_unstable();
            (Seen::Known(tasks), Seen::Known(hash(&info.config)))
        }
        Seen::Unknown(why) => (Seen::Unknown(why.clone()), Seen::Unknown(why)),
    };
    let (instance, tasks) = match status {
        Seen::Known(status) => {
            let tasks = status.tasks.into_iter().map(|task| (task.id, task.claim.into()));
            (Seen::Known(status.connector.into()), tasks.collect())
        }
        Seen::Unknown(why) => (Seen::Unknown(why), BTreeMap::new()),
    };
    Some(ConnectorStatus { kind, instance, tasks, configured_tasks, config_hash, consumer_group })
}

/// A part of an entry, or why it is not known.
fn part<T: DeserializeOwned>(value: Option<Value>, name: &str) -> Seen<T> {
    match value {
        None | Some(Value::Null) => Seen::unknown(format!("the answer holds no {name}")),
        Some(value) => read(value).map_or_else(|| Seen::unknown(format!("its {name} cannot be read")), Seen::Known),
    }
}

/// The consumer group of a sink (`SinkUtils.consumerGroupId`, and KIP-458 for its override).
fn group_of_sink(name: &str, info: &Info) -> String {
    match info.config.get("consumer.override.group.id") {
        Some(Value::String(group)) if !group.is_empty() => group.clone(),
        _ => format!("connect-{name}"),
    }
}

fn kind(word: &str) -> ConnectorType {
    match word {
        "source" => ConnectorType::Source,
        "sink" => ConnectorType::Sink,
        _ => ConnectorType::Unknown,
    }
}

/// SHA-256 of the settings in the order of their names, in hexadecimal.
fn hash(config: &Map<String, Value>) -> String {
    let sorted: BTreeMap<&String, &Value> = config.iter().collect();
    let mut digest = Sha256::new();
    for (key, value) in sorted {
        digest.update(Value::from(key.as_str()).to_string());
        digest.update(":");
        digest.update(value.to_string());
        digest.update("\n");
    }
    let mut hexadecimal = String::new();
    for byte in digest.finalize() {
        _ = write!(hexadecimal, "{byte:02x}");
    }
    hexadecimal
}

fn value(json: &str) -> Result<Value, String> {
    serde_json::from_str(json).map_err(|wrong| {
        if wrong.is_eof() {
            format!("its JSON ends early, at line {}, column {}", wrong.line(), wrong.column())
        } else {
            format!("it answers with something else than JSON (line {}, column {})", wrong.line(), wrong.column())
        }
    })
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statuses(json: &str) -> Statuses {
        Statuses::read("http://w1:8083", json).unwrap()
    }

    fn one(json: &str) -> ConnectorStatus {
        statuses(json).connectors.into_values().next().unwrap()
    }

    #[test]
    fn states_workers_and_configured_tasks_are_read() {
        let orders = one(r#"{"orders": {
            "status": {"name": "orders", "type": "source", "connector": {"state": "RUNNING", "worker_id": "w1:8083"},
                "tasks": [{"id": 1, "state": "FAILED", "worker_id": "w2:8083", "trace": "at …"},
                          {"worker_id": "w1:8083", "id": 0, "state": "UNASSIGNED"}]},
            "info": {"name": "orders", "type": "source", "config": {"tasks.max": "9"},
                "tasks": [{"connector": "orders", "task": 2}, {"connector": "orders", "task": 0}]}}}"#);
        assert_eq!(orders.kind, ConnectorType::Source);
        assert_eq!(orders.instance.known().unwrap().worker, "w1:8083");
        assert_eq!(orders.tasks[&1], Claimed { state: ConnectorState::Failed, worker: "w2:8083".into() });
        assert_eq!(orders.configured_tasks, Seen::Known(vec![0, 2]));
        assert_eq!(orders.consumer_group, None);
    }

    #[test]
    fn fields_and_states_of_newer_versions_hide_nothing() {
        let sink = one(r#"{"s": {"status": {"connector": {"state": "HIBERNATING", "worker_id": "w1:8083",
            "version": "2.0.0"}, "tasks": [], "type": "sink", "new": {}}, "more": [1]}}"#);
        assert_eq!(sink.instance.known().unwrap().state, ConnectorState::Other("HIBERNATING".into()));
    }

    #[test]
    fn what_an_answer_does_not_hold_is_unknown() {
        let sink = one(r#"{"s": {"info": {"config": {}, "tasks": [{"task": 0}], "type": "sink"}}}"#);
        assert_eq!(sink.instance, Seen::unknown("the answer holds no status"));
        assert_eq!(sink.configured_tasks, Seen::Known(vec![0]));
        let sink =
            one(r#"{"s": {"status": {"connector": {"state": "RUNNING", "worker_id": "w1:8083"}, "tasks": []}}}"#);
        assert_eq!(sink.configured_tasks, Seen::unknown("the answer holds no info"));
        assert_eq!((sink.kind, sink.consumer_group), (ConnectorType::Unknown, None));
        let sink = one(r#"{"s": {"status": {"connector": 7}, "info": null}}"#);
        assert_eq!(sink.instance, Seen::unknown("its status cannot be read"));
    }

    #[test]
    fn names_are_taken_as_they_are() {
        let entry = r#"{"status": {"connector": {"state": "RUNNING"}, "tasks": []}}"#;
        let names = ["team/orders sink", "größe+preis", "a->b.MirrorSourceConnector", "with\\rreturn", "100%"];
        let json = names.map(|name| format!("\"{name}\": {entry}")).join(",");
        let mut read: Vec<String> = statuses(&format!("{{{json}}}")).connectors.into_keys().collect();
        read.sort_by_key(|name| names.iter().position(|known| known.replace("\\r", "\r") == *name));
        assert_eq!(read, names.map(|name| name.replace("\\r", "\r")));
    }

    #[test]
    fn the_group_of_a_sink_is_its_override_or_named_after_it() {
        let sink = |config: &str| {
            one(&format!(r#"{{"s 1": {{"info": {{"config": {config}, "tasks": [], "type": "sink"}}}}}}"#))
                .consumer_group
        };
        assert_eq!(sink("{}").unwrap(), "connect-s 1");
        assert_eq!(sink(r#"{"consumer.override.group.id": "mine"}"#).unwrap(), "mine");
    }

    #[test]
    fn the_hash_tells_settings_apart_whatever_their_order() {
        let hash = |config: &str| {
            one(&format!(r#"{{"s": {{"info": {{"config": {config}, "tasks": []}}}}}}"#))
                .config_hash
                .known()
                .unwrap()
                .clone()
        };
        assert_eq!(hash(r#"{"a": "1", "b": "2"}"#), hash(r#"{"b": "2", "a": "1"}"#));
        assert_ne!(hash(r#"{"a": "1", "b": "2"}"#), hash(r#"{"a": "1", "b": "3"}"#));
        assert_ne!(hash(r#"{"a": "1\nb: 2"}"#), hash(r#"{"a": "1", "b": "2"}"#));
        assert_eq!(hash("{}").len(), 64);
    }

    #[test]
    fn what_is_no_answer_of_a_worker_is_refused_without_repeating_it() {
        for (json, words) in [
            ("<html>secret</html>", "something else than JSON (line 1, column 1)"),
            (r#"{"s": {"status""#, "ends early"),
            (r#"["secret"]"#, "a list of names"),
            (r#""secret""#, "no object"),
            (r#"{"error_code": 404, "message": "secret"}"#, "not that of a Connect worker"),
            (r#"{"secret": {"state": "secret"}}"#, "not that of a Connect worker"),
        ] {
            let error = Statuses::read("http://w1:8083", json).unwrap_err();
            assert!(error.contains(words) && !error.contains("secret"), "{json}: {error}");
        }
        assert_eq!(statuses("{}").connectors.len(), 0);
    }

    #[test]
    fn a_worker_says_its_version() {
        let version = Version::read(r#"{"version":"4.4.0","commit":"abc","kafka_cluster_id":"x-Y","new":1}"#).unwrap();
        assert_eq!((version.version.as_str(), version.kafka_cluster_id.as_str()), ("4.4.0", "x-Y"));
        let other = Version::read(r#"{"name": "es-1", "version": {"number": "8.1"}}"#).unwrap_err();
        assert_eq!(other, "its JSON is not that of a Connect worker");
    }
}
