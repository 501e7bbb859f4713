//! One override into the tree: the way along the dots of its key.

use super::{Override, strongest};
use crate::description::documented::elsewhere;
use crate::description::keys;
use crate::description::settings;
use crate::description::shape::{self, Key as KnownKey, Leaf, Shape, nearest, proposal};
use crate::description::value;
use crate::text::yaml::{Key, Kind, Node};
use crate::text::{Errors, FileId, Span};

/// An override on its way into a tree.
pub(super) struct Placing<'o> {
    pub(super) set: &'o Override,
    /// The file of its places.
    pub(super) file: FileId,
}

/// What of the key is still to go.
#[derive(Clone, Copy)]
struct Rest<'k> {
    key: &'k str,
    from: usize,
}

impl<'k> Rest<'k> {
    fn text(self) -> &'k str {
        self.key.get(self.from..).unwrap_or_default()
    }

    /// What follows the first `len` bytes and a dot.
    fn after(self, len: usize) -> Option<Self> {
        let from = self.from + len + 1;
        (from <= self.key.len()).then_some(Self { from, ..self })
    }

    /// The length up to the next dot.
    fn first(self) -> usize {
        self.text().find('.').unwrap_or(self.text().len())
    }

    /// The longest of these names that the rest begins with, as a whole segment.
    fn longest<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        let begins =
            |name: &&str| self.text().strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        names.into_iter().filter(begins).max_by_key(|name| name.len())
    }
}

