//! `plan`: the order and the waits.

use super::{Answer, PlanOptions, Refusal};
use crate::model::read;
use crate::plan::{Budget, Plan, Progress, plan as search};
use crate::report::{Format, json, markdown, text, v1, yaml};
use crate::simulation::Seed;
use crate::text::Files;

/// Plans a roll of the cluster that the file `main` describes; `progress` is told now and
/// then how far the search is. The answer is no if nothing respects the policy.
///
/// # Errors
/// Everything that is wrong with the files, or the first option that cannot be taken.
pub fn plan(
    files: &Files,
    main: &str,
    options: &PlanOptions,
    format: Format,
    progress: &mut dyn FnMut(Progress),
) -> Result<Answer, Refusal> {
    let (cluster, policy) = read(files, main)?;
    let budget = Budget::of(&cluster, options.runs()?);
    let found = search(&cluster, &policy, options.executor(), Seed(options.seed), budget, progress);
    let document = |plan: &Plan| {
        let inputs = v1::InputsV1::new(files, main, &cluster, &policy);
        v1::sealed(v1::PlanV1::new(inputs, &cluster, &policy, plan))
    };
    let report = match (&found, format) {
        (Ok(plan), Format::Text(page)) => text::plan(&cluster, plan, &page),
        (Ok(plan), Format::Markdown) => markdown::plan(&cluster, plan),
        (Ok(plan), Format::Json) => json(&document(plan)),
        (Ok(plan), Format::Yaml) => yaml(&document(plan)),
        (Err(none), Format::Text(page)) => text::no_plan(&cluster, none, &page),
        (Err(none), Format::Markdown) => markdown::no_plan(&cluster, none),
        (Err(none), Format::Json) => json(&v1::NoPlanV1::new(&cluster, &policy, none)),
        (Err(none), Format::Yaml) => yaml(&v1::NoPlanV1::new(&cluster, &policy, none)),
    };
    Ok(Answer { report, yes: found.is_ok() })
}
