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
        order: arguments.order.clone(),
        wait: arguments.wait.clone(),
        at_once: arguments.at_once.map(|count| usize::try_from(count).unwrap_or(usize::MAX)),
        stop: arguments.stop.map(|stop| stop.key().to_owned()),
        leader_again: arguments.leader_again.clone(),
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
