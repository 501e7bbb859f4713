//! `rollgate completions SHELL`

use clap::CommandFactory;

use crate::args::{Arguments, Completions};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints the script that completes rollgate's command line in a shell.
pub(super) fn run(arguments: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "rollgate", &mut script);
    Screen::answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
