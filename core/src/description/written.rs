//! A description as it was written: every value with its place, nothing assumed yet.

use std::collections::BTreeMap;

use super::items::ItemsWritten;
use crate::text::yaml::{Kind, Node};
use crate::text::{Span, Spanned};
use crate::units::{Duration, Spread};

/// A description that is well formed; what it means is decided in `model`.
#[derive(Clone, Debug)]
pub struct Description {
    /// The names of the files it was read from; places refer to them.
    pub files: Vec<String>,
    /// The start of the description.
    pub span: Span,
    /// Everything as it stands in the file, for the places of keys.
    pub tree: Node,
    /// The workers' version.
    pub kafka: Spanned<String>,
    /// The brokers, where given.
    pub broker: BrokerWritten,
    /// Settings of all workers.
    pub settings: SettingsWritten,
    /// The workers.
    pub workers: WorkersWritten,
    /// Keys whose values nobody could see.
    pub assumed: Vec<Spanned<String>>,
    /// The members in the coordinator's order.
    pub group_order: Option<Vec<Spanned<String>>>,
    /// What is left of a delay that runs now.
    pub delay_left: Option<Spanned<Duration>>,
    /// What waits for it.
    pub waiting: Option<ItemsWritten>,
    /// How long ago the last round was.
    pub last_round: Option<Spanned<Duration>>,
    /// The name of the leader.
    pub leader: Option<Spanned<String>>,
    /// How long a restart takes.
    pub restart: RestartWritten,
    /// The connectors.
    pub connectors: Vec<ConnectorWritten>,
    /// What the roll changes.
    pub roll: RollWritten,
    /// What it must respect.
    pub policy: PolicyWritten,
}

impl Description {
    /// Where a key stands, by the keys and places in lists that lead to it, such as `policy`, `wait`;
    /// if it is not written, where the last one stands that is, or the description begins.
    pub fn nearest(&self, path: &[&str]) -> Nearest {
        let mut at = Nearest { span: Span { end: self.span.start, ..self.span }, value: None, written: false };
        let mut node = &self.tree;
        for (depth, step) in path.iter().enumerate() {
            let next = match &node.kind {
                Kind::Map(entries) => {
                    entries.iter().find(|(key, _)| key.text == *step).map(|(key, node)| (key.span, node))
                }
                Kind::List(items) => {
                    step.parse().ok().and_then(|place: usize| items.get(place)).map(|item| (item.span, item))
                }
                Kind::Scalar { .. } => None,
            };
            let Some((span, below)) = next else { return at };
            let value = matches!(below.kind, Kind::Scalar { .. }).then_some(below.span);
            at = Nearest { span, value, written: depth + 1 == path.len() };
            node = below;
        }
        at
    }
}

/// The place of a key, or what comes nearest to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The key's place.
    pub span: Span,
    /// Its value's, if that is a single one.
    pub value: Option<Span>,
    /// Whether the key itself is written.
    pub written: bool,
}

/// The broker side as written.
#[derive(Clone, Debug, Default)]
pub struct BrokerWritten {
    /// The brokers' version.
    pub kafka: Option<Spanned<String>>,
    /// Their settings.
    pub settings: BTreeMap<String, Setting>,
}

/// A setting, the key's place with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The value as text.
    pub value: Spanned<String>,
    /// Where the key stands.
    pub key: Span,
}

/// Settings from a file and beside it.
#[derive(Clone, Debug, Default)]
pub struct SettingsWritten {
    /// What a `.properties` file says, if one is named.
    pub file: Option<BTreeMap<String, Setting>>,
    /// What the description says itself; `protocol` is `connect.protocol`.
    pub inline: BTreeMap<String, Setting>,
    /// What is worth knowing about the file: keys given twice, keys nobody knows.
    pub remarks: Vec<Remark>,
}

/// Something about a `.properties` file that Kafka accepts and a person may not have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The file and the setting.
    pub key: String,
    /// The value that counts.
    pub value: String,
    /// Why it is mentioned, with the lines.
    pub reason: String,
}

/// The workers as written.
#[derive(Clone, Debug)]
pub enum WorkersWritten {
    /// So many equal ones.
    Count(Spanned<u32>),
    /// Each by itself.
    List(Vec<WorkerWritten>),
}

