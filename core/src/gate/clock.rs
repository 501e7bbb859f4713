//! The gate's own time: steady within a process, by the wall clock between two.

use serde::{Deserialize, Serialize};

use super::reason::Reason;
use super::serial::{millis, sum};
use crate::units::{Duration, Timestamp};

/// How long a gate has been at work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Clock {
    /// What has passed in all.
    #[serde(with = "millis", rename = "passed_ms")]
    passed: Duration,
    /// The last reading of the wall clock.
    wall: Timestamp,
    /// The last reading of the steady clock; nothing if it was another process's.
    steady_micros: Option<i64>,
}

/// What a new reading says.
pub(super) struct Tick {
    /// Notes about clocks.
    pub(super) notes: Vec<Reason>,
    /// Whether something may have gone unseen since the reading before.
    pub(super) unwatched: bool,
}

impl Clock {
    /// A clock that begins.
    pub(super) fn new(now: Timestamp) -> Self {
        Self { passed: Duration::ZERO, wall: now, steady_micros: Some(0) }
    }

    /// What has passed since it began.
    pub(super) fn passed(&self) -> Duration {
        self.passed
    }

    /// The last reading of the wall clock.
    pub(super) fn wall(&self) -> Timestamp {
        self.wall
    }

    /// From here on another process reads the steady clock, from zero.
    pub(super) fn resume(&mut self) {
        self.steady_micros = None;
    }

    /// Takes a reading. A steady clock that goes back is another process's.
    pub(super) fn tick(&mut self, wall: Timestamp, steady: Duration, longest: Duration) -> Tick {
        let by_wall = clamped(wall.since(self.wall));
        let steady_now = clamped(steady).as_micros();
        let by_steady = self.steady_micros.and_then(|before| steady_now.checked_sub(before)).filter(|by| *by >= 0);
        let mut notes = Vec::new();
        let by = match by_steady.map(Duration::from_micros) {
            Some(by) => {
                let jump = Duration::from_micros(by_wall.as_micros().saturating_sub(by.as_micros()));
                if jump > TOLERATED || jump < TOLERATED * -1 {
                    notes.push(Reason::ClockJumped { by: jump });
                }
                Some(by)
            }
            None if by_wall < Duration::ZERO => {
                notes.push(Reason::ClockJumped { by: by_wall });
                None
            }
            None => Some(by_wall),
        };
        let unwatched = by.is_none_or(|by| by > longest);
        if unwatched {
            notes.push(Reason::NotWatched { for_now: by, allowed: longest });
        }
        self.passed = sum(self.passed, by.unwrap_or_default());
        self.wall = wall;
        self.steady_micros = Some(steady_now);
        Tick { notes, unwatched }
    }
}

fn clamped(time: Duration) -> Duration {
    time.clamp(Duration::MAX * -1, Duration::MAX)
}

/// By how much two clocks of one machine may differ between two looks.
const TOLERATED: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: Duration = Duration::from_secs(10);

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_000_000 + seconds * 1_000)
    }

    #[test]
    fn within_a_process_the_steady_clock_counts_and_a_jump_is_said() {
        let mut clock = Clock::new(at(0));
        let tick = clock.tick(at(-3_600), Duration::from_secs(5), LONGEST);
        assert_eq!(clock.passed(), Duration::from_secs(5));
        assert_eq!(tick.notes, [Reason::ClockJumped { by: Duration::from_secs(-3_605) }]);
        assert!(!tick.unwatched);
    }

    #[test]
    fn between_processes_only_the_wall_clock_counts() {
        let mut clock = Clock::new(at(0));
        clock.tick(at(5), Duration::from_secs(5), LONGEST);
        clock.resume();
        assert!(!clock.tick(at(8), Duration::from_secs(900), LONGEST).unwatched);
        assert_eq!(clock.passed(), Duration::from_secs(8));
        clock.resume();
        let tick = clock.tick(at(100), Duration::ZERO, LONGEST);
        assert!(tick.unwatched, "92 s have gone by unseen");
        clock.resume();
        let tick = clock.tick(at(90), Duration::ZERO, LONGEST);
        assert!(tick.unwatched && tick.notes.len() == 2, "the clock went back");
        assert_eq!(clock.passed(), Duration::from_secs(100));
    }
}
