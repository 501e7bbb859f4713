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

impl Spread {
    /// The middle: half of the draws are at most this.
    pub fn middle(&self) -> Duration {
        match self {
            Self::Fixed(value) => *value,
            Self::Range(low, high) => *low + Duration::from_micros((*high - *low).as_micros() / 2),
            Self::Samples(values) => {
                let mut values = values.clone();
                values.sort_unstable();
                values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or_default()
            }
        }
    }

    /// No draw is longer.
    pub fn longest(&self) -> Duration {
        match self {
            Self::Fixed(value) | Self::Range(_, value) => *value,
            Self::Samples(values) => values.iter().copied().max().unwrap_or_default(),
        }
    }
}
