//! YAML, and so JSON, as a tree in which everything knows its place.
//!
//! Scalars stay text: what a value means is decided where it is read, so that `no` is
//! never silently a bool and `012` never silently ten.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use super::source::MAX_FILE_BYTES;
use super::{Errors, FileId, Span};

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it is written.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A single value.
    Scalar {
        /// Its text, escapes resolved.
        text: String,
        /// Whether it stands without quotes.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file; no key twice.
    Map(Vec<(Key, Node)>),
}

/// The key of a map's entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its text.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// A map or list that is still open.
struct Open {
    node: Node,
    anchor: usize,
    key: Option<Key>,
    /// Values of `<<`, filled in at the end.
    merged: Vec<Node>,
}

struct Builder<'e> {
    errors: &'e mut Errors,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Option<Node>>,
    root: Option<Node>,
    nodes: usize,
}

impl Node {
    /// Its text, if it is a single value.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether it is a value that says nothing: empty, `~` or `null`.
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, plain: true }
            if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// The entries, if it is a map.
    pub fn entries(&self) -> &[(Key, Self)] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items, if it is a list.
    pub fn items(&self) -> &[Self] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The value of a key, if it is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(known, _)| known.text == key).map(|(_, value)| value)
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Kind::Map(entries) = &mut self.kind else { return None };
        entries.iter_mut().find(|(known, _)| known.text == key).map(|(_, value)| value)
    }

    /// Gives a map's key a value, in the place of the one before; nothing if this is no map.
    pub(crate) fn put(&mut self, key: Key, value: Self) {
        let Kind::Map(entries) = &mut self.kind else { return };
        match entries.iter_mut().find(|(known, _)| known.text == key.text) {
            Some(entry) => *entry = (key, value),
            None => entries.push((key, value)),
        }
    }

    /// Takes a key out of a map, if it is there.
    pub(crate) fn take(&mut self, key: &str) -> Option<Self> {
        let Kind::Map(entries) = &mut self.kind else { return None };
        let place = entries.iter().position(|(known, _)| known.text == key)?;
        Some(entries.remove(place).1)
    }

    /// The same value with every place changed.
    pub(crate) fn placed(&self, place: &impl Fn(Span) -> Span) -> Self {
        let kind = match &self.kind {
            Kind::Scalar { .. } => self.kind.clone(),
            Kind::List(items) => Kind::List(items.iter().map(|item| item.placed(place)).collect()),
            Kind::Map(entries) => {
                let entry = |(key, value): &(Key, Self)| {
                    (Key { text: key.text.clone(), span: place(key.span) }, value.placed(place))
                };
                Kind::Map(entries.iter().map(entry).collect())
            }
        };
        Self { span: place(self.span), kind }
    }

    fn count(&self) -> usize {
        1 + match &self.kind {
            Kind::Scalar { .. } => 0,
            Kind::List(items) => items.iter().map(Self::count).sum(),
            Kind::Map(entries) => entries.iter().map(|(_, value)| 1 + value.count()).sum(),
        }
    }
}

