//! From a checked tree to a description. What is broken was reported by the check and is
//! left out here, so that everything that is wrong comes at once.

use super::items::{items, names};
use super::overrides::{self, Override};
use super::shape::{self, Shape};
use super::value;
use super::written::{
    BrokerWritten, ChangeWritten, ConnectorWritten, ConsumerWritten, Description, MaxShareWritten, PolicyWritten,
    RestartWritten, RollWritten, StartWritten, WorkerWritten, WorkersWritten,
};
use super::{keys, settings};
use crate::text::yaml::{Key, Kind, Node};
use crate::text::{DescriptionError, Errors, Files, Span, Spanned, yaml};
use crate::units::{Duration, Spread};

impl Description {
    /// Reads a description from the file `main` and the files that it names.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn parse(files: &Files, main: &str) -> Result<Self, Vec<DescriptionError>> {
        let (read, errors) = Self::read(files, main);
        errors.finish(read)
    }

    /// As much of a description as can be read, and what is wrong with it: what remains is
    /// checked too, so that everything wrong comes at once.
    pub(crate) fn read(files: &Files, main: &str) -> (Option<Self>, Errors) {
        Self::read_with(files, main, &[], &mut Vec::new())
    }

    /// The same with overrides in the place of what the file says. Where they replace what the
    /// file says elsewhere, a sentence in `notes` tells.
    pub(crate) fn read_with(
        files: &Files,
        main: &str,
        sets: &[&Override],
        notes: &mut Vec<String>,
    ) -> (Option<Self>, Errors) {
        let mut errors = Errors::new(vec![main.to_owned()]);
        let mut change = |root: &mut Node, errors: &mut Errors| notes.extend(overrides::apply(root, sets, errors));
        let read = changed_tree(files, main, &keys::DESCRIPTION, shape::DESCRIPTION, &mut change, &mut errors)
            .and_then(|root| description(root, files, &mut errors));
        (read, errors)
    }

    /// The files that a description names in `settings_from`, as they are written there;
    /// none if it cannot be read at all. The edge reads them before [`Self::parse`].
    pub fn referenced_files(text: &str) -> Vec<String> {
        let mut errors = Errors::new(vec![String::new()]);
        let mut found = Vec::new();
        if let Some(root) = yaml::parse(text, errors.file(""), &mut errors) {
            collect_files(&root, &mut found);
        }
        found.sort();
        found.dedup();
        found
    }
}

fn collect_files(node: &Node, found: &mut Vec<String>) {
    for (key, value) in node.entries() {
        match value.text().filter(|_| key.text == "settings_from" && !value.is_null()) {
            Some(path) => found.push(path.to_owned()),
            None => collect_files(value, found),
        }
    }
    for item in node.items() {
        collect_files(item, found);
    }
}

/// The checked tree of a file, as far as it could be read.
pub(super) fn tree(files: &Files, main: &str, shape: &Shape, what: &str, errors: &mut Errors) -> Option<Node> {
    changed_tree(files, main, shape, what, &mut |_, _| (), errors)
}

/// The same after a change, which is checked as if it had been written.
fn changed_tree(
    files: &Files,
    main: &str,
    shape: &Shape,
    what: &str,
    change: &mut dyn FnMut(&mut Node, &mut Errors),
    errors: &mut Errors,
) -> Option<Node> {
    let file = errors.file(main);
    let start = Span { file, line: 1, column: 1, ..Span::default() };
    let Some(text) = files.get(main) else {
        errors.add(start, format!("the file `{main}` was not found"));
        return None;
    };
    let mut root = yaml::parse(text, file, errors);
    if root.as_ref().is_none_or(Node::is_null) {
        if errors.is_empty() {
            errors.add_with_help(start, "the file says nothing", "begin with `version: 1`");
        }
        return None;
    }
    if let Some(root) = &mut root {
        let wants_replay = matches!(shape, Shape::Map(keys) if keys.iter().any(|key| key.name == "replay"));
        if let Some(replay) = root.get("replay").filter(|_| !wants_replay) {
            let help = "`rollgate replay` reads it";
            errors.add_with_help(replay.span, "this is a replay file, not a description of a cluster", help);
            return None;
        }
        if wants_replay && root.get("replay").is_none() && root.get("workers").is_some() {
            let help = "`rollgate plan` and `rollgate simulate` read it";
            errors.add_with_help(start, "this is a description of a cluster, not a replay file", help);
            return None;
        }
        change(root, errors);
        shape.check(root, what, errors);
    }
    root.filter(|root| matches!(root.kind, Kind::Map(_)))
}

