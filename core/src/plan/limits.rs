//! The policy's limits, and who breaks them.

use std::fmt;

use crate::assessment::{Distribution, Figure};
use crate::model::Policy;
use crate::units::{Duration, Records, Share};

/// A limit of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// `max_share`.
    MaxShare,
    /// `max_unassigned`.
    MaxUnassigned,
    /// `max_lag`.
    MaxLag,
    /// `window`.
    Window,
    /// No task may end FAILED; not a key, but nobody wants it.
    NoFailedTask,
    /// Everything must run in the end; not a key either.
    AllAssigned,
}

/// A limit that the p95 of the runs does not respect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breach {
    /// Which.
    pub limit: Limit,
    /// What is allowed.
    pub allowed: f64,
    /// What the p95 of the runs reaches.
    pub reached: f64,
}

impl Limit {
    /// The limits in the order in which they are looked at.
    pub const ALL: [Self; 6] =
        [Self::AllAssigned, Self::NoFailedTask, Self::MaxShare, Self::MaxUnassigned, Self::MaxLag, Self::Window];

    /// The figure that must stay within it.
    pub fn figure(self) -> Figure {
        match self {
            Self::MaxShare => Figure::PeakHeld,
            Self::MaxUnassigned => Figure::Longest,
            Self::MaxLag => Figure::PeakLag,
            Self::Window => Figure::Duration,
            Self::NoFailedTask => Figure::Failed,
            Self::AllAssigned => Figure::LeftUnassigned,
        }
    }

    /// What the p95 of the runs reaches; a roll without an end leaves nothing assigned.
    pub fn reached(self, distribution: &Distribution) -> f64 {
        let endless = distribution.of(Figure::Duration).p95.is_infinite();
        if self == Self::AllAssigned && endless { f64::INFINITY } else { distribution.of(self.figure()).p95 }
    }

    /// The policy's key.
    pub fn key(self) -> &'static str {
        match self {
            Self::MaxShare => "max_share",
            Self::MaxUnassigned => "max_unassigned",
            Self::MaxLag => "max_lag",
            Self::Window => "window",
            Self::NoFailedTask => "no task may end FAILED",
            Self::AllAssigned => "everything must run in the end",
        }
    }

    /// What the policy allows; `None` if it sets no limit.
    pub fn allowed(self, policy: &Policy) -> Option<f64> {
        match self {
            Self::MaxShare => Some(policy.max_share.0),
            Self::MaxUnassigned => policy.max_unassigned.map(Duration::as_secs_f64),
            Self::MaxLag => policy.max_lag.map(|records| records.0),
            Self::Window => policy.window.map(Duration::as_secs_f64),
            Self::NoFailedTask | Self::AllAssigned => Some(0.0),
        }
    }

    /// Whether it is a key of the policy, and not what everybody wants.
    pub const fn is_set(self) -> bool {
        !matches!(self, Self::NoFailedTask | Self::AllAssigned)
    }

    /// A value that allows what was reached, with its unit: up to the next whole per cent, record or second, and from
    /// an hour on minute or hour, as times are said.
    pub fn rounded_up(self, reached: f64) -> String {
        let up = |step: f64| libm::ceil(reached / step - ROUNDING) * step;
        let step = match self {
            Self::MaxShare => 0.01,
            Self::MaxUnassigned | Self::Window if up(3_600.0) > 86_400.0 => 3_600.0,
            Self::MaxUnassigned | Self::Window if up(60.0) > 3_600.0 => 60.0,
            _ => 1.0,
        };
        self.words(up(step))
    }

    /// A value of this limit with its unit.
    pub fn words(self, value: f64) -> String {
        if value.is_infinite() {
            return "no end".to_owned();
        }
        match self {
            Self::MaxShare => Share(value).to_string(),
            Self::MaxUnassigned | Self::Window => Duration::from_secs_f64(value).to_string(),
            Self::MaxLag => format!("{} records", Records(value)),
            Self::NoFailedTask | Self::AllAssigned => format!("{value:.0} tasks"),
        }
    }
}

/// The limits that the p95 of the runs breaks.
pub fn breaches(policy: &Policy, distribution: &Distribution) -> Vec<Breach> {
    let broken = |limit: Limit| {
        let allowed = limit.allowed(policy)?;
        let reached = limit.reached(distribution);
        // What is not known is not within a limit.
        (reached.is_nan() || reached > allowed + ROUNDING).then_some(Breach { limit, allowed, reached })
    };
    Limit::ALL.into_iter().filter_map(broken).collect()
}

/// `max_share 20 %, but 80 % (p95)`.
impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            limit if self.reached.is_nan() => {
                write!(f, "{} is {}, but no connector says its rate", limit.key(), limit.words(self.allowed))
            }
            Limit::NoFailedTask => write!(f, "{} end FAILED (p95)", self.limit.words(self.reached)),
            Limit::AllAssigned if self.reached.is_infinite() => {
                f.write_str("the roll comes to no end within a week (p95)")
            }
            Limit::AllAssigned => write!(f, "{} stay without an owner (p95)", self.limit.words(self.reached)),
            limit => write!(
                f,
                "{} is {}, this reaches {} (p95)",
                limit.key(),
                limit.words(self.allowed),
                limit.words(self.reached)
            ),
        }
    }
}

/// Shares are quotients: a limit of 20 % is not broken by 6 of 30.
pub(super) const ROUNDING: f64 = 1e-9;
