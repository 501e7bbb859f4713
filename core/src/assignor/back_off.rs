//! How long a leader waits before it revokes again, to the millisecond that Java computes.

/// The wait before the `consecutive`th revoking round in a row, in milliseconds: from 1 ms, times 40
/// each time, up to the scheduled delay, without jitter.
///
/// At the limit Java raises 40 to the quotient of two rounded logarithms and cuts the fraction off,
/// which for every third delay gives 1 ms less than the delay. No power function of other make
/// rounds alike everywhere, so the error of that exponent is computed with twice the digits.
///
/// Source: `ExponentialBackoff` as `IncrementalCooperativeAssignor` uses it.
///
/// # Leaves out
///
/// `Math.pow` of the JVMs for x86-64 is taken to round correctly. It does not for about one delay in
/// 30,000, and the JVMs for other processors have their own; both can differ by 1 ms.
#[expect(clippy::cast_precision_loss, reason = "2^31 ms at most")]
pub(super) fn back_off(consecutive: u32, max_delay: i64) -> i64 {
    if max_delay <= 1 {
        return max_delay;
    }
    let delay = max_delay as f64;
    let (exact, multiplier) = (Twice::ln(delay), Twice::ln(MULTIPLIER));
    let limit = exact.high / multiplier.high;
    if f64::from(consecutive) <= limit {
        return 40_i64.saturating_pow(consecutive).min(max_delay);
    }
    // The power is delay * e^error, next to which the error is nothing but its product.
    let error = Twice::from(limit).times(multiplier).minus(exact);
    let step_below = delay - f64::from_bits(delay.to_bits() - 1);
    let rounds_down = delay * (error.high + error.low) < -step_below / 2.0;
    max_delay - i64::from(rounds_down)
}

/// A number as the sum of two, for twice the digits.
#[derive(Clone, Copy)]
struct Twice {
    high: f64,
    low: f64,
}

impl Twice {
    /// The natural logarithm of a number that is at least 1.
    fn ln(number: f64) -> Self {
        let (mut rest, mut halvings) = (number, 0.0);
        while rest > std::f64::consts::SQRT_2 {
            rest /= 2.0;
            halvings += 1.0;
        }
        // ln(rest) = 2 artanh(ratio), the sum of ratio^n / n over odd n.
        let ratio = Self::from(rest - 1.0).over(Self::of_sum(rest, 1.0));
        let square = ratio.times(ratio);
        let (mut power, mut sum, mut odd) = (ratio, ratio, 3.0);
        for _ in 0..SERIES_TERMS {
            power = power.times(square);
            sum = sum.plus(power.over(Self::from(odd)));
            odd += 2.0;
        }
        Self::from(halvings).times(LN_2).plus(sum).plus(sum)
    }

    fn of_sum(one: f64, other: f64) -> Self {
        let high = one + other;
        let of_other = high - one;
        Self { high, low: (one - (high - of_other)) + (other - of_other) }
    }

    fn normal(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self { high: sum, low: low - (sum - high) }
    }

    fn plus(self, other: Self) -> Self {
        let sum = Self::of_sum(self.high, other.high);
        Self::normal(sum.high, sum.low + self.low + other.low)
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self { high: -other.high, low: -other.low })
    }

    fn times(self, other: Self) -> Self {
        let high = self.high * other.high;
        let low = libm::fma(self.high, other.high, -high);
        Self::normal(high, low + (self.high * other.low + self.low * other.high))
    }

    fn over(self, other: Self) -> Self {
        let high = self.high / other.high;
        let rest = self.minus(Self::from(high).times(other));
        Self::normal(high, (rest.high + rest.low) / other.high)
    }
}

impl From<f64> for Twice {
    fn from(number: f64) -> Self {
        Self { high: number, low: 0.0 }
    }
}

/// As the assignor's constructor has it.
const MULTIPLIER: f64 = 40.0;
const LN_2: Twice = Twice { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };
/// The ratio is at most 0.172: this many terms reach 2^-106.
const SERIES_TERMS: u32 = 21;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_off_grows_forty_fold_up_to_the_delay() {
        let series = |max_delay| [1, 2, 3, 4, 5].map(|consecutive| back_off(consecutive, max_delay));
        assert_eq!(series(300_000), [40, 1_600, 64_000, 300_000, 300_000]);
        assert_eq!(series(60_000), [40, 1_600, 60_000, 60_000, 60_000]);
        assert_eq!(series(30), [30; 5]);
        assert_eq!(series(1), [1; 5]);
        assert_eq!(series(0), [0; 5]);
        assert_eq!(back_off(u32::MAX, 2_147_483_647), 2_147_483_647);
    }

    #[test]
    fn limit_is_rounded_as_in_java() {
        let limits = [3, 14, 40, 1_600, 21_500, 55_500, 64_000, 82_000, 101_000, 120_000, 180_000, 600_000];
        let given = limits.map(|max_delay| back_off(9, max_delay));
        let java = [3, 13, 40, 1_600, 21_499, 55_499, 64_000, 82_000, 101_000, 120_000, 179_999, 599_999];
        assert_eq!(given, java);
    }
}
