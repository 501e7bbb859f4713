//! The share of the work that is down at once, at an instant and for a while.

use std::collections::VecDeque;

use crate::units::{Duration, SimTime};

/// How many tasks are down, as a step function: from each instant on, so many.
#[derive(Clone, Debug, Default)]
pub(super) struct DownCount {
    steps: Vec<(SimTime, usize)>,
}

impl DownCount {
    /// From now on so many are down; of several changes at one instant the last counts.
    pub(super) fn set(&mut self, at: SimTime, down: usize) {
        match self.steps.last_mut() {
            Some(last) if last.0 == at => last.1 = down,
            Some(last) if last.1 == down => {}
            _ => self.steps.push((at, down)),
        }
    }

    /// The most at one instant from `began` on.
    pub(super) fn peak_after(&self, began: SimTime) -> usize {
        self.steps.iter().filter(|step| step.0 >= began).map(|&(_, down)| down).max().unwrap_or(0)
    }

    /// The most that stay down without a break for longer than `hold`: the largest, over all
    /// spans of that length, of the fewest that are down within the span.
    pub(super) fn held(&self, hold: Duration, end: SimTime) -> usize {
        // The fewest of the window `first..=last` stand at the front of a queue of rising counts.
        let mut fewest: VecDeque<usize> = VecDeque::new();
        let mut first = 0;
        let mut most = 0;
        for last in 0..self.steps.len() {
            let down = self.steps[last].1;
            while fewest.back().is_some_and(|&place| self.steps[place].1 >= down) {
                fewest.pop_back();
            }
            fewest.push_back(last);
            let until = self.steps.get(last + 1).map_or(end, |step| step.0);
            // A span of that length that ends in this step begins in `first` or later; the latest
            // such step is the most favourable one, for it leaves out as much as possible.
            while first < last && until - self.steps[first + 1].0 > hold {
                if fewest.front() == Some(&first) {
                    fewest.pop_front();
                }
                first += 1;
            }
            if until - self.steps[first].0 > hold {
                let place = fewest.front().copied().unwrap_or(last);
                most = most.max(self.steps[place].1);
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(steps: &[(i64, usize)]) -> DownCount {
        let mut counted = DownCount::default();
        for &(secs, down) in steps {
            counted.set(SimTime::ZERO + Duration::from_secs(secs), down);
        }
        counted
    }

    #[test]
    fn a_short_peak_is_not_held() {
        let counted = counts(&[(0, 0), (10, 6), (40, 24), (43, 30), (44, 6), (60, 0)]);
        let end = SimTime::ZERO + Duration::from_secs(100);
        assert_eq!(counted.peak_after(SimTime::ZERO), 30);
        assert_eq!(counted.held(Duration::from_secs(6), end), 6);
        assert_eq!(counted.held(Duration::from_secs(3), end), 24);
        assert_eq!(counted.held(Duration::from_secs(49), end), 6);
        assert_eq!(counted.held(Duration::from_secs(50), end), 0);
    }

    #[test]
    fn what_is_down_at_the_end_is_held() {
        let counted = counts(&[(0, 0), (10, 4)]);
        assert_eq!(counted.held(Duration::from_secs(6), SimTime::ZERO + Duration::from_secs(20)), 4);
    }

    #[test]
    fn held_agrees_with_trying_every_span() {
        let mut chance = crate::simulation::Chance::new(crate::simulation::Seed(11));
        for _ in 0..500 {
            let mut at = 0;
            let steps: Vec<(i64, usize)> = (0..12)
                .map(|_| {
                    at += i64::from(chance.below(5)) + 1;
                    (at, chance.below(7) as usize)
                })
                .collect();
            let counted = counts(&steps);
            let end = at + 4;
            let hold = i64::from(chance.below(9));
            // Whole seconds: a span longer than `hold` covers `hold + 1` seconds.
            let level =
                |second: i64| steps.iter().rev().find(|&&(from, _)| from <= second).map_or(0, |&(_, down)| down);
            let spans = steps[0].0..=(end - hold - 1);
            let best = spans.map(|from| (from..=from + hold).map(level).min().unwrap_or(0)).max().unwrap_or(0);
            assert_eq!(
                counted.held(Duration::from_secs(hold), SimTime::ZERO + Duration::from_secs(end)),
                best,
                "{steps:?} held {hold}"
            );
        }
    }
}
