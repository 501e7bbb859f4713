//! `compare`: which setting to change before a roll.

use serde::Deserialize;

use super::chart_options::look;
use super::{Answer, DEFAULT_SEED, ExecutorOption, OptionError, PlanOptions, Refusal, SimulateOptions};
use crate::chart::{self, Look};
use crate::compare::{Asked, Axis, Comparison, FILE, Input, compare as answer};
use crate::description::overrides::{self, Override, SET};
use crate::model::{Cluster, Policy, read_with};
use crate::plan::Progress;
use crate::report::{Format, json, markdown, text, v1, yaml};
use crate::simulation::{Schedule, Seed};
use crate::text::{DescriptionError, Errors, Files};

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompareOptions {
    /// What is varied: `KEY=V1,V2,…` each; the variants are all combinations.
    pub set: Vec<String>,
    /// The order of one roll for all variants; with none of this and the next four, each gets its best roll.
    pub order: Option<String>,
    /// Its wait.
    pub wait: Option<String>,
    /// How many may be away at once in it.
    pub at_once: Option<usize>,
    /// How its workers are stopped.
    pub stop: Option<String>,
    /// When its leader goes once more.
    pub leader_again: Option<String>,
    /// What carries the rolls out, where they are searched for.
    pub executor: ExecutorOption,
    /// Pixels of a picture.
    pub width: u32,
    /// Its paper: `light`, `dark` or `auto`.
    pub theme: String,
    /// The number that repeats it.
    pub seed: u64,
    /// How many runs of each variant are drawn; by default half of what a plan draws.
    pub runs: Option<u32>,
}

/// A file's variants as they are read.
struct Reading<'a> {
    files: &'a Files,
    main: &'a str,
    wrong: Vec<DescriptionError>,
}

/// Compares variants of the clusters that these files describe, each with the files it names. The answer is no
/// if no variant has a roll that respects its policy.
///
/// # Errors
/// Everything that is wrong with the files or with what is set, or the first option that cannot be taken.
pub fn compare(
    sources: &[(Files, String)],
    options: &CompareOptions,
    format: Format,
    progress: &mut dyn FnMut(Progress),
) -> Result<Answer, Refusal> {
    let comparison = compared(sources, options, progress)?;
    Ok(Answer { report: report(&comparison, format), yes: comparison.best().is_some() })
}

