//! Reading the files a call names.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

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
    let main = name(path);
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

/// A description and worker files.
pub(crate) struct Mixed {
    /// All texts, those that the description names with them.
    pub(crate) files: Files,
    /// The description's name, if one was given.
    pub(crate) main: Option<String>,
    /// The worker files' names, but for those that the description names itself.
    pub(crate) workers: Vec<String>,
}

/// Reads what is given in any order: at most one description, and worker files.
///
/// # Errors
/// If a file cannot be read, is not UTF-8, or does not say by its name what it is.
pub(crate) fn mixed(paths: &[PathBuf]) -> Result<Mixed, Failure> {
    let (mut descriptions, mut others) = (Vec::new(), Vec::new());
    for path in paths {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("yaml" | "yml" | "json") => descriptions.push(path),
            _ if path.as_os_str() == STDIN => descriptions.push(path),
            Some("properties") => others.push(path),
            _ => {
                let ends = "a description ends with .yaml, .yml or .json, a worker file with .properties";
                return Err(Failure::Argument(format!("cannot tell what {} is: {ends}", path.display())));
            }
        }
    }
    if let [first, second, ..] = descriptions.as_slice() {
        let message = format!("{} and {} are two descriptions; lint one at a time", first.display(), second.display());
        return Err(Failure::Argument(message));
    }
    let (mut files, main) = match descriptions.first() {
        Some(path) => description(path).map(|(files, main)| (files, Some(main)))?,
        None => (Files::default(), None),
    };
    let folder = descriptions.first().and_then(|path| path.parent()).unwrap_or(Path::new("")).to_owned();
    let mut known: BTreeSet<PathBuf> = files.names().filter_map(|name| folder.join(name).canonicalize().ok()).collect();
    let mut workers = Vec::new();
    for path in others {
        if let Ok(real) = path.canonicalize()
            && !known.insert(real)
        {
            continue;
        }
        let name = path.display().to_string();
        files.insert(name.as_str(), read(path)?);
        workers.push(name);
    }
    Ok(Mixed { files, main, workers })
}

/// Adds a file that names no others, and gives the name by which the core knows it.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub(crate) fn beside(files: &mut Files, path: &Path) -> Result<String, Failure> {
    files.insert(name(path), read(path)?);
    Ok(name(path))
}

/// What messages call a file.
fn name(path: &Path) -> String {
    if path.as_os_str() == STDIN { STDIN_NAME.to_owned() } else { path.display().to_string() }
}

/// The text of a file; of standard input for `-`.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    read(path)
}

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
