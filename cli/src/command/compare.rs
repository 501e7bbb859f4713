//! `rollgate compare FILE... --set KEY=V1,V2`

use rollgate_core::verbs::{self, CompareOptions, ExecutorOption};

use crate::args::{Compare, Executor, Stop};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::{Bar, Screen};

/// Prints variants side by side.
pub(super) fn run(arguments: &Compare, screen: &Screen) -> Result<Exit, Failure> {
    let stop = |stop| match stop {
        Stop::Graceful => "graceful".to_owned(),
        Stop::Kill => "kill".to_owned(),
    };
    let options = CompareOptions {
        set: arguments.set.clone(),
        order: arguments.order.clone(),
        wait: arguments.wait.clone(),
        at_once: arguments.at_once.map(|at_once| usize::try_from(at_once).unwrap_or(usize::MAX)),
        stop: arguments.stop.map(stop),
        leader_again: arguments.leader_again.clone(),
        executor: match arguments.executor {
            Executor::Steps => ExecutorOption::Steps,
            Executor::Serial => ExecutorOption::Serial,
        },
        seed: arguments.chance.seed,
        runs: arguments.chance.runs,
    };
    let format = screen.format(arguments.output.output);
    let tried = options.referenced_files();
    let sources = arguments.files.iter().map(|path| load::description_and(path, &tried));
    let sources = sources.collect::<Result<Vec<_>, Failure>>()?;
    let mut bar = Bar::new("simulating rolls");
    let answer = verbs::compare(&sources, &options, format, &mut |at| bar.show(at.done, at.total));
    bar.clear();
    super::print(answer, &sources[0].0, screen)
}