/// The same as a picture, in SVG.
///
/// # Errors
/// As [`compare`].
pub fn compare_picture(
    sources: &[(Files, String)],
    options: &CompareOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Answer, Refusal> {
    let look = look(options.width, &options.theme)?;
    let comparison = compared(sources, options, progress)?;
    Ok(Answer { report: picture(&comparison, look), yes: comparison.best().is_some() })
}

/// The variants side by side; those without any roll have no figures to draw.
fn picture(comparison: &Comparison, look: Look) -> String {
    let drawn: Vec<chart::Variant<'_>> = comparison
        .variants
        .iter()
        .filter_map(|variant| {
            let refused = if variant.answer.feasible() { "" } else { " (breaks the policy)" };
            let name = format!("{}{refused}", comparison.title(variant));
            Some(chart::Variant { name, runs: &variant.answer.candidate.as_ref()?.distribution })
        })
        .collect();
    let which = if comparison.variants.iter().any(|variant| variant.input.roll.is_some()) {
        "The same roll for all"
    } else {
        "Each with the best roll for it"
    };
    let about = format!("{which}: {} runs with the same seeds, seed {}.", comparison.runs, comparison.seed.0);
    chart::variants(look, "Variants side by side", &about, &drawn)
}

fn compared(
    sources: &[(Files, String)],
    options: &CompareOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Comparison, Refusal> {
    let executor = PlanOptions { executor: options.executor, seed: options.seed, runs: options.runs };
    let asked = Asked { executor: executor.executor(), seed: Seed(options.seed), runs: executor.runs()? };
    let mut errors = Errors::new(vec![SET.to_owned()]);
    let axes = overrides::Axis::parse(&options.set, &mut errors);
    let mut wrong = errors.finish(Some(())).err().unwrap_or_default();
    let combinations = options.combinations(sources.len(), &axes, wrong.is_empty())?;
    let mut notes = Vec::new();
    let mut inputs = Vec::new();
    let mut refused = Vec::new();
    let mut described = None;
    for (place, (files, main)) in sources.iter().enumerate() {
        let mut reading = Reading { files, main, wrong: std::mem::take(&mut wrong) };
        let as_it_is = read_with(files, main, &[], &mut Vec::new());
        if place == 0
            && let Ok((cluster, policy)) = &as_it_is
        {
            described = Some((cluster.clone(), policy.clone()));
        }
        for choices in &combinations {
            let values: Vec<&Override> =
                axes.iter().zip(choices).filter_map(|(axis, &choice)| axis.values.get(choice)).collect();
            if let Some((cluster, policy)) = reading.read(&values, &mut notes) {
                let mut choices = choices.clone();
                if sources.len() > 1 {
                    choices.insert(0, place);
                }
                inputs.push((choices, cluster, policy));
            }
        }
        if !reading.wrong.is_empty() {
            reading.wrong.sort_by_cached_key(|wrong| (wrong.file != *main, wrong.file.clone(), wrong.span.start));
            let mut files = files.clone();
            files.insert(SET, overrides::Axis::text(&options.set));
            refused.push((reading.wrong, files));
        }
    }
    if !refused.is_empty() {
        return Err(Refusal::Variants(refused));
    }
    let mut inputs: Vec<Input> = inputs
        .into_iter()
        .map(|(choices, cluster, policy)| options.input(Some(choices), cluster, policy))
        .collect::<Result<_, _>>()?;
    let described = described.map(|(cluster, policy)| options.input(None, cluster, policy)).transpose()?;
    if let Some(described) =
        described.as_ref().filter(|described| inputs.iter().all(|input| !input.is_alike(described)))
    {
        inputs.push(described.clone());
    }
    let mut comparison = answer(self::axes(sources, axes), inputs, described.as_ref(), asked, progress);
    notes.sort();
    notes.dedup();
    comparison.notes = notes;
    Ok(comparison)
}

fn report(comparison: &Comparison, format: Format) -> String {
    match format {
        Format::Text(page) => text::compare(comparison, &page),
        Format::Markdown => markdown::compare(comparison),
        Format::Json => json(&v1::CompareV1::new(comparison)),
        Format::Yaml => yaml(&v1::CompareV1::new(comparison)),
    }
}

impl CompareOptions {
    /// The files that are tried as `settings_from`: the edge reads them with those that a description names.
    pub fn referenced_files(&self) -> Vec<String> {
        let mut errors = Errors::new(vec![SET.to_owned()]);
        overrides::Axis::files(&overrides::Axis::parse(&self.set, &mut errors))
    }

    /// All combinations of values, the last axis changing first.
    fn combinations(
        &self,
        files: usize,
        axes: &[overrides::Axis],
        all_read: bool,
    ) -> Result<Vec<Vec<usize>>, OptionError> {
        if files < 2 && self.set.is_empty() {
            return Err(OptionError("there is nothing to compare: give --set KEY=V1,V2, or a second file".into()));
        }
        let count = axes.iter().map(|axis| axis.values.len()).fold(files, usize::saturating_mul);
        if count > MOST && all_read {
            let of = |axis: &overrides::Axis| format!("{} of {}", axis.values.len(), axis.key);
            let mut parts: Vec<String> = axes.iter().map(of).collect();
            if files > 1 {
                parts.insert(0, format!("{files} files"));
            }
            let message = format!("{} make {count} variants; at most {MOST} are compared", parts.join(" × "));
            return Err(OptionError(message));
        }
        let mut combinations: Vec<Vec<usize>> = vec![Vec::new()];
        for axis in axes {
            let each = |combination: &Vec<usize>| {
                let longer = |value| [combination.as_slice(), &[value]].concat();
                (0..axis.values.len()).map(longer).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(each).take(MOST).collect();
        }
        Ok(combinations)
    }

    fn input(&self, choices: Option<Vec<usize>>, cluster: Cluster, policy: Policy) -> Result<Input, OptionError> {
        let roll = self.roll(&cluster, &policy)?;
        Ok(Input { choices, cluster, policy, roll })
    }

    /// The roll that all variants share, if one is given.
    fn roll(&self, cluster: &Cluster, policy: &Policy) -> Result<Option<Schedule>, OptionError> {
        let given = [&self.order, &self.wait, &self.stop, &self.leader_again];
        if given.iter().all(|option| option.is_none()) && self.at_once.is_none() {
            return Ok(None);
        }
        let usual = SimulateOptions::default();
        let options = SimulateOptions {
            order: self.order.clone().unwrap_or(usual.order),
            wait: self.wait.clone().unwrap_or(usual.wait),
            at_once: self.at_once.unwrap_or(usual.at_once),
            stop: self.stop.clone().unwrap_or(usual.stop),
            leader_again: self.leader_again.clone().unwrap_or(usual.leader_again),
            ..usual
        };
        Ok(Some(Schedule { during_delay: policy.during_delay, ..options.schedule(cluster)? }))
    }
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            set: Vec::new(),
            order: None,
            wait: None,
            at_once: None,
            stop: None,
            leader_again: None,
            executor: ExecutorOption::Steps,
            width: 1_200,
            theme: "auto".into(),
            seed: DEFAULT_SEED,
            runs: None,
        }
    }
}

impl Reading<'_> {
    /// The cluster with these overrides; what is wrong is kept, once.
    fn read(&mut self, values: &[&Override], notes: &mut Vec<String>) -> Option<(Cluster, Policy)> {
        match read_with(self.files, self.main, values, notes) {
            Ok(read) => Some(read),
            Err(wrong) => {
                let known = |new: &DescriptionError, known: &DescriptionError| {
                    (&new.file, &new.span, &new.message) == (&known.file, &known.span, &known.message)
                };
                let new = wrong.into_iter().filter(|new| !self.wrong.iter().any(|old| known(new, old)));
                let new: Vec<DescriptionError> = new.collect();
                self.wrong.extend(new);
                None
            }
        }
    }
}

/// The axes as they are told: the files are one where there are several.
fn axes(sources: &[(Files, String)], axes: Vec<overrides::Axis>) -> Vec<Axis> {
    let files = Axis { key: FILE.to_owned(), values: sources.iter().map(|(_, main)| main.clone()).collect() };
    let told = axes
        .into_iter()
        .map(|axis| Axis { key: axis.key, values: axis.values.into_iter().map(|value| value.value).collect() });
    (sources.len() > 1).then_some(files).into_iter().chain(told).collect()
}

/// More variants than these are not read by anybody.
const MOST: usize = 64;
