//! A length of time that may differ from run to run.

use super::Duration;

/// A length of time that is the same, or differs, from run to run.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// Always this long.
    Fixed(Duration),
    /// Anything from the first to the second, evenly.
    Range(Duration, Duration),
    /// One of these measured values, each as likely.
    Samples(Vec<Duration>),
}
