//! A story: how a cluster looks before a restart and through it, written as what changes.
//!
//! ```yaml
//! members:                      # the baseline; the first line leads unless `leader` says who
//!   - w1 orders orders-0        # owns the connector and a task
//!   - w2 orders-1..3            # owns three tasks
//! restarts: w2
//! looks:
//!   - at: 0                     # seconds since the gate began
//!     is: not-yet calm          # the verdict, and the kinds of all reasons
//!   - at: 12
//!     begin: true               # somebody begins the restart, just before the look
//!     members: [w1 orders orders-0]
//!     delay: 20                 # seconds, as the members were told
//!     write: {orders-1..3: UNASSIGNED@w2}
//!     is: …
//!   - at: 30
//!     members: [w1 orders orders-0, 'w2#2 +orders-1..3']
//! ```
//!
//! What a look does not say stays as it was, as the status topic does. `w2#2` is the second life
//! of w2; `+` comes with this round, `-` is revoked in it. In the baseline every task that is
//! owned is configured and RUNNING at its owner, unless `write` says otherwise.

use std::collections::{BTreeMap, BTreeSet};

use rollgate_core::gate::{Conditions, Foreseen, Limits};
use rollgate_core::snapshot::{
    Assignment, Claimed, ConnectorState, ConnectorStatus, ConnectorType, Consumer, Endpoint, Group, GroupState, Member,
    NoAnswer, Partition, Seen, SinkGroup, Snapshot, Statuses, Version, WorkItems,
};
use rollgate_core::units::Timestamp;
use serde::Deserialize;

/// A story as it is written.
#[derive(Deserialize)]
pub(crate) struct Story {
    /// What it shows.
    #[serde(default)]
    pub(crate) about: String,
    /// The worker or workers of the step.
    pub(crate) restarts: Words,
    /// Differences to the default conditions, as JSON has them.
    #[serde(default)]
    pub(crate) conditions: serde_json::Value,
    #[serde(default)]
    pub(crate) limits: Limits,
    /// Kinds of reasons that a person overrules in the step.
    #[serde(default)]
    pub(crate) accept: Words,
    /// The cluster before the roll.
    #[serde(flatten)]
    pub(crate) baseline: Change,
    pub(crate) looks: Vec<Look>,
}

/// One look or several alike.
#[derive(Deserialize)]
pub(crate) struct Look {
    /// Seconds since the gate began, once or several times.
    pub(crate) at: OneOrMore<f64>,
    /// The steady clock, if it differs: seconds.
    pub(crate) steady: Option<f64>,
    /// The gate was written to a file and is read by another process.
    #[serde(default)]
    pub(crate) resume: bool,
    /// The restart begins before it.
    #[serde(default)]
    pub(crate) begin: bool,
    /// Nobody could look.
    #[serde(default)]
    pub(crate) missed: bool,
    /// How old the snapshot is, in seconds.
    #[serde(default)]
    pub(crate) age: f64,
    pub(crate) foreseen: Option<Foreseen>,
    /// The verdict and the kinds of all reasons.
    pub(crate) is: String,
    #[serde(flatten)]
    pub(crate) change: Change,
}

/// What is from now on.
#[derive(Default, Deserialize)]
pub(crate) struct Change {
    pub(crate) members: Option<Vec<String>>,
    /// The group's state.
    pub(crate) group: Option<String>,
    pub(crate) protocol: Option<String>,
    pub(crate) leader: Option<String>,
    /// Seconds.
    pub(crate) delay: Option<f64>,
    pub(crate) config_offset: Option<i64>,
    /// Statuses by connector or tasks; `gone` takes one away.
    #[serde(default)]
    pub(crate) write: BTreeMap<String, String>,
    /// Numbers of tasks in the config topic, by connector.
    #[serde(default)]
    pub(crate) configured: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) config: BTreeMap<String, String>,
    /// Names of sinks.
    #[serde(default)]
    pub(crate) kinds: BTreeMap<String, ConnectorType>,
    /// Which worker tells the statuses.
    pub(crate) asked: Option<String>,
    /// REST ports: `up` or how there is no answer.
    #[serde(default)]
    pub(crate) ports: BTreeMap<String, String>,
    /// By sink: `task: partitions` each as `topic-number`, and `lag`.
    #[serde(default)]
    pub(crate) sinks: BTreeMap<String, SinkWritten>,
    /// Parts that are unknown: `group`, `statuses`, `cluster`, `owns NAME`, `states NAME`.
    pub(crate) unknown: Option<Vec<String>>,
    pub(crate) cluster: Option<String>,
    pub(crate) group_id: Option<String>,
}

