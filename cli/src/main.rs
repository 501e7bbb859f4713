//! The `rollgate` command: files, the terminal and exit codes around rollgate-core.

mod args;
mod command;
mod exit;
mod failure;
mod load;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Arguments;
use crate::exit::Exit;
use crate::output::Screen;

fn main() -> ExitCode {
    exit::install_panic_hook();
    let arguments = Arguments::parse();
    let screen = Screen::new(arguments.color);
    match command::run(&arguments.verb, &screen) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            Screen::say(&failure.words());
            Exit::Usage.into()
        }
    }
}
