//! What the gate answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::reason::Reason;
use super::serial::millis;
use super::state::State;
use crate::units::{Duration, Timestamp};

/// The answer to one look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// Where the step is now.
    pub state: State,
    /// When.
    pub at: Timestamp,
    /// Since the gate's start.
    #[serde(with = "millis", rename = "passed_ms")]
    pub passed: Duration,
    /// Why it does not proceed; nothing if it does.
    pub reasons: Vec<Reason>,
    /// What a person overruled. It is not met.
    pub accepted: Vec<Reason>,
    /// What is worth knowing and does not decide.
    pub notes: Vec<Reason>,
    /// For how long everything has been met.
    #[serde(with = "millis", rename = "calm_ms")]
    pub calm: Duration,
    /// For how long it has to be.
    #[serde(with = "millis", rename = "window_ms")]
    pub window: Duration,
}

/// The four answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Go on, now.
    Proceed,
    /// Do not. In a halted step that is final; else somebody has to do what the reasons say,
    /// and may ask again.
    Stop,
    /// Wait.
    NotYet,
    /// What is seen does not decide.
    CannotTell,
}

impl Verdict {
    /// The exit code that tells it.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Proceed => 0,
            Self::Stop => 1,
            Self::NotYet => 3,
            Self::CannotTell => 4,
        }
    }
}

/// As in JSON: `proceed`, `stop`, `not-yet`, `cannot-tell`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Proceed => "proceed",
            Self::Stop => "stop",
            Self::NotYet => "not-yet",
            Self::CannotTell => "cannot-tell",
        })
    }
}
