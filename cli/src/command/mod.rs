//! One file for each verb: arguments in, the core's answer out.

mod completions;
mod describe;
mod explain;
mod lint;
mod man;
mod plan;
mod replay;
mod schema;
mod simulate;

use std::path::Path;

use rollgate_core::text::Files;
use rollgate_core::verbs::{Answer, Refusal};

use crate::args::Verb;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Screen;

/// Does what was asked.
///
/// # Errors
/// If a file cannot be read, is wrong, or the answer cannot be written.
pub(crate) fn run(verb: &Verb, screen: &Screen) -> Result<Exit, Failure> {
    match verb {
        Verb::Plan(arguments) => plan::run(arguments, screen),
        Verb::Simulate(arguments) => simulate::run(arguments, screen),
        Verb::Replay(arguments) => replay::run(arguments, screen),
        Verb::Lint(arguments) => lint::run(arguments, screen),
        Verb::Explain(arguments) => explain::run(arguments, screen),
        Verb::Describe(arguments) => describe::run(arguments, screen),
        Verb::Schema(arguments) => schema::run(arguments),
        Verb::Completions(arguments) => completions::run(arguments),
        Verb::Man(arguments) => man::run(arguments),
    }
}

/// Reads a file and what it names, lets the core answer, and prints that.
fn answer(
    path: &Path,
    screen: &Screen,
    ask: impl FnOnce(&Files, &str) -> Result<Answer, Refusal>,
) -> Result<Exit, Failure> {
    let (files, main) = load::description(path)?;
    let answer = ask(&files, &main).map_err(|refusal| Failure::refused(&refusal, &files, screen.colors_talk()))?;
    Screen::answer(&answer.report)?;
    Ok(if answer.yes { Exit::Fine } else { Exit::No })
}