impl Builder<'_> {
    /// Takes a finished value to where it belongs.
    fn finish(&mut self, node: Node, anchor: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, Some(node.clone()));
        }
        let Some(open) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        let entries = match &mut open.node.kind {
            Kind::List(items) => return items.push(node),
            Kind::Scalar { .. } => return,
            Kind::Map(entries) => entries,
        };
        match (open.key.take(), node) {
            (None, Node { span, kind: Kind::Scalar { text, .. } }) => open.key = Some(Key { text, span }),
            (None, node) => {
                self.errors.add(node.span, "a key must be a single word, not a list or a map");
                open.key = Some(Key { text: String::new(), span: node.span });
            }
            (Some(key), node) if key.text == "<<" => open.merged.push(node),
            (Some(key), _) if key.text.is_empty() && key.span.start == key.span.end => {}
            (Some(key), node) => entries.push((key, node)),
        }
    }

    fn close(&mut self, end: Option<u32>) {
        let Some(mut open) = self.open.pop() else { return };
        if let Some(end) = end {
            open.node.span.end = end.max(open.node.span.start);
        }
        if let Kind::Map(entries) = &mut open.node.kind {
            let mut first: BTreeMap<&str, Span> = BTreeMap::new();
            let mut twice = Vec::new();
            for (place, (key, _)) in entries.iter().enumerate() {
                if let Some(first) = first.get(key.text.as_str()) {
                    let message = format!("`{}` is given twice", key.text);
                    self.errors.add_with_also(key.span, message, *first, "first given here");
                    twice.push(place);
                } else {
                    first.insert(&key.text, key.span);
                }
            }
            for place in twice.into_iter().rev() {
                entries.remove(place);
            }
            merge(entries, open.merged, self.errors);
        }
        self.finish(open.node, open.anchor);
    }

    /// The value an alias stands for; an error if it is too much or not there.
    fn alias(&mut self, anchor: usize, span: Span) {
        let Some(Some(node)) = self.anchors.get(&anchor) else {
            self.errors.add(span, "this alias is inside the value that it stands for");
            return self.finish(Node { span, kind: Kind::Scalar { text: String::new(), plain: true } }, 0);
        };
        self.nodes += node.count();
        if self.nodes <= MAX_NODES {
            let node = node.clone();
            self.finish(node, 0);
        }
    }
}

/// Reads one document. Errors are added; the tree is given as far as it could be read.
pub fn parse(text: &str, file: FileId, errors: &mut Errors) -> Option<Node> {
    if text.len() > MAX_FILE_BYTES {
        let start = Span { file, line: 1, column: 1, ..Span::default() };
        errors.add(start, format!("the file has {} bytes; at most {MAX_FILE_BYTES} are read", text.len()));
        return None;
    }
    let (skipped, body) = text.strip_prefix('\u{feff}').map_or((0, text), |rest| (3, rest));
    let places = Places::new(body, file, skipped);
    let mut builder = Builder { errors, open: Vec::new(), anchors: BTreeMap::new(), root: None, nodes: 0 };
    let mut parser = Parser::new_from_str(body);
    let mut documents = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = match event {
            Ok((event, span)) => (event, places.span(span.start, span.end)),
            Err(wrong) => {
                builder.broken(&wrong, &places, body);
                return None;
            }
        };
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    builder.errors.add(span, "a second document begins here; one file is one description");
                    break;
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                check_tag(tag.as_deref(), span, builder.errors);
                builder.nodes += 1;
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let span = trimmed(span, body, skipped);
                builder.finish(Node { span, kind: Kind::Scalar { text: text.into_owned(), plain } }, anchor);
            }
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) if builder.open.len() >= MAX_DEPTH => {
                let _ = (anchor, tag);
                builder.errors.add(span, format!("more than {MAX_DEPTH} levels inside one another"));
                return None;
            }
            Event::SequenceStart(anchor, tag) => {
                check_tag(tag.as_deref(), span, builder.errors);
                let node = Node { span, kind: Kind::List(Vec::new()) };
                builder.start(node, anchor);
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(tag.as_deref(), span, builder.errors);
                let node = Node { span, kind: Kind::Map(Vec::new()) };
                builder.start(node, anchor);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let flow = body.as_bytes().get((span.start as usize).saturating_sub(skipped));
                let end = matches!(flow, Some(b']' | b'}')).then_some(span.end);
                builder.close(end);
            }
            Event::Alias(anchor) => builder.alias(anchor, span),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        if builder.nodes > MAX_NODES {
            builder.errors.add(span, format!("more than {MAX_NODES} values, aliases written out"));
            return None;
        }
    }
    builder.root
}

impl Builder<'_> {
    fn broken(&mut self, wrong: &ScanError, places: &Places<'_>, body: &str) {
        let span = places.point(*wrong.marker(), body);
        let info = wrong.info();
        let info = if info.starts_with("while ") { info.split_once(", ").map_or(info, |(_, what)| what) } else { info };
        let error = self.errors.add(span, format!("this is not valid YAML: {info}"));
        let line = body.lines().nth(span.line.saturating_sub(1) as usize).unwrap_or_default();
        let tab = line.trim_start_matches(' ').starts_with('\t');
        let known = HELP.iter().find(|(part, _)| wrong.info().contains(part));
        error.help = if tab { Some(TAB.to_owned()) } else { known.map(|(_, help)| (*help).to_owned()) };
    }

    fn start(&mut self, node: Node, anchor: usize) {
        self.nodes += 1;
        if anchor > 0 {
            self.anchors.insert(anchor, None);
        }
        self.open.push(Open { node, anchor, key: None, merged: Vec::new() });
    }
}

