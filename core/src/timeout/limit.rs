//! When to give up, and what that rests on.

use std::fmt;

use super::estimate::{Estimate, FEWEST, NoEstimate, Sample, WEAK, estimate, times};
use super::measured::Kind;
use crate::units::{Duration, Spread};

/// How long to wait before something has failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The time, in whole seconds.
    pub time: Duration,
    /// What it rests on.
    pub basis: Basis,
}

/// What a limit rests on. Its words follow "from".
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// Measured times.
    Measured(Estimate),
    /// Measured times that allow no estimate, and so a rule of thumb.
    RuleOfThumb(NoEstimate),
    /// A longest time that a person gave, and half as much again.
    StatedRange(Duration, Duration),
    /// A single time that a person gave, or a default, doubled: it bounds nothing.
    StatedTime(Duration),
    /// Limits that follow one another, or one of them and what Kafka adds to it.
    Sum(Vec<(String, Duration)>),
}

impl Limit {
    /// The limit for something of which these times were measured.
    ///
    /// Without an estimate it is a rule of thumb: three times the longest that was measured,
    /// and `at_least`.
    pub fn of_samples(samples: &[Sample], at_least: Duration) -> Self {
        match estimate(samples) {
            Ok(estimate) => Self::new(estimate.bound, Basis::Measured(estimate)),
            Err(none) => {
                let longest = samples.iter().map(|sample| sample.time()).max().unwrap_or_default();
                Self::rule_of_thumb(none, (longest * 3).max(at_least))
            }
        }
    }

    /// The limit for something that takes such times.
    ///
    /// Measured times are samples. A range is what a person gave as bounds, and no sample of
    /// anything: it gets half as much again. A single time bounds nothing, and is doubled.
    pub fn of_spread(spread: &Spread) -> Self {
        match spread {
            Spread::Fixed(time) => Self::new(*time * 2, Basis::StatedTime(*time)),
            Spread::Range(least, most) => Self::new(times(*most, 1.5), Basis::StatedRange(*least, *most)),
            Spread::Samples(measured) => {
                let samples: Vec<Sample> = measured.iter().copied().map(Sample::Took).collect();
                Self::of_samples(&samples, Duration::ZERO)
            }
        }
    }

    /// The limit for things that follow one another: bounds add up, so that the sum holds at
    /// least as surely as each, and is longer than a bound of the sum would be.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = (&'a str, &'a Self)>) -> Self {
        Self::of_durations(parts.into_iter().map(|(name, limit)| (name.to_owned(), limit.time)).collect())
    }

    /// What stands in for an estimate.
    pub(super) fn rule_of_thumb(none: NoEstimate, time: Duration) -> Self {
        Self::new(time, Basis::RuleOfThumb(none))
    }

    /// The limit for times that are known and follow one another.
    pub(super) fn of_durations(parts: Vec<(String, Duration)>) -> Self {
        let sum = parts.iter().map(|(_, time)| *time).sum();
        Self::new(sum, Basis::Sum(parts))
    }

    /// With the round in which the group takes a worker in: at most a heartbeat interval, as
    /// long as nobody else is late.
    pub(super) fn with_round(mut self, heartbeat: Duration) -> Self {
        self.time = whole_seconds(self.time + heartbeat);
        if let Basis::Sum(parts) = &mut self.basis {
            parts.push(("its round".to_owned(), heartbeat));
        }
        self
    }

    /// Whether measured times, or bounds that a person gave, are behind it.
    pub fn is_known(&self) -> bool {
        matches!(self.basis, Basis::Measured(_) | Basis::StatedRange(..))
    }

    fn new(time: Duration, basis: Basis) -> Self {
        Self { time: whole_seconds(time), basis }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measured(estimate) => estimate.fmt(f),
            Self::RuleOfThumb(none) => write!(f, "a rule of thumb: {none}"),
            Self::StatedRange(least, most) => {
                write!(f, "the stated {} to {}, and half as much again", said(*least), said(*most))
            }
            Self::StatedTime(time) => write!(f, "the stated {}, doubled: a single time bounds nothing", said(*time)),
            Self::Sum(parts) => {
                for (place, (name, time)) in parts.iter().enumerate() {
                    write!(f, "{}{name} {}", if place == 0 { "" } else { " + " }, said(*time))?;
                }
                Ok(())
            }
        }
    }
}

