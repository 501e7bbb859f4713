//! The forms a report can take.

use serde::Serialize;

use super::Page;

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for a terminal.
    Text(Page),
    /// The stable document of [`super::v1`].
    Json,
    /// The same document as YAML.
    Yaml,
    /// Markdown.
    Markdown,
}

/// A document as JSON, indented, with a line break at the end.
///
/// # Panics
/// If a document has keys that are no text, which none of [`super::v1`] has.
pub fn json(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("a document of v1 has text keys only");
    text.push('\n');
    text
}

/// The same document as YAML.
///
/// # Panics
/// If a document cannot be written, which each of [`super::v1`] can.
pub fn yaml(document: &impl Serialize) -> String {
    serde_yaml::to_string(document).expect("a document of v1 is plain data")
}