/// A consumer group as it is written.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SinkWritten {
    /// Its state; `Stable` if nothing is said.
    pub(crate) state: Option<String>,
    /// What each consumer reads, as numbers of partitions.
    #[serde(default)]
    pub(crate) reads: Vec<String>,
    /// Records behind, by partition; all partitions with offsets are named.
    #[serde(default)]
    pub(crate) behind: BTreeMap<i32, i64>,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

/// Words as a list or as one line.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Words {
    Line(String),
    List(Vec<String>),
}

impl Default for Words {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Words {
    pub(crate) fn list(&self) -> Vec<&str> {
        match self {
            Self::Line(line) => line.split_whitespace().collect(),
            Self::List(list) => list.iter().map(String::as_str).collect(),
        }
    }
}

impl<T: Copy> OneOrMore<T> {
    pub(crate) fn list(&self) -> Vec<T> {
        match self {
            Self::One(one) => vec![*one],
            Self::More(more) => more.clone(),
        }
    }
}

impl Story {
    /// Reads a story. A key that nobody knows is a mistake.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let value: serde_yaml::Value = serde_yaml::from_str(text).map_err(|wrong| wrong.to_string())?;
        let looks = value.get("looks").and_then(|looks| looks.as_sequence());
        let keys = |value: &serde_yaml::Value| -> Vec<String> {
            let keys = value.as_mapping().into_iter().flat_map(|mapping| mapping.keys());
            keys.filter_map(|key| key.as_str()).map(str::to_owned).collect()
        };
        let of_looks = looks.into_iter().flatten().flat_map(keys).map(|key| (key, LOOK));
        for (key, known) in keys(&value).into_iter().map(|key| (key, STORY)).chain(of_looks) {
            if !known.contains(&key.as_str()) && !CHANGE.contains(&key.as_str()) {
                return Err(format!("nobody knows the key `{key}`"));
            }
        }
        serde_yaml::from_str(text).map_err(|wrong| wrong.to_string())
    }

    pub(crate) fn conditions(&self) -> Conditions {
        let mut all = serde_json::to_value(Conditions::default()).expect("conditions are data");
        merge(&mut all, &self.conditions);
        serde_json::from_value(all).unwrap_or_else(|wrong| panic!("conditions: {wrong}"))
    }
}

fn merge(into: &mut serde_json::Value, from: &serde_json::Value) {
    match (into, from) {
        (serde_json::Value::Object(into), serde_json::Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key.clone()).or_insert(serde_json::Value::Null), value);
            }
        }
        (_, serde_json::Value::Null) => {}
        (into, from) => *into = from.clone(),
    }
}

/// The cluster as a story has it now.
#[derive(Default)]
pub(crate) struct Cluster {
    members: Vec<String>,
    state: Option<String>,
    protocol: Option<String>,
    leader: Option<String>,
    delay: f64,
    config_offset: i64,
    statuses: BTreeMap<String, (Option<Claimed>, BTreeMap<u32, Claimed>)>,
    configured: BTreeMap<String, BTreeSet<u32>>,
    config: BTreeMap<String, String>,
    kinds: BTreeMap<String, ConnectorType>,
    asked: String,
    ports: BTreeMap<String, String>,
    sinks: BTreeMap<String, SinkWritten>,
    unknown: Vec<String>,
    kafka: String,
    group_id: String,
}

impl Cluster {
    /// The cluster before the roll: what is owned runs.
    pub(crate) fn of(baseline: &Change) -> Self {
        let mut cluster =
            Self { asked: "w1".into(), kafka: "kafka-1".into(), group_id: "connect".into(), ..Self::default() };
        for line in baseline.members.iter().flatten() {
            let mut words = line.split_whitespace();
            let worker = words.next().unwrap_or_default().split('#').next().unwrap_or_default().to_owned();
            for (connector, task) in words.flat_map(items) {
                let running = Claimed { state: ConnectorState::Running, worker: format!("{worker}:8083") };
                let entry = cluster.statuses.entry(connector.clone()).or_default();
                let configured = cluster.configured.entry(connector).or_default();
                match task {
                    Some(task) => {
                        entry.1.insert(task, running);
                        configured.insert(task);
                    }
                    None => entry.0 = Some(running),
                }
            }
        }
        cluster.change(baseline);
        cluster
    }

