//! Scenarios as folders of text.

use std::fs;
use std::path::{Path, PathBuf};

use rollgate_core::text::Files;

/// The folders of one kind of scenario, sorted.
///
/// # Panics
/// If there is none: a test without scenarios proves nothing.
pub fn scenarios(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(kind);
    let mut found: Vec<PathBuf> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    assert!(!found.is_empty(), "no scenario in {}", folder.display());
    found
}

/// All files of a scenario but what is expected, by their names.
///
/// # Panics
/// If a file cannot be read.
pub fn files_of(scenario: &Path) -> Files {
    let entries = fs::read_dir(scenario).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && path.file_name().is_none_or(|name| name != "expected.txt"))
        .map(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let bytes = fs::read(&path).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
            (name, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

/// Compares with `expected.txt` of a scenario; with `UPDATE` set, writes it instead.
///
/// # Errors
/// What differs, for a person to read.
pub fn compare(scenario: &Path, found: &str) -> Result<(), String> {
    let path = scenario.join("expected.txt");
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(&path, found).map_err(|wrong| format!("{}: {wrong}", path.display()));
    }
    let expected = fs::read_to_string(&path).map_err(|wrong| format!("{}: {wrong}", path.display()))?;
    if expected == found {
        return Ok(());
    }
    Err(format!("{}\n--- expected\n{expected}\n--- found\n{found}", scenario.display()))
}
