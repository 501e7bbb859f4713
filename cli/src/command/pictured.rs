//! Reports with pictures beside them: the text goes to standard output, the pictures to a folder.

use std::path::{Path, PathBuf};

use rollgate_core::text::Files;
use rollgate_core::verbs::{ChartOptions, Illustrated, PictureOptions, Refusal};

use crate::args::{Pictured, PicturedFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Screen;

/// The folder that pictures go to, if any are asked for.
///
/// # Errors
/// If they are asked for beside something that cannot name them.
pub(super) fn folder(output: &Pictured) -> Result<Option<&Path>, Failure> {
    match (&output.figures, output.output) {
        (Some(_), format) if format != PicturedFormat::Md => {
            Err(Failure::Argument("--figures goes with -o md: no other form can name pictures".to_owned()))
        }
        (figures, _) => Ok(figures.as_deref()),
    }
}

/// Reads a file and what it names, lets the core answer, writes the pictures and prints the text.
pub(super) fn answer(
    path: &Path,
    folder: &Path,
    screen: &Screen,
    ask: impl FnOnce(&Files, &str, &PictureOptions) -> Result<Illustrated, Refusal>,
) -> Result<Exit, Failure> {
    let (files, main) = load::description(path)?;
    answer_of(&files, &main, folder, screen, ask)
}

/// The same of files that are read already.
pub(super) fn answer_of(
    files: &Files,
    main: &str,
    folder: &Path,
    screen: &Screen,
    ask: impl FnOnce(&Files, &str, &PictureOptions) -> Result<Illustrated, Refusal>,
) -> Result<Exit, Failure> {
    let usual = ChartOptions::default();
    let options = PictureOptions { folder: folder.display().to_string(), width: usual.width, theme: usual.theme };
    let illustrated =
        ask(files, main, &options).map_err(|refusal| Failure::refused(&refusal, files, screen.colors_talk()))?;
    let write =
        |path: PathBuf, text: &str| std::fs::write(&path, text).map_err(|source| Failure::WriteFile { path, source });
    std::fs::create_dir_all(folder).map_err(|source| Failure::WriteFile { path: folder.to_owned(), source })?;
    for picture in &illustrated.pictures {
        write(folder.join(&picture.file), &picture.svg)?;
    }
    Screen::answer(&illustrated.answer.report)?;
    Ok(if illustrated.answer.yes { Exit::Fine } else { Exit::No })
}
