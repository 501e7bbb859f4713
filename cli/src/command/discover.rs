//! `rollgate discover`

use rollgate_core::text::Files;
use rollgate_core::verbs::{self, DiscoverOptions};

use super::seen;
use crate::args::Discover;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Screen;

/// Prints the description of a running cluster.
pub(super) fn run(arguments: &Discover, screen: &Screen) -> Result<Exit, Failure> {
    let mut files = Files::default();
    let settings_from = arguments.settings_from.as_ref().map(|path| load::beside(&mut files, path)).transpose()?;
    let format = screen.format(arguments.output.output);
    let snapshot = seen::snapshot(&arguments.access)?;
    let answer = verbs::discover_seen(&snapshot, &files, &DiscoverOptions { settings_from }, format);
    super::print(answer, &files, screen)
}
