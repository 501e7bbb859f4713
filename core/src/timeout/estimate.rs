//! From measured times to the time that hardly any other will exceed.

use super::censored::{Fit, Known};
use super::modes::{Group, two_groups};
use super::tolerance::factor;
use crate::units::{Duration, Share};

/// A measured time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// It took this long.
    Took(Duration),
    /// It had not ended when somebody gave up after this long.
    Over(Duration),
}

/// An upper bound for 19 of 20 restarts, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// How many were seen to end.
    pub seen: usize,
    /// How many had not ended when somebody gave up.
    pub over: usize,
    /// Half of those seen to end took at most this long.
    pub median: Duration,
    /// The longest time known: of those seen to end, or after which somebody gave up.
    pub longest: Duration,
    /// 19 of 20 restarts take at most this long, with 95 % confidence, if times are log-normal.
    pub log_normal: Duration,
    /// The same without any assumption, by order statistics; `None` where too few were seen.
    pub order_statistic: Option<Duration>,
    /// Fewer than 20 were seen.
    pub weak: bool,
    /// What few samples would ask for was cut off at five times the longest.
    pub capped: bool,
    /// The slowest, if it took twice as long as the next one or longer.
    pub straggler: Option<Duration>,
    /// The time to allow: the larger of `log_normal` and 1.5 times the longest, unless capped.
    pub bound: Duration,
}

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEstimate {
    /// Fewer than five were seen to end.
    TooFew {
        /// How many were.
        seen: usize,
        /// How many were not.
        over: usize,
    },
    /// Restarts of two kinds: one number for both would be wrong for either.
    TwoKinds([Group; 2]),
    /// More than one in four was given up: how long a restart takes was not seen.
    TooManyOver {
        /// How many were seen to end.
        seen: usize,
        /// How many were not.
        over: usize,
    },
}

/// Estimates how long the time-out must be that 19 of 20 restarts meet, with 95 % confidence.
///
/// From 5 to 58 that were seen to end: the larger of the log-normal upper tolerance bound
/// and 1.5 times the longest, below 20 at most five times the longest. The larger, because
/// either fails where the other holds: the bound on heavy tails, the multiple on few
/// samples. From 59 on the order statistic that needs no assumption is given as well (S. S.
/// Wilks, 1941: the largest of 59 lies above the 95th percentile in 95 of 100 cases).
///
/// Times after which somebody gave up are lower bounds. They count towards the longest; and
/// for each of them, how many took longer than that enters the log-normal fit by maximum
/// likelihood, its factor still that of the times seen to end, because a lower bound tells
/// less than a time. The largest of these bounds and of the one without them is taken, so
/// that one more time-out never shortens the answer.
///
/// Scaling all times scales the answer. A slow restart that had been slower lengthens it; a
/// quick one that had been slower may shorten it, because it makes the times less scattered.
///
/// # Errors
/// If there are too few, if they are clearly of two kinds, or if too many were given up.
pub fn estimate(samples: &[Sample]) -> Result<Estimate, NoEstimate> {
    let mut took = Vec::with_capacity(samples.len());
    let mut over = Vec::new();
    for sample in samples {
        match *sample {
            Sample::Took(time) => took.push(time.max(LEAST)),
            Sample::Over(time) => over.push(time.max(LEAST)),
        }
    }
    took.sort();
    over.sort();
    let counts = (took.len(), over.len());
    let &[.., next, slowest] = took.as_slice() else {
        return Err(NoEstimate::TooFew { seen: counts.0, over: counts.1 });
    };
    if counts.0 < FEWEST {
        return Err(NoEstimate::TooFew { seen: counts.0, over: counts.1 });
    }
    if counts.1 * 3 > counts.0 {
        return Err(NoEstimate::TooManyOver { seen: counts.0, over: counts.1 });
    }
    if let Some(groups) = two_groups(&took) {
        return Err(NoEstimate::TwoKinds(groups));
    }
    let longest = over.last().map_or(slowest, |over| slowest.max(*over));
    let log_normal = Duration::from_secs_f64(libm::exp(log_bound(&took, &over)));
    let asked = log_normal.max(times(longest, MARGIN));
    let weak = counts.0 < WEAK;
    let most = longest * CAP;
    Ok(Estimate {
        seen: counts.0,
        over: counts.1,
        median: took.get(counts.0.div_ceil(2) - 1).copied().unwrap_or(slowest),
        longest,
        log_normal,
        order_statistic: order_statistic(&took, over.len()),
        weak,
        capped: weak && asked > most,
        straggler: (slowest >= next * 2).then_some(slowest),
        bound: if weak { asked.min(most) } else { asked },
    })
}

