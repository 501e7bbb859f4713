//! A cluster from what was seen of it, for the verbs that work on a running one.

use super::{OptionError, Refusal};
use crate::discovery::{Found, Unclear, find, with_seen};
use crate::model::{Cluster, Policy, read};
use crate::report::seen;
use crate::snapshot::Snapshot;
use crate::text::Files;
use crate::units::Duration;

/// A running cluster, ready to be simulated.
#[derive(Clone, Debug)]
pub struct Observed {
    /// What was seen.
    pub found: Found,
    /// What that means, with defaults for what nobody could see.
    pub cluster: Cluster,
    /// What a roll must respect.
    pub policy: Policy,
}

impl Observed {
    /// The cluster of a snapshot. Settings come from a worker's file, if one is named; all else
    /// that no request tells is the description's default. `last_round` is how long before the
    /// snapshot the group completed its last round, if that was seen.
    ///
    /// # Errors
    /// If the snapshot decides nothing, or the settings file is wrong.
    pub fn read(
        snapshot: &Snapshot,
        files: &Files,
        settings_from: Option<&str>,
        last_round: Option<Duration>,
    ) -> Result<Self, Refusal> {
        let found = find(snapshot, last_round)?;
        let mut files = files.clone();
        if let Some(name) = settings_from.filter(|name| files.get(name).is_none()) {
            return Err(OptionError(format!("the file `{name}` of settings was not found")).into());
        }
        files.insert(SEEN, seen(&found, settings_from).yaml());
        let (cluster, policy) = read(&files, SEEN).map_err(|errors| {
            // What is wrong with the file of settings can be mended there; what the cluster itself
            // says and cannot be described is nobody's mistake.
            match errors.iter().find(|error| error.file == SEEN) {
                Some(odd) => Refusal::Unclear(Unclear {
                    seen: format!("the cluster says what cannot be described: {}", odd.message),
                    advice: odd.help.clone().unwrap_or_else(|| "describe the cluster by hand".into()),
                }),
                None => Refusal::Description(errors),
            }
        })?;
        Ok(Self { found, cluster, policy })
    }

    /// The cluster of the description `main` as a snapshot shows it now: settings, times of
    /// restarts, rates and the policy are the description's, all else was seen.
    ///
    /// # Errors
    /// If the snapshot decides nothing or shows another cluster, or the description is wrong.
    pub fn of_described(
        snapshot: &Snapshot,
        files: &Files,
        main: &str,
        last_round: Option<Duration>,
    ) -> Result<Self, Refusal> {
        let (described, policy) = read(files, main)?;
        let found = find(snapshot, last_round)?;
        let cluster = with_seen(&described, &found)?;
        Ok(Self { found, cluster, policy })
    }
}

/// The snapshot that a file holds.
///
/// # Errors
/// What is wrong with it.
pub fn snapshot_of(files: &Files, name: &str) -> Result<Snapshot, Refusal> {
    let Some(text) = files.get(name) else {
        return Err(OptionError(format!("the file `{name}` was not found")).into());
    };
    Snapshot::read(text).map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        OptionError(format!("{name} is no snapshot: {}", all.join("; "))).into()
    })
}

/// What messages call what was seen; no file has this name.
const SEEN: &str = "(what was seen)";
