//! Whether restarts are of two kinds that nobody told apart.

use crate::units::Duration;

/// A group of restarts that take about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// How many.
    pub count: usize,
    /// The quickest of them.
    pub quickest: Duration,
    /// The slowest of them.
    pub slowest: Duration,
}

/// The two groups that sorted times fall into, if they clearly do.
///
/// The widest gap on a log scale that leaves two times on either side separates them, if it
/// is a factor of 1.5 or more and wide beside the spread within the groups: more than
/// `1.2 + 25 / (n - 3)` standard deviations. Draws of one log-normal or gamma distribution
/// reach that in fewer than 1 of 100 cases for any `n`.
///
/// # Leaves out
/// Kinds that overlap, or of which fewer than two restarts were seen: no gap shows them.
pub(super) fn two_groups(sorted: &[Duration]) -> Option<[Group; 2]> {
    let logs: Vec<f64> = sorted.iter().map(|time| libm::log(time.as_secs_f64())).collect();
    let split = widest_gap(&logs)?;
    let (below, above) = logs.split_at(split);
    let gap = above.first()? - below.last()?;
    #[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^52")]
    let spare = (logs.len() - 3) as f64;
    let within = libm::sqrt((squares(below) + squares(above)) / (spare + 1.0)).max(LEAST_SPREAD);
    (gap >= LEAST_GAP && gap > within * (1.2 + 25.0 / spare))
        .then(|| sorted.split_at(split))
        .and_then(|(below, above)| Some([Group::of(below)?, Group::of(above)?]))
}

impl Group {
    /// The group of some sorted times.
    fn of(sorted: &[Duration]) -> Option<Self> {
        Some(Self { count: sorted.len(), quickest: *sorted.first()?, slowest: *sorted.last()? })
    }
}

/// Where the upper side of the widest gap begins, of the gaps with two times on either side.
fn widest_gap(logs: &[f64]) -> Option<usize> {
    let mut widest: Option<(f64, usize)> = None;
    for split in 2..=logs.len().checked_sub(2)? {
        let gap = logs.get(split)? - logs.get(split - 1)?;
        if widest.is_none_or(|(most, _)| gap > most) {
            widest = Some((gap, split));
        }
    }
    widest.map(|(_, split)| split)
}

/// The sum of the squared distances from their mean.
#[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^52")]
fn squares(logs: &[f64]) -> f64 {
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    logs.iter().map(|log| (log - mean) * (log - mean)).sum()
}

/// A factor of 1.5: what lies closer together is served by one time-out.
const LEAST_GAP: f64 = 0.405_465_108_108_164_4;

/// A spread of a tenth: times noted in whole seconds may be equal, restarts never are.
const LEAST_SPREAD: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeout::testing::{Draws, secs};

    #[test]
    fn quick_and_slow_restarts_fall_apart() {
        let [below, above] = two_groups(&secs(&[4.0, 4.2, 4.4, 4.8, 5.1, 21.0, 23.0, 26.0])).unwrap();
        assert_eq!((below.count, below.slowest), (5, Duration::from_millis(5_100)));
        assert_eq!((above.count, above.quickest), (3, Duration::from_secs(21)));
    }

    #[test]
    fn a_single_slow_restart_is_no_kind() {
        assert_eq!(two_groups(&secs(&[4.0, 4.2, 4.4, 4.8, 5.1, 5.3, 26.0])), None);
    }

    #[test]
    fn whole_seconds_are_no_two_kinds() {
        assert_eq!(two_groups(&secs(&[4.0, 4.0, 4.0, 5.0, 5.0])), None);
        assert_eq!(two_groups(&secs(&[4.0; 12])), None);
    }

    #[test]
    fn draws_of_one_distribution_are_hardly_ever_taken_for_two() {
        for n in [5, 8, 12, 20, 50] {
            let mut draws = Draws::new(3);
            let found = |draw: fn(&mut Draws) -> f64, draws: &mut Draws| {
                (0..1_000).filter(|_| two_groups(&draws.sorted(n, draw)).is_some()).count()
            };
            let log_normal = found(|draws| draws.log_normal(0.5), &mut draws);
            let gamma = found(|draws| draws.gamma(4), &mut draws);
            assert!(log_normal <= 10 && gamma <= 10, "n = {n}: {log_normal} and {gamma} of 1,000");
        }
    }

    #[test]
    fn a_sixth_of_slow_restarts_among_thirty_is_seen() {
        let mut draws = Draws::new(5);
        let mixed = |draws: &mut Draws| draws.log_normal(0.2) * if draws.share(1, 6) { 4.0 } else { 1.0 };
        let found = (0..200).filter(|_| two_groups(&draws.sorted(30, mixed)).is_some()).count();
        assert!(found >= 180, "{found} of 200");
    }
}
