//! Connectors and tasks as people list them, in descriptions and in replay files.

use super::shape::{Key, Leaf, Shape};
use crate::text::yaml::{Kind, Node};
use crate::text::{Span, Spanned};

/// Connectors and tasks as written.
#[derive(Clone, Debug)]
pub enum ItemsWritten {
    /// Names of either.
    Mixed(Vec<Spanned<String>>),
    /// Names of connectors, and names of tasks.
    Apart(Vec<Spanned<String>>, Vec<Spanned<String>>),
}

impl ItemsWritten {
    /// Every name, in the order of writing.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Spanned<String>> {
        let (one, other) = match self {
            Self::Mixed(names) => (names.as_slice(), [].as_slice()),
            Self::Apart(connectors, tasks) => (connectors.as_slice(), tasks.as_slice()),
        };
        one.iter().chain(other)
    }

    /// Where the first name stands, if there is one.
    pub(crate) fn first_place(&self) -> Option<Span> {
        self.all().next().map(|name| name.span)
    }

    /// Where a name stands.
    pub(crate) fn place_of(&self, name: &str) -> Option<Span> {
        self.all().find(|written| written.value == name).map(|written| written.span)
    }
}

pub(super) fn items(node: Option<&Node>) -> ItemsWritten {
    match node {
        Some(node) if matches!(node.kind, Kind::Map(_)) => {
            ItemsWritten::Apart(names(node.get("connectors")), names(node.get("tasks")))
        }
        _ => ItemsWritten::Mixed(names(node)),
    }
}

pub(super) fn names(node: Option<&Node>) -> Vec<Spanned<String>> {
    let items = node.map(Node::items).unwrap_or_default();
    items.iter().filter_map(|item| Some(Spanned::new(item.text()?.to_owned(), item.span))).collect()
}

/// Connectors and tasks by name.
pub(super) static ITEMS: Shape = Shape::Any(&[&IDS, &ITEMS_MAP]);

static ITEMS_MAP: Shape = Shape::Map(&[
    Key::new("connectors", &IDS, "Names of connectors."),
    Key::new("tasks", &IDS, "Names of tasks, such as `alpha-3`."),
]);

/// Names.
pub(super) static IDS: Shape = Shape::List(&Shape::Leaf(Leaf::Name));
