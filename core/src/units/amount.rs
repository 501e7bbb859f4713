//! Amounts of records and shares of a whole.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use super::Duration;

/// A number of records; fractions occur because rates are averages.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Records(pub f64);

/// Records per second.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct RecordsPerSec(pub f64);

/// A share of a whole, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Share(pub f64);

impl Share {
    /// `part` of `whole`; a share of nothing is 0.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn of(part: usize, whole: usize) -> Self {
        if whole == 0 { Self(0.0) } else { Self(part as f64 / whole as f64) }
    }
}

impl Add for Records {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Records {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Records {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Add for RecordsPerSec {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for RecordsPerSec {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<f64> for RecordsPerSec {
    type Output = Self;
    fn mul(self, times: f64) -> Self {
        Self(self.0 * times)
    }
}

impl Mul<Duration> for RecordsPerSec {
    type Output = Records;
    fn mul(self, span: Duration) -> Records {
        Records(self.0 * span.as_secs_f64())
    }
}

/// How long it takes to work off so many records; [`Duration::MAX`] at no rate.
impl Div<RecordsPerSec> for Records {
    type Output = Duration;
    fn div(self, rate: RecordsPerSec) -> Duration {
        if rate.0 <= 0.0 {
            return if self.0 <= 0.0 { Duration::ZERO } else { Duration::MAX };
        }
        Duration::from_secs_f64((self.0 / rate.0).min(Duration::MAX.as_secs_f64()))
    }
}

/// `40 %`; with a tenth where it is no whole percentage: `8.5 %`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = libm::round(self.0 * 1_000.0);
        let whole = libm::fabs(tenths / 10.0 - libm::round(tenths / 10.0)) < 1e-9;
        f.pad(&if whole { format!("{:.0} %", tenths / 10.0) } else { format!("{:.1} %", tenths / 10.0) })
    }
}

/// With separators: `1,205`.
impl fmt::Display for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:.0}", self.0.abs());
        let mut text = String::from(if self.0 <= -0.5 { "-" } else { "" });
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_have_separators() {
        assert_eq!(Records(1205.4).to_string(), "1,205");
        assert_eq!(Records(-1_000_000.0).to_string(), "-1,000,000");
        assert_eq!(Records(12.0).to_string(), "12");
    }

    #[test]
    fn shares_show_a_tenth_where_they_have_one() {
        assert_eq!(Share::of(6, 30).to_string(), "20 %");
        assert_eq!(Share::of(17, 200).to_string(), "8.5 %");
    }

    #[test]
    fn a_backlog_at_no_rate_is_never_worked_off() {
        assert_eq!(Records(1.0) / RecordsPerSec(0.0), Duration::MAX);
        assert_eq!(Records(100.0) / RecordsPerSec(50.0), Duration::from_secs(2));
    }
}
