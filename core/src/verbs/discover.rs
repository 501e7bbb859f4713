//! `discover`: a running cluster as a description.

use serde::Deserialize;

use super::observed::{Observed, snapshot_of};
use super::{Answer, Refusal};
use crate::report::{Format, description, discovered, discovered_yaml, json};
use crate::snapshot::Snapshot;
use crate::text::Files;

/// How a cluster is discovered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiscoverOptions {
    /// The name of a worker's `.properties` file, for what no request tells.
    pub settings_from: Option<String>,
}

/// Describes the cluster in the snapshot that the file `snapshot` holds.
///
/// # Errors
/// As [`discover_seen`]; and if the file is no snapshot.
pub fn discover(files: &Files, snapshot: &str, options: &DiscoverOptions, format: Format) -> Result<Answer, Refusal> {
    discover_seen(&snapshot_of(files, snapshot)?, files, options, format)
}

/// Describes the cluster in a snapshot; `files` holds the file that `settings_from` names.
///
/// # Errors
/// If the group is not at rest or what was seen contradicts itself: nothing can be told then. If
/// the settings file is wrong: everything that is wrong with it.
pub fn discover_seen(
    snapshot: &Snapshot,
    files: &Files,
    options: &DiscoverOptions,
    format: Format,
) -> Result<Answer, Refusal> {
    let Observed { found, cluster, policy } = Observed::read(snapshot, files, options.settings_from.as_deref(), None)?;
    let report = match format {
        Format::Text(_) | Format::Yaml => discovered_yaml(&found, &cluster, &policy),
        Format::Markdown => format!("```yaml\n{}```\n", discovered_yaml(&found, &cluster, &policy)),
        Format::Json => json(&discovered(&found, &cluster, &policy)),
    };
    Ok(Answer { report, yes: true })
}

/// The description of a running cluster, for a plan: that of `described`, as the snapshot shows
/// it now; without it what `discover` writes.
///
/// # Errors
/// As [`discover_seen`]; and everything that is wrong with `described`.
pub fn live_description(
    snapshot: &Snapshot,
    files: &Files,
    described: Option<&str>,
    settings_from: Option<&str>,
) -> Result<String, Refusal> {
    if let Some(main) = described {
        let Observed { cluster, policy, .. } = Observed::of_described(snapshot, files, main, None)?;
        return Ok(description(&cluster, &policy).yaml());
    }
    let Observed { found, cluster, policy } = Observed::read(snapshot, files, settings_from, None)?;
    Ok(discovered_yaml(&found, &cluster, &policy))
}