fn description(tree: Node, files: &Files, errors: &mut Errors) -> Option<Description> {
    let root = &tree;
    let broker = root.get("broker").map(|node| broker(node, errors)).unwrap_or_default();
    let settings = settings::read(root, files, errors);
    let some = root.get("workers").filter(|node| !matches!(node.kind, Kind::Map(_)));
    let workers = some.map(|node| workers(node, files, errors));
    let connectors = root.get("connectors").map(connectors).unwrap_or_default();
    let roll = root.get("roll").map(|node| roll(node, files, errors)).unwrap_or_default();
    Some(Description {
        files: errors.files().to_vec(),
        span: root.span,
        kafka: word(root, "kafka").unwrap_or(Spanned::new(SOME_VERSION.to_owned(), root.span)),
        broker,
        settings,
        workers: workers?,
        assumed: names(root.get("assumed")),
        group_order: root.get("group_order").map(|node| names(Some(node))),
        delay_left: root.get("delay_left").and_then(time),
        waiting: root.get("waiting").map(|node| items(Some(node))),
        last_round: root.get("last_round").and_then(time),
        leader: word(root, "leader"),
        restart: root.get("restart").map(restart).unwrap_or_default(),
        connectors,
        roll,
        policy: root.get("policy").map(policy).unwrap_or_default(),
        tree,
    })
}

/// The brokers, as a version or as a map.
pub(super) fn broker(node: &Node, errors: &mut Errors) -> BrokerWritten {
    match node.text() {
        Some(text) => BrokerWritten { kafka: Some(Spanned::new(text.to_owned(), node.span)), ..Default::default() },
        None => BrokerWritten { kafka: word(node, "kafka"), settings: settings::read_broker(node, errors) },
    }
}

fn workers(node: &Node, files: &Files, errors: &mut Errors) -> WorkersWritten {
    if let Some(count) = node.text() {
        let count = value::count(count, 1, keys::MAX_WORKERS).unwrap_or(1);
        return WorkersWritten::Count(Spanned::new(count, node.span));
    }
    WorkersWritten::List(node.items().iter().map(|item| worker(item, files, errors)).collect())
}

fn worker(node: &Node, files: &Files, errors: &mut Errors) -> WorkerWritten {
    WorkerWritten {
        span: node.span,
        name: word(node, "name"),
        url: word(node, "url"),
        host: word(node, "host"),
        rack: word(node, "rack").map(|rack| rack.value),
        kafka: word(node, "kafka"),
        settings: settings::read(node, files, errors),
        member: word(node, "member"),
        leader: flag(node, "leader"),
        owns: node.get("owns").map(|node| items(Some(node))),
        unready: flag(node, "unready").is_some_and(|unready| unready.value),
        restart: node.get("restart").map(restart).unwrap_or_default(),
    }
}

fn restart(node: &Node) -> RestartWritten {
    let start = node.get("start").and_then(|start| {
        let part = |key| start.get(key).and_then(spread);
        let parts = ["jvm", "plugin_scan", "topics"].iter().any(|key| start.get(key).is_some());
        if parts {
            let (jvm, plugin_scan, topics) = (part("jvm"), part("plugin_scan"), part("topics"));
            return Some(StartWritten::Parts { jvm, plugin_scan, topics });
        }
        spread(start).map(StartWritten::Whole)
    });
    RestartWritten {
        stop: node.get("stop").and_then(spread),
        down: node.get("down").and_then(spread),
        start,
        grace: node.get("grace").and_then(time),
    }
}

fn connectors(node: &Node) -> Vec<ConnectorWritten> {
    match &node.kind {
        Kind::List(items) => items.iter().filter_map(|item| Some(connector(item, word(item, "name")?))).collect(),
        Kind::Map(entries) => entries.iter().map(|(key, node)| connector(node, named(key))).collect(),
        Kind::Scalar { .. } => Vec::new(),
    }
}

