//! A normal distribution from draws of which some are known only to lie above a threshold.

use super::normal::hazard;

/// Draws that are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// How many, at least 2.
    pub(super) count: f64,
    /// Their mean.
    pub(super) mean: f64,
    /// Their standard deviation, with `count - 1` degrees of freedom.
    pub(super) deviation: f64,
}

/// A normal distribution as it was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

impl Known {
    /// Mean and deviation of some draws.
    #[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^52")]
    pub(super) fn of(draws: &[f64]) -> Self {
        let count = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / count;
        let squares: f64 = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum();
        Self { count, mean, deviation: libm::sqrt(squares / (count - 1.0)) }
    }

    /// The most likely distribution if `more` further draws came out above `threshold`, at
    /// values that nobody saw.
    ///
    /// A. C. Cohen's equations (Technometrics 1, 1959) for one threshold, in ξ, the
    /// standardised threshold: with the hazard Y(ξ) and `a` = unseen / seen draws, the mean
    /// is `m + a Y σ`, and σ follows from the threshold. What is left is one equation that
    /// falls with ξ, and is halved down. The deviation is corrected by count / (count − 1)
    /// as that of the known draws is, so that without unseen draws both are equal.
    ///
    /// A threshold at or below the mean says nothing about slow draws, and changes nothing.
    pub(super) fn with_above(self, threshold: f64, more: f64) -> Fit {
        let distance = threshold - self.mean;
        if distance <= 0.0 || more <= 0.0 {
            return Fit { mean: self.mean, deviation: self.deviation };
        }
        let ratio = more / self.count;
        let unbiased = libm::sqrt(self.count / (self.count - 1.0));
        let relative = self.deviation / unbiased / distance;
        let shift = |xi: f64| xi + ratio * hazard(xi);
        let excess = |xi: f64| {
            let shift = shift(xi);
            if shift <= 0.0 {
                return 1.0;
            }
            1.0 - ratio * hazard(xi) * shift - relative * relative * shift * shift
        };
        let (mut low, mut high) = (-1.0, 1.0);
        while excess(low) <= 0.0 && low > -FURTHEST {
            low *= 2.0;
        }
        while excess(high) > 0.0 && high < FURTHEST {
            high *= 2.0;
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if excess(middle) > 0.0 { low = middle } else { high = middle }
        }
        let deviation = distance / shift(high);
        Fit { mean: threshold - high * deviation, deviation: deviation * unbiased }
    }
}

/// Standard deviations beyond which no threshold is looked for.
const FURTHEST: f64 = 1e6;

const BISECTIONS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_unseen_draws_the_fit_is_the_mean_and_deviation() {
        let known = Known::of(&[1.0, 2.0, 3.0, 6.0]);
        assert_eq!(known.mean, 3.0);
        assert!((known.deviation - libm::sqrt(14.0 / 3.0)).abs() < 1e-12);
        let fit = known.with_above(5.0, 0.0);
        assert_eq!((fit.mean, fit.deviation), (known.mean, known.deviation));
    }

    /// Recorded: the maximum that SciPy 1.17.1's `minimize` (Nelder-Mead, xatol 1e-12) finds
    /// of the censored likelihood of the draws 0, 0.5, 1, 1.5, 2 and two above 2.5.
    #[test]
    fn unseen_draws_give_the_maximum_of_the_censored_likelihood() {
        let fit = Known::of(&[0.0, 0.5, 1.0, 1.5, 2.0]).with_above(2.5, 2.0);
        let deviation = fit.deviation * libm::sqrt(0.8);
        assert!((fit.mean - MEAN).abs() < 1e-6 && (deviation - DEVIATION).abs() < 1e-6, "{} {deviation}", fit.mean);
    }

    #[test]
    fn equal_draws_and_one_unseen_still_have_a_fit() {
        let fit = Known::of(&[1.0; 6]).with_above(3.0, 1.0);
        assert!(fit.mean > 1.0 && fit.deviation > 0.0 && fit.deviation.is_finite(), "{fit:?}");
    }

    const MEAN: f64 = 1.629_314_536;
    const DEVIATION: f64 = 1.201_653_777;
}
