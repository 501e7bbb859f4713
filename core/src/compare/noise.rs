//! What differs between two variants by more than chance.

use super::Answer;
use crate::assessment::Figure;

/// A figure as it is shown: some are of the usual run, some of what is likely at worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Task-seconds without an owner: the mean, by which variants are sorted.
    Mean,
    /// The median of the same.
    Median,
    /// Its p95.
    P95,
    /// The longest time of one task (p95), in seconds.
    Longest,
    /// The largest share for longer than a hand-over (p95).
    Held,
    /// The largest share at one instant (p95).
    Peak,
    /// The duration of the roll (median), in seconds.
    Takes,
    /// Rebalances (median).
    Rounds,
    /// Moves of tasks (median).
    Moves,
    /// Starts of tasks (median).
    Starts,
    /// Tasks that end FAILED (p95).
    Failed,
}

/// A figure that differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Changed {
    /// Which.
    pub shown: Shown,
    /// What it is in the first.
    pub from: f64,
    /// What it is in the second.
    pub to: f64,
}

impl Shown {
    /// All of them, in the order of a table.
    pub const ALL: [Self; 11] = [
        Self::Mean,
        Self::Median,
        Self::P95,
        Self::Longest,
        Self::Held,
        Self::Peak,
        Self::Takes,
        Self::Rounds,
        Self::Moves,
        Self::Starts,
        Self::Failed,
    ];

    /// The figure it shows.
    pub fn figure(self) -> Figure {
        match self {
            Self::Mean | Self::Median | Self::P95 => Figure::Unassigned,
            Self::Longest => Figure::Longest,
            Self::Held => Figure::PeakHeld,
            Self::Peak => Figure::Peak,
            Self::Takes => Figure::Duration,
            Self::Rounds => Figure::Rounds,
            Self::Moves => Figure::Moves,
            Self::Starts => Figure::Starts,
            Self::Failed => Figure::Failed,
        }
    }

    /// Its value; `None` where no roll was found at all.
    pub fn of(self, answer: &Answer) -> Option<f64> {
        let of = answer.candidate.as_ref()?.distribution.of(self.figure());
        Some(match self {
            Self::Mean => of.mean,
            Self::P95 | Self::Longest | Self::Held | Self::Peak | Self::Failed => of.p95,
            Self::Median | Self::Takes | Self::Rounds | Self::Moves | Self::Starts => of.median,
        })
    }
}

/// The figure in both, if it differs by more than the noise of their runs.
pub(super) fn changed(shown: Shown, one: &Answer, other: &Answer) -> Option<Changed> {
    let (from, to) = (shown.of(one)?, shown.of(other)?);
    let beyond = differ(shown.figure(), one, other)?;
    (beyond && !near(from, to)).then_some(Changed { shown, from, to })
}

/// Whether the means of a figure differ by more than two standard errors, and by more than 2 %.
///
/// Both have the same seeds, so their runs are alike and the true noise is smaller still.
pub(super) fn differ(figure: Figure, one: &Answer, other: &Answer) -> Option<bool> {
    let (one, other) = (&one.candidate.as_ref()?.distribution, &other.candidate.as_ref()?.distribution);
    let (a, b) = (one.of(figure), other.of(figure));
    if a.mean.is_infinite() || b.mean.is_infinite() {
        return Some(a.mean.is_infinite() != b.mean.is_infinite());
    }
    let error = |deviation: f64, runs: u32| deviation * deviation / f64::from(runs.max(1));
    let noise = 2.0 * (error(a.deviation, one.runs) + error(b.deviation, other.runs)).sqrt();
    Some((a.mean - b.mean).abs() > noise && !near(a.mean, b.mean))
}

/// Whether two values are within 2 % of the larger: a plan takes them as equal, too.
fn near(one: f64, other: f64) -> bool {
    // Two that are both without end differ by no number.
    one.total_cmp(&other).is_eq() || (one - other).abs() <= 0.02 * one.abs().max(other.abs())
}