impl Placing<'_> {
    /// Puts the value in its place. Told is what it replaces elsewhere.
    pub(super) fn apply(&self, root: &mut Node, errors: &mut Errors) -> Option<String> {
        let rest = Rest { key: &self.set.key, from: 0 };
        let known = rest.longest(key_names(&keys::DESCRIPTION));
        let mut path = Vec::new();
        match (known, rest.after(rest.first())) {
            (None, _) if !settings::is_known(rest.text()) => {
                let message =
                    format!("`{}` is no key of a description and no setting of a Connect worker", rest.text());
                let near = || nearest(rest.text(), all_keys().iter().map(String::as_str)).map(str::to_owned);
                let near = elsewhere(rest.text()).or_else(near);
                errors.add(self.span(rest, rest.text().len()), message).help = Some(match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write a worker's setting, or a key of the description such as policy.wait".to_owned(),
                });
                return None;
            }
            (Some(list @ ("workers" | "connectors")), Some(name)) => {
                path.push(list.to_owned());
                self.named(root, list, name, &mut path, errors);
            }
            _ => self.put(root, &keys::DESCRIPTION, Some(rest), shape::DESCRIPTION, &mut path, errors),
        }
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        strongest::replace(root, &path, &self.value(path.last().copied().unwrap_or_default()))
            .map(|of| format!("{} is set for all, in the place of what the file says of {of}.", self.set.key))
    }

    /// Goes on below a worker or connectors, which are known by their names.
    fn named(&self, root: &mut Node, list: &str, rest: Rest<'_>, path: &mut Vec<String>, errors: &mut Errors) {
        let Some(node) = root.get_mut(list) else { return };
        if list == "workers" {
            write_out(node);
        }
        let names = names_of(node);
        let all = list == "connectors" && rest.first() == 1 && rest.text().starts_with('*');
        let name = if all { Some("*") } else { rest.longest(names.iter().map(String::as_str)) };
        let Some(name) = name else {
            let len = rest.first();
            let unknown = &rest.text()[..len];
            let one = if list == "workers" { "worker" } else { "connector" };
            errors.add(self.span(rest, len), format!("no {one} is called `{unknown}`")).help =
                proposal(unknown, names.iter().map(String::as_str));
            return;
        };
        let below = rest.after(name.len());
        if below.is_none() && list == "workers" {
            let help = format!("such as workers.{name}.restart.start");
            errors.add_with_help(self.span(rest, name.len()), "this names a worker and none of its keys", help);
            return;
        }
        path.push(name.to_owned());
        let base = path.len();
        let shape = if list == "workers" {
            &keys::WORKER
        } else if matches!(node.kind, Kind::List(_)) {
            &keys::LISTED_CONNECTOR
        } else {
            &keys::NAMED_CONNECTOR
        };
        for (place, known) in names.iter().enumerate() {
            if !all && known != name {
                continue;
            }
            path.truncate(base);
            let item = match &mut node.kind {
                Kind::List(items) => items.get_mut(place),
                Kind::Map(entries) => entries.get_mut(place).map(|(_, item)| item),
                Kind::Scalar { .. } => None,
            };
            let Some(item) = item else { continue };
            if list == "connectors" && matches!(item.kind, Kind::Map(_)) && below.is_none() {
                // `orders: 12` says how many tasks there are.
                let key = Key { text: "tasks".to_owned(), span: self.span(rest, name.len()) };
                item.put(key, self.value("tasks"));
                continue;
            }
            let whole = if list == "connectors" { Some("tasks") } else { None };
            as_map(item, whole.filter(|_| below.is_some()));
            self.put(item, shape, below, name, path, errors);
            strongest::one_protocol(item, &path[base..]);
        }
    }

    /// Goes on below a value of that shape, or puts the value there.
    fn put(
        &self,
        node: &mut Node,
        shape: &'static Shape,
        rest: Option<Rest<'_>>,
        what: &str,
        path: &mut Vec<String>,
        errors: &mut Errors,
    ) {
        let value = self.value(path.last().map_or("", String::as_str));
        let Some(rest) = rest else {
            if what == "broker" && matches!((&node.kind, &value.kind), (Kind::Map(_), Kind::Scalar { .. })) {
                let key = Key { text: "kafka".to_owned(), span: self.whole() };
                return node.put(key, value);
            }
            *node = value;
            return;
        };
        let Some(map) = map_of(shape) else {
            let message = format!("`{what}` is a single value, which has no `{}`", rest.text());
            errors.add(self.span(rest, rest.text().len()), message);
            return;
        };
        as_map(node, (what == "broker").then_some("kafka"));
        if !matches!(node.kind, Kind::Map(_)) {
            let message = format!("the file gives `{what}` as a whole, so that `{}` cannot be set alone", rest.text());
            let span = self.span(rest, rest.text().len());
            errors.add_with_also(span, message, node.span, "given here");
            errors.help_last(format!("set `{what}` as a whole, or write its parts in the file"));
            return;
        }
        let (len, below, deeper) = segment(map, node, rest);
        let (name, deeper) = match below {
            // A setting's own name is enough: `roll.session.timeout.ms`.
            None if has_setting(map, rest.text()) => ("settings", Some(rest)),
            _ => (&rest.text()[..len], deeper),
        };
        let below = below.or_else(|| shape_of(map, name));
        path.push(name.to_owned());
        let key = Key { text: name.to_owned(), span: self.span(rest, len) };
        let Some(below) = below else {
            // The check of the whole says that there is no such key.
            return node.put(key, self.value(name));
        };
        if let Some(inner) = node.get_mut(name) {
            return self.put(inner, below, deeper, name, path, errors);
        }
        let mut inner = Node { span: key.span, kind: Kind::Scalar { text: String::new(), plain: true } };
        self.put(&mut inner, below, deeper, name, path, errors);
        node.put(key, inner);
    }

    /// The value for a key of that name; the times of Kafka's settings become milliseconds.
    fn value(&self, name: &str) -> Node {
        let file = self.file;
        let mut node = self.set.node.placed(&|span| Span { file, ..span });
        if let Kind::Scalar { text, .. } = &mut node.kind
            && name.rsplit('.').next() == Some("ms")
            && text.parse::<i64>().is_err()
            && let Ok(time) = value::time(text, false)
            && time.as_micros() % 1_000 == 0
        {
            *text = time.as_millis().to_string();
        }
        node
    }

    /// The place of the first `len` bytes of what is left of the key.
    #[expect(clippy::cast_possible_truncation, reason = "a command line is far below 2^32 bytes")]
    fn span(&self, rest: Rest<'_>, len: usize) -> Span {
        let key = self.set.key_span;
        let before = rest.key.get(..rest.from).unwrap_or_default();
        let start = key.start + rest.from as u32;
        let column = key.column + before.chars().count() as u32;
        Span { file: self.file, line: key.line, column, start, end: (start + len as u32).min(key.end) }
    }

    fn whole(&self) -> Span {
        Span { file: self.file, ..self.set.key_span }
    }
}

