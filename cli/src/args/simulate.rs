//! `rollgate simulate`: its options and its help.

use clap::{Args, ValueEnum};

use super::{Chance, Description, Pictured};

/// Run one roll and tell its course, step by step
#[derive(Args, Debug)]
#[command(after_help = SIMULATE)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) input: Description,

    /// Names (w3,w1), or leader-last, leader-first, leader-next, listed
    #[arg(long, value_name = "ORDER", default_value = "listed")]
    pub(crate) order: String,

    /// When the next may stop: back, settled, or a time (30s)
    #[arg(long, value_name = "WAIT", default_value = "back")]
    pub(crate) wait: String,

    /// How many workers may be away at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) at_once: u32,

    /// How a worker is stopped: graceful (SIGTERM) or kill (SIGKILL)
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Stop::Graceful, hide_possible_values = true)]
    pub(crate) stop: Stop,

    /// When the leader goes once more, to end a delay: never, at-end, or after-1
    /// (after each follower), after-2 …
    #[arg(long, value_name = "WHEN", default_value = "never")]
    pub(crate) leader_again: String,

    #[command(flatten)]
    pub(crate) chance: Chance,
    #[command(flatten)]
    pub(crate) output: Pictured,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stop {
    Graceful,
    Kill,
}

impl Stop {
    /// As the core calls it.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Graceful => "graceful",
            Self::Kill => "kill",
        }
    }
}

const SIMULATE: &str = "\
Restarts the workers in this order with these waits and prints every rebalance:
who leads, how long the delay is, who owns what, how long tasks have no owner.

Orders:
  w3,w1         these workers, and no others
  leader-last   the worker that leads at the beginning comes last
  leader-first  it comes first
  leader-next   always the worker that leads at that moment
  succession    the one that leads, or a follower if its successor is done
  with-leader   the worker that leads, together with a follower
  w3+w1,leader  w3 and w1 together, then whoever leads
  leader-after-2
                it comes after two others
  listed        as the file lists them

Waits:
  back      the restarted worker is a member of the group again
  settled   every task runs and nothing more will move
  30s       so long after the restarted worker is back

Examples:
  rollgate simulate cluster.yaml --order leader-last --wait back
  rollgate simulate cluster.yaml --order w3,w1,w2 --wait 30s --stop kill
  rollgate simulate cluster.yaml --wait settled -o svg > roll.svg

Exit codes:
  0  the roll was run, whatever came of it
  2  the call or a file is wrong; every mistake is shown with its line";
