//! What a description may say, as data: the reader checks against it and the JSON schema
//! is made of it, so that neither can know a key which the other does not.

use super::documented::elsewhere;
use super::synonyms::meant;
use super::value::{self, Wrong};
use crate::text::yaml::{Kind, Node};
use crate::text::{DescriptionError, Errors, Span};

/// What may stand at one place.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A map with these keys and no other.
    Map(&'static [Key]),
    /// A map with names that the writer chooses.
    Names(&'static Self),
    /// Kafka's settings: these matter and are described, others are single values too.
    Settings(&'static [Key]),
    /// A list.
    List(&'static Self),
    /// A list with at least one item.
    Filled(&'static Self),
    /// A single value.
    Leaf(Leaf),
    /// One of these; at most one of them a map, at most one a list.
    Any(&'static [&'static Self]),
}

/// A key of a map.
#[derive(Debug)]
pub(crate) struct Key {
    /// As it is written.
    pub(crate) name: &'static str,
    /// What may stand there.
    pub(crate) shape: &'static Shape,
    /// What it means, with unit and default.
    pub(crate) doc: &'static str,
    /// Whether it must be there.
    pub(crate) required: bool,
}

/// A single value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf {
    /// A name.
    Name,
    /// A version of Kafka.
    Version,
    /// A whole number in these limits.
    Count(u32, u32),
    /// A time.
    Time,
    /// A time that may lie before time 0.
    SignedTime,
    /// A time or a range of times.
    Spread,
    /// Per cent.
    Share,
    /// Records per time.
    Rate,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Words(&'static [&'static str]),
    /// The value of one of Kafka's settings.
    Setting,
    /// Nothing: `null`.
    Null,
}

impl Key {
    /// A key that may be left out.
    pub(crate) const fn new(name: &'static str, shape: &'static Shape, doc: &'static str) -> Self {
        Self { name, shape, doc, required: false }
    }

    /// A key that must be there.
    pub(crate) const fn required(name: &'static str, shape: &'static Shape, doc: &'static str) -> Self {
        Self { name, shape, doc, required: true }
    }
}

impl Leaf {
    /// Whether a value is one of these.
    pub(crate) fn check(self, text: &str, plain: bool) -> Result<(), Wrong> {
        match self {
            Self::Name => value::name(text, plain),
            Self::Version if text.is_empty() => {
                Err(Wrong { why: "is empty".into(), help: Some("write a version such as 4.3.1".into()) })
            }
            Self::Version | Self::Setting => Ok(()),
            Self::Count(min, max) => value::count(text, min, max).map(drop),
            Self::Time => value::time(text, false).map(drop),
            Self::SignedTime => value::time(text, true).map(drop),
            Self::Spread => value::spread(text).map(drop),
            Self::Share => value::share(text).map(drop),
            Self::Rate => value::rate(text).map(drop),
            Self::Flag => value::flag(text).map(drop),
            Self::Words(words) if words.contains(&text) => Ok(()),
            Self::Words(words) => {
                let help = nearest(text, words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                Err(Wrong { why: format!("is not one of {}", listed(words.iter().copied())), help })
            }
            Self::Null => Err(Wrong { why: "is not null".into(), help: None }),
        }
    }

    /// What it is, to follow "wants".
    fn wanted(self) -> String {
        match self {
            Self::Name => "a name".into(),
            Self::Version => "a version such as 4.3.1".into(),
            Self::Count(..) => "a whole number".into(),
            Self::Time | Self::SignedTime => "a time such as `30s`".into(),
            Self::Spread => "a time such as `30s` or `4s..9s`".into(),
            Self::Share => "a share such as `25%`".into(),
            Self::Rate => "a rate such as `8000/s`".into(),
            Self::Flag => "`true` or `false`".into(),
            Self::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                words.join(" or ")
            }
            Self::Setting => "a single value".into(),
            Self::Null => "null".into(),
        }
    }
}

impl Shape {
    /// Adds everything that is wrong with a value; `what` names it.
    pub(crate) fn check(&self, node: &Node, what: &str, errors: &mut Errors) {
        match (self, &node.kind) {
            (Self::Any(shapes), _) => Self::check_any(shapes, node, what, errors),
            (Self::Map(keys), Kind::Map(_)) => Self::check_map(keys, node, what, errors),
            (Self::Names(shape), Kind::Map(entries)) => {
                for (key, value) in entries {
                    if key.text.is_empty() {
                        errors.add(key.span, "this name is empty");
                    }
                    shape.check(value, &key.text, errors);
                }
            }
            (Self::Settings(_), Kind::Map(entries)) => {
                for (key, value) in entries {
                    Self::Leaf(Leaf::Setting).check(value, &key.text, errors);
                }
            }
            (Self::List(shape) | Self::Filled(shape), Kind::List(items)) => {
                if items.is_empty() && matches!(self, Self::Filled(_)) {
                    errors.add(node.span, format!("{} is an empty list", said(what)));
                }
                for item in items {
                    shape.check(item, what, errors);
                }
            }
            (Self::Leaf(Leaf::Null), Kind::Scalar { .. }) if node.is_null() => {}
            (Self::Leaf(leaf), Kind::Scalar { text, plain }) if !node.is_null() => {
                if let Err(wrong) = leaf.check(text, *plain) {
                    errors.add(node.span, format!("{}: `{text}` {}", said(what), wrong.why)).help = wrong.help;
                }
            }
            _ => {
                mismatch(node, what, &self.wanted(), errors);
            }
        }
    }

    fn check_any(shapes: &[&'static Self], node: &Node, what: &str, errors: &mut Errors) {
        let fits = |shape: &&&Self| match (shape, &node.kind) {
            (Self::Map(_) | Self::Names(_) | Self::Settings(_), Kind::Map(_))
            | (Self::List(_) | Self::Filled(_), Kind::List(_)) => true,
            (Self::Leaf(leaf), Kind::Scalar { text, plain }) => {
                if node.is_null() {
                    matches!(leaf, Leaf::Null)
                } else {
                    leaf.check(text, *plain).is_ok()
                }
            }
            _ => false,
        };
        if let Some(shape) = shapes.iter().find(fits) {
            return shape.check(node, what, errors);
        }
        let leaves: Vec<Leaf> = shapes
            .iter()
            .filter_map(|shape| if let Self::Leaf(leaf) = shape { Some(*leaf) } else { None })
            .filter(|leaf| !matches!(leaf, Leaf::Null))
            // Who writes a number means none of the words.
            .filter(|leaf| !(matches!(leaf, Leaf::Words(_)) && begins_with_digit(node)))
            .collect();
        match (&node.kind, leaves.as_slice()) {
            (Kind::Scalar { .. }, [leaf]) if !node.is_null() => Self::Leaf(*leaf).check(node, what, errors),
            (Kind::Scalar { text, plain }, [.., last]) if !node.is_null() => {
                let help = last.check(text, *plain).err().and_then(|wrong| wrong.help);
                mismatch(node, what, &wanted_any(shapes), errors).help = help;
            }
            _ => {
                mismatch(node, what, &wanted_any(shapes), errors);
            }
        }
    }

    fn check_map(keys: &[Key], node: &Node, what: &str, errors: &mut Errors) {
        for (key, value) in node.entries() {
            if let Some(known) = keys.iter().find(|known| known.name == key.text) {
                known.shape.check(value, known.name, errors);
            } else {
                let names = keys.iter().map(|known| known.name);
                let error = errors.add(key.span, format!("{} has no key `{}`", said(what), key.text));
                let near = meant(&key.text, names.clone()).or_else(|| nearest(&key.text, names.clone()));
                let elsewhere = || elsewhere(&key.text).filter(|_| what == DESCRIPTION);
                error.help = Some(match near.map(str::to_owned).or_else(elsewhere) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its keys are {}", listed(names)),
                });
            }
        }
        let missing: Vec<&Key> = keys.iter().filter(|key| key.required && node.get(key.name).is_none()).collect();
        if let Some(first) = missing.first() {
            let head = Span { end: node.span.end.min(node.span.start + 1), ..node.span };
            let plural = if missing.len() == 1 { "key" } else { "keys" };
            let names = listed(missing.iter().map(|key| key.name));
            errors.add_with_help(
                head,
                format!("{} lacks the {plural} {names}", said(what)),
                format!("`{}`: {}", first.name, first.doc),
            );
        }
        if keys.iter().any(|key| key.name == "from") {
            check_range(node, what, errors);
        }
    }

    /// What it is, to follow "wants".
    pub(super) fn wanted(&self) -> String {
        match self {
            Self::Map(keys) => format!("a map with the keys {}", listed(keys.iter().map(|key| key.name))),
            Self::Names(_) | Self::Settings(_) => "a map".into(),
            Self::List(_) | Self::Filled(_) => "a list".into(),
            Self::Leaf(leaf) => leaf.wanted(),
            Self::Any(shapes) => wanted_any(shapes),
        }
    }
}

/// The rules for a map that may be a range: it has both limits and nothing else, and
/// begins with its least.
fn check_range(node: &Node, what: &str, errors: &mut Errors) {
    let limit = |key| node.get(key).and_then(|limit| Some((limit.span, value::time(limit.text()?, false).ok()?)));
    if let (Some((_, from)), Some((span, to))) = (limit("from"), limit("to"))
        && let Err(wrong) = value::range(from, to)
    {
        errors.add(span, format!("{} {}", said(what), wrong.why)).help = wrong.help;
    }
    let mut others = node.entries().iter().filter(|(key, _)| !matches!(&*key.text, "from" | "to"));
    let limits = ["from", "to"].into_iter().filter(|key| node.get(key).is_some()).count();
    match (limits, others.next()) {
        (0, None) => {
            errors.add(node.span, format!("{} is an empty map", said(what)));
        }
        (0, Some(_)) | (2, None) => {}
        (_, Some((other, _))) => {
            let message =
                format!("{} is either a range or its parts: `{}` does not go with a range", said(what), other.text);
            errors.add(other.span, message);
        }
        (_, None) => {
            errors.add(node.span, format!("{} wants both `from` and `to`", said(what)));
        }
    }
}

/// What a whole description is called in messages.
pub(super) const DESCRIPTION: &str = "the description";

fn begins_with_digit(node: &Node) -> bool {
    node.text().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
}

fn mismatch<'e>(node: &Node, what: &str, wanted: &str, errors: &'e mut Errors) -> &'e mut DescriptionError {
    let found = match &node.kind {
        _ if node.is_null() => "it has no value".to_owned(),
        Kind::Scalar { text, .. } => format!("`{text}` is none"),
        Kind::List(_) => "this is a list".to_owned(),
        Kind::Map(_) => "this is a map".to_owned(),
    };
    errors.add(node.span, format!("{} wants {wanted}, and {found}", said(what)))
}

/// A key as a message names it; the whole file is called what it is.
fn said(what: &str) -> String {
    if what.contains(' ') { what.to_owned() } else { format!("`{what}`") }
}

fn wanted_any(shapes: &[&'static Shape]) -> String {
    let wanted: Vec<String> = shapes.iter().map(|shape| shape.wanted()).collect();
    wanted.join(", or ")
}

/// `a`, `b` and `c`.
pub(crate) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => "none".to_owned(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The word that was probably meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase().replace('-', "_")), candidate))
        .filter(|(likeness, _)| *likeness >= 0.82)
        .fold(None, |best: Option<(f64, &str)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        })
        .map(|(_, candidate)| candidate)
}

/// What to propose for a name that is none of those known: the nearest, or all if they are few.
pub(crate) fn proposal<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(near) = nearest(word, known.clone()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let few: Vec<&str> = known.into_iter().take(9).collect();
    (1..9).contains(&few.len()).then(|| format!("there is {}", listed(few)))
}
