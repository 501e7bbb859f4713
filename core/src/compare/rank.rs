//! Which variant comes first.

use std::cmp::Ordering;

use super::Variant;
use crate::assessment::Figure;

/// Sorts the variants as a plan sorts rolls and names them; gives the place of what was given first.
pub(super) fn sort(variants: &mut Vec<Variant>) -> usize {
    let mut order: Vec<(usize, Variant)> = std::mem::take(variants).into_iter().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal));
    shortest_of_equals_first(&mut order);
    let first = order.iter().position(|(given, _)| *given == 0).unwrap_or(0);
    *variants = order.into_iter().map(|(_, variant)| variant).collect();
    for (place, variant) in variants.iter_mut().enumerate() {
        variant.name = name(place);
    }
    first
}

/// Those that respect their policy; the least unassigned time on average, then the shortest, then the fewest
/// restarts; of full equals what is there already.
fn key(variant: &Variant) -> (bool, usize, f64, f64, f64, bool) {
    let of = |figure| variant.answer.candidate.as_ref().map(|candidate| candidate.distribution.of(figure));
    let median = |figure| of(figure).map_or(f64::INFINITY, |of| of.median);
    (
        !variant.answer.feasible(),
        variant.answer.binding.len(),
        of(Figure::Unassigned).map_or(f64::INFINITY, |of| of.mean),
        median(Figure::Duration),
        median(Figure::Restarts),
        !variant.as_described,
    )
}

/// As in a plan: a difference below 2 % from the best is none, and then the shorter roll is the better one.
fn shortest_of_equals_first(order: &mut [(usize, Variant)]) {
    let lost = |variant: &Variant| key(variant).2;
    let Some(best) = order.first().filter(|(_, best)| best.answer.feasible()).map(|(_, best)| lost(best)) else {
        return;
    };
    let equals = order.iter().take_while(|(_, of)| of.answer.feasible() && lost(of) <= best * 1.02).count();
    order[..equals].sort_by(|(_, a), (_, b)| key(a).3.total_cmp(&key(b).3));
}

/// `A` to `Z`, then `AA`, `AB` and so on.
fn name(place: usize) -> String {
    let letter = |place: usize| ('A'..='Z').nth(place % LETTERS).unwrap_or('?');
    let head = (place >= LETTERS).then(|| letter(place / LETTERS - 1));
    head.into_iter().chain([letter(place)]).collect()
}

const LETTERS: usize = 26;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_on_after_z() {
        assert_eq!([name(0), name(25), name(26), name(63)], ["A", "Z", "AA", "BL"]);
    }
}
