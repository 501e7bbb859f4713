//! Simulated time.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// A span of time, in whole microseconds; negative only as the difference of two instants.
///
/// Our own type and not [`std::time::Duration`], because differences of instants may be
/// negative and because the simulation adds and compares millions of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(i64);

/// An instant of a simulated run, in whole microseconds since its time 0.
///
/// It may be negative: what a replay knows of the time before its first event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SimTime(i64);

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// Longer than any run.
    pub const MAX: Self = Self(i64::MAX / 4);

    /// `micros` microseconds.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// `millis` milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// `secs` seconds.
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// `secs` seconds, rounded to the nearest microsecond.
    #[expect(clippy::cast_possible_truncation, reason = "a float cast saturates")]
    pub fn from_secs_f64(secs: f64) -> Self {
        Self(libm::round(secs * 1e6) as i64)
    }

    /// Whole microseconds.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds, rounded down.
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// Seconds.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 285 years")]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// Whether this is no time at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl SimTime {
    /// The instant a run counts from.
    pub const ZERO: Self = Self(0);
    /// Later than any event of a run.
    pub const NEVER: Self = Self(i64::MAX / 2);

    /// The instant `micros` microseconds after time 0.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The instant `millis` milliseconds after time 0.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// Microseconds since time 0.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Milliseconds since time 0, rounded to the nearest.
    pub const fn as_millis(self) -> i64 {
        (self.0 + 500).div_euclid(1_000)
    }

    /// Seconds since time 0.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 285 years")]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Duration {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i64> for Duration {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        Self(self.0 * times)
    }
}

impl Div<i64> for Duration {
    type Output = Self;
    fn div(self, parts: i64) -> Self {
        Self(self.0 / parts)
    }
}

impl std::iter::Sum for Duration {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl Add<Duration> for SimTime {
    type Output = Self;
    fn add(self, span: Duration) -> Self {
        Self(self.0 + span.0)
    }
}

impl AddAssign<Duration> for SimTime {
    fn add_assign(&mut self, span: Duration) {
        self.0 += span.0;
    }
}

impl Sub<Duration> for SimTime {
    type Output = Self;
    fn sub(self, span: Duration) -> Self {
        Self(self.0 - span.0)
    }
}

impl Sub for SimTime {
    type Output = Duration;
    fn sub(self, earlier: Self) -> Duration {
        Duration(self.0 - earlier.0)
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.as_secs_f64() * 1e3)
    }
}

impl fmt::Debug for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t={}s", self.as_secs_f64())
    }
}

/// As people say it: `340 ms`, `4.2 s`, `1 min 05 s`, `12 min`, `1 h 03 min`, `7 d`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let millis = (self.0.abs() + 500) / 1_000;
        let secs = (millis + 500) / 1_000;
        let text = if millis < 1_000 {
            format!("{sign}{millis} ms")
        } else if millis < 59_950 {
            let tenths = (millis + 50) / 100;
            format!("{sign}{}.{} s", tenths / 10, tenths % 10)
        } else if secs % 60 == 0 && secs < 3_600 {
            format!("{sign}{} min", secs / 60)
        } else if secs < 3_600 {
            format!("{sign}{} min {:02} s", secs / 60, secs % 60)
        } else if secs < DAY {
            format!("{sign}{} h {:02} min", secs / 3_600, secs % 3_600 / 60)
        } else {
            let hours = (secs + 1_800) / 3_600;
            let rest = if hours % 24 == 0 { String::new() } else { format!(" {} h", hours % 24) };
            format!("{sign}{} d{rest}", hours / 24)
        };
        f.pad(&text)
    }
}

/// Seconds; from a day on, hours are exact enough.
const DAY: i64 = 24 * 3_600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_people_say_them() {
        let said = |millis| Duration::from_millis(millis).to_string();
        assert_eq!(said(340), "340 ms");
        assert_eq!(said(4_210), "4.2 s");
        assert_eq!(said(65_000), "1 min 05 s");
        assert_eq!(said(720_000), "12 min");
        assert_eq!(said(3_780_000), "1 h 03 min");
        assert_eq!(said(7 * 86_400_000 - 12_000), "7 d");
        assert_eq!(said(26 * 3_600_000), "1 d 2 h");
        assert_eq!(said(-1_210), "-1.2 s");
        assert_eq!(said(59_990), "1 min");
    }

    #[test]
    fn milliseconds_before_time_zero_round_to_the_nearest() {
        assert_eq!(SimTime::from_micros(-1_210_400).as_millis(), -1_210);
        assert_eq!(SimTime::from_micros(1_500).as_millis(), 2);
    }
}
