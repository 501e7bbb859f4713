//! The files of a description and places in them.

use std::collections::BTreeMap;
use std::ops::Range;

/// The texts of a description by the names used in messages; the edge reads them.
///
/// The name of a file that `settings_from` names is the path as it is written there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, String>);

/// A file, by its place in the list of names that a reader was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u16);

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

impl Files {
    /// Adds a file, or replaces its text.
    pub fn insert(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.0.insert(name.into(), text.into());
    }

    /// The text of a file.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl Span {
    /// The bytes of the place.
    pub const fn bytes(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl<T> Spanned<T> {
    /// A value at its place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// Another value at the same place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: change(self.value), span: self.span }
    }
}

impl<N: Into<String>, T: Into<String>> FromIterator<(N, T)> for Files {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(files: I) -> Self {
        Self(files.into_iter().map(|(name, text)| (name.into(), text.into())).collect())
    }
}

/// The largest file that is read: places are 32-bit numbers, and no description is larger.
pub(crate) const MAX_FILE_BYTES: usize = 16 << 20;