/// A connector from its map, or from its number of tasks.
pub(super) fn connector(node: &Node, name: Spanned<String>) -> ConnectorWritten {
    // What is broken was reported: a value that breaks nothing else stands for it.
    let stand_in = |node: &Node| Spanned::new(0, node.span);
    let tasks = if matches!(node.kind, Kind::Map(_)) { node.get("tasks") } else { Some(node) };
    let tasks = tasks.map(|node| count(node).unwrap_or(stand_in(node)));
    let arrival = node.get("rate").map(|node| rate(node).map_or(1.0, |rate| rate.value));
    ConnectorWritten {
        name,
        count: number(node, "count"),
        kind: word(node, "kind"),
        tasks,
        tasks_max: number(node, "tasks_max"),
        state: word(node, "state").map(|state| state.value),
        rate: arrival,
        capacity: node.get("capacity").and_then(rate),
        start: node.get("start").and_then(spread),
        stop: node.get("stop").and_then(spread),
        exactly_once: flag(node, "exactly_once"),
        reconfigures_after: node.get("reconfigures_after").and_then(spread),
        partitions: number(node, "partitions"),
        consumer: node.get("consumer").map(|consumer| ConsumerWritten {
            span: consumer.span,
            assignor: word(consumer, "assignor"),
            session_timeout: word(consumer, "session.timeout.ms"),
            heartbeat_interval: word(consumer, "heartbeat.interval.ms"),
        }),
    }
}

fn roll(node: &Node, files: &Files, errors: &mut Errors) -> RollWritten {
    let change = |node: &Node, errors: &mut Errors| ChangeWritten {
        kafka: word(node, "kafka"),
        settings: settings::read(node, files, errors),
    };
    let all = change(node, errors);
    let workers = node.get("workers").map(Node::entries).unwrap_or_default();
    RollWritten { all, workers: workers.iter().map(|(key, node)| (named(key), change(node, errors))).collect() }
}

fn policy(node: &Node) -> PolicyWritten {
    let span = |key| node.get(key).and_then(time);
    PolicyWritten {
        max_share: node.get("max_share").and_then(Node::text).and_then(max_share),
        max_unassigned: span("max_unassigned").map(|time| time.value),
        max_lag: number(node, "max_lag"),
        window: span("window"),
        at_once: number(node, "at_once"),
        wait: word(node, "wait"),
        during_delay: flag(node, "during_delay").map(|flag| flag.value),
        leader_again: flag(node, "leader_again").map(|flag| flag.value),
    }
}

fn max_share(text: &str) -> Option<MaxShareWritten> {
    if text == keys::ONE_WORKER {
        return Some(MaxShareWritten::OneWorker);
    }
    value::share(text).ok().map(MaxShareWritten::Part)
}

/// A key as a name.
pub(super) fn named(key: &Key) -> Spanned<String> {
    Spanned::new(key.text.clone(), key.span)
}

/// The text of a key's value.
pub(super) fn word(map: &Node, key: &str) -> Option<Spanned<String>> {
    let node = map.get(key)?;
    Some(Spanned::new(node.text()?.to_owned(), node.span))
}

pub(super) fn number(map: &Node, key: &str) -> Option<Spanned<u32>> {
    count(map.get(key)?)
}

pub(super) fn count(node: &Node) -> Option<Spanned<u32>> {
    Some(Spanned::new(value::count(node.text()?, 0, u32::MAX).ok()?, node.span))
}

pub(super) fn flag(map: &Node, key: &str) -> Option<Spanned<bool>> {
    let node = map.get(key)?;
    Some(Spanned::new(value::flag(node.text()?).ok()?, node.span))
}

pub(super) fn time(node: &Node) -> Option<Spanned<Duration>> {
    Some(Spanned::new(value::time(node.text()?, true).ok()?, node.span))
}

fn rate(node: &Node) -> Option<Spanned<f64>> {
    Some(Spanned::new(value::rate(node.text()?).ok()?, node.span))
}

/// A time, a range or samples.
pub(super) fn spread(node: &Node) -> Option<Spread> {
    match &node.kind {
        Kind::Scalar { text, .. } => value::spread(text).ok(),
        Kind::List(items) => {
            let samples: Vec<Duration> = items.iter().filter_map(|item| Some(time(item)?.value)).collect();
            (!samples.is_empty()).then_some(Spread::Samples(samples))
        }
        Kind::Map(_) => value::range(time(node.get("from")?)?.value, time(node.get("to")?)?.value).ok(),
    }
}

/// Stands for a version that is missing, which was reported.
pub(super) const SOME_VERSION: &str = "4.0.0";
