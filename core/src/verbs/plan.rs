//! `plan`: the order and the waits.

use super::{Answer, PlanOptions, Refusal};
use crate::lint::{Inputs, lint};
use crate::model::{Cluster, Policy, read};
use crate::plan::{Budget, NoPlan, Plan, Progress, plan as search};
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
    let asked = Asked { files, main, cluster: &cluster, policy: &policy };
    Ok(Answer { report: written(&asked, &found, format), yes: found.is_ok() })
}

/// What a plan was asked for.
pub(super) struct Asked<'a> {
    pub(super) files: &'a Files,
    pub(super) main: &'a str,
    pub(super) cluster: &'a Cluster,
    pub(super) policy: &'a Policy,
}

/// The report of a search.
pub(super) fn written(asked: &Asked<'_>, found: &Result<Plan, Box<NoPlan>>, format: Format) -> String {
    let Asked { files, main, cluster, policy } = *asked;
    let risks = lint(&Inputs::read(files, Some(main), &[])).findings;
    let document = |plan: &Plan| {
        let inputs = v1::InputsV1::new(files, main, cluster, policy);
        v1::sealed(v1::PlanV1::new(inputs, cluster, policy, plan, &risks))
    };
    let none = |none: &NoPlan| {
        let inputs = v1::InputsV1::new(files, main, cluster, policy);
        v1::sealed(v1::NoPlanV1::new(inputs, cluster, policy, none))
    };
    match (found, format) {
        (Ok(plan), Format::Text(page)) => text::plan(cluster, plan, &risks, &page),
        (Ok(plan), Format::Markdown) => markdown::plan(cluster, plan, &risks),
        (Ok(plan), Format::Json) => json(&document(plan)),
        (Ok(plan), Format::Yaml) => yaml(&document(plan)),
        (Err(none), Format::Text(page)) => text::no_plan(cluster, none, &page),
        (Err(none), Format::Markdown) => markdown::no_plan(cluster, none),
        (Err(found), Format::Json) => json(&none(found)),
        (Err(found), Format::Yaml) => yaml(&none(found)),
    }
}
