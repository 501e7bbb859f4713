//! Reading the files a call names.

use std::io::{ErrorKind, Read};
use std::path::Path;

use rollgate_core::description::Description;
use rollgate_core::text::Files;

use crate::failure::Failure;

/// A file and all that it names, with the name by which the core knows it.
///
/// What `settings_from` names lies beside the file, or where its path leads from there;
/// beside the present folder, if the file comes from standard input. A file that is not
/// there is left out: the core says at which place of the description it is missed.
///
/// # Errors
/// If a file cannot be read, or is not UTF-8.
pub(crate) fn description(path: &Path) -> Result<(Files, String), Failure> {
    description_and(path, &[])
}

/// The same with files that are tried in the place of those it names.
///
/// # Errors
/// If a file cannot be read, or is not UTF-8.
pub(crate) fn description_and(path: &Path, tried: &[String]) -> Result<(Files, String), Failure> {
    let text = read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let main = if path.as_os_str() == STDIN { STDIN_NAME.to_owned() } else { path.display().to_string() };
    let mut files = Files::default();
    for name in Description::referenced_files(&text).into_iter().chain(tried.iter().cloned()) {
        match read(&folder.join(&name)) {
            Ok(text) => files.insert(name, text),
            Err(Failure::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {}
            Err(failure) => return Err(failure),
        }
    }
    files.insert(main.clone(), text);
    Ok((files, main))
}

/// The text of a file; of standard input for `-`.
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = if path.as_os_str() == STDIN {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|_| Failure::NotText { path: path.to_owned() })
}

/// The path that means standard input.
const STDIN: &str = "-";

/// What messages call it.
const STDIN_NAME: &str = "(standard input)";
