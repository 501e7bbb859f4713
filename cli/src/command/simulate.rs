//! `rollgate simulate FILE`

use rollgate_core::verbs::{self, SimulateOptions};

use crate::args::{Simulate, Stop};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints the course of one roll.
pub(super) fn run(arguments: &Simulate, screen: &Screen) -> Result<Exit, Failure> {
    let options = SimulateOptions {
        order: arguments.order.clone(),
        wait: arguments.wait.clone(),
        at_once: usize::try_from(arguments.at_once).unwrap_or(usize::MAX),
        stop: match arguments.stop {
            Stop::Graceful => "graceful",
            Stop::Kill => "kill",
        }
        .to_owned(),
        leader_again: arguments.leader_again.clone(),
        seed: arguments.chance.seed,
        runs: arguments.chance.runs.unwrap_or(1),
    };
    let format = screen.format(arguments.output.output);
    super::answer(&arguments.input.file, screen, |files, main| verbs::simulate(files, main, &options, format))
}
