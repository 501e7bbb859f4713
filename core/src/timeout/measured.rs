//! Restarts as somebody measured them.

use std::collections::BTreeSet;
use std::fmt;

use super::estimate::Sample;
use crate::units::Duration;

/// What kind of restart was measured. Kinds are never mixed: each gets its own answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// SIGTERM, and the worker leaves the group by itself.
    Clean,
    /// SIGKILL, or a stop that the service manager cut off: its session has to run out first.
    Kill,
    /// On a machine or in a container that has nothing in its caches yet.
    Cold,
    /// Into another version.
    Upgrade,
}

/// A part of a restart, in the order in which they follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// SIGTERM to the worker's `LeaveGroup`.
    Stop,
    /// `LeaveGroup` to the start of the new process.
    Down,
    /// Start of the new process to its first `JoinGroup`.
    Start,
    /// `JoinGroup` to its membership in a completed generation.
    Join,
    /// That to the last of its tasks running. It holds whatever delay ran then.
    Running,
}

/// One measured restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// Its kind, where it was said.
    pub kind: Option<Kind>,
    /// The worker, where it was said.
    pub worker: Option<String>,
    /// From its beginning until the worker was back in the group.
    pub whole: Sample,
    /// SIGTERM to `LeaveGroup`, where that was measured.
    pub stop: Option<Sample>,
    /// `LeaveGroup` until the worker was back in the group, where that was measured: what the
    /// rebalance delay must outlast.
    pub away: Option<Sample>,
    /// From then until its tasks ran, where that was measured.
    pub running: Option<Sample>,
}

/// All measured restarts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// In the order of the file.
    pub restarts: Vec<Restart>,
    /// The parts that were measured; empty if only the whole was.
    pub phases: BTreeSet<Phase>,
}

impl Measured {
    /// The kinds there are, unnamed ones first.
    pub fn kinds(&self) -> BTreeSet<Option<Kind>> {
        self.restarts.iter().map(|restart| restart.kind).collect()
    }

    /// How many workers are named; `None` if none is.
    pub fn workers(&self) -> Option<usize> {
        let names: BTreeSet<&str> = self.restarts.iter().filter_map(|restart| restart.worker.as_deref()).collect();
        (!names.is_empty()).then_some(names.len())
    }

    /// The times of the restarts of a kind.
    pub fn samples(&self, kind: Option<Kind>, time: impl Fn(&Restart) -> Option<Sample>) -> Vec<Sample> {
        self.restarts.iter().filter(|restart| restart.kind == kind).filter_map(time).collect()
    }
}

impl Kind {
    /// As files name it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Kill => "kill",
            Self::Cold => "cold",
            Self::Upgrade => "upgrade",
        }
    }

    /// The kind of that name.
    pub fn of(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Clean, Self::Kill, Self::Cold, Self::Upgrade];

    /// How long to allow a restart of which nothing is known. A rule of thumb, generous to a
    /// container that is back after a minute; longer where a session has to run out first,
    /// and longest where images, plugins or a new version are fetched and read.
    pub const fn unknown_takes(kind: Option<Self>) -> Duration {
        Duration::from_secs(match kind {
            Some(Self::Clean) | None => 120,
            Some(Self::Kill) => 180,
            Some(Self::Cold | Self::Upgrade) => 300,
        })
    }
}

impl Phase {
    /// As files name it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Down => "down",
            Self::Start => "start",
            Self::Join => "join",
            Self::Running => "running",
        }
    }

    /// All parts, in their order.
    pub const ALL: [Self; 5] = [Self::Stop, Self::Down, Self::Start, Self::Join, Self::Running];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

impl Sample {
    /// The time, whether it had ended then or not.
    pub const fn time(self) -> Duration {
        match self {
            Self::Took(time) | Self::Over(time) => time,
        }
    }

    /// Whether somebody gave up then.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over(_))
    }

    /// One after the other; if either had not ended, the sum is a lower bound.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let sum = self.time() + next.time();
        if self.is_over() || next.is_over() { Self::Over(sum) } else { Self::Took(sum) }
    }
}
