//! How far a long search is, for a person who watches.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use rollgate_core::plan::{Progress, SoFar};
use rollgate_core::units::{Records, Share};

/// A line on standard error that is redrawn in place; nothing unless that is a terminal,
/// and nothing for what is done at once. Plain, it is a new line each time the answer so far
/// gets better, wherever standard error leads.
#[derive(Debug)]
pub(crate) struct Bar {
    what: &'static str,
    began: Instant,
    shown: Option<Instant>,
    terminal: bool,
    plain: bool,
    best: Option<SoFar>,
}

impl Bar {
    /// A bar that says what is being done.
    pub(crate) fn new(what: &'static str) -> Self {
        let terminal = io::stderr().is_terminal();
        Self { what, began: Instant::now(), shown: None, terminal, plain: false, best: None }
    }

    /// The same in plain lines.
    pub(crate) fn plain(self) -> Self {
        Self { plain: true, terminal: false, ..self }
    }

    /// The same, never shown.
    pub(crate) fn never(self) -> Self {
        Self { terminal: false, ..self }
    }

    /// Shows how much of it is done, and the best answer so far.
    pub(crate) fn show(&mut self, at: Progress) {
        let now = Instant::now();
        if self.plain {
            self.line(at, now);
        }
        if !self.terminal || now - self.began < PATIENCE || self.shown.is_some_and(|at| now - at < PACE) {
            return;
        }
        self.shown = Some(now);
        let best = at.best.map_or_else(String::new, |best| format!("; so far {}", said(&best)));
        drop(write!(io::stderr().lock(), "\r{}: {} of {}{best}\u{1b}[K", self.what, at.done, at.total));
    }

    fn line(&mut self, at: Progress, now: Instant) {
        let Some(best) = at.best.filter(|best| self.best != Some(*best)) else { return };
        self.best = Some(best);
        let after = (now - self.began).as_secs_f64();
        drop(writeln!(io::stderr().lock(), "{after:.2} s  so far {} ({} of {} runs)", said(&best), at.done, at.total));
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            drop(write!(io::stderr().lock(), "\r\u{1b}[K"));
        }
    }
}

/// `588 task-seconds, 20 % held, 2 min 30 s`.
fn said(best: &SoFar) -> String {
    let takes = if best.duration.is_finite() {
        rollgate_core::units::Duration::from_secs_f64(best.duration).to_string()
    } else {
        "no end".to_owned()
    };
    format!("{} task-seconds, {} held, {takes}", Records(best.unassigned), Share(best.peak_held))
}

/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// Between two pictures.
const PACE: Duration = Duration::from_millis(100);
