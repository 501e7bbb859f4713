//! `plan` and `simulate` in Markdown with pictures beside it.

use super::chart::{Shown, drawn};
use super::chart_options::{Figure, look};
use super::simulate::{self, run};
use super::{Answer, PlanOptions, Refusal, SimulateOptions, plan};
use crate::chart::Look;
use crate::model::{Cluster, Policy, read};
use crate::plan::{Budget, Progress, plan as search};
use crate::report::{Format, markdown};
use crate::simulation::Seed;
use crate::text::Files;

/// Where the pictures will lie and how they look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureOptions {
    /// The folder as the Markdown is to name it.
    pub folder: String,
    /// Pixels from left to right.
    pub width: u32,
    /// `light`, `dark` or `auto`.
    pub theme: String,
}

/// A picture of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its name in the folder, such as `roll.svg`.
    pub file: String,
    /// The SVG document.
    pub svg: String,
}

/// An answer and the pictures its report names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illustrated {
    /// The Markdown.
    pub answer: Answer,
    /// The pictures; whoever called writes them to the folder.
    pub pictures: Vec<Picture>,
}

/// Plans a roll, as [`super::plan()`] in Markdown.
///
/// # Errors
/// Everything that is wrong with the files, or the first option that cannot be taken.
pub fn illustrated_plan(
    files: &Files,
    main: &str,
    options: &PlanOptions,
    pictures: &PictureOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Illustrated, Refusal> {
    let (cluster, policy) = read(files, main)?;
    let look = look(pictures.width, &pictures.theme)?;
    let budget = Budget::of(&cluster, options.runs()?);
    let found = search(&cluster, &policy, options.executor(), Seed(options.seed), budget, progress);
    let shown = match &found {
        Ok(plan) => Some(Shown::planned(&cluster, plan)),
        Err(none) => Shown::nearest(&cluster, none).ok(),
    };
    let report =
        plan::written(&plan::Asked { files, main, cluster: &cluster, policy: &policy }, &found, Format::Markdown);
    let answer = Answer { report, yes: found.is_ok() };
    Ok(illustrated(look, &cluster, &policy, shown.as_ref(), answer, &pictures.folder))
}

/// Simulates a roll, as [`super::simulate()`] in Markdown.
///
/// # Errors
/// Everything that is wrong with the files, or the first option that cannot be taken.
pub fn illustrated_simulate(
    files: &Files,
    main: &str,
    options: &SimulateOptions,
    pictures: &PictureOptions,
) -> Result<Illustrated, Refusal> {
    let (cluster, policy) = read(files, main)?;
    let look = look(pictures.width, &pictures.theme)?;
    let simulated = run(&cluster, &policy, options)?;
    let shown = Shown::simulated(&cluster, &simulated);
    let report = simulate::written(&cluster, &simulated, Format::Markdown);
    let answer = Answer { report, yes: true };
    Ok(illustrated(look, &cluster, &policy, Some(&shown), answer, &pictures.folder))
}

fn illustrated(
    look: Look,
    cluster: &Cluster,
    policy: &Policy,
    shown: Option<&Shown>,
    mut answer: Answer,
    folder: &str,
) -> Illustrated {
    let mut pictures = Vec::new();
    for (figure, alternative) in FIGURES {
        // What is not known is left out.
        let Some(svg) = shown.and_then(|shown| drawn(look, cluster, policy, figure, shown).ok()) else { continue };
        let file = format!("{}.svg", figure.key());
        answer.report.push_str(&markdown::picture(alternative, folder, &file));
        pictures.push(Picture { file, svg });
    }
    Illustrated { answer, pictures }
}

/// The figures of a report, and what stands where they cannot be shown.
const FIGURES: [(Figure, &str); 3] = [
    (Figure::Roll, "Who runs what over time"),
    (Figure::Unassigned, "Share of the tasks without an owner over time"),
    (Figure::Lag, "How far connectors fall behind"),
];
