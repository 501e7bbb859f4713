//! `rollgate replay FILE`

use rollgate_core::verbs::{self, ReplayOptions};

use crate::args::Replay;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints what follows from given facts.
pub(super) fn run(arguments: &Replay, screen: &Screen) -> Result<Exit, Failure> {
    let options = ReplayOptions { seed: arguments.seed };
    let format = screen.format(arguments.output.output);
    super::answer(&arguments.file, screen, |files, main| verbs::replay(files, main, &options, format))
}
