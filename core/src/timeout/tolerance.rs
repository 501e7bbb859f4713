//! How many standard deviations above the mean a bound must lie: the one-sided tolerance
//! factor of the normal distribution.

use super::normal::{Z95, below};

/// The factor `k` for which, of `n` draws of any normal distribution, their mean plus `k`
/// of their standard deviations lies above the 95th percentile in 95 of 100 cases.
///
/// Given the standard deviation `s` of the draws (a scaled chi
/// distribution with `n - 1` degrees of freedom), the mean lies far enough up with
/// probability Φ(√n (k s − z)); the mean of that over `s` is 0.95 at `k`, which bisection
/// finds. The same as R's `tolerance::K.factor(n, alpha = 0.05, P = 0.95)` and, by the
/// non-central t distribution, ISO 16269-6, table for known neither mean nor deviation.
///
/// `n` below 2 has no factor and gives infinity.
pub(super) fn factor(n: usize) -> f64 {
    if n < 2 {
        return f64::INFINITY;
    }
    #[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^52")]
    let draws = n as f64;
    let density = Deviation::of(draws - 1.0);
    let root = libm::sqrt(draws);
    let confidence = |k: f64| density.mean(|s| below(root * (k * s - Z95)));
    // That of two draws is 26.3, and none is below the percentile itself.
    let (mut low, mut high) = (Z95, 32.0);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if confidence(middle) < CONFIDENCE { low = middle } else { high = middle }
    }
    high
}

/// The distribution of the standard deviation of draws of a normal distribution whose own
/// is 1, as points with weights (Simpson's rule).
struct Deviation(Vec<(f64, f64)>);

impl Deviation {
    fn of(freedom: f64) -> Self {
        let spread = 1.0 / libm::sqrt(2.0 * freedom);
        let (from, to) = ((1.0 - REACH * spread).max(0.0), 1.0 + REACH * spread);
        let step = (to - from) / f64::from(STEPS);
        let half = 0.5 * freedom;
        let constant = core::f64::consts::LN_2 + half * libm::log(half) - libm::lgamma(half);
        let density = |s: f64| {
            if s <= 0.0 {
                // Only with one degree of freedom is there density at 0.
                return if freedom > 1.0 { 0.0 } else { libm::exp(constant) };
            }
            libm::exp(constant + (freedom - 1.0) * libm::log(s) - half * s * s)
        };
        let weight = |place: u32| match place {
            0 | STEPS => step / 3.0,
            odd if odd % 2 == 1 => step * 4.0 / 3.0,
            _ => step * 2.0 / 3.0,
        };
        let point = |place: u32| {
            let s = from + step * f64::from(place);
            (s, weight(place) * density(s))
        };
        Self((0..=STEPS).map(point).collect())
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().map(|&(s, weight)| weight * of(s)).sum()
    }
}

/// How sure one wants to be that the bound holds.
const CONFIDENCE: f64 = 0.95;

/// Standard deviations of the deviation that count; beyond is less than a millionth of a millionth.
const REACH: f64 = 10.0;

/// Even; enough for the first six digits from three draws on.
const STEPS: u32 = 400;

/// Halvings of an interval of 30: far below what the quadrature leaves.
const BISECTIONS: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from SciPy 1.17.1:
    ///
    /// ```text
    /// python3 -c 'from scipy.stats import nct, norm
    /// for n in (3, 4, 5, …): print(n, nct.ppf(.95, n-1, norm.ppf(.95)*n**.5)/n**.5)'
    /// ```
    ///
    /// ISO 16269-6 and R's `K.factor` print the same to their three or four digits.
    const BY_SCIPY: [(usize, f64); 18] = [
        (3, 7.655_900),
        (4, 5.143_875),
        (5, 4.202_681),
        (6, 3.707_684),
        (8, 3.187_294),
        (10, 2.910_963),
        (12, 2.736_343),
        (15, 2.566_000),
        (20, 2.396_002),
        (25, 2.291_675),
        (30, 2.219_838),
        (40, 2.125_494),
        (50, 2.064_993),
        (59, 2.025_887),
        (100, 1.926_539),
        (200, 1.837_236),
        (500, 1.763_046),
        (1_000, 1.727_263),
    ];

    #[test]
    fn factors_are_those_of_the_non_central_t_distribution() {
        for (n, expected) in BY_SCIPY {
            let ours = factor(n);
            assert!((ours - expected).abs() < 2e-6, "n = {n}: {ours} and not {expected}");
        }
    }

    #[test]
    fn one_draw_bounds_nothing() {
        assert!(factor(1).is_infinite() && factor(0).is_infinite());
    }
}