/// The next segment of a key: its length, what may stand there if it is known, and what follows.
fn segment<'k>(map: &Shape, node: &Node, rest: Rest<'k>) -> (usize, Option<&'static Shape>, Option<Rest<'k>>) {
    let (name, shape): (Option<&str>, Option<&'static Shape>) = match map {
        Shape::Map(keys) => {
            let name = rest.longest(keys.iter().map(|key| key.name));
            (name, name.and_then(|name| shape_of(map, name)))
        }
        Shape::Names(shape) => (rest.longest(node.entries().iter().map(|(key, _)| key.text.as_str())), Some(*shape)),
        _ => return (rest.text().len(), Some(&SETTING), None),
    };
    let len = name.map_or(rest.first(), str::len);
    (len, shape, rest.after(len))
}

fn shape_of(map: &Shape, name: &str) -> Option<&'static Shape> {
    match map {
        Shape::Map(keys) => keys.iter().find(|key| key.name == name).map(|key| key.shape),
        _ => None,
    }
}

/// The form of a value that has keys.
fn map_of(shape: &'static Shape) -> Option<&'static Shape> {
    match shape {
        Shape::Map(_) | Shape::Names(_) | Shape::Settings(_) => Some(shape),
        Shape::Any(shapes) => shapes.iter().find_map(|shape| map_of(shape)),
        Shape::List(_) | Shape::Filled(_) | Shape::Leaf(_) => None,
    }
}

/// Whether a map has settings among which is one of that name.
fn has_setting(map: &Shape, name: &str) -> bool {
    let Some(Shape::Settings(keys)) = shape_of(map, "settings").and_then(map_of) else { return false };
    let of_workers = keys.iter().any(|key| key.name == "connect.protocol");
    keys.iter().any(|key| key.name == name) || (of_workers && settings::is_known(name))
}

/// Nothing becomes an empty map; a single value that stands for one key, a map with that key.
fn as_map(node: &mut Node, whole: Option<&str>) {
    let Kind::Scalar { .. } = node.kind else { return };
    if node.is_null() {
        node.kind = Kind::Map(Vec::new());
    } else if let Some(whole) = whole {
        let key = Key { text: whole.to_owned(), span: node.span };
        node.kind = Kind::Map(vec![(key, node.clone())]);
    }
}

/// A number of workers as the list for which it stands.
fn write_out(node: &mut Node) {
    let count = node.text().and_then(|text| value::count(text, 1, keys::MAX_WORKERS).ok());
    let Some(count) = count else { return };
    let span = node.span;
    let worker = |place| {
        let name = Node { span, kind: Kind::Scalar { text: format!("w{place}"), plain: true } };
        Node { span, kind: Kind::Map(vec![(Key { text: "name".to_owned(), span }, name)]) }
    };
    node.kind = Kind::List((1..=count).map(worker).collect());
}

/// The names of workers or connectors, in their order.
pub(super) fn names_of(node: &Node) -> Vec<String> {
    match &node.kind {
        Kind::Map(entries) => entries.iter().map(|(key, _)| key.text.clone()).collect(),
        Kind::List(items) => {
            let name = |(place, item): (usize, &Node)| {
                let given = item.get("name").or_else(|| item.get("host")).and_then(Node::text);
                given.map_or_else(|| format!("w{}", place + 1), str::to_owned)
            };
            items.iter().enumerate().map(name).collect()
        }
        Kind::Scalar { .. } => Vec::new(),
    }
}

fn key_names(shape: &'static Shape) -> impl Iterator<Item = &'static str> + Clone {
    let keys: &'static [KnownKey] = if let Shape::Map(keys) = shape { keys } else { &[] };
    keys.iter().map(|key| key.name)
}

/// Everything that can be set and has a name of its own.
fn all_keys() -> Vec<String> {
    let mut all: Vec<String> = settings::worker_keys().map(str::to_owned).collect();
    below(&keys::DESCRIPTION, "", &mut all);
    all
}

fn below(shape: &'static Shape, prefix: &str, all: &mut Vec<String>) {
    let keys: &'static [KnownKey] = match map_of(shape) {
        Some(Shape::Map(keys) | Shape::Settings(keys)) => keys,
        _ => &[],
    };
    for key in keys {
        let name = format!("{prefix}{}", key.name);
        if !matches!(key.shape, Shape::Settings(_)) {
            below(key.shape, &format!("{name}."), all);
        }
        all.push(name);
    }
}

static SETTING: Shape = Shape::Leaf(Leaf::Setting);
