//! `explain`: what a rule finds, what a setting does, what a key or a term means.

use serde::Deserialize;

use super::{Answer, OptionError, SimulateOptions};
use crate::assessment::Distribution;
use crate::explain::Topic;
use crate::lint::{Example, RULES, Rule, Side};
use crate::model::read;
use crate::plan::price;
use crate::report::{Explained, Format, Shown, json, markdown, text, v1, yaml};
use crate::simulation::{Schedule, Seed};
use crate::text::Files;

/// How an explanation is computed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExplainOptions {
    /// The number that repeats the simulated example.
    pub seed: u64,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        Self { seed: super::DEFAULT_SEED }
    }
}

/// Explains a rule, a setting, a key or a term; lists all of them if none is named.
///
/// # Errors
/// If nothing is called so; the message names what comes near.
pub fn explain(name: Option<&str>, options: &ExplainOptions, format: Format) -> Result<Answer, OptionError> {
    let Some(name) = name else {
        let report = match format {
            Format::Text(page) => text::topics(&page),
            Format::Markdown => markdown::topics(),
            Format::Json => json(&v1::TopicsV1::new()),
            Format::Yaml => yaml(&v1::TopicsV1::new()),
        };
        return Ok(Answer { report, yes: true });
    };
    let topic = Topic::find(name).ok_or_else(|| unknown(name))?;
    let explained = explained(topic, Seed(options.seed))?;
    let report = match format {
        Format::Text(page) => text::explain(&explained, &page),
        Format::Markdown => markdown::explain(&explained),
        Format::Json => json(&v1::ExplainV1::new(&explained)),
        Format::Yaml => yaml(&v1::ExplainV1::new(&explained)),
    };
    Ok(Answer { report, yes: true })
}

/// The reference page of all rules, as Markdown.
///
/// # Errors
/// If the example of a rule cannot be simulated, which is a mistake in the rule.
pub fn rules_page() -> Result<String, OptionError> {
    let explained: Result<Vec<Explained>, _> =
        RULES.iter().map(|rule| explained(Topic::Rule(rule), Seed(super::DEFAULT_SEED))).collect();
    Ok(markdown::rules(&explained?))
}

fn explained(topic: Topic, seed: Seed) -> Result<Explained, OptionError> {
    let example = match topic {
        Topic::Rule(Rule { example: Some(Example { bad, better }), .. }) => {
            Some([shown(bad, seed)?, shown(better, seed)?])
        }
        _ => None,
    };
    Ok(Explained { topic, example, seed, runs: RUNS })
}

fn shown(side: &'static Side, seed: Seed) -> Result<Shown, OptionError> {
    let distribution = priced(side, seed)?;
    Ok(Shown { side, distribution })
}

fn priced(side: &Side, seed: Seed) -> Result<Distribution, OptionError> {
    let files: Files = [("example.yaml", side.description)].into_iter().collect();
    let (cluster, policy) = read(&files, "example.yaml").map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        OptionError(format!("the example cannot be taken: {}", errors.join("; ")))
    })?;
    let options = SimulateOptions {
        order: side.order.to_owned(),
        wait: side.wait.to_owned(),
        at_once: policy.at_once,
        ..SimulateOptions::default()
    };
    let schedule = Schedule { during_delay: policy.during_delay, ..options.schedule(&cluster)? };
    Ok(price(&cluster, &policy, &schedule, seed, RUNS, || ()).distribution)
}

fn unknown(name: &str) -> OptionError {
    let near: Vec<String> = Topic::near(name).iter().map(|near| format!("`{near}`")).collect();
    let hint = match near.as_slice() {
        [] => "`rollgate explain` lists all there is".to_owned(),
        [one] => format!("did you mean {one}?"),
        [first @ .., last] => format!("did you mean {} or {last}?", first.join(", ")),
    };
    OptionError(format!("no rule, setting, key or term is called `{name}`; {hint}"))
}

/// How many runs an example is drawn from.
const RUNS: u32 = 100;
