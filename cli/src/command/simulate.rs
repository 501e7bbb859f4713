//! `rollgate simulate FILE`

use rollgate_core::verbs::{self, ChartOptions, SimulateOptions};

use super::pictured;
use crate::args::Simulate;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints the course of one roll.
pub(super) fn run(arguments: &Simulate, screen: &Screen) -> Result<Exit, Failure> {
    let options = SimulateOptions {
        order: arguments.order.clone(),
        wait: arguments.wait.clone(),
        at_once: usize::try_from(arguments.at_once).unwrap_or(usize::MAX),
        stop: arguments.stop.key().to_owned(),
        leader_again: arguments.leader_again.clone(),
        seed: arguments.chance.seed,
        runs: arguments.chance.runs.unwrap_or(1),
    };
    let file = &arguments.input.file;
    if let Some(folder) = pictured::folder(&arguments.output)? {
        return pictured::answer(file, folder, screen, |files, main, pictures| {
            verbs::illustrated_simulate(files, main, &options, pictures)
        });
    }
    super::answer(file, screen, |files, main| match arguments.output.output.plain() {
        Some(format) => verbs::simulate(files, main, &options, screen.format(format)),
        None => verbs::chart(files, main, &ChartOptions::of_roll(&options), &mut |_| ()),
    })
}
