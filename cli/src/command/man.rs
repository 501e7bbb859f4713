//! `rollgate man [VERB]`

use clap::CommandFactory;

use crate::args::{Arguments, Man};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints the manual page, of all or of one verb.
pub(super) fn run(arguments: &Man) -> Result<Exit, Failure> {
    let mut command = Arguments::command();
    command.build();
    if let Some(verb) = &arguments.verb {
        let known: Vec<String> = command.get_subcommands().map(|known| known.get_name().to_owned()).collect();
        command = command
            .find_subcommand(verb)
            .cloned()
            .ok_or_else(|| Failure::Argument(format!("there is no verb '{verb}': one of {}", known.join(", "))))?;
    }
    let title = command.get_display_name().unwrap_or("rollgate").to_owned();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.version(env!("CARGO_PKG_VERSION")))
        .title(title)
        .source(concat!("rollgate ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    Screen::answer(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Fine)
}