/// `12 measured restarts: the log-normal bound (19 in 20, 95 % sure)`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.capped {
            "five times the longest, where so few would ask for more"
        } else if self.bound == self.log_normal {
            "the log-normal bound for 19 in 20, 95 % sure"
        } else {
            "1.5 times the longest"
        };
        write!(f, "{} measured{}: {how}", self.seen + self.over, if self.weak { ", a weak basis" } else { "" })
    }
}

impl fmt::Display for NoEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { seen: 0, over: 0 } => {
                write!(f, "nothing was measured, and an estimate needs {FEWEST} restarts")
            }
            Self::TooFew { seen, over } => {
                let given_up = if *over > 0 { format!(", {over} given up") } else { String::new() };
                write!(f, "{seen} measured to the end{given_up}, and an estimate needs {FEWEST}, a good one {WEAK}")
            }
            Self::TwoKinds([below, above]) => {
                let [quick, slow] =
                    [below, above].map(|of| format!("{} took {} to {}", of.count, said(of.quickest), said(of.slowest)));
                write!(f, "{quick} and {slow}: two kinds of restart, and no number is right for both")
            }
            Self::TooManyOver { seen, over } => write!(
                f,
                "{over} of {} were given up, more than one in four: how long they take was not seen",
                seen + over
            ),
        }
    }
}

/// A rule of thumb for a whole restart of a kind.
pub(super) fn of_restart(samples: &[Sample], kind: Option<Kind>) -> Limit {
    Limit::of_samples(samples, Kind::unknown_takes(kind))
}

/// A time without the `.0` of whole seconds: `34 s`, `4.2 s`, `1 min 05 s`.
pub(crate) fn said(time: Duration) -> String {
    let text = time.to_string();
    text.strip_suffix(".0 s").map_or(text.clone(), |whole| format!("{whole} s"))
}

/// Up to the next whole second, and one second at least.
pub(super) fn whole_seconds(time: Duration) -> Duration {
    let micros = time.as_micros();
    Duration::from_secs(micros.div_euclid(SECOND) + i64::from(micros.rem_euclid(SECOND) > 0))
        .max(Duration::from_secs(1))
}

const SECOND: i64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeout::testing::secs;

    #[test]
    fn a_stated_range_is_no_sample() {
        let limit = Limit::of_spread(&Spread::Range(Duration::from_secs(18), Duration::from_secs(25)));
        assert_eq!(limit.time, Duration::from_secs(38));
        assert_eq!(limit.basis.to_string(), "the stated 18 s to 25 s, and half as much again");
        assert!(limit.is_known());
    }

    #[test]
    fn a_single_time_is_doubled() {
        let limit = Limit::of_spread(&Spread::Fixed(Duration::from_secs(5)));
        assert_eq!((limit.time, limit.is_known()), (Duration::from_secs(10), false));
    }

    #[test]
    fn few_samples_are_a_rule_of_thumb_and_say_so() {
        let limit = Limit::of_spread(&Spread::Samples(secs(&[4.0, 5.0, 7.0])));
        assert_eq!(limit.time, Duration::from_secs(21));
        assert_eq!(
            limit.basis.to_string(),
            "a rule of thumb: 3 measured to the end, and an estimate needs 5, a good one 20"
        );
        assert_eq!(of_restart(&[], None).time, Duration::from_secs(120));
    }

    #[test]
    fn limits_in_a_row_add_up() {
        let (stop, start) = (Limit::of_spread(&Spread::Fixed(Duration::from_secs(1))), of_restart(&[], None));
        let both = Limit::of_parts([("stop", &stop), ("start", &start)]);
        assert_eq!((both.time, both.basis.to_string()), (Duration::from_secs(122), "stop 2 s + start 2 min".into()));
    }

    #[test]
    fn limits_are_whole_seconds_rounded_up() {
        assert_eq!(whole_seconds(Duration::from_micros(1)), Duration::from_secs(1));
        assert_eq!(whole_seconds(Duration::from_micros(2_000_001)), Duration::from_secs(3));
        assert_eq!(whole_seconds(Duration::from_secs(3)), Duration::from_secs(3));
    }
}