/// How sure one can be, after so many restarts, that at most 1 in 20 is slower than the
/// slowest of them: 1 − 0.95ⁿ, whatever the distribution.
#[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^52")]
pub fn confidence(seen: usize) -> Share {
    Share(1.0 - libm::pow(0.95, seen as f64))
}

/// How likely none of the next `coming` restarts is slower than the slowest of those seen:
/// n / (n + m), whatever the distribution, if they come about alike.
pub fn none_slower(seen: usize, coming: usize) -> Share {
    Share::of(seen, seen + coming)
}

/// The logarithm of the log-normal tolerance bound, in seconds.
fn log_bound(took: &[Duration], over: &[Duration]) -> f64 {
    let logs: Vec<f64> = took.iter().map(|time| libm::log(time.as_secs_f64())).collect();
    let known = Known::of(&logs);
    let factor = factor(logs.len());
    let bound = |fit: Fit| fit.mean + factor * fit.deviation;
    let mut largest = bound(Fit { mean: known.mean, deviation: known.deviation });
    for (place, time) in over.iter().enumerate() {
        if place > 0 && over.get(place - 1) == Some(time) {
            continue;
        }
        let threshold = libm::log(time.as_secs_f64());
        let longer = u32::try_from(over.len() - place).unwrap_or(u32::MAX);
        for more in (1..=longer).rev() {
            largest = largest.max(bound(known.with_above(threshold, f64::from(more))));
        }
    }
    largest
}

/// The largest but so many of the times that it lies above the 95th percentile with 95 %
/// confidence; those given up count as longer than any.
fn order_statistic(took: &[Duration], over: usize) -> Option<Duration> {
    let place = from_the_top(took.len() + over)?.checked_sub(over)?;
    took.len().checked_sub(place).and_then(|place| took.get(place)).copied()
}

/// Which of `n` times, counted from the longest (1), lies above the 95th percentile with
/// 95 % confidence: with fewer than 59 none does.
///
/// That is the largest `s` for which at most 5 of 100 draws have fewer than `s` of `n` times
/// above the percentile (binomial, 1 in 20).
#[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^52")]
fn from_the_top(n: usize) -> Option<usize> {
    // In logarithms: 0.95ⁿ vanishes for n beyond 14,000.
    let mut log_exactly = n as f64 * libm::log(0.95);
    let mut fewer = libm::exp(log_exactly);
    let mut place = 0;
    while fewer <= 0.05 && place < n {
        log_exactly += libm::log((n - place) as f64 / (place + 1) as f64 / 19.0);
        fewer += libm::exp(log_exactly);
        place += 1;
    }
    (place > 0).then_some(place)
}

/// A multiple of a time, to the microsecond.
pub(super) fn times(time: Duration, factor: f64) -> Duration {
    Duration::from_secs_f64(time.as_secs_f64() * factor)
}

/// With fewer seen to end there is no estimate.
pub const FEWEST: usize = 5;

/// With fewer the estimate is weak.
pub const WEAK: usize = 20;

/// How much longer than the longest a time-out is at least.
pub(super) const MARGIN: f64 = 1.5;

/// How many times the longest a weak estimate may ask for.
const CAP: i64 = 5;

/// Shorter times are taken for this one: it is what clocks of logs resolve, and 0 has no logarithm.
const LEAST: Duration = Duration::from_millis(1);
