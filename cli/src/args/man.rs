//! `rollgate man`: its options and its help.

use clap::Args;

/// Print the manual page, of all or of one verb
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// A verb, such as plan or lint
    #[arg(value_name = "VERB")]
    pub(crate) verb: Option<String>,
}

const MAN: &str = "\
Examples:
  rollgate man > rollgate.1
  rollgate man plan | man -l -

Exit codes:
  0  printed
  2  the call is wrong";
