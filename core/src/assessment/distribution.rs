//! Many runs of one schedule: what is usual, what is likely at worst, what is the worst.

use super::Impact;
use crate::simulation::Seed;

/// A figure of a run that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Task-seconds without an owner.
    Unassigned,
    /// Longest unassigned time of one task, in seconds.
    Longest,
    /// Largest share at one instant.
    Peak,
    /// Largest share for longer than a hand-over.
    PeakHeld,
    /// Completed rebalances.
    Rounds,
    /// Tasks moved.
    Moves,
    /// Task starts.
    Starts,
    /// Seconds from the first stop until all is settled; infinite if that never comes.
    Duration,
    /// Largest backlog of one connector, in records; not a number where it was not asked for.
    PeakLag,
    /// Tasks that end FAILED.
    Failed,
    /// Tasks without an owner for good.
    LeftUnassigned,
    /// Worker restarts, extra ones included.
    Restarts,
    /// Stops that fell into a balancing round.
    Races,
}

/// The figures of one run, by [`Figure`].
pub type RunFigures = [f64; 13];

/// Mean, median, p95 and worst of one figure.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Quantiles {
    /// The average of the runs.
    pub mean: f64,
    /// Half of the runs have at most this.
    pub median: f64,
    /// 95 of 100 runs have at most this.
    pub p95: f64,
    /// No run has more.
    pub worst: f64,
    /// The standard deviation of the runs: how far a run usually lies from the mean.
    pub deviation: f64,
}

/// All figures of many runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// How many runs.
    pub runs: u32,
    /// The seed of the run whose unassigned time is the median one: the expected course.
    pub median_seed: Seed,
    figures: [Quantiles; 13],
}

/// The runs of one schedule as they come in; never none.
#[derive(Clone, Debug)]
pub struct Outcomes {
    runs: Vec<(Seed, RunFigures)>,
}

impl Figure {
    const ALL: [Self; 13] = [
        Self::Unassigned,
        Self::Longest,
        Self::Peak,
        Self::PeakHeld,
        Self::Rounds,
        Self::Moves,
        Self::Starts,
        Self::Duration,
        Self::PeakLag,
        Self::Failed,
        Self::LeftUnassigned,
        Self::Restarts,
        Self::Races,
    ];
}

impl Outcomes {
    /// Begins with a first run.
    pub fn new(seed: Seed, impact: &Impact, restarts: usize) -> Self {
        let mut outcomes = Self { runs: Vec::new() };
        outcomes.add(seed, impact, restarts);
        outcomes
    }

    /// Adds a run.
    pub fn add(&mut self, seed: Seed, impact: &Impact, restarts: usize) {
        let figures = Figure::ALL.map(|figure| match figure {
            Figure::Unassigned => impact.unassigned.0,
            Figure::Longest => impact.longest.as_secs_f64(),
            Figure::Peak => impact.peak.0,
            Figure::PeakHeld => impact.peak_held.0,
            Figure::Rounds => f64::from(impact.rounds),
            Figure::Moves => f64::from(impact.moves),
            Figure::Starts => f64::from(impact.starts),
            Figure::Duration => impact.duration.map_or(f64::INFINITY, crate::units::Duration::as_secs_f64),
            Figure::PeakLag => impact.connectors.iter().map(|connector| connector.peak.0).fold(f64::NAN, f64::max),
            Figure::Races => f64::from(impact.races),
            Figure::Failed => f64::from(impact.failed),
            Figure::LeftUnassigned => f64::from(impact.left_unassigned),
            Figure::Restarts => f64::from(u32::try_from(restarts).unwrap_or(u32::MAX)),
        });
        self.runs.push((seed, figures));
    }

    /// How many runs there are.
    pub fn count(&self) -> u32 {
        u32::try_from(self.runs.len()).unwrap_or(u32::MAX)
    }

    /// The sum of a figure over the runs so far.
    pub fn sum(&self, figure: Figure) -> f64 {
        self.runs.iter().map(|run| run.1[figure as usize]).sum()
    }

    /// Sums the runs up.
    pub fn distribution(&self) -> Distribution {
        let unassigned = Figure::Unassigned as usize;
        let mut by_unassigned: Vec<usize> = (0..self.runs.len()).collect();
        by_unassigned.sort_by(|&a, &b| self.runs[a].1[unassigned].total_cmp(&self.runs[b].1[unassigned]));
        let median = by_unassigned[rank(self.runs.len(), 50)];
        let figures = Figure::ALL.map(|figure| {
            let mut values: Vec<f64> = self.runs.iter().map(|run| run.1[figure as usize]).collect();
            values.sort_by(f64::total_cmp);
            let at = |percent| values[rank(values.len(), percent)];
            #[expect(clippy::cast_precision_loss, reason = "runs are far fewer than 2^52")]
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let deviation = (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt();
            let deviation = if deviation.is_nan() { f64::INFINITY } else { deviation };
            Quantiles { mean, median: at(50), p95: at(95), worst: at(100), deviation }
        });
        Distribution {
            runs: u32::try_from(self.runs.len()).unwrap_or(u32::MAX),
            median_seed: self.runs[median].0,
            figures,
        }
    }
}

impl Distribution {
    /// Whether every figure is the same; one that was not asked for is the same as itself.
    pub fn is_same(&self, other: &Self) -> bool {
        let bits = |of: &Quantiles| [of.mean, of.median, of.p95, of.worst].map(f64::to_bits);
        self.runs == other.runs && self.figures.iter().zip(&other.figures).all(|(one, two)| bits(one) == bits(two))
    }

    /// Median, p95 and worst of a figure.
    pub fn of(&self, figure: Figure) -> Quantiles {
        self.figures[figure as usize]
    }
}

/// The place of the nearest-rank quantile in `count` sorted values.
fn rank(count: usize, percent: usize) -> usize {
    (count * percent).div_ceil(100).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::TaskSeconds;

    #[test]
    fn the_expected_course_is_the_median_run() {
        let run = |unassigned| Impact { unassigned: TaskSeconds(unassigned), ..Impact::default() };
        let mut outcomes = Outcomes::new(Seed(1), &run(500.0), 3);
        outcomes.add(Seed(2), &run(100.0), 3);
        outcomes.add(Seed(3), &run(300.0), 3);
        let distribution = outcomes.distribution();
        assert_eq!(distribution.median_seed, Seed(3));
        let unassigned = distribution.of(Figure::Unassigned);
        assert_eq!((unassigned.median, unassigned.p95, unassigned.worst), (300.0, 500.0, 500.0));
        assert!(distribution.of(Figure::Duration).median.is_infinite());
    }

    #[test]
    fn the_p95_of_twenty_runs_is_the_nineteenth() {
        assert_eq!(rank(20, 95), 18);
        assert_eq!(rank(200, 95), 189);
        assert_eq!(rank(1, 50), 0);
    }
}
