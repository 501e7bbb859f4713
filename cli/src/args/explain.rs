//! `rollgate explain`: its options and its help.

use clap::Args;
use rollgate_core::verbs::DEFAULT_SEED;

use super::Output;

/// Explain a rule, a setting, a key of a description or a term
#[derive(Args, Debug)]
#[command(after_help = EXPLAIN)]
pub(crate) struct Explain {
    /// What to explain; without it, everything there is, by name
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The number that repeats a rule's simulated example
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: Output,
}

const EXPLAIN: &str = "\
Of a rule of `rollgate lint`: what it finds, why it hurts, with a small example
that is simulated as you ask, what to do, and when it can be wrong. Of a
setting: what it does in a roll, its default, and the rules about it. Of a key
of a description: what it means and what may stand there. Of a term, such as an
order of --order: what it means.

Examples:
  rollgate explain
  rollgate explain long-delay-with-quick-restarts
  rollgate explain scheduled.rebalance.max.delay.ms
  rollgate explain delayed-rebalance
  rollgate explain policy.at_once
  rollgate explain succession

Exit codes:
  0  explained
  2  nothing is called so; the nearest names are shown";