/// A worker as written.
#[derive(Clone, Debug)]
pub struct WorkerWritten {
    /// Where it begins.
    pub span: Span,
    /// Its name.
    pub name: Option<Spanned<String>>,
    /// Its REST address.
    pub url: Option<Spanned<String>>,
    /// Its host.
    pub host: Option<Spanned<String>>,
    /// Its rack.
    pub rack: Option<String>,
    /// Its version.
    pub kafka: Option<Spanned<String>>,
    /// Its own settings.
    pub settings: SettingsWritten,
    /// Its member id.
    pub member: Option<Spanned<String>>,
    /// Whether it leads.
    pub leader: Option<Spanned<bool>>,
    /// What it owns now.
    pub owns: Option<ItemsWritten>,
    /// Whether it is not fit.
    pub unready: bool,
    /// How long its restart takes.
    pub restart: RestartWritten,
}

/// The phases of a restart as written.
#[derive(Clone, Debug, Default)]
pub struct RestartWritten {
    /// SIGTERM to `LeaveGroup`.
    pub stop: Option<Spread>,
    /// `LeaveGroup` to the start of the process.
    pub down: Option<Spread>,
    /// Start of the process to `JoinGroup`.
    pub start: Option<StartWritten>,
    /// SIGTERM to SIGKILL.
    pub grace: Option<Spanned<Duration>>,
}

/// A start as written.
#[derive(Clone, Debug)]
pub enum StartWritten {
    /// As a whole.
    Whole(Spread),
    /// In its parts.
    Parts {
        /// The JVM.
        jvm: Option<Spread>,
        /// The plugin scan.
        plugin_scan: Option<Spread>,
        /// The internal topics.
        topics: Option<Spread>,
    },
}

/// A connector, or many equal ones, as written.
#[derive(Clone, Debug)]
pub struct ConnectorWritten {
    /// Its name, or a pattern with `{n}`.
    pub name: Spanned<String>,
    /// How many.
    pub count: Option<Spanned<u32>>,
    /// `source` or `sink`.
    pub kind: Option<Spanned<String>>,
    /// Its tasks.
    pub tasks: Option<Spanned<u32>>,
    /// Its `tasks.max`.
    pub tasks_max: Option<Spanned<u32>>,
    /// Its state.
    pub state: Option<String>,
    /// Records per second that arrive.
    pub rate: Option<f64>,
    /// Records per second that a task can work off.
    pub capacity: Option<Spanned<f64>>,
    /// Start of a task.
    pub start: Option<Spread>,
    /// Stop of a task.
    pub stop: Option<Spread>,
    /// Whether it delivers exactly once.
    pub exactly_once: Option<Spanned<bool>>,
    /// The second wave.
    pub reconfigures_after: Option<Spread>,
    /// Partitions of a sink.
    pub partitions: Option<Spanned<u32>>,
    /// Consumers of a sink.
    pub consumer: Option<ConsumerWritten>,
}

/// The consumers of a sink as written.
#[derive(Clone, Debug)]
pub struct ConsumerWritten {
    /// Where it stands.
    pub span: Span,
    /// The assignor.
    pub assignor: Option<Spanned<String>>,
    /// `session.timeout.ms`.
    pub session_timeout: Option<Spanned<String>>,
    /// `heartbeat.interval.ms`.
    pub heartbeat_interval: Option<Spanned<String>>,
}

/// What the roll changes, as written.
#[derive(Clone, Debug, Default)]
pub struct RollWritten {
    /// For all workers.
    pub all: ChangeWritten,
    /// For one worker, by name.
    pub workers: Vec<(Spanned<String>, ChangeWritten)>,
}

/// New version and settings, as written.
#[derive(Clone, Debug, Default)]
pub struct ChangeWritten {
    /// The new version.
    pub kafka: Option<Spanned<String>>,
    /// The new settings.
    pub settings: SettingsWritten,
}

/// A largest share as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaxShareWritten {
    /// That of the worker that has most.
    OneWorker,
    /// A part of one.
    Part(f64),
}

/// The policy as written.
#[derive(Clone, Debug, Default)]
pub struct PolicyWritten {
    /// The largest share.
    pub max_share: Option<MaxShareWritten>,
    /// Longest unassigned time.
    pub max_unassigned: Option<Duration>,
    /// Largest backlog.
    pub max_lag: Option<Spanned<u32>>,
    /// Longest roll.
    pub window: Option<Spanned<Duration>>,
    /// Stopped at once.
    pub at_once: Option<Spanned<u32>>,
    /// `back`, `settled` or a time, as text.
    pub wait: Option<Spanned<String>>,
    /// Restarts during a delay.
    pub during_delay: Option<bool>,
    /// The leader once more.
    pub leader_again: Option<bool>,
}
