//! `replay`: what follows from given facts.

use super::{Answer, Refusal, ReplayOptions};
use crate::assessment::assess;
use crate::model::read_replay;
use crate::report::{Format, Incident, json, markdown, text, v1, yaml};
use crate::simulation::{Seed, replay as run_replay};
use crate::text::Files;

/// Runs the replay file `main`.
///
/// # Errors
/// Everything that is wrong with the files.
pub fn replay(files: &Files, main: &str, options: &ReplayOptions, format: Format) -> Result<Answer, Refusal> {
    let replay = read_replay(files, main)?;
    let seed = Seed(options.seed);
    let timeline = run_replay(&replay, seed);
    let impact = assess(&replay.cluster, &timeline);
    let incident = Incident { replay: &replay, timeline: &timeline, impact: &impact, seed };
    let report = match format {
        Format::Text(page) => text::replay(&incident, &page),
        Format::Markdown => markdown::replay(&incident),
        Format::Json => json(&v1::ReplayV1::new(&incident)),
        Format::Yaml => yaml(&v1::ReplayV1::new(&incident)),
    };
    Ok(Answer { report, yes: true })
}
