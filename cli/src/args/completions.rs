//! `rollgate completions`: its options and its help.

use clap::Args;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

const COMPLETIONS: &str = "\
Examples:
  rollgate completions bash > /etc/bash_completion.d/rollgate
  rollgate completions fish > ~/.config/fish/completions/rollgate.fish

Exit codes:
  0  printed
  2  the call is wrong";
