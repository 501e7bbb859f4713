//! The normal distribution, by `libm` alone so that every platform has the same bits.

/// The share of a normal distribution at or below `z` standard deviations.
pub(super) fn below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / core::f64::consts::SQRT_2)
}

/// The hazard at `z`: the density there, relative to what lies above.
///
/// Far above, where both vanish, by Laplace's continued fraction.
pub(super) fn hazard(z: f64) -> f64 {
    if z > FAR {
        return (1..=TERMS).rev().fold(z, |rest, term| z + f64::from(term) / rest);
    }
    libm::exp(-0.5 * z * z) / (ROOT_OF_TWO_PI * below(-z))
}

/// The 95th percentile.
pub(super) const Z95: f64 = 1.644_853_626_951_472_2;

const ROOT_OF_TWO_PI: f64 = 2.506_628_274_631_000_7;

/// From here on the continued fraction is exact to the last digits.
const FAR: f64 = 10.0;

const TERMS: u32 = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_95th_percentile_has_95_in_100_below_it() {
        assert!((below(Z95) - 0.95).abs() < 1e-15);
        assert!((below(-Z95) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn the_hazard_does_not_jump_where_its_formula_changes() {
        assert!((hazard(0.0) - 0.797_884_560_802_865_4).abs() < 1e-15);
        assert!((hazard(FAR) - hazard(FAR + 1e-9)).abs() < 1e-7);
        assert!((hazard(44.0) - 44.022_703_93).abs() < 1e-6, "{}", hazard(44.0));
    }
}
