//! A message with the lines it is about: errors and findings look alike.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Files;
use super::secret::masked;

/// How much a message weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It must be mended.
    Error,
    /// A risk.
    Warning,
    /// Worth knowing.
    Note,
}

/// A place a message points at.
#[derive(Clone, Copy, Debug)]
pub struct Mark<'m> {
    /// The file's name as in [`Files`].
    pub file: &'m str,
    /// The bytes to underline.
    pub span: &'m Range<usize>,
    /// What to say beside the line.
    pub label: Option<&'m str>,
}

/// What is said about a place.
#[derive(Clone, Debug)]
pub struct Message<'m> {
    /// How much it weighs.
    pub weight: Weight,
    /// A word for what is beside the help, and what is said by it.
    pub note: Option<(&'m str, &'m str)>,
    /// What is said.
    pub title: &'m str,
    /// What it is about.
    pub at: Mark<'m>,
    /// What takes part.
    pub also: Vec<Mark<'m>>,
    /// What to do.
    pub help: Option<&'m str>,
}

impl Message<'_> {
    /// The message with the lines it is about, the words underlined, and what to do. Secrets are covered.
    pub fn render(&self, files: &Files, colour: bool) -> String {
        let level = match self.weight {
            Weight::Error => Level::ERROR,
            Weight::Warning => Level::WARNING,
            Weight::Note => Level::NOTE,
        };
        let mut group = Group::with_title(level.primary_title(self.title));
        let mut shown = vec![self.at.file];
        for also in &self.also {
            if !shown.contains(&also.file) {
                shown.push(also.file);
            }
        }
        for file in shown {
            let Some(text) = files.get(file) else { continue };
            let shown = masked(text);
            let mut snippet = Snippet::source(shown).path(file);
            if file == self.at.file {
                let place = AnnotationKind::Primary.span(within(text, self.at.span));
                snippet = snippet.annotation(match self.at.label {
                    Some(label) => place.label(label),
                    None => place,
                });
            }
            for also in self.also.iter().filter(|also| also.file == file) {
                let place = AnnotationKind::Context.span(within(text, also.span));
                snippet = snippet.annotation(match also.label {
                    Some(label) => place.label(label),
                    None => place,
                });
            }
            group = group.element(snippet);
        }
        if files.get(self.at.file).is_none() {
            group = group.element(Level::NOTE.message(format!("in {}", self.at.file)));
        }
        if let Some((name, text)) = self.note {
            group = group.element(Level::NOTE.with_name(name).message(text));
        }
        let mut report = vec![group];
        if let Some(help) = self.help {
            report.push(Group::with_title(Level::HELP.secondary_title(help)));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let shown = renderer.render(&report);
        // What covers a secret is filled up with blanks, and these would tell how long it is.
        shown.split('\n').map(str::trim_end).collect::<Vec<&str>>().join("\n")
    }
}

/// The span as a renderer can take it: inside the text and between characters.
fn within(text: &str, span: &Range<usize>) -> Range<usize> {
    let floor = |place: usize| {
        let mut place = place.min(text.len());
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        place
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}
