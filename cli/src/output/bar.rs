//! How far a long search is, for a person who watches.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A line on standard error that is redrawn in place; nothing unless that is a terminal,
/// and nothing for what is done at once.
#[derive(Debug)]
pub(crate) struct Bar {
    what: &'static str,
    began: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Bar {
    /// A bar that says what is being done.
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, began: Instant::now(), shown: None, terminal: io::stderr().is_terminal() }
    }

    /// Shows how much of it is done.
    pub(crate) fn show(&mut self, done: u32, total: u32) {
        let now = Instant::now();
        if !self.terminal || now - self.began < PATIENCE || self.shown.is_some_and(|at| now - at < PACE) {
            return;
        }
        self.shown = Some(now);
        drop(write!(io::stderr().lock(), "\r{}: {done} of {total}\u{1b}[K", self.what));
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            drop(write!(io::stderr().lock(), "\r\u{1b}[K"));
        }
    }
}

/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// Between two pictures.
const PACE: Duration = Duration::from_millis(100);
