//! Why a call could not do what it was asked.

use std::io;
use std::path::PathBuf;

use rollgate_core::text::Files;
use rollgate_core::verbs::Refusal;

use crate::exit::Exit;

/// What ends a call early. The call, a file or the place to write to has to change first; or,
/// where a running cluster was looked at, it has to show more.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A file that was named cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that was named is not text.
    #[error("cannot read {}: it is not UTF-8 text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// A file that goes with the answer cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    WriteFile {
        /// The file, or its folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Write(#[from] io::Error),
    /// An argument means nothing here.
    #[error("{0}")]
    Argument(String),
    /// The core does not take the files or the options; everything it says about them.
    #[error("{}", .0.trim_end())]
    Refused(String),
    /// What was seen of a running cluster does not decide.
    #[error("{}", .0.trim_end())]
    Unclear(String),
}

impl Failure {
    /// What the core says, for a person.
    pub(crate) fn refused(refusal: &Refusal, files: &Files, color: bool) -> Self {
        match refusal {
            Refusal::Options(error) => Self::Argument(error.to_string()),
            Refusal::Unclear(unclear) => Self::Unclear(unclear.to_string()),
            _ => Self::Refused(refusal.render(files, color)),
        }
    }

    /// How the call ends.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Self::Unclear(_) => Exit::CannotTell,
            _ => Exit::Usage,
        }
    }

    /// The words for standard error.
    pub(crate) fn words(&self) -> String {
        match self {
            // Each mistake says of which file it is; a name before them would only be in the way.
            Self::Refused(_) => self.to_string(),
            _ => format!("rollgate: {self}"),
        }
    }
}
