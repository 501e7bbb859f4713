//! Variants of a cluster side by side: which setting is worth changing before a roll, what that
//! buys, and by which mechanism.
//!
//! Every variant gets the same question, seeds and number of runs: the best roll that the plan's
//! search finds for it, or one and the same roll for all. So what differs between two columns is
//! what was set, and not chance. A difference of means within two standard errors, or within 2 %,
//! is none.

mod answer;
mod difference;
mod mechanism;
mod noise;
mod rank;
mod words;

pub use answer::{Answer, Asked, compare};
pub use difference::Difference;
pub use mechanism::Mechanism;
pub use noise::{Changed, Shown};

use std::cmp::Ordering;

use noise::changed;

use crate::model::{Cluster, Policy};
use crate::simulation::{Schedule, Seed};

/// What is varied: a key and its values, as they were typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The key; [`FILE`] for the file itself.
    pub key: String,
    /// The values, in the order in which they were given.
    pub values: Vec<String>,
}

/// One of the clusters to compare.
#[derive(Clone, Debug)]
pub struct Input {
    /// Which value of each axis; `None` for the file as it is where that is none of the product.
    pub choices: Option<Vec<usize>>,
    /// The cluster.
    pub cluster: Cluster,
    /// What its roll must respect.
    pub policy: Policy,
    /// The roll, where it is not searched for.
    pub roll: Option<Schedule>,
}

/// One of the clusters and its answer.
#[derive(Clone, Debug)]
pub struct Variant {
    /// `A` for the best, and so on.
    pub name: String,
    /// What was asked.
    pub input: Input,
    /// Whether it is what the file describes, without anything set.
    pub as_described: bool,
    /// What came of it.
    pub answer: Answer,
}

/// All variants, the best first.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What was varied.
    pub axes: Vec<Axis>,
    /// The variants: those that respect their policy first, by the least unassigned time on average; of those within
    /// 2 % of the least, the shorter roll first.
    pub variants: Vec<Variant>,
    /// The place of what the others are measured by: as described, else what was given first.
    pub base: usize,
    /// Why the best differs from the base, and neighbours from one another.
    pub differences: Vec<Difference>,
    /// The seed of all runs.
    pub seed: Seed,
    /// The runs of each variant.
    pub runs: u32,
    /// Where what is set replaces more of the file than the key it names.
    pub notes: Vec<String>,
}

impl Comparison {
    /// The best variant; `None` if none respects its policy.
    pub fn best(&self) -> Option<&Variant> {
        self.variants.first().filter(|variant| variant.answer.feasible())
    }

    /// What the others are measured by.
    pub fn base(&self) -> Option<&Variant> {
        self.variants.get(self.base)
    }

    /// What is set in a variant: keys and values; nothing for the file as it is.
    pub fn set<'c>(&'c self, variant: &'c Variant) -> impl Iterator<Item = (&'c str, &'c str)> {
        let choices = variant.input.choices.as_deref().unwrap_or_default();
        let chosen = |(axis, &choice): (&'c Axis, &usize)| Some((axis.key.as_str(), axis.values.get(choice)?.as_str()));
        self.axes.iter().zip(choices).filter_map(chosen)
    }

    /// What is set: `policy.wait=back, kafka=4.3.1`, or `as described`; of several files, which one.
    pub fn title(&self, variant: &Variant) -> String {
        let told = |(key, value): (&str, &str)| if key == FILE { value.to_owned() } else { format!("{key}={value}") };
        let set: Vec<String> = self.set(variant).map(told).collect();
        match self.axes.first() {
            _ if !set.is_empty() => set.join(", "),
            Some(Axis { key, values }) if key == FILE => format!("{} {AS_DESCRIBED}", values[0]),
            _ => AS_DESCRIBED.to_owned(),
        }
    }

    /// Whether a variant is best in a figure, of those that respect their policies: it has the least, or differs from
    /// it by no more than the noise. Where that is so for all, none is.
    pub fn is_best_in(&self, variant: &Variant, shown: Shown) -> bool {
        let value = |of: &Variant| shown.of(&of.answer);
        let all = || self.variants.iter().filter(|of| of.answer.feasible());
        let least = all().filter(|of| value(of).is_some());
        let Some(least) = least.min_by(|one, other| value(one).partial_cmp(&value(other)).unwrap_or(Ordering::Equal))
        else {
            return false;
        };
        let is_best = |of: &Variant| value(of).is_some() && changed(shown, &least.answer, &of.answer).is_none();
        variant.answer.feasible() && is_best(variant) && !all().all(is_best)
    }
}

/// The title of the file as it is.
pub const AS_DESCRIBED: &str = "as described";

/// The key of the axis along which the files differ.
pub const FILE: &str = "file";

#[cfg(test)]
mod tests;
