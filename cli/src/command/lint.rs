//! `rollgate lint FILE...`

use rollgate_core::verbs::{self, LintOptions};

use crate::args::Lint;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Screen;

/// Prints the findings, and beside them what is wrong with files.
pub(super) fn run(arguments: &Lint, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load::mixed(&arguments.files)?;
    let options = LintOptions { deny: arguments.deny.word().to_owned(), workers: loaded.workers };
    let format = screen.lint_format(arguments.output);
    let linting = verbs::lint(&loaded.files, loaded.main.as_deref(), &options, format)
        .map_err(|error| Failure::Argument(error.to_string()))?;
    Screen::answer(&linting.report)?;
    match &linting.refused {
        Some(refusal) => Err(Failure::refused(refusal, &loaded.files, screen.colors_talk())),
        None => Ok(if linting.yes { Exit::Fine } else { Exit::No }),
    }
}
