//! `rollgate timeout`: its options and its help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Output;

/// From measured restarts to time-outs, the delay and other settings
#[derive(Args, Debug)]
#[command(after_help = TIMEOUT)]
pub(crate) struct Timeout {
    /// The measured restarts (CSV, or a time on each line); - reads standard
    /// input
    #[arg(value_name = "FILE", required_unless_present = "cluster")]
    pub(crate) file: Option<PathBuf>,

    /// The description of the cluster, for its settings, limits and, without FILE,
    /// the samples written there
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: Option<PathBuf>,

    /// The kind of restart that is asked about: clean, kill, cold, upgrade
    #[arg(long, value_name = "KIND", value_enum, hide_possible_values = true)]
    pub(crate) kind: Option<RestartKind>,

    /// How many restarts this roll has [default: one for each worker]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) restarts: Option<u32>,

    /// When the service manager kills a worker that still stops, such as 30s
    #[arg(long, value_name = "TIME")]
    pub(crate) grace: Option<String>,

    /// How long what the connectors read is kept, such as 7d
    #[arg(long, value_name = "TIME")]
    pub(crate) retention: Option<String>,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RestartKind {
    Clean,
    Kill,
    Cold,
    Upgrade,
}

const TIMEOUT: &str = "\
Says how long to give a restart before it has failed: the time that 19 of 20
restarts meet, with 95 % confidence; and what the settings have to be for that.
Fewer than 5 measured restarts, or two kinds in one list, get no estimate.

The file names its columns in the first line:
  seconds               the whole restart, SIGTERM until the worker is a member
                        of the group again; or its parts:
  stop                  SIGTERM to LeaveGroup
  down                  LeaveGroup to the start of the new process
  start                 start of the process to its first JoinGroup
  join                  JoinGroup to its membership
  running               that to the last of its tasks running
  kind                  clean, kill, cold, upgrade: each gets its own answer
  worker, note, at      not used, but for the number of workers
  censored              true if somebody gave up; or a > before the time: >60s
A time has its unit (4.2s, 1min), or the column's name does (start_s, stop_ms).

Examples:
  rollgate timeout restarts.csv
  rollgate timeout restarts.csv --cluster cluster.yaml --grace 30s
  rollgate timeout --cluster cluster.yaml -o json | jq .restart_ms

Exit codes:
  0  the restarts allow an estimate
  1  they do not (too few, two kinds, too many given up); a rule of thumb then
  2  the call or a file is wrong; every mistake is shown with its line";
