//! What the operator demands of a roll.

use crate::units::{Duration, Records, Share};

/// When the next worker may be stopped after the one before came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// As soon as the restarted worker is a member of a completed generation.
    Back,
    /// When everything the baseline runs is running and nothing more will move.
    Settled,
    /// That long after the restarted worker is back.
    Fixed(Duration),
}

/// The limits of a roll. Under chance a limit is respected when the p95 of the runs respects it.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Largest share of the work without an owner for longer than a hand-over.
    /// `None` in the description means the largest single worker's share; here it is resolved.
    pub max_share: Share,
    /// Whether `max_share` was given as a share, or is the largest single worker's.
    pub max_share_given: bool,
    /// Longest time one task may be unassigned.
    pub max_unassigned: Option<Duration>,
    /// Largest backlog of one connector, in records.
    pub max_lag: Option<Records>,
    /// Longest duration of the whole roll.
    pub window: Option<Duration>,
    /// How many workers may be stopped at once, at least 1.
    pub at_once: usize,
    /// The wait before the next restart; free for the search if `None`.
    pub wait: Option<Wait>,
    /// Whether the next restart may begin while a delay runs.
    pub during_delay: bool,
    /// Whether the leader may be restarted once more to end a pending delay.
    pub leader_again: bool,
}
