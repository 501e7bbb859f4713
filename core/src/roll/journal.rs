//! The journal of a roll: what was asked, answered and seen, one JSON line each.
//!
//! A file that is only ever added to. Whoever reads it knows where the roll is: which plan it
//! follows, what the cluster looked like before the first restart, which steps are through, and
//! where the gate of the step under way stands. It is what makes a roll resumable by facts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::gate::{Baseline, Foreseen, Gate, Reason, Verdict};
use crate::snapshot::WorkItems;
use crate::units::Timestamp;

/// A journal as far as it is written.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Journal {
    /// Its lines, in order.
    pub entries: Vec<Entry>,
    /// Whether the last line is only half there: the program or machine died while writing it.
    /// It was left out; what it would have said did not happen.
    pub torn: bool,
}

/// One line: an object with one key, which says what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// The first line.
    Began(Box<Began>),
    /// A question was answered.
    Answered(Box<Answered>),
    /// A person overruled the gate for one step.
    Accepted(Accepted),
    /// Another took the roll over.
    TakenOver {
        /// When.
        at: Timestamp,
        /// Whose roll it was.
        from: String,
        /// Whose it is now.
        by: String,
    },
}

/// How a roll began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Began {
    /// The version of the journal's format: [`Journal::VERSION`].
    pub journal_version: u32,
    /// When.
    pub at: Timestamp,
    /// Which rollgate wrote it.
    pub rollgate: String,
    /// Who began it, as `user@host` or as it was given.
    pub owner: String,
    /// The hash of the plan that is followed.
    pub plan: String,
    /// The advertised address of each worker of the plan.
    pub urls: BTreeMap<String, String>,
    /// What the cluster looked like before the first restart.
    pub baseline: Baseline,
}

/// What is asked of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ask {
    /// May the workers of the step be stopped now?
    Before,
    /// Is the cluster whole again, so that the next may go?
    After,
}

/// One question, its wait and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// When the answer was given.
    pub at: Timestamp,
    /// What was asked.
    pub ask: Ask,
    /// The step of the plan, from 1.
    pub step: usize,
    /// Its workers by their names in the plan.
    pub workers: Vec<String>,
    /// The answer.
    pub verdict: Verdict,
    /// Why, and what else was to be said.
    pub reasons: Vec<Reason>,
    /// From the question to the answer, in milliseconds.
    pub waited_ms: i64,
    /// What changed meanwhile.
    pub timeline: Vec<Seen>,
    /// What the workers owned when they were let go.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub owned: BTreeMap<String, WorkItems>,
    /// What stopping the workers was computed to do, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreseen: Option<Foreseen>,
    /// When the processes started, by who restarts them, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// Where the gate stands: the next question goes on from here.
    pub gate: Gate,
}

/// Something that changed during a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// When.
    pub at: Timestamp,
    /// Since the question, in milliseconds.
    pub after_ms: i64,
    /// What, as a sentence.
    pub what: String,
}

/// A reason that a person accepts for one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// When.
    pub at: Timestamp,
    /// The step of the plan, from 1.
    pub step: usize,
    /// The kind of reason, such as `worker-missing`.
    pub reason: String,
    /// Why, in the person's words.
    pub because: String,
    /// Who.
    pub owner: String,
}

/// What is wrong with a journal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A line that is none of ours.
    #[error("line {line}: {what}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// It does not begin with how the roll began.
    #[error("line 1: a journal begins with the entry `began`, this file does not: it is another file")]
    NoBeginning,
    /// Two rolls in one file.
    #[error("line {line}: a second roll begins here; each roll has a journal of its own")]
    SecondBeginning {
        /// Which, from 1.
        line: usize,
    },
    /// A format that this program does not know.
    #[error("journal_version is {0}; this rollgate reads 1: go on with the rollgate that began the roll")]
    OtherVersion(u32),
}

impl Journal {
    /// The version of the format that this program reads and writes.
    pub const VERSION: u32 = 1;

    /// Reads a journal. An empty text is a roll that has not begun.
    ///
    /// # Errors
    /// Every line that cannot be read, except a last one that was torn off in writing.
    pub fn read(text: &str) -> Result<Self, Vec<JournalError>> {
        let mut journal = Self::default();
        let mut errors = Vec::new();
        let whole = text.is_empty() || text.ends_with('\n');
        let lines: Vec<&str> = text.lines().collect();
        for (place, line) in lines.iter().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            if place + 1 == lines.len() && !whole {
                journal.torn = true;
                continue;
            }
            match serde_json::from_str::<Entry>(line) {
                Ok(entry) => {
                    errors.extend(misplaced(&entry, journal.entries.is_empty() && errors.is_empty(), place + 1));
                    journal.entries.push(entry);
                }
                Err(error) => errors.push(JournalError::Line { line: place + 1, what: error.to_string() }),
            }
        }
        if errors.is_empty() { Ok(journal) } else { Err(errors) }
    }

    /// How the roll began, if it has.
    pub fn began(&self) -> Option<&Began> {
        match self.entries.first() {
            Some(Entry::Began(began)) => Some(began),
            _ => None,
        }
    }

    /// Whose roll it is now.
    pub fn owner(&self) -> Option<&str> {
        let taken = self.entries.iter().rev().find_map(|entry| match entry {
            Entry::TakenOver { by, .. } => Some(by.as_str()),
            _ => None,
        });
        taken.or(self.began().map(|began| began.owner.as_str()))
    }

    /// The answers, in order.
    pub fn answers(&self) -> impl DoubleEndedIterator<Item = &Answered> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Answered(answered) => Some(&**answered),
            _ => None,
        })
    }

    /// The last answer that a step was given.
    pub fn last_of(&self, step: usize) -> Option<&Answered> {
        self.answers().rev().find(|answered| answered.step == step)
    }

    /// Whether a step is through: its workers were restarted and the gate let the next one go.
    pub fn is_through(&self, step: usize) -> bool {
        self.last_of(step).is_some_and(|last| last.ask == Ask::After && last.verdict == Verdict::Proceed)
    }

    /// What a person accepts in a step, by the kinds of reasons.
    pub fn accepted(&self, step: usize) -> Vec<String> {
        let of = |entry: &Entry| match entry {
            Entry::Accepted(accepted) if accepted.step == step => Some(accepted.reason.clone()),
            _ => None,
        };
        self.entries.iter().filter_map(of).collect()
    }

    /// The moment of its last line.
    pub fn last_at(&self) -> Option<Timestamp> {
        self.entries.last().map(|entry| match entry {
            Entry::Began(began) => began.at,
            Entry::Answered(answered) => answered.at,
            Entry::Accepted(accepted) => accepted.at,
            Entry::TakenOver { at, .. } => *at,
        })
    }
}

impl Entry {
    /// The line to add to the file, with its end.
    ///
    /// # Panics
    /// Never: an entry has text keys and finite numbers only.
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("an entry has text keys only");
        line.push('\n');
        line
    }
}

fn misplaced(entry: &Entry, first: bool, line: usize) -> Option<JournalError> {
    match entry {
        Entry::Began(began) if first => {
            (began.journal_version != Journal::VERSION).then_some(JournalError::OtherVersion(began.journal_version))
        }
        Entry::Began(_) => Some(JournalError::SecondBeginning { line }),
        _ if first => Some(JournalError::NoBeginning),
        _ => None,
    }
}
