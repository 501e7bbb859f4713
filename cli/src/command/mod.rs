//! One file for each verb: arguments in, the core's answer out.

mod chart;
mod compare;
mod completions;
mod describe;
mod discover;
mod explain;
mod gate;
mod lint;
mod man;
mod next;
mod observe;
mod pictured;
mod plan;
mod replay;
mod schema;
mod seen;
mod simulate;
mod timeout;

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
        Verb::Compare(arguments) => compare::run(arguments, screen),
        Verb::Simulate(arguments) => simulate::run(arguments, screen),
        Verb::Chart(arguments) => chart::run(arguments, screen),
        Verb::Replay(arguments) => replay::run(arguments, screen),
        Verb::Lint(arguments) => lint::run(arguments, screen),
        Verb::Explain(arguments) => explain::run(arguments, screen),
        Verb::Describe(arguments) => describe::run(arguments, screen),
        Verb::Discover(arguments) => discover::run(arguments, screen),
        Verb::Next(arguments) => next::run(arguments, screen),
        Verb::Timeout(arguments) => timeout::run(arguments, screen),
        Verb::Observe(arguments) => observe::run(arguments, screen),
        Verb::Gate(arguments) => gate::run(arguments, screen),
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
    print(ask(&files, &main), &files, screen)
}

/// Prints an answer; what is wrong with the files is shown in their text.
fn print(answer: Result<Answer, Refusal>, files: &Files, screen: &Screen) -> Result<Exit, Failure> {
    let answer = answer.map_err(|refusal| Failure::refused(&refusal, files, screen.colors_talk()))?;
    Screen::answer(&answer.report)?;
    Ok(if answer.yes { Exit::Fine } else { Exit::No })
}
