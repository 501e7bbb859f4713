//! The files of the repository.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that holds the workspace.
///
/// # Panics
/// If this package does not lie in a folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace").to_owned()
}

/// The text of a file, by its path from the root.
///
/// # Panics
/// If it cannot be read as UTF-8.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The paths, from the root, of all files that are or will be under version control, in
/// order. Where there is no git (an unpacked archive), all files but build results.
///
/// # Panics
/// If a folder cannot be read.
pub fn tracked_files() -> Vec<String> {
    let git = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let mut files: Vec<String> = match git {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout)
            .split('\0')
            .filter(|path| !path.is_empty() && root().join(path).is_file())
            .map(str::to_owned)
            .collect(),
        _ => {
            let mut found = Vec::new();
            walk(&root(), &mut found);
            found
        }
    };
    files.sort();
    files
}

fn walk(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of a readable folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "node_modules", ".git", ".build"].contains(&name.as_str()) {
                walk(&path, found);
            }
        } else if let Ok(relative) = path.strip_prefix(root()) {
            found.push(relative.to_string_lossy().into_owned());
        }
    }
}
