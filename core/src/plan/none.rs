//! Why nothing respects the policy.

use std::cmp::Ordering;

use super::advice::Advice;
use super::limits::{Breach, Limit, ROUNDING};
use super::priced::Candidate;
use crate::model::Policy;
use crate::simulation::Seed;

/// Why there is no plan.
#[derive(Clone, Debug)]
pub struct NoPlan {
    /// For each limit that stands in the way: the best value that can be reached, by rolls that
    /// respect all other limits if there is one, else by any.
    pub binding: Vec<Breach>,
    /// The roll that comes nearest: the fewest broken limits, then the least unassigned time.
    pub nearest: Option<Candidate>,
    /// What could be changed so that a roll respects the policy comes first; then other prices.
    pub advice: Vec<Advice>,
    /// The seed of the search.
    pub seed: Seed,
}

pub(super) fn no_plan(policy: &Policy, mut all: Vec<Candidate>, advice: Vec<Advice>, seed: Seed) -> NoPlan {
    let mut binding = Vec::new();
    for limit in Limit::ALL {
        let Some(allowed) = limit.allowed(policy) else { continue };
        let p95 = |candidate: &Candidate| limit.reached(&candidate.distribution);
        let others_hold = |candidate: &&Candidate| candidate.breaches.iter().all(|breach| breach.limit == limit);
        if all.iter().all(|candidate| p95(candidate).is_nan()) {
            binding.push(Breach { limit, allowed, reached: f64::NAN });
            continue;
        }
        let strict = all.iter().filter(others_hold).map(p95).min_by(f64::total_cmp);
        let any = all.iter().map(p95).min_by(f64::total_cmp);
        // A limit binds if nothing respects it, or if all that respect it break another.
        if let Some(reached) = strict
            .filter(|&reached| reached > allowed + ROUNDING)
            .or(any.filter(|&reached| reached > allowed + ROUNDING))
        {
            binding.push(Breach { limit, allowed, reached });
        }
    }
    all.sort_by(|a, b| {
        let key = |candidate: &Candidate| (candidate.breaches.len(), candidate.lost());
        key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal)
    });
    NoPlan { binding, nearest: all.into_iter().next(), advice, seed }
}