/// YAML's merge key: entries that are not given themselves come from `<<`.
fn merge(entries: &mut Vec<(Key, Node)>, merged: Vec<Node>, errors: &mut Errors) {
    for node in merged {
        let maps = match node.kind {
            Kind::List(items) => items,
            _ => vec![node],
        };
        for map in maps {
            let Kind::Map(others) = map.kind else {
                errors.add(map.span, "`<<` takes a map, or a list of maps, and this is none");
                continue;
            };
            for (key, value) in others {
                if !entries.iter().any(|(known, _)| known.text == key.text) {
                    entries.push((key, value));
                }
            }
        }
    }
}

fn check_tag(tag: Option<&saphyr_parser::Tag>, span: Span, errors: &mut Errors) {
    if let Some(tag) = tag.filter(|tag| !(tag.is_yaml_core_schema() && matches!(&*tag.suffix, "str" | "map" | "seq"))) {
        let handle = if tag.is_yaml_core_schema() { "!!" } else { &tag.handle };
        errors.add_with_help(span, format!("the tag {handle}{} is not read here", tag.suffix), "leave it out");
    }
}

/// Without what the parser counts to a value: blanks and line ends, and after a quoted one
/// the comment that follows.
fn trimmed(mut span: Span, body: &str, skipped: usize) -> Span {
    let bytes = span.start as usize - skipped..span.end as usize - skipped;
    if let Some(text) = body.get(bytes) {
        let said = text.trim_end();
        let len = match said.as_bytes().first() {
            Some(quote @ (b'"' | b'\'')) => closing(said.as_bytes(), *quote),
            _ => None,
        };
        span.end = span.start + u32::try_from(len.unwrap_or(said.len())).unwrap_or(0);
    }
    span
}

/// The length of a quoted text with its quotes.
fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut place = 1;
    while place < text.len() {
        match text[place] {
            b'\\' if quote == b'"' => place += 1,
            byte if byte == quote && quote == b'\'' && text.get(place + 1) == Some(&quote) => place += 1,
            byte if byte == quote => return Some(place + 1),
            _ => {}
        }
        place += 1;
    }
    None
}

/// From the parser's characters to bytes.
struct Places<'t> {
    file: FileId,
    skipped: usize,
    len: usize,
    /// The byte of each character, if they are not the same.
    bytes: Cow<'t, [u32]>,
}

impl Places<'_> {
    #[expect(clippy::cast_possible_truncation, reason = "files are below 2^32 bytes")]
    fn new(text: &str, file: FileId, skipped: usize) -> Self {
        let bytes = if text.is_ascii() {
            Cow::Borrowed(&[] as &[u32])
        } else {
            Cow::Owned(text.char_indices().map(|(byte, _)| byte as u32).collect())
        };
        Self { file, skipped, len: text.len(), bytes }
    }

    #[expect(clippy::cast_possible_truncation, reason = "files are below 2^32 bytes")]
    fn byte(&self, character: usize) -> u32 {
        let byte = if self.bytes.is_empty() {
            character.min(self.len)
        } else {
            self.bytes.get(character).map_or(self.len, |byte| *byte as usize)
        };
        (byte + self.skipped) as u32
    }

    #[expect(clippy::cast_possible_truncation, reason = "files are below 2^32 bytes")]
    fn span(&self, from: saphyr_parser::Marker, to: saphyr_parser::Marker) -> Span {
        let start = self.byte(from.index());
        Span {
            file: self.file,
            line: from.line() as u32,
            column: from.col() as u32 + 1,
            start,
            end: self.byte(to.index()).max(start),
        }
    }
}