    /// What changes.
    pub(crate) fn change(&mut self, change: &Change) {
        if let Some(members) = &change.members {
            self.members.clone_from(members);
            // A round without a delay says so.
            self.delay = 0.0;
        }
        self.state = change.group.clone().or(self.state.take());
        self.protocol = change.protocol.clone().or(self.protocol.take());
        self.leader = change.leader.clone().or(self.leader.take());
        self.delay = change.delay.unwrap_or(self.delay);
        self.config_offset = change.config_offset.unwrap_or(self.config_offset);
        for (word, written) in &change.write {
            for (connector, task) in items(word) {
                let entry = self.statuses.entry(connector.clone()).or_default();
                self.configured.entry(connector).or_default();
                let claimed = written.rsplit_once('@').map(|(state, worker)| Claimed {
                    state: serde_json::from_value(state.into()).expect("a state"),
                    worker: format!("{worker}:8083"),
                });
                match (task, claimed) {
                    (Some(task), Some(claimed)) => _ = entry.1.insert(task, claimed),
                    (Some(task), None) => _ = entry.1.remove(&task),
                    (None, claimed) => entry.0 = claimed,
                }
            }
        }
        for (connector, numbers) in &change.configured {
            let numbers = numbers.split_whitespace().flat_map(|word| items(&format!("{connector}-{word}")));
            let numbers: BTreeSet<u32> = numbers.filter_map(|(_, task)| task).collect();
            self.configured.insert(connector.clone(), numbers);
        }
        self.config.extend(change.config.clone());
        self.kinds.extend(change.kinds.clone());
        self.asked = change.asked.clone().unwrap_or(std::mem::take(&mut self.asked));
        self.ports.extend(change.ports.clone());
        self.sinks.extend(change.sinks.clone());
        self.unknown = change.unknown.clone().unwrap_or(std::mem::take(&mut self.unknown));
        self.kafka = change.cluster.clone().unwrap_or(std::mem::take(&mut self.kafka));
        self.group_id = change.group_id.clone().unwrap_or(std::mem::take(&mut self.group_id));
    }

    fn lacks(&self, what: &str) -> bool {
        self.unknown.iter().any(|unknown| unknown == what)
    }

    /// What one sees of it.
    pub(crate) fn snapshot(&self, taken_at: Timestamp) -> Snapshot {
        let seen = |lacks: bool| if lacks { Some("nobody answers") } else { None };
        Snapshot {
            schema_version: Snapshot::SCHEMA_VERSION,
            taken_at,
            took_ms: 12,
            cluster_id: known_or(seen(self.lacks("cluster")), || self.kafka.clone()),
            group: known_or(seen(self.lacks("group")), || self.group()),
            statuses: known_or(seen(self.lacks("statuses")), || self.statuses()),
            endpoints: self.ports.iter().map(|(worker, how)| self.endpoint(worker, how)).collect(),
            sinks: self.sinks.iter().map(|(name, sink)| sink.group(name, self.lacks("sinks"))).collect(),
        }
    }

    fn group(&self) -> Group {
        let state = GroupState::named(self.state.as_deref().unwrap_or("Stable"));
        let stable = state == GroupState::Stable;
        let first = self.members.first().and_then(|line| line.split_whitespace().next()).unwrap_or_default();
        let leader = self.leader.as_deref().unwrap_or(first);
        let outside = "the group is in a rebalance";
        let member = |line: &String| {
            let mut words = line.split_whitespace();
            let id = words.next().unwrap_or_default();
            let name = id.split('#').next().unwrap_or_default();
            let (mut owned, mut new, mut revoked) = (WorkItems::default(), WorkItems::default(), WorkItems::default());
            for word in words {
                let (sign, word) = match word.split_at(1) {
                    ("+", word) => ('+', word),
                    ("-", word) => ('-', word),
                    _ => (' ', word),
                };
                for (connector, task) in items(word) {
                    match sign {
                        '-' => push(&mut revoked, &connector, task),
                        '+' => {
                            push(&mut new, &connector, task);
                            push(&mut owned, &connector, task);
                        }
                        _ => push(&mut owned, &connector, task),
                    }
                }
            }
            let lacks = self.lacks(&format!("owns {name}"));
            let hidden = if !stable {
                Some(outside)
            } else if lacks {
                Some("its bytes cannot be read")
            } else {
                None
            };
            Member {
                id: format!("connect-{id}"),
                client_id: format!("connect-{name}"),
                host: "192.0.2.1".to_owned(),
                url: known_or(hidden.filter(|_| !lacks), || format!("http://{name}:8083/")),
                config_offset: known_or(hidden, || self.config_offset),
                reported: Seen::Known(WorkItems::default()),
                assignment: known_or(hidden, || Assignment {
                    error: 0,
                    leader: format!("connect-{leader}"),
                    leader_url: format!("http://{}:8083/", leader.split('#').next().unwrap_or_default()),
                    config_offset: self.config_offset,
                    assigned: new.clone(),
                    revoked: revoked.clone(),
                    delay_ms: millis(self.delay),
                }),
                owns: known_or(hidden, || owned.clone()),
            }
        };
        Group {
            id: self.group_id.clone(),
            state,
            protocol: stable.then(|| self.protocol.clone().unwrap_or("sessioned".to_owned())),
            coordinator: "192.0.2.1:9092".to_owned(),
            members: self.members.iter().map(member).collect(),
        }
    }

