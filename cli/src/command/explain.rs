//! `rollgate explain [NAME]`

use rollgate_core::verbs::{self, ExplainOptions};

use crate::args::Explain;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints what a name means, or all names.
pub(super) fn run(arguments: &Explain, screen: &Screen) -> Result<Exit, Failure> {
    let options = ExplainOptions { seed: arguments.seed };
    let format = screen.format(arguments.output.output);
    let answer = verbs::explain(arguments.name.as_deref(), &options, format)
        .map_err(|error| Failure::Argument(error.to_string()))?;
    Screen::answer(&answer.report)?;
    Ok(Exit::Fine)
}
