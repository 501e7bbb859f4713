//! `timeout`: how long a restart may take, and what follows for the settings.

use serde::Deserialize;

use super::{Answer, OptionError, Refusal};
use crate::description::time;
use crate::model;
use crate::report::{Format, json, markdown, text, v1, yaml};
use crate::text::Files;
use crate::timeout::{Advice, Kind, Situation, read};
use crate::units::Duration;

/// What is asked about measured restarts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeoutOptions {
    /// The name of the file that describes the cluster, for its settings and limits.
    pub cluster: Option<String>,
    /// `clean`, `kill`, `cold` or `upgrade`: the kind that is asked about.
    pub kind: Option<String>,
    /// How many restarts this roll has; by default one for each worker.
    pub restarts: Option<usize>,
    /// The grace period of the service manager, such as `30s`.
    pub grace: Option<String>,
    /// How long what the connectors read is kept, such as `7d`.
    pub retention: Option<String>,
}

/// Says how long a restart may take, from the file `restarts` of measured ones; or without
/// it from what the description of the cluster says. The answer is no if neither allows one.
///
/// # Errors
/// Everything that is wrong with the files, or the first option that cannot be taken.
pub fn timeout(
    files: &Files,
    restarts: Option<&str>,
    options: &TimeoutOptions,
    format: Format,
) -> Result<Answer, Refusal> {
    let kind = options.kind.as_deref().map(kind_of).transpose()?;
    let grace = options.grace.as_deref().map(|text| time_of("grace", text)).transpose()?;
    let retention = options.retention.as_deref().map(|text| time_of("retention", text)).transpose()?;
    let measured = restarts.map(|name| read(files, name)).transpose();
    let described = options.cluster.as_deref().map(|name| model::read(files, name)).transpose();
    let (measured, described) = match (measured, described) {
        (Ok(measured), Ok(described)) => (measured, described),
        (measured, described) => {
            let wrong = [measured.err(), described.err()].into_iter().flatten().flatten().collect();
            return Err(Refusal::Description(wrong));
        }
    };
    let cluster = described.as_ref().map(|(cluster, policy)| (cluster, policy));
    let situation = Situation { cluster, grace, retention };
    let advice = match (&measured, kind) {
        (Some(measured), _) => Advice::of_measured(measured, &situation, kind, options.restarts)
            .ok_or_else(|| OptionError(not_measured(kind, measured.kinds())))?,
        (None, Some(kind)) => return Err(OptionError(not_measured(Some(kind), [])).into()),
        (None, None) => Advice::of_description(&situation, options.restarts)
            .ok_or_else(|| OptionError("neither measured restarts nor a cluster is given".into()))?,
    };
    let report = match format {
        Format::Text(page) => text::timeout(&advice, &situation, &page),
        Format::Markdown => markdown::timeout(&advice, &situation),
        Format::Json => json(&v1::TimeoutV1::new(&advice, &situation)),
        Format::Yaml => yaml(&v1::TimeoutV1::new(&advice, &situation)),
    };
    Ok(Answer { report, yes: advice.is_known() })
}

fn kind_of(text: &str) -> Result<Kind, OptionError> {
    let known = || Kind::ALL.map(Kind::key).join(", ");
    Kind::of(text).ok_or_else(|| OptionError(format!("there is no kind `{text}` of restart: one of {}", known())))
}

fn time_of(option: &str, text: &str) -> Result<Duration, OptionError> {
    let found = time(text).filter(|time| !time.is_zero());
    found.ok_or_else(|| OptionError(format!("{option} `{text}` is not a time such as 30s")))
}

fn not_measured(kind: Option<Kind>, kinds: impl IntoIterator<Item = Option<Kind>>) -> String {
    let asked = kind.map_or("", Kind::key);
    let named: Vec<&str> = kinds.into_iter().flatten().map(Kind::key).collect();
    match named.as_slice() {
        [] => format!("no restart is marked as `{asked}`: none has a kind"),
        known => format!("no restart is marked as `{asked}`: there is {}", known.join(", ")),
    }
}
