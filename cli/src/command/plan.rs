//! `rollgate plan FILE`

use rollgate_core::verbs::{self, ExecutorOption, PlanOptions};

use crate::args::{Executor, Plan};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Bar, Screen};

/// Prints the plan of a roll, or why there is none.
pub(super) fn run(arguments: &Plan, screen: &Screen) -> Result<Exit, Failure> {
    let executor = match arguments.executor {
        Executor::Steps => ExecutorOption::Steps,
        Executor::Serial => ExecutorOption::Serial,
    };
    let options = PlanOptions { executor, seed: arguments.chance.seed, runs: arguments.chance.runs };
    let format = screen.format(arguments.output.output);
    super::answer(&arguments.input.file, screen, |files, main| {
        let mut bar = Bar::new("simulating rolls");
        let answer = verbs::plan(files, main, &options, format, &mut |at| bar.show(at.done, at.total));
        bar.clear();
        answer
    })
}
