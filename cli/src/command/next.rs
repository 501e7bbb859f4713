//! `rollgate next`

use rollgate_core::text::Files;
use rollgate_core::verbs::{self, NextOptions};

use super::seen;
use crate::args::Next;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Screen;

/// Prints which worker comes next.
pub(super) fn run(arguments: &Next, screen: &Screen) -> Result<Exit, Failure> {
    let (mut files, cluster) = match &arguments.cluster {
        Some(path) => load::description(path).map(|(files, main)| (files, Some(main)))?,
        None => (Files::default(), None),
    };
    let settings_from = arguments.settings_from.as_ref().map(|path| load::beside(&mut files, path)).transpose()?;
    let options = NextOptions {
        done: arguments.done.clone(),
        cluster,
        settings_from,
        last_round: arguments.last_round.clone(),
        seed: arguments.chance.seed,
        runs: arguments.chance.runs,
    };
    let snapshot = seen::snapshot(&arguments.access)?;
    super::print(verbs::next_seen(&snapshot, &files, &options, screen.format(arguments.output.output)), &files, screen)
}
