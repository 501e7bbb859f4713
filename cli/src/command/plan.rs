//! `rollgate plan FILE`

use rollgate_core::text::Files;
use rollgate_core::verbs::{self, ChartOptions, ExecutorOption, PlanOptions};

use super::{pictured, seen};
use crate::args::{Executor, Plan, Watch};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::{Bar, Screen};

/// Prints the plan of a roll, or why there is none.
pub(super) fn run(arguments: &Plan, screen: &Screen) -> Result<Exit, Failure> {
    let (seed, runs) = (arguments.chance.seed, arguments.chance.runs);
    let executor = match arguments.executor {
        Executor::Steps => ExecutorOption::Steps,
        Executor::Serial => ExecutorOption::Serial,
    };
    let options = PlanOptions { executor, seed, runs };
    let (files, main) = input(arguments, screen)?;
    let bar = Bar::new("simulating rolls");
    let mut bar = match arguments.progress {
        Watch::Auto => bar,
        Watch::Plain => bar.plain(),
        Watch::Never => bar.never(),
    };
    if let Some(folder) = pictured::folder(&arguments.output)? {
        return pictured::answer_of(&files, &main, folder, screen, |files, main, pictures| {
            let answer = verbs::illustrated_plan(files, main, &options, pictures, &mut |at| bar.show(at));
            bar.clear();
            answer
        });
    }
    let mut show = |at: rollgate_core::plan::Progress| bar.show(at);
    let answer = match arguments.output.output.plain() {
        Some(format) => verbs::plan(&files, &main, &options, screen.format(format), &mut show),
        None => {
            verbs::chart(&files, &main, &ChartOptions { executor, seed, runs, ..ChartOptions::default() }, &mut show)
        }
    };
    bar.clear();
    super::print(answer, &files, screen)
}

/// The description, and what it names: as it was written, or as the running cluster makes it.
fn input(arguments: &Plan, screen: &Screen) -> Result<(Files, String), Failure> {
    let access = &arguments.access;
    if !arguments.live {
        if !access.connect.is_empty() || !access.bootstrap.is_empty() || access.snapshot.is_some() {
            return Err(Failure::Argument("--connect, --bootstrap and --snapshot go with --live".to_owned()));
        }
        let file = arguments.file.as_deref();
        return load::description(file.ok_or_else(|| Failure::Argument("name a description".to_owned()))?);
    }
    let (mut files, described) = match &arguments.file {
        Some(path) => load::description(path).map(|(files, main)| (files, Some(main)))?,
        None => (Files::default(), None),
    };
    let settings_from = arguments.settings_from.as_ref().map(|path| load::beside(&mut files, path)).transpose()?;
    let snapshot = seen::snapshot(access)?;
    let live = verbs::live_description(&snapshot, &files, described.as_deref(), settings_from.as_deref());
    let live = live.map_err(|refusal| Failure::refused(&refusal, &files, screen.colors_talk()))?;
    let name = described.map_or_else(|| "(the running cluster)".to_owned(), |main| format!("{main} (live)"));
    files.insert(name.clone(), live);
    Ok((files, name))
}
