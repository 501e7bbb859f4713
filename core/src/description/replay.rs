//! A replay file as it was written.

use super::items::{ItemsWritten, items, names};
use super::read::{SOME_VERSION, connector, count, flag, named, number, time, tree, word};
use super::replay_keys::REPLAY_FILE;
use super::settings;
use super::written::{BrokerWritten, ConnectorWritten, SettingsWritten};
use crate::text::yaml::Node;
use crate::text::{DescriptionError, Errors, Files, Span, Spanned};
use crate::units::Duration;

/// A replay file that is well formed; what it means is decided in `model`.
///
/// Times are from time 0 of the replay and may be negative.
#[derive(Clone, Debug)]
pub struct ReplayFile {
    /// The names of the files it was read from; places refer to them.
    pub files: Vec<String>,
    /// The workers' version.
    pub kafka: Spanned<String>,
    /// The brokers.
    pub broker: BrokerWritten,
    /// Settings of all workers.
    pub settings: SettingsWritten,
    /// Workers that differ.
    pub workers: Vec<(Spanned<String>, RunsWritten)>,
    /// The connectors at time 0.
    pub connectors: Vec<ConnectorWritten>,
    /// When the last round completed.
    pub last_round: Option<Spanned<Duration>>,
    /// Its generation.
    pub generation: Option<Spanned<u32>>,
    /// What the leader remembers.
    pub memory: Option<MemoryWritten>,
    /// Buckets of the coordinator's map.
    pub map_buckets: Option<Spanned<u32>>,
    /// The members at time 0.
    pub members: Vec<MemberWritten>,
    /// The place of the members.
    pub members_span: Span,
    /// What happened.
    pub events: Vec<EventWritten>,
    /// What was seen.
    pub observed: Vec<ObservedWritten>,
}

/// Version and settings of a process as written.
#[derive(Clone, Debug, Default)]
pub struct RunsWritten {
    /// The version.
    pub kafka: Option<Spanned<String>>,
    /// The settings.
    pub settings: SettingsWritten,
}

/// The leader's memory as written.
#[derive(Clone, Debug)]
pub struct MemoryWritten {
    /// What waits.
    pub lost: ItemsWritten,
    /// When the delay ends.
    pub due: Option<Spanned<Duration>>,
    /// Who will get it.
    pub candidates: Vec<Spanned<String>>,
    /// What was revoked.
    pub revoked: ItemsWritten,
    /// Whether that was to even out the load.
    pub revoked_last: bool,
}

/// A member as written.
#[derive(Clone, Debug)]
pub struct MemberWritten {
    /// Its id.
    pub id: Spanned<String>,
    /// Its worker.
    pub worker: Spanned<String>,
    /// Whether it leads.
    pub leader: Option<Spanned<bool>>,
    /// What it owns.
    pub owns: ItemsWritten,
}

/// An event as written.
#[derive(Clone, Debug)]
pub struct EventWritten {
    /// When.
    pub at: Spanned<Duration>,
    /// What.
    pub kind: EventKindWritten,
}

/// What happened, as written.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a file has few events")]
pub enum EventKindWritten {
    /// A member left.
    Leave(Spanned<String>),
    /// A process joined.
    Join {
        /// Its new id.
        id: Spanned<String>,
        /// Its worker.
        worker: Spanned<String>,
        /// What its restart changed, if anything.
        runs: Option<RunsWritten>,
        /// What it reports, if it lived on.
        owns: Option<ItemsWritten>,
    },
    /// A session ran out.
    Expire(Spanned<String>),
    /// A member's `JoinGroup` was seen.
    Rejoin(Spanned<String>),
    /// A process was killed.
    Kill(Spanned<String>),
    /// A process stands still.
    Freeze(Spanned<String>),
    /// A process goes on.
    Thaw(Spanned<String>),
    /// Connectors changed; `None` deletes.
    Config(Vec<(Spanned<String>, Option<ConnectorWritten>)>),
    /// The coordinator went away (`true`), or is back.
    Coordinator(Spanned<bool>),
}

/// An observed round as written.
#[derive(Clone, Debug)]
pub struct ObservedWritten {
    /// When it completed.
    pub at: Spanned<Duration>,
    /// Its generation.
    pub generation: Spanned<u32>,
    /// Who got the assignment.
    pub synced: Option<Vec<Spanned<String>>>,
}

impl ReplayFile {
    /// Reads a replay file from `main` and the files that it names.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn parse(files: &Files, main: &str) -> Result<Self, Vec<DescriptionError>> {
        let (read, errors) = Self::read(files, main);
        errors.finish(read)
    }

    /// As much of a replay file as can be read, and what is wrong with it.
    pub(crate) fn read(files: &Files, main: &str) -> (Option<Self>, Errors) {
        let mut errors = Errors::new(vec![main.to_owned()]);
        let read = tree(files, main, &REPLAY_FILE, "the replay file", &mut errors)
            .and_then(|root| Some(replay(root.get("replay")?, files, &mut errors)));
        (read, errors)
    }
}