impl Places<'_> {
    /// The place of a mistake; at the end of the text, the end of its last line.
    #[expect(clippy::cast_possible_truncation, reason = "files are below 2^32 bytes")]
    fn point(&self, at: saphyr_parser::Marker, body: &str) -> Span {
        let span = self.span(at, at);
        let said = body.trim_end();
        if (span.start as usize) - self.skipped < said.len() || said.is_empty() {
            return span;
        }
        let line = said.rsplit_once('\n').map_or(said, |(_, line)| line);
        let end = (said.len() + self.skipped) as u32;
        Span {
            line: 1 + said.matches('\n').count() as u32,
            column: 1 + line.chars().count() as u32,
            start: end,
            end,
            ..span
        }
    }
}

/// What helps against a mistake that the parser names so.
const HELP: [(&str, &str); 9] = [
    ("simple key", "write `key: value`, with a colon and a blank; this line or the one above lacks it"),
    ("expected ',' or", "a comma or the closing bracket is missing before this place"),
    ("mapping values", "either the line is indented too far, or a value that holds a colon lacks its quotes"),
    ("expected key", "the line is not indented as those above it"),
    ("expected '-'", "the line is not indented as those above it"),
    ("quoted scalar", "a closing quote is missing, or a quote inside is not doubled"),
    ("unexpected character", "write the value in quotes"),
    ("unknown anchor", "nothing above is marked with `&` and this name"),
    ("bracket", "its opening bracket is missing"),
];

const TAB: &str = "indent with spaces: YAML does not take tabs";

/// Deeper than any description; keeps recursion over the tree within the stack.
const MAX_DEPTH: usize = 64;

/// More than any description has; stops aliases of aliases.
const MAX_NODES: usize = 250_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<Node>, Vec<String>) {
        let mut errors = Errors::new(vec!["f".into()]);
        let root = parse(text, FileId(0), &mut errors);
        let wrong = errors.finish::<()>(None).unwrap_err();
        (root, wrong.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn places_are_bytes_lines_and_characters() {
        let text = "\u{feff}é: 'ü x' # note\nlist:\n- {b: 1}\n- plain text  # note\n- |\n  block\nlast: [1, 2]\n";
        let (root, wrong) = read(text);
        assert!(wrong.is_empty(), "{wrong:?}");
        let root = root.unwrap();
        let at = |span: Span| (&text[span.bytes()], span.line, span.column);
        assert_eq!(at(root.entries()[0].0.span), ("é", 1, 1));
        assert_eq!(at(root.get("é").unwrap().span), ("'ü x'", 1, 4));
        let items = root.get("list").unwrap().items();
        assert_eq!(at(items[0].get("b").unwrap().span), ("1", 3, 7));
        assert_eq!(at(items[1].span), ("plain text", 4, 3));
        assert_eq!(items[2].text(), Some("block\n"));
        let quoted = read("a: 'it''s' # b's\nc: \"\\\"\" # d\"\n").0.unwrap();
        let lengths: Vec<usize> = quoted.entries().iter().map(|(_, value)| value.span.bytes().len()).collect();
        assert_eq!(lengths, [7, 4]);
        assert_eq!(at(root.get("last").unwrap().span), ("[1, 2]", 7, 7));
    }

    #[test]
    fn merged_entries_give_way_to_those_written() {
        let (root, wrong) = read("a: &a {x: 1, y: 2}\nb: {<<: [*a, {z: 4, y: 9}], x: 3}\n");
        assert!(wrong.is_empty(), "{wrong:?}");
        let b = root.unwrap().get("b").unwrap().clone();
        let said: Vec<_> = b.entries().iter().map(|(key, value)| (key.text.as_str(), value.text().unwrap())).collect();
        assert_eq!(said, [("x", "3"), ("y", "2"), ("z", "4")]);
    }

    #[test]
    fn what_is_no_tree_of_words_is_refused() {
        assert!(read("a: *nowhere").1[0].contains("anchor"));
        assert!(read("? [x]\n: 1\n").1[0].contains("a key must be a single word"));
        assert!(read("a: {<<: 3}").1[0].contains("takes a map"));
        assert!(read(&"[".repeat(100)).1[0].contains("levels"));
        assert!(read("a: 1\n--- b\n").1[0].contains("second document"));
        assert_eq!(read("").0, None);
    }
}
