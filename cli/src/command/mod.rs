//! One file for each verb: arguments in, the core's answer out.

mod completions;
mod man;

use crate::args::Verb;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

fn absent(file: &std::path::Path) -> Result<Exit, Failure> {
    crate::load::read(file)?;
    Err(Failure::Argument("the core cannot simulate yet".into()))
}

/// Does what was asked.
///
/// # Errors
/// If a file cannot be read, is wrong, or the answer cannot be written.
pub(crate) fn run(verb: &Verb, screen: &Screen) -> Result<Exit, Failure> {
    match verb {
        Verb::Completions(arguments) => completions::run(arguments),
        Verb::Man(arguments) => man::run(arguments),
        Verb::Plan(arguments) => absent(&arguments.input.file),
        Verb::Simulate(arguments) => absent(&arguments.input.file),
        Verb::Replay(arguments) => absent(&arguments.file),
        Verb::Schema(_) => Err(Failure::Argument("the core has no schema yet".into())),
    }
}
