//! A password or token, which is never shown.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

/// A password or token. Nothing prints it: neither `Debug` nor `Display`, nor an error.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// One that is already at hand.
    #[cfg(test)]
    pub(crate) fn new(secret: String) -> Self {
        Self(secret)
    }

    /// The content of a file, without the line break at its end.
    ///
    /// # Errors
    /// The file cannot be read, is not text, or holds nothing.
    pub(crate) fn from_file(path: &Path) -> Result<Self, SecretError> {
        let named = || format!("file {}", path.display());
        let text =
            std::fs::read_to_string(path).map_err(|error| SecretError::Read { from: named(), why: why(&error) })?;
        Self::taken(text, named)
    }

    /// The value of an environment variable.
    ///
    /// # Errors
    /// The variable is not set, is not text, or is empty.
    pub(crate) fn from_env(variable: &str) -> Result<Self, SecretError> {
        let named = || format!("environment variable {variable}");
        let value = std::env::var_os(OsStr::new(variable));
        let value = value.ok_or_else(|| SecretError::Read { from: named(), why: "it is not set".to_owned() })?;
        let text = value.into_string();
        Self::taken(text.map_err(|_| SecretError::Read { from: named(), why: "it is not UTF-8".to_owned() })?, named)
    }

    /// What is on standard input, to its end, without the line break there.
    ///
    /// # Errors
    /// It cannot be read, is not text, or holds nothing.
    pub(crate) fn from_stdin() -> Result<Self, SecretError> {
        let named = || "standard input".to_owned();
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(|error| SecretError::Read { from: named(), why: why(&error) })?;
        Self::taken(text, named)
    }

    /// The secret itself, for whoever has to send it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text of the other side without this secret, should it send it back.
    pub(super) fn cut_from(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "…") }
    }

    fn taken(mut text: String, named: impl Fn() -> String) -> Result<Self, SecretError> {
        let end = text.trim_end_matches(['\r', '\n']).len();
        text.truncate(end);
        if text.is_empty() { Err(SecretError::Empty { from: named() }) } else { Ok(Self(text)) }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// Why there is no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SecretError {
    /// It could not be read.
    #[error("cannot read the secret from {from}: {why}")]
    Read {
        /// Where it was to come from.
        from: String,
        /// What happened.
        why: String,
    },
    /// There was nothing.
    #[error("cannot read the secret from {from}: it is empty")]
    Empty {
        /// Where it was to come from.
        from: String,
    },
}

/// In words; what is not text is not quoted.
fn why(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::InvalidData { "it is not UTF-8".to_owned() } else { error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_shown_by_any_format() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(format!("{secret} {secret:?} {:#?}", Some(&secret)), "(secret) (secret) Some(\n    (secret),\n)");
    }

    #[test]
    fn what_the_other_side_sends_back_of_it_is_cut_out() {
        assert_eq!(Secret::new("hunter2".to_owned()).cut_from("no such user hunter2"), "no such user …");
    }

    #[test]
    fn a_file_gives_its_text_without_the_line_break_at_the_end() {
        let path = std::env::temp_dir().join(format!("rollgate-secret-{}", std::process::id()));
        std::fs::write(&path, " pass word \r\n").unwrap();
        let read = Secret::from_file(&path);
        std::fs::write(&path, "\n").unwrap();
        let empty = Secret::from_file(&path);
        std::fs::write(&path, [0x70, 0xff]).unwrap();
        let binary = Secret::from_file(&path).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read.unwrap().reveal(), " pass word ");
        assert_eq!(empty.unwrap_err(), SecretError::Empty { from: format!("file {}", path.display()) });
        assert_eq!(binary, format!("cannot read the secret from file {}: it is not UTF-8", path.display()));
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let error = Secret::from_env("ROLLGATE_NOT_SET_ANYWHERE").unwrap_err().to_string();
        assert_eq!(error, "cannot read the secret from environment variable ROLLGATE_NOT_SET_ANYWHERE: it is not set");
    }
}
