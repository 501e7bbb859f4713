//! The `rollgate` command: files, the terminal and exit codes around rollgate-core.

mod args;
mod clock;
mod collect;
mod command;
mod exit;
mod failure;
mod journal;
mod load;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Arguments;
use crate::exit::Exit;
use crate::output::Screen;

fn main() -> ExitCode {
    exit::install_panic_hook();
    let given = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    if let Some(refused) = args::secret_in(given) {
        Screen::say(&format!("rollgate: {refused}"));
        return Exit::Usage.into();
    }
    let arguments = Arguments::parse();
    let screen = Screen::new(arguments.color);
    match command::run(&arguments.verb, &screen) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            Screen::say(&failure.words());
            failure.exit().into()
        }
    }
}
