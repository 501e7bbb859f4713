//! Why two variants differ.

use super::noise::{changed, differ};
use super::{Changed, Comparison, Mechanism, Shown, Variant, mechanism};
use crate::assessment::Figure;

/// Two variants, what differs between them, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The place of the first in [`Comparison::variants`].
    pub from: usize,
    /// The place of the second.
    pub to: usize,
    /// The place of the axis along which they are neighbours; `None` for the base and the best.
    pub axis: Option<usize>,
    /// The figures that differ by more than the noise of the runs.
    pub figures: Vec<Changed>,
    /// Whether the unassigned time differs by more than the noise.
    pub unassigned: bool,
    /// Whether the best roll is another one.
    pub another_roll: bool,
    /// What brings it about.
    pub because: Vec<Mechanism>,
}

impl Difference {
    fn new(comparison: &Comparison, from: usize, to: usize, axis: Option<usize>) -> Self {
        let (one, other) = (&comparison.variants[from], &comparison.variants[to]);
        let of = |shown: &Shown| changed(*shown, &one.answer, &other.answer);
        let schedule =
            |variant: &Variant| variant.answer.candidate.as_ref().map(|candidate| candidate.schedule.clone());
        Self {
            from,
            to,
            axis,
            figures: Shown::ALL.iter().filter_map(of).collect(),
            unassigned: differ(Figure::Unassigned, &one.answer, &other.answer).unwrap_or(true),
            another_roll: schedule(one) != schedule(other),
            because: mechanism::between(one, other),
        }
    }
}

/// First the best against the base; then, along each axis through the best, each value and the next. On
/// such a line only one axis changes.
pub(super) fn differences(comparison: &Comparison) -> Vec<Difference> {
    let mut found = Vec::new();
    let base = comparison.base;
    let best = 0;
    if comparison.best().is_some() && base != best {
        found.push(Difference::new(comparison, base, best, None));
    }
    let center = comparison.variants.iter().position(|variant| variant.input.choices.is_some());
    let Some(choices) = center.and_then(|center| comparison.variants[center].input.choices.clone()) else {
        return found;
    };
    for (axis, of) in comparison.axes.iter().enumerate() {
        let at = |value: usize| {
            let mut choices = choices.clone();
            choices[axis] = value;
            comparison.variants.iter().position(|variant| variant.input.choices.as_ref() == Some(&choices))
        };
        let line: Vec<usize> = (0..of.values.len()).filter_map(at).collect();
        for pair in line.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let told =
                found.iter().any(|other: &Difference| [(from, to), (to, from)].contains(&(other.from, other.to)));
            // Of two that have no roll, only the limits can be told, and they are told of each.
            let counts = [from, to].iter().any(|&place| comparison.variants[place].answer.feasible());
            if counts && !told && found.len() < MOST {
                found.push(Difference::new(comparison, from, to, Some(axis)));
            }
        }
    }
    found
}

/// More differences than these are not read.
const MOST: usize = 9;
