//! What is wrong with a file, said so that a person can act on it.

use std::ops::Range;

use super::message::{Mark, Message, Weight};
use super::{Files, Span};

/// One mistake in a file, with its place. `Display` is one line: `file:line:column: message`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
#[non_exhaustive]
pub struct DescriptionError {
    /// The file's name as in [`Files`].
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The bytes to underline.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Other places that take part: the first of two equal keys, the other of two numbers that clash.
    pub also: Vec<Also>,
}

/// A second place of a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Also {
    /// The file's name as in [`Files`].
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The bytes to underline.
    pub span: Range<usize>,
    /// What is there.
    pub label: String,
}

/// Collects mistakes while a file is read, so that all come at once.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    files: Vec<String>,
    list: Vec<DescriptionError>,
}

impl DescriptionError {
    /// The message with the line it is about, the words underlined, and the proposed fix.
    pub fn render(&self, files: &Files, colour: bool) -> String {
        let also = self.also.iter();
        let missing = files.get(&self.file).is_none();
        let place = format!("{} (line {}, column {})", self.message, self.line, self.column);
        let message = Message {
            weight: Weight::Error,
            note: None,
            title: if missing { &place } else { &self.message },
            at: Mark { file: &self.file, span: &self.span, label: None },
            also: also.map(|also| Mark { file: &also.file, span: &also.span, label: Some(&also.label) }).collect(),
            help: self.help.as_deref(),
        };
        message.render(files, colour)
    }
}

impl Errors {
    /// Collects mistakes in files with these names.
    pub fn new(files: Vec<String>) -> Self {
        Self { files, list: Vec::new() }
    }

    /// Adds a mistake and gives it back, so that help and other places can be added.
    pub fn add(&mut self, span: Span, message: impl Into<String>) -> &mut DescriptionError {
        let error = DescriptionError {
            file: self.name(span),
            line: span.line,
            column: span.column,
            span: span.bytes(),
            message: one_line(&message.into()),
            help: None,
            also: Vec::new(),
        };
        let place = self.list.len();
        self.list.push(error);
        &mut self.list[place]
    }

    /// Adds a mistake with what to write instead.
    pub fn add_with_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.add(span, message).help = Some(one_line(&help.into()));
    }

    /// Adds a mistake that two places make together.
    pub fn add_with_also(&mut self, span: Span, message: impl Into<String>, other: Span, label: impl Into<String>) {
        let also = Also { file: self.name(other), line: other.line, span: other.bytes(), label: label.into() };
        self.add(span, message).also.push(also);
    }

    /// Says what to write instead of the mistake added last.
    pub fn help_last(&mut self, help: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.help = Some(one_line(&help.into()));
        }
    }

    /// How many mistakes there are so far.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All mistakes in the order of the files' text, or the value if there is none.
    ///
    /// # Errors
    /// All mistakes that were added, at each place the first.
    pub fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<DescriptionError>> {
        match value {
            Some(value) if self.list.is_empty() => Ok(value),
            _ => {
                let main = self.files.first().cloned().unwrap_or_default();
                self.list.sort_by_cached_key(|error| {
                    (error.file != main, error.file.clone(), error.span.start, error.span.end)
                });
                // Of several mistakes at one place the first that was found is the cause of the others.
                self.list.dedup_by(|next, kept| next.file == kept.file && next.span == kept.span);
                Err(self.list)
            }
        }
    }

    /// The name of the file of a place.
    pub fn name(&self, span: Span) -> String {
        self.files.get(usize::from(span.file.0)).cloned().unwrap_or_default()
    }

    /// Adds a file; its id is its place in the list.
    pub fn file(&mut self, name: &str) -> super::FileId {
        let place = self.files.iter().position(|known| known == name).unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        });
        super::FileId(u16::try_from(place).unwrap_or(u16::MAX))
    }

    /// The names of all files seen so far.
    pub fn files(&self) -> &[String] {
        &self.files
    }
}

/// A message on one line and of bearable length, whatever a file has put into it.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for (place, c) in text.chars().enumerate() {
        if place == LONGEST_MESSAGE {
            line.push('…');
            break;
        }
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// Characters; the longest list of keys fits.
const LONGEST_MESSAGE: usize = 400;