fn replay(node: &Node, files: &Files, errors: &mut Errors) -> ReplayFile {
    let broker = node.get("broker").map(|node| super::read::broker(node, errors)).unwrap_or_default();
    let settings = settings::read(node, files, errors);
    let differ = node.get("workers").map(Node::entries).unwrap_or_default();
    let workers = differ.iter().map(|(key, node)| (named(key), runs(node, files, errors))).collect();
    let connectors = node.get("connectors").map(Node::entries).unwrap_or_default();
    let events = list(node, "events").iter().filter_map(|node| event(node, files, errors)).collect();
    let members = node.get("members");
    ReplayFile {
        files: errors.files().to_vec(),
        kafka: word(node, "kafka").unwrap_or(Spanned::new(SOME_VERSION.to_owned(), node.span)),
        broker,
        settings,
        workers,
        connectors: connectors.iter().map(|(key, node)| connector(node, named(key))).collect(),
        last_round: node.get("last_round").and_then(time),
        generation: number(node, "generation"),
        memory: node.get("memory").map(memory),
        map_buckets: number(node, "map_buckets"),
        members: members.map(Node::items).unwrap_or_default().iter().filter_map(member).collect(),
        members_span: members.map_or(node.span, |members| members.span),
        events,
        observed: list(node, "observed").iter().filter_map(observed).collect(),
    }
}

fn runs(node: &Node, files: &Files, errors: &mut Errors) -> RunsWritten {
    RunsWritten { kafka: word(node, "kafka"), settings: settings::read(node, files, errors) }
}

fn memory(node: &Node) -> MemoryWritten {
    MemoryWritten {
        lost: items(node.get("lost")),
        due: node.get("due").and_then(time),
        candidates: names(node.get("candidates")),
        revoked: items(node.get("revoked")),
        revoked_last: flag(node, "revoked_last").is_some_and(|flag| flag.value),
    }
}

fn member(node: &Node) -> Option<MemberWritten> {
    Some(MemberWritten {
        id: word(node, "id")?,
        worker: word(node, "worker")?,
        leader: flag(node, "leader"),
        owns: items(node.get("owns")),
    })
}

fn event(node: &Node, files: &Files, errors: &mut Errors) -> Option<EventWritten> {
    let has = |key: &&&str| node.get(key).is_some();
    let kinds: Vec<&&str> = EVENT_KINDS.iter().filter(has).collect();
    let [kind] = kinds.as_slice() else {
        let said = super::shape::listed(EVENT_KINDS);
        errors.add(
            node.span,
            match kinds.as_slice() {
                [first, second, ..] => format!("an event is one thing: `{first}` and `{second}` are two events"),
                _ => format!("it is not said what happened; an event is one of {said}"),
            },
        );
        return None;
    };
    if let Some((key, _)) = node.entries().iter().find(|(key, _)| **kind != "join" && JOIN_KEYS.contains(&&*key.text)) {
        errors.add(key.span, format!("`{}` goes with `join`, and this event is `{kind}`", key.text));
    }
    let at = node.get("at").and_then(time)?;
    let who = word(node, kind);
    let kind = match **kind {
        "leave" => EventKindWritten::Leave(who?),
        "join" => join(node, who?, files, errors)?,
        "expire" => EventKindWritten::Expire(who?),
        "rejoin" => EventKindWritten::Rejoin(who?),
        "kill" => EventKindWritten::Kill(who?),
        "freeze" => EventKindWritten::Freeze(who?),
        "thaw" => EventKindWritten::Thaw(who?),
        "coordinator" => EventKindWritten::Coordinator(who?.map(|word| word == "away")),
        _ => {
            let connectors = node.get("config")?.get("connectors")?.entries();
            let changed = |node: &Node, name| (!node.is_null()).then(|| connector(node, name));
            EventKindWritten::Config(
                connectors.iter().map(|(key, node)| (named(key), changed(node, named(key)))).collect(),
            )
        }
    };
    Some(EventWritten { at, kind })
}

fn join(node: &Node, id: Spanned<String>, files: &Files, errors: &mut Errors) -> Option<EventKindWritten> {
    let Some(worker) = word(node, "worker") else {
        errors.add_with_help(id.span, "it is not said whose process joined", "add `worker`");
        return None;
    };
    let changes = ["kafka", "protocol", "settings", "settings_from"].iter().any(|key| node.get(key).is_some());
    Some(EventKindWritten::Join {
        id,
        worker,
        runs: changes.then(|| runs(node, files, errors)),
        owns: node.get("owns").map(|owns| items(Some(owns))),
    })
}

fn observed(node: &Node) -> Option<ObservedWritten> {
    Some(ObservedWritten {
        at: node.get("at").and_then(time)?,
        generation: node.get("generation").and_then(count)?,
        synced: node.get("synced").map(|synced| names(Some(synced))),
    })
}

fn list<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key).map(Node::items).unwrap_or_default()
}

/// The keys of which an event has exactly one.
const EVENT_KINDS: [&str; 9] = ["leave", "join", "expire", "rejoin", "kill", "freeze", "thaw", "config", "coordinator"];

/// The keys that say more of a join.
const JOIN_KEYS: [&str; 6] = ["worker", "kafka", "protocol", "settings", "settings_from", "owns"];
