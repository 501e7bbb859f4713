//! `rollgate replay`: its options and its help.

use std::path::PathBuf;

use clap::Args;
use rollgate_core::verbs::DEFAULT_SEED;

use super::Output;

/// Understand an incident: from what happened to the rounds Kafka runs
#[derive(Args, Debug)]
#[command(after_help = REPLAY)]
pub(crate) struct Replay {
    /// The replay file (YAML or JSON); - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The number that repeats what the file leaves to chance
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: Output,
}

const REPLAY: &str = "\
The file says who was a member, what each owned, and who left, died, joined or
changed its configuration when. Printed is every rebalance that follows from it
and, where the file says what was really seen, how far the two differ.

Examples:
  rollgate replay incident.yaml
  rollgate replay incident.yaml -o json | jq '.rounds[] | [.at_ms, .leader]'

Exit codes:
  0  the replay was run, whatever came of it
  2  the call or the file is wrong; every mistake is shown with its line";
