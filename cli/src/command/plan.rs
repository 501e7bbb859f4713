//! `rollgate plan FILE`

use rollgate_core::verbs::{self, ChartOptions, ExecutorOption, PlanOptions};

use super::pictured;
use crate::args::{Executor, Plan, Watch};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Bar, Screen};

/// Prints the plan of a roll, or why there is none.
pub(super) fn run(arguments: &Plan, screen: &Screen) -> Result<Exit, Failure> {
    let (seed, runs) = (arguments.chance.seed, arguments.chance.runs);
    let executor = match arguments.executor {
        Executor::Steps => ExecutorOption::Steps,
        Executor::Serial => ExecutorOption::Serial,
    };
    let options = PlanOptions { executor, seed, runs };
    let file = &arguments.input.file;
    let bar = Bar::new("simulating rolls");
    let mut bar = match arguments.progress {
        Watch::Auto => bar,
        Watch::Plain => bar.plain(),
        Watch::Never => bar.never(),
    };
    if let Some(folder) = pictured::folder(&arguments.output)? {
        return pictured::answer(file, folder, screen, |files, main, pictures| {
            let answer = verbs::illustrated_plan(files, main, &options, pictures, &mut |at| bar.show(at));
            bar.clear();
            answer
        });
    }
    super::answer(file, screen, |files, main| {
        let mut show = |at: rollgate_core::plan::Progress| bar.show(at);
        let answer = match arguments.output.output.plain() {
            Some(format) => verbs::plan(files, main, &options, screen.format(format), &mut show),
            None => {
                verbs::chart(files, main, &ChartOptions { executor, seed, runs, ..ChartOptions::default() }, &mut show)
            }
        };
        bar.clear();
        answer
    })
}
