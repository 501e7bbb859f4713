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

    /// The time that 95 of 100 do not exceed; of fewer than 20 samples, the longest.
    pub fn p95(&self) -> Duration {
        match self {
            Self::Fixed(time) => *time,
            Self::Range(least, most) => *least + (*most - *least) * 95 / 100,
            Self::Samples(samples) => {
                let mut sorted = samples.clone();
                sorted.sort();
                let rank = (sorted.len() * 95).div_ceil(100);
                sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
            }
        }
    }

    /// The longest it can take.
    pub fn longest(&self) -> Duration {
        match self {
            Self::Fixed(time) | Self::Range(_, time) => *time,
            Self::Samples(samples) => samples.iter().copied().max().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_few_samples_the_p95_is_the_longest() {
        let samples = |count: i64| Spread::Samples((1..=count).rev().map(Duration::from_secs).collect());
        assert_eq!(samples(5).p95(), Duration::from_secs(5));
        assert_eq!(samples(100).p95(), Duration::from_secs(95));
        assert_eq!(Spread::Range(Duration::ZERO, Duration::from_secs(20)).p95(), Duration::from_secs(19));
        assert_eq!(samples(100).longest(), Duration::from_secs(100));
    }
}
