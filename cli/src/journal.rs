//! The journal as a file: locked while a call works on it, read whole, only ever added to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rollgate_core::roll::{Entry, Journal};
use rollgate_core::units::Timestamp;

use crate::failure::Failure;

/// A journal that is ours while this lives.
///
/// The lock is the operating system's, on a file beside the journal: it ends with the process,
/// so that nothing stale is left behind. What that file says is for people: who holds it, and
/// since when.
#[derive(Debug)]
pub(crate) struct JournalFile {
    path: PathBuf,
    file: File,
    lock: Option<(PathBuf, File)>,
}

impl JournalFile {
    /// Opens a journal, or begins one, and locks it; `owner` is what others will read. With
    /// `break_lock` another's lock is set aside: it may hang, or lie on a file server that lost it.
    ///
    /// # Errors
    /// If another call holds it, or it cannot be read or written.
    pub(crate) fn open(path: &Path, owner: &str, now: Timestamp, break_lock: bool) -> Result<Self, Failure> {
        let beside = lock_path(path);
        if break_lock {
            match std::fs::remove_file(&beside) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(Failure::WriteFile { path: beside, source });
                }
                _ => {}
            }
        }
        let fails = |source| Failure::WriteFile { path: beside.clone(), source };
        let mut lock = loop {
            let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&beside);
            let mut lock = open.map_err(fails)?;
            match lock.try_lock() {
                // Whoever held it may have removed the file between our opening and our locking.
                Ok(()) if is_at(&lock, &beside) => break lock,
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(held(path, &mut lock, now)),
                Err(TryLockError::Error(source)) => return Err(fails(source)),
            }
        };
        lock.set_len(0).map_err(fails)?;
        writeln!(lock, "{now} {owner} process {}", std::process::id()).map_err(fails)?;
        let open = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = open.map_err(|source| Failure::WriteFile { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), file, lock: Some((beside, lock)) })
    }

    /// Reads what stands in it.
    ///
    /// # Errors
    /// If it cannot be read, or is another file: each line that is wrong.
    pub(crate) fn read(&mut self) -> Result<Journal, Failure> {
        read(&mut self.file, &self.path)
    }

    /// Adds lines, and has them on the disk before it returns. A last line that was torn off by
    /// the end of a program or machine is cut off first.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn add(&mut self, entries: &[Entry]) -> Result<(), Failure> {
        let fails = |source| Failure::WriteFile { path: self.path.clone(), source };
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_string(&mut text)).map_err(fails)?;
        let whole = text.rfind('\n').map_or(0, |place| place + 1);
        if whole < text.len() {
            self.file.set_len(u64::try_from(whole).unwrap_or_default()).map_err(fails)?;
        }
        let lines: String = entries.iter().map(Entry::line).collect();
        self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data()).map_err(fails)
    }
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        if let Some((path, lock)) = self.lock.take() {
            // Removed while it is still held, so that nobody's lock is taken from under them.
            _ = std::fs::remove_file(path);
            drop(lock);
        }
    }
}

fn read(file: &mut File, path: &Path) -> Result<Journal, Failure> {
    let fails = |source| Failure::Read { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(fails)?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::NotText { path: path.to_owned() })?;
    Journal::read(&text).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error| format!("error: {}: {error}", path.display())).collect();
        Failure::Refused(lines.join("\n"))
    })
}

/// Who holds the journal, as its lock says.
fn held(path: &Path, lock: &mut File, now: Timestamp) -> Failure {
    let mut text = String::new();
    _ = lock.read_to_string(&mut text);
    let (since, owner) = text.trim().split_once(' ').unwrap_or(("", "another call"));
    let age = Timestamp::parse(since).map(|since| format!(" for {}", now.since(since))).unwrap_or_default();
    Failure::Argument(format!(
        "{} is in use{age} by {owner}: wait for it, or end it; `--break-lock` sets its lock aside",
        path.display()
    ))
}

/// Whether an open file is still the one at that path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |metadata: io::Result<std::fs::Metadata>| metadata.ok().map(|metadata| (metadata.dev(), metadata.ino()));
    of(file.metadata()) == of(std::fs::metadata(path))
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
