//! Variants side by side.

use serde::Serialize;

use super::{BreachV1, DistributionV1, Ordered, RollV1, SCHEMA_VERSION, rounded};
use crate::compare::{Comparison, Difference, Shown, Variant};
use crate::report::compare as report;

/// What `rollgate compare -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompareV1 {
    /// 1.
    pub schema_version: u32,
    /// `compare`.
    pub command: &'static str,
    /// Whether a variant has a roll that respects its policy.
    pub feasible: bool,
    /// The number that repeats it.
    pub seed: u64,
    /// The runs of each variant, with the same seeds for all.
    pub runs: u32,
    /// What was varied: each key and its values, as given.
    pub axes: Ordered<Vec<String>>,
    /// The name of the best variant; `null` if none respects its policy.
    pub best: Option<String>,
    /// The name of the variant by which the others are measured: as described, else the first given.
    pub base: Option<String>,
    /// The variants, the best first.
    pub variants: Vec<VariantV1>,
    /// Why the best differs from the base, and neighbours along each axis from one another.
    pub differences: Vec<DifferenceV1>,
    /// Where what is set replaces more of the file than the key it names.
    pub notes: Vec<String>,
}

/// One variant and its roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantV1 {
    /// `A` for the best, and so on.
    pub name: String,
    /// What is set, by key; empty for the file as it is.
    pub set: Ordered<String>,
    /// Whether this is what the file describes.
    pub as_described: bool,
    /// Whether its roll respects its policy.
    pub feasible: bool,
    /// How many workers there are.
    pub workers: usize,
    /// How many tasks there are.
    pub tasks: usize,
    /// The best roll, or the given one; where nothing respects the policy, the one that comes nearest.
    pub roll: Option<RollV1>,
    /// The mean of the unassigned task-seconds, by which variants are sorted.
    pub mean_unassigned_task_seconds: Option<f64>,
    /// What the roll costs over many runs.
    pub distribution: Option<DistributionV1>,
    /// The limits that stand in the way, each with the best value in reach.
    pub breaches: Vec<BreachV1>,
    /// The figures in which no variant that respects its policy has less, by their keys in `distribution`.
    pub best_in: Vec<&'static str>,
    /// How long a rebalance delay runs in the expected course.
    pub delayed_ms: i64,
}

/// Why two variants differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceV1 {
    /// The name of the first.
    pub from: String,
    /// The name of the second.
    pub to: String,
    /// The key in which alone they differ; `null` for the base and the best.
    pub key: Option<String>,
    /// Whether the unassigned time differs by more than the noise of the runs.
    pub differs: bool,
    /// The mechanisms, a sentence each.
    pub because: Vec<String>,
    /// All of it for a person.
    pub words: String,
}

impl CompareV1 {
    /// The document of a comparison.
    pub fn new(comparison: &Comparison) -> Self {
        let name = |variant: &Variant| variant.name.clone();
        let axis = |axis: &crate::compare::Axis| (axis.key.clone(), axis.values.clone());
        Self {
            schema_version: SCHEMA_VERSION,
            command: "compare",
            feasible: comparison.best().is_some(),
            seed: comparison.seed.0,
            runs: comparison.runs,
            axes: Ordered(comparison.axes.iter().map(axis).collect()),
            best: comparison.best().map(name),
            base: comparison.base().map(name),
            variants: comparison.variants.iter().map(|variant| VariantV1::new(comparison, variant)).collect(),
            differences: comparison.differences.iter().map(|of| DifferenceV1::new(comparison, of)).collect(),
            notes: comparison.notes.clone(),
        }
    }
}

impl VariantV1 {
    fn new(comparison: &Comparison, variant: &Variant) -> Self {
        let cluster = &variant.input.cluster;
        let candidate = variant.answer.candidate.as_ref();
        let set = comparison.set(variant).map(|(key, value)| (key.to_owned(), value.to_owned()));
        let best = KEYS.into_iter().filter(|(shown, _)| comparison.is_best_in(variant, *shown));
        let mean = Shown::Mean.of(&variant.answer).filter(|mean| mean.is_finite());
        Self {
            name: variant.name.clone(),
            set: Ordered(set.collect()),
            as_described: variant.as_described,
            feasible: variant.answer.feasible(),
            workers: cluster.workers.len(),
            tasks: cluster.work.task_count(),
            roll: candidate.map(|candidate| RollV1::new(cluster, &candidate.schedule)),
            mean_unassigned_task_seconds: mean.map(rounded),
            distribution: candidate.map(|candidate| DistributionV1::new(&candidate.distribution)),
            breaches: variant.answer.binding.iter().map(BreachV1::new).collect(),
            best_in: best.map(|(_, key)| key).collect(),
            delayed_ms: variant.answer.delayed.as_millis(),
        }
    }
}

impl DifferenceV1 {
    fn new(comparison: &Comparison, of: &Difference) -> Self {
        let name =
            |place: usize| comparison.variants.get(place).map(|variant| variant.name.clone()).unwrap_or_default();
        Self {
            from: name(of.from),
            to: name(of.to),
            key: of.axis.and_then(|axis| comparison.axes.get(axis)).map(|axis| axis.key.clone()),
            differs: of.unassigned,
            because: of.because.iter().map(|mechanism| mechanism.words(&name(of.from), &name(of.to))).collect(),
            words: report::difference(comparison, of, &of.because.iter().collect::<Vec<_>>()),
        }
    }
}

/// The figures by their keys in [`DistributionV1`].
const KEYS: [(Shown, &str); 8] = [
    (Shown::Median, "unassigned_task_seconds"),
    (Shown::Longest, "longest_seconds"),
    (Shown::Peak, "peak_share"),
    (Shown::Held, "peak_held_share"),
    (Shown::Rounds, "rounds"),
    (Shown::Moves, "moves"),
    (Shown::Starts, "starts"),
    (Shown::Takes, "duration_seconds"),
];