    fn statuses(&self) -> Statuses {
        let status = |(name, (instance, tasks)): (&String, &(Option<Claimed>, BTreeMap<u32, Claimed>))| {
            let hidden = self.lacks(&format!("states {name}")).then_some("the answer has no status");
            let instance = instance.clone()?;
            let configured = self.configured.get(name).into_iter().flatten().copied().collect();
            let kind = self.kinds.get(name).copied().unwrap_or(ConnectorType::Source);
            Some((
                name.clone(),
                ConnectorStatus {
                    kind,
                    instance: known_or(hidden, || instance.clone()),
                    tasks: if hidden.is_some() { BTreeMap::new() } else { tasks.clone() },
                    configured_tasks: Seen::Known(configured),
                    config_hash: Seen::Known(self.config.get(name).cloned().unwrap_or("a1b2".to_owned())),
                    consumer_group: (kind == ConnectorType::Sink).then(|| format!("connect-{name}")),
                },
            ))
        };
        let asked = format!("http://{}:8083/", self.asked);
        Statuses { asked, connectors: self.statuses.iter().filter_map(status).collect() }
    }

    fn endpoint(&self, worker: &str, how: &str) -> Endpoint {
        let no_answer = match how {
            "up" => None,
            "404" => Some(NoAnswer::Status(404)),
            how => Some(serde_json::from_value(how.into()).expect("how a port does not answer")),
        };
        let version = || Version {
            version: "4.3.1".to_owned(),
            commit: "d3adb33f".to_owned(),
            kafka_cluster_id: self.kafka.clone(),
        };
        let version = known_or(no_answer.map(|_| "no answer"), version);
        Endpoint { url: format!("http://{worker}:8083"), version, no_answer }
    }
}

impl SinkWritten {
    fn group(&self, connector: &str, unknown: bool) -> SinkGroup {
        let why = unknown.then_some("the broker refuses: DESCRIBE on the group is missing");
        let consumer = |(place, reads): (usize, &String)| Consumer {
            client_id: format!("connector-consumer-{connector}-{place}"),
            partitions: reads
                .split_whitespace()
                .map(|number| ("t".to_owned(), number.parse().expect("a number")))
                .collect(),
        };
        let partition = |(number, behind): (&i32, &i64)| Partition {
            topic: "t".to_owned(),
            partition: *number,
            committed: Seen::Known(Some(1_000)),
            end: Seen::Known(1_000 + behind),
        };
        SinkGroup {
            connector: connector.to_owned(),
            group: format!("connect-{connector}"),
            state: known_or(why, || GroupState::named(self.state.as_deref().unwrap_or("Stable"))),
            consumers: known_or(why, || self.reads.iter().enumerate().map(consumer).collect()),
            partitions: known_or(why, || self.behind.iter().map(partition).collect()),
        }
    }
}

fn known_or<T>(why: Option<&str>, value: impl FnOnce() -> T) -> Seen<T> {
    match why {
        Some(why) => Seen::unknown(why),
        None => Seen::Known(value()),
    }
}

fn push(work: &mut WorkItems, connector: &str, task: Option<u32>) {
    match task {
        Some(task) => work.tasks.push((connector.to_owned(), task)),
        None => work.connectors.push(connector.to_owned()),
    }
}

/// `orders` a connector, `orders-3` a task, `orders-0..3` four tasks.
pub(crate) fn items(word: &str) -> Vec<(String, Option<u32>)> {
    let of =
        |name: &str, tasks: std::ops::RangeInclusive<u32>| tasks.map(|task| (name.to_owned(), Some(task))).collect();
    if let Some((name, numbers)) = word.rsplit_once('-') {
        if let Ok(number) = numbers.parse() {
            return of(name, number..=number);
        }
        if let Some((Ok(first), Ok(last))) = numbers.split_once("..").map(|(a, b)| (a.parse(), b.parse())) {
            return of(name, first..=last);
        }
    }
    vec![(word.to_owned(), None)]
}

#[expect(clippy::cast_possible_truncation, reason = "stories last minutes")]
pub(crate) fn millis(seconds: f64) -> i64 {
    (seconds * 1_000.0).round() as i64
}

const STORY: &[&str] = &["about", "restarts", "conditions", "limits", "accept", "looks"];
const LOOK: &[&str] = &["at", "steady", "resume", "begin", "missed", "age", "foreseen", "is"];
const CHANGE: &[&str] = &[
    "members",
    "group",
    "protocol",
    "leader",
    "delay",
    "config_offset",
    "write",
    "configured",
    "config",
    "kinds",
    "asked",
    "ports",
    "sinks",
    "unknown",
    "cluster",
    "group_id",
];
