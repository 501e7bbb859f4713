//! `simulate`: the course of one roll.

use super::{Answer, Refusal, SimulateOptions};
use crate::assessment::assess;
use crate::model::read;
use crate::plan::price;
use crate::report::{Format, Run, json, markdown, text, v1, yaml};
use crate::simulation::{Detail, Schedule, Seed, simulate as run_roll};
use crate::text::Files;

/// Simulates a roll of the cluster that the file `main` describes: one run, or many, of
/// which the median one is shown.
///
/// # Errors
/// Everything that is wrong with the files, or the first option that cannot be taken.
pub fn simulate(files: &Files, main: &str, options: &SimulateOptions, format: Format) -> Result<Answer, Refusal> {
    let (cluster, policy) = read(files, main)?;
    let schedule = Schedule { during_delay: policy.during_delay, ..options.schedule(&cluster)? };
    let runs = options.runs()?;
    // A single run has the seed itself, so that the median one of many can be repeated alone.
    let distribution = (runs > 1).then(|| {
        let candidate = price(&cluster, &policy, &schedule, Seed(options.seed), runs, || ());
        candidate.distribution
    });
    let seed = distribution.as_ref().map_or(Seed(options.seed), |of| of.median_seed);
    let timeline = run_roll(&cluster, &schedule, seed, Detail::Full);
    let impact = assess(&cluster, &timeline);
    let run =
        Run { cluster: &cluster, timeline: &timeline, impact: &impact, distribution: distribution.as_ref(), seed };
    let report = match format {
        Format::Text(page) => text::simulate(&run, &page),
        Format::Markdown => markdown::simulate(&run),
        Format::Json => json(&v1::SimulateV1::new(&run)),
        Format::Yaml => yaml(&v1::SimulateV1::new(&run)),
    };
    Ok(Answer { report, yes: true })
}
