//! `rollgate describe FILE`

use rollgate_core::verbs;

use crate::args::Describe;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints everything that a description is taken to mean.
pub(super) fn run(arguments: &Describe, screen: &Screen) -> Result<Exit, Failure> {
    let format = screen.format(arguments.output.output);
    super::answer(&arguments.input.file, screen, |files, main| verbs::describe(files, main, format))
}
