//! Reading the files a call names.

use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// The text of a file; of standard input for `-`.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|_| Failure::NotText { path: path.to_owned() })
}
