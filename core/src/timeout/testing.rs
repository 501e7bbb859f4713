//! Drawn restart times for the tests of this room.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use crate::units::Duration;

/// A seeded source of times around 10 s.
pub(super) struct Draws(Pcg32);

impl Draws {
    pub(super) fn new(seed: u64) -> Self {
        Self(Pcg32::seed_from_u64(seed))
    }

    /// Above 0 and below 1.
    fn uniform(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / (f64::from(u32::MAX) + 1.0)
    }

    fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(2.0 * std::f64::consts::PI * angle)
    }

    /// Whether one of `whole` cases of which `part` count came about.
    pub(super) fn share(&mut self, part: u32, whole: u32) -> bool {
        u64::from(self.0.next_u32()) * u64::from(whole) >> 32 < u64::from(part)
    }

    /// Log-normal seconds with median 10.
    pub(super) fn log_normal(&mut self, deviation: f64) -> f64 {
        10.0 * libm::exp(deviation * self.normal())
    }

    /// The sum of so many exponential times of 2.5 s.
    pub(super) fn gamma(&mut self, shape: u32) -> f64 {
        (0..shape).map(|_| -2.5 * libm::log(self.uniform())).sum()
    }

    pub(super) fn times(&mut self, count: usize, draw: impl Fn(&mut Self) -> f64) -> Vec<Duration> {
        (0..count).map(|_| Duration::from_secs_f64(draw(self))).collect()
    }

    pub(super) fn sorted(&mut self, count: usize, draw: impl Fn(&mut Self) -> f64) -> Vec<Duration> {
        let mut times = self.times(count, draw);
        times.sort();
        times
    }
}

/// Times in seconds.
pub(super) fn secs(times: &[f64]) -> Vec<Duration> {
    times.iter().copied().map(Duration::from_secs_f64).collect()
}
