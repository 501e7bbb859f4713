//! Why a verb does not answer.

use std::fmt::Write;

use super::OptionError;
use crate::text::{DescriptionError, Files};

/// The files or the options are wrong. Nothing was computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Everything that is wrong with the files; never empty.
    #[error("{} of the description cannot be taken", count(.0.len()))]
    Description(Vec<DescriptionError>),
    /// Everything that is wrong with variants of files, by the files they belong to; never empty.
    #[error("{} of the descriptions cannot be taken", count(.0.iter().map(|(errors, _)| errors.len()).sum()))]
    Variants(Vec<(Vec<DescriptionError>, Files)>),
    /// An option cannot be taken.
    #[error(transparent)]
    Options(#[from] OptionError),
}

impl Refusal {
    /// All of it for a person: each mistake with its line, the words underlined, the fix.
    pub fn render(&self, files: &Files, color: bool) -> String {
        match self {
            Self::Options(error) => format!("{error}\n"),
            Self::Description(errors) => rendered(errors.iter().map(|error| (error, files)), color),
            Self::Variants(all) => {
                rendered(all.iter().flat_map(|(errors, files)| errors.iter().map(move |error| (error, files))), color)
            }
        }
    }
}

impl From<Vec<DescriptionError>> for Refusal {
    fn from(errors: Vec<DescriptionError>) -> Self {
        Self::Description(errors)
    }
}

fn rendered<'a>(errors: impl Iterator<Item = (&'a DescriptionError, &'a Files)>, color: bool) -> String {
    let (mut text, mut number) = (String::new(), 0);
    for (error, files) in errors {
        _ = writeln!(text, "{}\n", error.render(files, color).trim_end());
        number += 1;
    }
    _ = writeln!(text, "{} to mend; nothing was computed.", count(number));
    text
}

fn count(errors: usize) -> String {
    if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") }
}
