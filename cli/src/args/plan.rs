//! `rollgate plan`: its options and its help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Access, Chance, Pictured};

/// Find the order and the waits, with their price and the reasons
#[derive(Args, Debug)]
#[command(after_help = PLAN)]
pub(crate) struct Plan {
    /// The description of the cluster (YAML or JSON); - reads standard input
    #[arg(value_name = "FILE", required_unless_present = "live")]
    pub(crate) file: Option<PathBuf>,

    /// Plan for the running cluster: who leads and who owns what is seen; times of
    /// restarts, settings, rates and the policy are those of FILE, if there is one
    #[arg(long)]
    pub(crate) live: bool,

    /// With --live and without FILE: a worker's .properties file
    #[arg(long, value_name = "FILE", requires = "live", conflicts_with = "file")]
    pub(crate) settings_from: Option<PathBuf>,

    /// What carries it out: steps (any workers at each step), or serial (a play with
    /// serial: 1, one worker a step, each once)
    #[arg(long, value_name = "EXECUTOR", value_enum, default_value_t = Executor::Steps, hide_possible_values = true)]
    pub(crate) executor: Executor,

    /// How the search is watched: auto (one line on a terminal), plain (a line on standard
    /// error each time the answer so far gets better), never
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Watch::Auto, hide_possible_values = true)]
    pub(crate) progress: Watch,

    #[command(flatten)]
    pub(crate) chance: Chance,
    #[command(flatten)]
    pub(crate) output: Pictured,
    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Executor {
    Steps,
    Serial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Watch {
    Auto,
    Plain,
    Never,
}

const PLAN: &str = "\
Tries orders of the workers and waits between them over many simulated rolls,
keeps those that respect the policy of the description (the p95 of the runs),
and chooses the one with the least unassigned time on average; of equals, within
2 %, the shortest. The runners-up are shown beside it.

Words:
  unassigned  a task's time without an owner able to run it, its start included
  hand-over   two heartbeat intervals and a task's start: shorter is no outage
  held, peak  largest share unassigned for longer than that, or at an instant
  back        the restarted worker is a member of a completed generation
  settled     every task runs, no delay runs, nothing more will move

Examples:
  rollgate plan cluster.yaml
  rollgate plan cluster.yaml -o json | jq -r '.steps[].workers[]'
  rollgate plan cluster.yaml -o md --figures pictures > plan.md
  rollgate plan --live cluster.yaml --connect http://w1:8083 --bootstrap k:9092

Exit codes:
  0  a plan respects the policy
  1  none does; the limit that binds and the best value in reach are named
  2  the call or a file is wrong; every mistake is shown with its line
  4  with --live: cannot tell, what was seen does not decide";
