//! `describe`: everything that a description is taken to say.

use super::{Answer, Refusal};
use crate::model::read;
use crate::report::{Format, description, json, markdown, text};
use crate::text::Files;

/// Writes the description `main` back with everything said: defaults, settings of the files
/// that it names, what a pattern stands for.
///
/// # Errors
/// Everything that is wrong with the files.
pub fn describe(files: &Files, main: &str, format: Format) -> Result<Answer, Refusal> {
    let (cluster, policy) = read(files, main)?;
    let report = match format {
        Format::Text(page) => text::describe(&cluster, &policy, &page),
        Format::Markdown => markdown::describe(&cluster, &policy),
        Format::Json => json(&description(&cluster, &policy)),
        Format::Yaml => description(&cluster, &policy).yaml(),
    };
    Ok(Answer { report, yes: true })
}
