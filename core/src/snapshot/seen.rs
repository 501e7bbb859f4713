//! A value that was seen, or why it was not.

use serde::{Deserialize, Serialize};

/// A value, or the reason why nobody knows it. In JSON the value itself, or
/// `{"unknown": "the broker does not answer"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Seen<T> {
    /// Nobody knows.
    Unknown(Unknown),
    /// This was seen.
    Known(T),
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unknown {
    /// The reason, as a clause without a full stop: `the broker does not answer`.
    pub unknown: String,
}

impl<T> Seen<T> {
    /// A value that could not be seen, and why.
    pub fn unknown(reason: impl Into<String>) -> Self {
        Self::Unknown(Unknown { unknown: reason.into() })
    }

    /// The value, if it was seen.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unknown(_) => None,
        }
    }

    /// Why it was not seen, if it was not.
    pub fn why_unknown(&self) -> Option<&str> {
        match self {
            Self::Known(_) => None,
            Self::Unknown(reason) => Some(&reason.unknown),
        }
    }

    /// The value made into another; what is unknown stays so for the same reason.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Seen<U> {
        match self {
            Self::Known(value) => Seen::Known(make(value)),
            Self::Unknown(reason) => Seen::Unknown(reason),
        }
    }

    /// What can be seen in the value, if it was seen itself.
    pub fn map_known<'a, U>(&'a self, look: impl FnOnce(&'a T) -> Seen<U>) -> Seen<U> {
        match self {
            Self::Known(value) => look(value),
            Self::Unknown(reason) => Seen::Unknown(reason.clone()),
        }
    }
}
