//! Why a verb does not answer.

use std::fmt::Write;

use super::OptionError;
use crate::description::covered;
use crate::discovery::Unclear;
use crate::text::{DescriptionError, Files};

/// The files or the options are wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Everything that is wrong with the files; never empty.
    #[error("{} of the description cannot be taken", count(.0.len()))]
    Description(Vec<DescriptionError>),
    /// Everything that is wrong with some of the files, where the others could be taken; never empty.
    #[error("{} of the files cannot be taken", count(.0.len()))]
    Files(Vec<DescriptionError>),
    /// Everything that is wrong with variants of files, by the files they belong to; never empty.
    #[error("{} of the descriptions cannot be taken", count(.0.iter().map(|(errors, _)| errors.len()).sum()))]
    Variants(Vec<(Vec<DescriptionError>, Files)>),
    /// What was seen of a running cluster does not decide.
    #[error("{0}")]
    Unclear(Unclear),
    /// An option cannot be taken.
    #[error(transparent)]
    Options(#[from] OptionError),
}

impl Refusal {
    /// All of it for a person: each mistake with its line, the words underlined, the fix.
    pub fn render(&self, files: &Files, color: bool) -> String {
        match self {
            Self::Options(error) => format!("{error}\n"),
            Self::Unclear(unclear) => format!("{unclear}\n"),
            Self::Description(errors) => rendered(&[(errors, files)], color, NOTHING),
            Self::Files(errors) => rendered(&[(errors, files)], color, "what else there is was linted"),
            Self::Variants(all) => {
                let all: Vec<_> = all.iter().map(|(errors, files)| (errors, files)).collect();
                rendered(&all, color, NOTHING)
            }
        }
    }
}

impl From<Unclear> for Refusal {
    fn from(unclear: Unclear) -> Self {
        Self::Unclear(unclear)
    }
}

impl From<Vec<DescriptionError>> for Refusal {
    fn from(errors: Vec<DescriptionError>) -> Self {
        Self::Description(errors)
    }
}

fn rendered(all: &[(&Vec<DescriptionError>, &Files)], color: bool, then: &str) -> String {
    let (mut text, mut number) = (String::new(), 0);
    for (errors, files) in all {
        let shown = covered(files);
        for error in *errors {
            _ = writeln!(text, "{}\n", error.render(&shown, color).trim_end());
        }
        number += errors.len();
    }
    _ = writeln!(text, "{} to mend; {then}.", count(number));
    text
}

fn count(errors: usize) -> String {
    if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") }
}

/// Where nothing can be taken.
const NOTHING: &str = "nothing was computed";
