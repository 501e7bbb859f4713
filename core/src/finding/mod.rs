//! What is right but risky: what was seen, where, how bad, how sure, and what to do.
//!
//! A finding is never an error: the files can be read, and the roll can be simulated.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use crate::text::{Files, Mark, Message, Weight};

/// Something risky that a rule has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule, by its id.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// How sure it is.
    pub confidence: Confidence,
    /// What it is about.
    pub at: Place,
    /// What takes part.
    pub also: Vec<Place>,
    /// What was seen and what would be right, as one sentence without its full stop.
    pub evidence: String,
    /// What to do, as one sentence without its full stop.
    pub advice: String,
}

/// How bad a finding is; the worse the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing before the roll.
    Note,
    /// It makes the roll dearer than it need be, or dangerous in bad luck.
    Warning,
    /// It ends badly by itself.
    Error,
}

/// How sure a rule is that what it has found does harm here; the surer the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// It depends on what is not known here.
    Low,
    /// It holds unless something unusual is the case.
    Medium,
    /// It follows from what was given.
    High,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name as in [`Files`].
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The bytes to underline.
    pub span: Range<usize>,
    /// What to say beside the line, such as that nobody wrote the value that counts.
    pub label: Option<String>,
}

impl Finding {
    /// The finding with the line it is about, the words underlined, and what to do.
    pub fn render(&self, files: &Files, colour: bool) -> String {
        let message = Message {
            weight: match self.severity {
                Severity::Error => Weight::Error,
                Severity::Warning => Weight::Warning,
                Severity::Note => Weight::Note,
            },
            note: Some(("rule", &format!("{} ({} confidence)", self.rule, self.confidence))),
            title: &wrapped(&self.evidence, LINE - self.severity.word().len() - 2),
            at: self.at.mark(),
            also: self.also.iter().map(Place::mark).collect(),
            help: Some(&wrapped(&self.advice, LINE - 6)),
        };
        message.render(files, colour)
    }
}

impl Place {
    /// The same place with something said beside it.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    fn mark(&self) -> Mark<'_> {
        Mark { file: &self.file, span: &self.span, label: self.label.as_deref() }
    }
}

impl Severity {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Confidence {
    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// The text in lines of at most so many characters, where its words allow it.
fn wrapped(text: &str, most: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if used > 0 && used + 1 + width > most {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += width;
    }
    lines
}

/// The columns of a line.
const LINE: usize = 80;

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
