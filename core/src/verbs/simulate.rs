//! `simulate`: the course of one roll.

use super::{Answer, OptionError, Refusal, SimulateOptions};
use crate::assessment::{Distribution, Impact, assess};
use crate::model::{Cluster, Policy, read};
use crate::plan::price;
use crate::report::{Format, Run, json, markdown, text, v1, yaml};
use crate::simulation::{Detail, Schedule, Seed, Timeline, simulate as run_roll};
use crate::text::Files;

/// Simulates a roll of the cluster that the file `main` describes: one run, or many, of
/// which the median one is shown.
///
/// # Errors
/// Everything that is wrong with the files, or the first option that cannot be taken.
pub fn simulate(files: &Files, main: &str, options: &SimulateOptions, format: Format) -> Result<Answer, Refusal> {
    let (cluster, policy) = read(files, main)?;
    let simulated = run(&cluster, &policy, options)?;
    Ok(Answer { report: written(&cluster, &simulated, format), yes: true })
}

/// A roll that was run.
pub(super) struct Simulated {
    pub(super) schedule: Schedule,
    pub(super) timeline: Timeline,
    pub(super) impact: Impact,
    /// Many runs of it, if they were asked for.
    pub(super) distribution: Option<Distribution>,
    /// The seed that was asked for.
    pub(super) asked: Seed,
    /// The seed of the run that is shown.
    pub(super) seed: Seed,
}

/// Runs what the options ask for.
pub(super) fn run(cluster: &Cluster, policy: &Policy, options: &SimulateOptions) -> Result<Simulated, OptionError> {
    let schedule = Schedule { during_delay: policy.during_delay, ..options.schedule(cluster)? };
    let runs = options.runs()?;
    let asked = Seed(options.seed);
    // A single run has the seed itself, so that the median one of many can be repeated alone.
    let distribution = (runs > 1).then(|| price(cluster, policy, &schedule, asked, runs, || ()).distribution);
    let seed = distribution.as_ref().map_or(asked, |of| of.median_seed);
    let timeline = run_roll(cluster, &schedule, seed, Detail::Full);
    let impact = assess(cluster, &timeline);
    Ok(Simulated { schedule, timeline, impact, distribution, asked, seed })
}

/// The report of a roll.
pub(super) fn written(cluster: &Cluster, simulated: &Simulated, format: Format) -> String {
    let Simulated { timeline, impact, distribution, seed, .. } = simulated;
    let run = Run { cluster, timeline, impact, distribution: distribution.as_ref(), seed: *seed };
    match format {
        Format::Text(page) => text::simulate(&run, &page),
        Format::Markdown => markdown::simulate(&run),
        Format::Json => json(&v1::SimulateV1::new(&run)),
        Format::Yaml => yaml(&v1::SimulateV1::new(&run)),
    }
}
