//! All the chance of a run, from one seed.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use crate::model::Spread;
use crate::units::Duration;

/// The one number that repeats a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seed(pub u64);

/// A seeded source of chance, the same on every platform (only `u32` and `u64` are drawn).
#[derive(Clone, Debug)]
pub struct Chance(Pcg32);

impl Seed {
    /// The seed of the `number`-th of many runs.
    #[must_use]
    pub fn of_run(self, number: u32) -> Self {
        // SplitMix64's finaliser: neighbouring numbers give unrelated seeds.
        let mut mixed = self.0.wrapping_add(u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        // 53 bits, so that the seed survives JSON numbers.
        Self((mixed ^ (mixed >> 31)) >> 11)
    }
}

impl Chance {
    /// The chance of a run with that seed.
    pub fn new(seed: Seed) -> Self {
        Self(Pcg32::seed_from_u64(seed.0))
    }

    /// A number from 0 to `limit` - 1, evenly; 0 if the limit is 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        let wide = u64::from(self.0.next_u32()) * u64::from(limit);
        u32::try_from(wide >> 32).unwrap_or(0)
    }

    /// Anything from nothing to just below `limit`, evenly.
    pub fn up_to(&mut self, limit: Duration) -> Duration {
        let micros = u128::from(limit.as_micros().max(0).unsigned_abs());
        let scaled = (u128::from(self.0.next_u64()) * micros) >> 64;
        Duration::from_micros(i64::try_from(scaled).unwrap_or(0))
    }

    /// One value of a spread.
    pub fn draw(&mut self, spread: &Spread) -> Duration {
        match spread {
            Spread::Fixed(value) => *value,
            Spread::Range(low, high) => *low + self.up_to(*high - *low),
            Spread::Samples(values) => {
                let place = self.below(u32::try_from(values.len()).unwrap_or(u32::MAX));
                values.get(place as usize).copied().unwrap_or_default()
            }
        }
    }

    /// A random UUID (version 4), as Java writes it.
    pub fn uuid(&mut self) -> String {
        let high = (self.0.next_u64() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000;
        let low = (self.0.next_u64() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000;
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xFFFF,
            high & 0xFFFF,
            low >> 48,
            low & 0xFFFF_FFFF_FFFF
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_everywhere() {
        let mut chance = Chance::new(Seed(7));
        assert_eq!(chance.uuid(), Chance::new(Seed(7)).uuid());
        assert_eq!(chance.uuid().len(), 36);
        assert_ne!(Seed(7).of_run(1), Seed(7).of_run(2));
    }

    #[test]
    fn draws_stay_within_their_limits() {
        let mut chance = Chance::new(Seed(1));
        let range = Spread::Range(Duration::from_secs(4), Duration::from_secs(9));
        for _ in 0..1_000 {
            let drawn = chance.draw(&range);
            assert!(drawn >= Duration::from_secs(4) && drawn < Duration::from_secs(9));
            assert!(chance.below(3) < 3);
        }
        assert_eq!(chance.below(0), 0);
    }
}
