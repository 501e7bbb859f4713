//! `rollgate compare FILE... --set KEY=V1,V2`

use rollgate_core::plan::Progress;
use rollgate_core::verbs::{self, CompareOptions, ExecutorOption};

use crate::args::{Compare, Executor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::{Bar, Screen};

/// Prints variants side by side.
pub(super) fn run(arguments: &Compare, screen: &Screen) -> Result<Exit, Failure> {
    let options = CompareOptions {
        set: arguments.set.clone(),
        order: arguments.roll.order.clone(),
        wait: arguments.roll.wait.clone(),
        at_once: arguments.roll.at_once(),
        stop: arguments.roll.stop(),
        leader_again: arguments.roll.leader_again.clone(),
        executor: match arguments.executor {
            Executor::Steps => ExecutorOption::Steps,
            Executor::Serial => ExecutorOption::Serial,
        },
        seed: arguments.chance.seed,
        runs: arguments.chance.runs,
        ..CompareOptions::default()
    };
    let tried = options.referenced_files();
    let sources = arguments.files.iter().map(|path| load::description_and(path, &tried));
    let sources = sources.collect::<Result<Vec<_>, Failure>>()?;
    let mut bar = Bar::new("simulating rolls");
    let mut show = |at: Progress| bar.show(at);
    let answer = match arguments.output.plain() {
        Some(format) => verbs::compare(&sources, &options, screen.format(format), &mut show),
        None => verbs::compare_picture(&sources, &options, &mut show),
    };
    bar.clear();
    super::print(answer, &sources[0].0, screen)
}
