//! The only place that writes: answers to standard output, talk to standard error.

mod bar;
mod color;

use std::io::{self, IsTerminal, Write};

use rollgate_core::report::{Format, Page};
use rollgate_core::verbs::LintFormat;

pub(crate) use bar::Bar;
use color::wants_color;

use crate::args::{self, Color};

/// Where a call writes, and what the other side can show.
#[derive(Debug)]
pub(crate) struct Screen {
    color: Color,
}

impl Screen {
    /// What `--color` asked for.
    pub(crate) const fn new(color: Color) -> Self {
        Self { color }
    }

    /// Whether an answer is coloured.
    fn colors_answer(&self) -> bool {
        wants_color(self.color, |name| std::env::var(name).ok(), io::stdout().is_terminal())
    }

    /// Whether talk is coloured.
    pub(crate) fn colors_talk(&self) -> bool {
        wants_color(self.color, |name| std::env::var(name).ok(), io::stderr().is_terminal())
    }

    /// The paper of an answer in text.
    pub(crate) fn page(&self) -> Page {
        Page { color: self.colors_answer(), columns: Self::columns() }
    }

    /// The form of an answer, as asked for.
    pub(crate) fn format(&self, asked: args::Format) -> Format {
        match asked {
            args::Format::Text => Format::Text(self.page()),
            args::Format::Json => Format::Json,
            args::Format::Yaml => Format::Yaml,
            args::Format::Md => Format::Markdown,
        }
    }

    /// The form of findings, as asked for.
    pub(crate) fn lint_format(&self, asked: args::LintFormat) -> LintFormat {
        let report = |format| LintFormat::Report(self.format(format));
        match asked {
            args::LintFormat::Text => report(args::Format::Text),
            args::LintFormat::Json => report(args::Format::Json),
            args::LintFormat::Yaml => report(args::Format::Yaml),
            args::LintFormat::Md => report(args::Format::Md),
            args::LintFormat::Github => LintFormat::GitHub,
            args::LintFormat::Sarif => LintFormat::Sarif,
        }
    }

    /// How many columns an answer may use: the terminal's, at least 80 and at most 120; 80
    /// where it goes to a file or a program.
    fn columns() -> usize {
        let seen = terminal_size::terminal_size_of(io::stdout()).map_or(80, |(width, _)| usize::from(width.0));
        seen.clamp(80, 120)
    }

    /// Prints an answer. A reader that has gone away is no failure: it has what it wanted.
    ///
    /// # Errors
    /// If standard output cannot be written for another reason, such as a full disk.
    pub(crate) fn answer(text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Says something beside the answer. Nobody listening is no failure.
    pub(crate) fn say(text: &str) {
        drop(writeln!(io::stderr().lock(), "{text}"));
    }
}
