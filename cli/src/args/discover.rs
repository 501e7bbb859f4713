//! `rollgate discover`: its options and its help.

use std::path::PathBuf;

use clap::Args;

use super::{Access, Output};

/// Describe a running cluster: its workers, who leads, who owns what
#[derive(Args, Debug)]
#[command(after_help = DISCOVER)]
pub(crate) struct Discover {
    /// A worker's .properties file, for the settings that no request tells
    #[arg(long, value_name = "FILE")]
    pub(crate) settings_from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) access: Access,
}

const DISCOVER: &str = "\
Writes a description that a plan can be made of at once: workers with their REST
addresses and member ids, who leads and who would succeed, what each owns in its
own order, a rebalance delay that runs and what waits for it, versions,
connectors and the partitions of sinks. What no request tells stands there with
its default, and its key under `assumed`: settings but for the protocol, times
of restarts, starts and stops of tasks. Rates of sources are left out.

Member ids and owners hold until the next rebalance: plan soon, or discover
again before the roll.

Examples:
  rollgate discover --connect http://w1:8083 --bootstrap kafka:9092 > c.yaml
  rollgate discover --snapshot snapshot.json --settings-from worker.properties

Exit codes:
  0  described
  2  the call or a file is wrong
  4  cannot tell: the group is in a rebalance, has no members, or shows what
     contradicts itself; the message says what to do";
