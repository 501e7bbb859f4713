//! Why a verb does not answer.

use std::fmt::Write;

use super::OptionError;
use crate::text::{DescriptionError, Files};

/// The files or the options are wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Everything that is wrong with the files; never empty.
    #[error("{} of the description cannot be taken", errors_in(.0))]
    Description(Vec<DescriptionError>),
    /// Everything that is wrong with some of the files, where the others could be taken; never empty.
    #[error("{} of the files cannot be taken", errors_in(.0))]
    Files(Vec<DescriptionError>),
    /// An option cannot be taken.
    #[error(transparent)]
    Options(#[from] OptionError),
}

impl Refusal {
    /// All of it for a person: each mistake with its line, the words underlined, the fix.
    pub fn render(&self, files: &Files, color: bool) -> String {
        match self {
            Self::Options(error) => format!("{error}\n"),
            Self::Description(errors) => mistakes(errors, files, color, "nothing was computed"),
            Self::Files(errors) => mistakes(errors, files, color, "what else there is was linted"),
        }
    }
}

impl From<Vec<DescriptionError>> for Refusal {
    fn from(errors: Vec<DescriptionError>) -> Self {
        Self::Description(errors)
    }
}

fn mistakes(errors: &[DescriptionError], files: &Files, color: bool, then: &str) -> String {
    let mut text = String::new();
    for error in errors {
        _ = writeln!(text, "{}\n", error.render(files, color).trim_end());
    }
    _ = writeln!(text, "{} to mend; {then}.", errors_in(errors));
    text
}

fn errors_in(errors: &[DescriptionError]) -> String {
    if errors.len() == 1 { "1 error".to_owned() } else { format!("{} errors", errors.len()) }
}
