//! `next`: which worker now, and when.

use serde::Deserialize;

use super::observed::{Observed, snapshot_of};
use super::options::some_runs;
use super::{Answer, DEFAULT_SEED, OptionError, Refusal};
use crate::description::{proposal, time};
use crate::model::{Cluster, WorkerId};
use crate::plan::{Budget, next as search};
use crate::report::{Format, NextAsked, Page, json, text, v1, yaml};
use crate::simulation::Seed;
use crate::snapshot::{Address, Snapshot};
use crate::text::Files;

/// What is known of a roll that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NextOptions {
    /// Workers that are through, by name or REST address.
    pub done: Vec<String>,
    /// The name of the file that describes the cluster, for times of restarts, settings, rates and policy.
    pub cluster: Option<String>,
    /// The name of a worker's `.properties` file, where no description is given.
    pub settings_from: Option<String>,
    /// How long before the snapshot the group completed its last rebalance, such as `12s`, if it was seen.
    pub last_round: Option<String>,
    /// The number that repeats it.
    pub seed: u64,
    /// How many runs of each finalist are drawn; by default what the size of the cluster allows.
    pub runs: Option<u32>,
}

/// Finds the next step of a roll of the cluster in the snapshot that the file `snapshot` holds.
///
/// # Errors
/// As [`next_seen`]; and if the file is no snapshot.
pub fn next(files: &Files, snapshot: &str, options: &NextOptions, format: Format) -> Result<Answer, Refusal> {
    next_seen(&snapshot_of(files, snapshot)?, files, options, format)
}

/// Finds the next step of a roll of the cluster in a snapshot; `files` holds what the options name.
/// The answer is no if a worker is out of the group: nobody else may go then.
///
/// # Errors
/// If the snapshot decides nothing, a file is wrong, or an option cannot be taken.
pub fn next_seen(snapshot: &Snapshot, files: &Files, options: &NextOptions, format: Format) -> Result<Answer, Refusal> {
    let last_round = options
        .last_round
        .as_deref()
        .map(|text| time(text).ok_or_else(|| OptionError(format!("last-round `{text}` is no time such as 12s"))));
    let last_round = last_round.transpose()?;
    let runs = options.runs.map(some_runs).transpose()?;
    let observed = match &options.cluster {
        Some(main) => Observed::of_described(snapshot, files, main, last_round)?,
        None => Observed::read(snapshot, files, options.settings_from.as_deref(), last_round)?,
    };
    let cluster = &observed.cluster;
    let done: Vec<WorkerId> = options.done.iter().map(|name| worker(cluster, name)).collect::<Result<_, _>>()?;
    let found = search(cluster, &observed.policy, &done, Seed(options.seed), Budget::of(cluster, runs));
    let asked = NextAsked { taken_at: snapshot.taken_at, cluster, done: &done, next: &found };
    let report = match format {
        Format::Text(page) => text::next(&asked, &page),
        Format::Markdown => text::next(&asked, &Page::default()),
        Format::Json => json(&v1::NextV1::new(&asked)),
        Format::Yaml => yaml(&v1::NextV1::new(&asked)),
    };
    Ok(Answer { report, yes: found.away.is_empty() })
}

impl Default for NextOptions {
    fn default() -> Self {
        Self { done: Vec::new(), cluster: None, settings_from: None, last_round: None, seed: DEFAULT_SEED, runs: None }
    }
}

/// The worker of that name, or at that address.
fn worker(cluster: &Cluster, name: &str) -> Result<WorkerId, OptionError> {
    let address = Address::of_url(name);
    let all = || (0..).map(WorkerId).zip(&cluster.workers);
    let by_name = all().find(|(_, worker)| worker.name == name);
    let at = |url: &String| Address::of_url(url) == address;
    let found = by_name.or_else(|| all().find(|(_, worker)| worker.url.as_ref().is_some_and(at)));
    found.map(|(id, _)| id).ok_or_else(|| {
        let names = cluster.workers.iter().map(|worker| worker.name.as_str());
        let hint = proposal(name, names).map(|hint| format!("; {hint}")).unwrap_or_default();
        OptionError(format!("done names `{name}`, but no worker is called so{hint}"))
    })
}
