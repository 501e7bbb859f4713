//! `rollgate next`: its options and its help.

use std::path::PathBuf;

use clap::Args;

use super::{Access, Chance, Output};

/// Say which worker to restart now, and when, from the cluster as it is
#[derive(Args, Debug)]
#[command(after_help = NEXT)]
pub(crate) struct Next {
    /// The description of the cluster: times of restarts, settings, rates and the policy;
    /// who leads and who owns what come from the snapshot
    #[arg(long, value_name = "FILE", conflicts_with = "settings_from")]
    pub(crate) cluster: Option<PathBuf>,

    /// A worker's .properties file, where no description is given
    #[arg(long, value_name = "FILE")]
    pub(crate) settings_from: Option<PathBuf>,

    /// Workers that are through, by name or REST address, with commas between
    #[arg(long, value_name = "WORKERS", value_delimiter = ',')]
    pub(crate) done: Vec<String>,

    /// How long before the snapshot the group completed its last rebalance, such as 12s, if
    /// that was seen: it tells the second at which a stop costs least
    #[arg(long, value_name = "TIME")]
    pub(crate) last_round: Option<String>,

    #[command(flatten)]
    pub(crate) chance: Chance,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) access: Access,
}

const NEXT: &str = "\
Simulates the rest of the roll from the present state: who leads and would
succeed, who owns what, a delay that runs and what waits for it. It answers with
the worker whose restart now lets the roll lose least to its end within the
policy, with the next best, and why. All members of a group beat together after
a rebalance; where that was seen less than 5 minutes ago, it names the second
for SIGTERM, too.

Examples:
  rollgate next --connect http://w1:8083 --bootstrap kafka:9092 --done w3
  rollgate next --snapshot snapshot.json --cluster cluster.yaml --done w3
  rollgate next --snapshot snapshot.json --settings-from worker.properties
  rollgate next --snapshot snapshot.json --last-round 12s -o json | jq .moment

Exit codes:
  0  a step, or the roll is through
  1  no: a worker is out of the group, and nobody else may go
  2  the call or a file is wrong; every mistake is shown
  4  cannot tell: the group is in a rebalance, or shows what contradicts itself";
