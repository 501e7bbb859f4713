//! When a call has to be over.

use std::time::{Duration, Instant};

/// The end of a call, and when it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    began: Instant,
    ends: Instant,
}

impl Deadline {
    pub(super) fn after(timeout: Duration) -> Self {
        // A time-out beyond what the clock can count is as good as a year.
        const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
        let began = Instant::now();
        Self { began, ends: began + timeout.min(YEAR) }
    }

    /// What is left; nothing once it is over.
    pub(super) fn left(self) -> Option<Duration> {
        self.ends.checked_duration_since(Instant::now()).filter(|left| *left >= Duration::from_millis(1))
    }

    /// An earlier end: what is left, shared by `parts` attempts of which this is the first.
    pub(super) fn share(self, parts: usize) -> Self {
        let left = self.left().unwrap_or_default();
        let parts = u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
        Self { began: self.began, ends: Instant::now() + left / parts }
    }

    /// How long the call has taken.
    pub(super) fn passed(self) -> Duration {
        self.began.elapsed()
    }

    /// Waits, but not past the end: `false` if it is over.
    pub(super) fn pause(self, pause: Duration) -> bool {
        let Some(left) = self.left() else { return false };
        std::thread::sleep(pause.min(left));
        self.left().is_some()
    }
}
