//! What is wrong with bytes.

use std::fmt;

/// Bytes that are no metadata or assignment of a Connect worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireError {
    /// Where the value begins that is wrong, in bytes from the start; at most their number.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// What is there instead.
    pub problem: Problem,
}

/// What stands where something else was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes end: so many are needed, so many are left.
    Ends {
        /// Needed for what is expected, or at least.
        needed: usize,
        /// Left.
        left: usize,
    },
    /// A length, a version or a task's number below what it can be.
    TooSmall(i32),
    /// A text that is no UTF-8.
    NotUtf8,
}

/// A text that is too long to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {bytes} bytes do not fit; the most that Kafka writes are {most}")]
pub struct TooLong {
    /// What it is.
    pub what: &'static str,
    /// How long it is, in bytes or entries.
    pub bytes: usize,
    /// The longest there can be.
    pub most: usize,
}

impl std::error::Error for WireError {}

/// As a clause: `byte 14, the leader's URL: 300 bytes expected, 6 left`.
impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, expected, problem } = self;
        match problem {
            Problem::Ends { needed, left } => {
                write!(f, "byte {offset}, {expected}: {needed} bytes expected, {left} left")
            }
            Problem::TooSmall(value) => write!(f, "byte {offset}, {expected}: {value} is none"),
            Problem::NotUtf8 => write!(f, "byte {offset}, {expected}: no UTF-8"),
        }
    }
}
