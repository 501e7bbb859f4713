//! One roll as it is given, where a verb would else search for it.

use clap::Args;

use super::Stop;

#[derive(Args, Debug)]
pub(crate) struct GivenRoll {
    /// Take a roll in this order, as for simulate. Without it, and the next
    /// four, it is the best roll that plan finds
    #[arg(long, value_name = "ORDER")]
    pub(crate) order: Option<String>,

    /// Take a roll with this wait: back, settled, or a time (30s)
    #[arg(long, value_name = "WAIT")]
    pub(crate) wait: Option<String>,

    /// Take a roll with so many workers away at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    at_once: Option<u32>,

    /// Take a roll whose workers are stopped so: graceful or kill
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    stop: Option<Stop>,

    /// Take a roll with the leader gone once more: never, at-end, after-1 …
    #[arg(long, value_name = "WHEN")]
    pub(crate) leader_again: Option<String>,
}

impl GivenRoll {
    /// As the core counts.
    pub(crate) fn at_once(&self) -> Option<usize> {
        self.at_once.map(|count| usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// As the core calls it.
    pub(crate) fn stop(&self) -> Option<String> {
        self.stop.map(|stop| stop.key().to_owned())
    }
}
