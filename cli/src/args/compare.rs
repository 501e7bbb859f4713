//! `rollgate compare`: its options and its help.

use std::path::PathBuf;

use clap::Args;

use super::{Chance, Executor, GivenRoll, PicturedFormat};

/// Compare settings, policies, restart times, versions: which to change first
#[derive(Args, Debug)]
#[command(after_help = COMPARE)]
pub(crate) struct Compare {
    /// Descriptions of clusters (YAML or JSON); - reads standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// A key and the values to try; more than one --set gives all combinations
    #[arg(long, value_name = "KEY=V1,V2", action = clap::ArgAction::Append)]
    pub(crate) set: Vec<String>,

    #[command(flatten)]
    pub(crate) roll: GivenRoll,

    /// What carries out the rolls that are searched for: steps or serial
    #[arg(long, value_name = "EXECUTOR", value_enum, default_value_t = Executor::Steps, hide_possible_values = true)]
    pub(crate) executor: Executor,

    #[command(flatten)]
    pub(crate) chance: Chance,

    /// text for people, json or yaml for programs, md for a ticket, svg for a
    /// picture
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = PicturedFormat::Text, hide_possible_values = true)]
    pub(crate) output: PicturedFormat,
}

const COMPARE: &str = "\
Answers each variant as plan does, with the same seeds and half its runs, sorts
them by the least unassigned time, marks the best of each figure, and says by
which mechanism they differ. The description itself is always one of them.
--order, --wait, --at-once, --stop or --leader-again fix one roll for all.

Keys:
  scheduled.rebalance.max.delay.ms, session.timeout.ms, connect.protocol …
                      a worker's setting; times may have a unit: 60s
  policy.wait, restart.start, kafka, protocol, broker.kafka, workers …
                      a key of the description, a dot for each level
  workers.w2.restart.start, connectors.orders.tasks, connectors.*.start
                      of one worker, of one connector, of all
  roll.scheduled.rebalance.max.delay.ms, roll.kafka
                      what this same roll brings in
  What is set is stronger than what the file says, for every worker.

Values are written as in the file. Commas part them, except within brackets and
quotes: --set 'restart.start=[4s, 5s, 7s],20s' tries two, --set
restart.start=4s..9s a range. Up to 64 variants.

Examples:
  rollgate compare c.yaml --set scheduled.rebalance.max.delay.ms=0,60s,300s
  rollgate compare c.yaml --set kafka=3.6.0,4.3.1 --set policy.wait=back,settled
  rollgate compare today.yaml tomorrow.yaml --order leader-last --wait settled
  rollgate compare c.yaml --set restart.start=20s,60s -o svg > restart.svg

Exit codes:
  0  a variant has a roll that respects its policy
  1  none has; the limits that bind are named for each
  2  the call or a file is wrong; every mistake is shown with its place";
