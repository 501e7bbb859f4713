//! `observe`: what there is to see of a running cluster.

use super::{Answer, OptionError, Refusal};
use crate::report::{Format, json, markdown, text, yaml};
use crate::snapshot::Snapshot;
use crate::text::Files;

/// Writes the snapshot in the file `main`. The answer is no if it holds neither the group nor
/// the statuses.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn observe(files: &Files, main: &str, format: Format) -> Result<Answer, Refusal> {
    let text = files.get(main).ok_or_else(|| OptionError(format!("there is no file {main}")))?;
    let snapshot = Snapshot::read(text).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(|error| format!("{main}: {error}")).collect();
        OptionError(errors.join("\n"))
    })?;
    Ok(observed(&snapshot, format))
}

/// The same for a snapshot that has just been taken.
pub fn observed(snapshot: &Snapshot, format: Format) -> Answer {
    let report = match format {
        Format::Text(page) => text::observe(snapshot, &page),
        Format::Markdown => markdown::observe(snapshot),
        Format::Json => json(snapshot),
        Format::Yaml => yaml(snapshot),
    };
    Answer { report, yes: snapshot.group.known().is_some() || snapshot.statuses.known().is_some() }
}
