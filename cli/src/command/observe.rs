//! `rollgate observe`

use std::io::{self, IsTerminal};

use rollgate_core::text::Files;
use rollgate_core::verbs;

use crate::args::{Format, Observe};
use crate::collect::{Collector, Look};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Screen;

/// Prints what there is to see of a cluster.
pub(super) fn run(arguments: &Observe, screen: &Screen) -> Result<Exit, Failure> {
    let usual = if io::stdout().is_terminal() { Format::Text } else { Format::Json };
    let asked = arguments.output.unwrap_or(usual);
    let format = screen.format(asked);
    if let Some(path) = &arguments.access.snapshot {
        let mut files = Files::default();
        let name = load::beside(&mut files, path)?;
        let answer = verbs::observe(&files, &name, format);
        let answer = answer.map_err(|refusal| Failure::refused(&refusal, &files, screen.colors_talk()))?;
        Screen::answer(&answer.report)?;
        return Ok(if answer.yes { Exit::Fine } else { Exit::CannotTell });
    }
    let looked = Collector::of(&arguments.access).and_then(|mut of| of.look(Look::default()));
    let looked = looked.map_err(Failure::Argument)?;
    Screen::answer(&verbs::observed(&looked.snapshot, format).report)?;
    // The text says it where a reader looks for it.
    for lacking in looked.lacking.iter().filter(|_| asked != Format::Text) {
        Screen::say(&format!("rollgate: {lacking}"));
    }
    Ok(if looked.lacking.is_empty() { Exit::Fine } else { Exit::CannotTell })
}
