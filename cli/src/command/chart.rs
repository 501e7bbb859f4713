//! `rollgate chart FILE`

use rollgate_core::verbs::{self, ChartOptions};

use crate::args::Chart;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Bar, Screen};

/// Prints a picture.
pub(super) fn run(arguments: &Chart, screen: &Screen) -> Result<Exit, Failure> {
    let options = ChartOptions {
        figure: arguments.figure.key().to_owned(),
        width: arguments.look.width,
        theme: arguments.look.theme.key().to_owned(),
        order: arguments.roll.order.clone(),
        wait: arguments.roll.wait.clone(),
        at_once: arguments.roll.at_once(),
        stop: arguments.roll.stop(),
        leader_again: arguments.roll.leader_again.clone(),
        seed: arguments.chance.seed,
        runs: arguments.chance.runs,
        ..ChartOptions::default()
    };
    super::answer(&arguments.input.file, screen, |files, main| {
        let mut bar = Bar::new("simulating rolls");
        let answer = verbs::chart(files, main, &options, &mut |at| bar.show(at));
        bar.clear();
        answer
    })
}
