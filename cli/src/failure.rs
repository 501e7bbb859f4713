//! Why a call could not do what it was asked.

use std::io;
use std::path::PathBuf;

/// What ends a call early. All of them end with 2: the call, a file or the place to write
/// to has to change first.
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
    /// The answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Write(#[from] io::Error),
    /// An argument means nothing here.
    #[error("{0}")]
    Argument(String),
}
