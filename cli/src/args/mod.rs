//! The command line, and what `--help` teaches about it.

mod access;
mod chart;
mod compare;
mod completions;
mod describe;
mod discover;
mod explain;
mod gate;
mod given_roll;
mod lint;
mod man;
mod next;
mod observe;
mod pictured;
mod plan;
mod replay;
mod schema;
mod simulate;
mod timeout;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rollgate_core::verbs::DEFAULT_SEED;

pub(crate) use access::{Access, Sasl, secret_in};
pub(crate) use chart::Chart;
pub(crate) use compare::Compare;
pub(crate) use completions::Completions;
pub(crate) use describe::Describe;
pub(crate) use discover::Discover;
pub(crate) use explain::Explain;
pub(crate) use gate::{Gate, GateAsk, GateFormat, Question};
pub(crate) use given_roll::GivenRoll;
pub(crate) use lint::{Lint, LintFormat};
pub(crate) use man::Man;
pub(crate) use next::Next;
pub(crate) use observe::Observe;
pub(crate) use pictured::{Pictured, PicturedFormat};
pub(crate) use plan::{Executor, Plan, Watch};
pub(crate) use replay::Replay;
pub(crate) use schema::{Schema, SchemaOf};
pub(crate) use simulate::{Simulate, Stop};
pub(crate) use timeout::{RestartKind, Timeout};

/// Plans and rehearses rolling restarts of Kafka Connect clusters.
#[derive(Debug, Parser)]
#[command(
    name = "rollgate",
    version,
    max_term_width = 80,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = HELP
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,

    #[arg(
        long,
        value_enum,
        default_value_t = Color::Auto,
        global = true,
        value_name = "WHEN",
        help = "Colours: auto (on a terminal, unless NO_COLOR is set), always, never",
        hide_possible_values = true,
        display_order = 100
    )]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Verb {
    Plan(Plan),
    Compare(Compare),
    Simulate(Simulate),
    Chart(Chart),
    Replay(Replay),
    Lint(Lint),
    Explain(Explain),
    Describe(Describe),
    Discover(Discover),
    Next(Next),
    Timeout(Timeout),
    Observe(Observe),
    Gate(Gate),
    Schema(Schema),
    Completions(Completions),
    Man(Man),
}

#[derive(Args, Debug)]
pub(crate) struct Description {
    /// The description of the cluster (YAML or JSON); - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Chance {
    /// The number that repeats a run: same seed, same bytes
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,

    /// How many rolls are drawn for median, p95 and worst
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) runs: Option<u32>,
}

#[derive(Args, Debug)]
pub(crate) struct Output {
    /// text for people, json or yaml for programs, md for a ticket
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    pub(crate) output: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Yaml,
    Md,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

const HELP: &str = "\
Describe the cluster in one file. rollgate runs Kafka's own protocols through
the restart, without a cluster and in a second, and says in which order and at
which pace to restart the workers, how long each task will be without an owner,
and why.

Examples:
  rollgate plan cluster.yaml
  rollgate simulate cluster.yaml --order w3,w1,w2 --wait settled
  rollgate timeout restarts.csv --cluster cluster.yaml
  rollgate observe --connect http://w1:8083 --bootstrap kafka:9092

Exit codes:
  0    fine
  1    no: no roll respects the policy, a finding is denied, no estimate
  2    the call or a file is wrong
  3    not yet: ask again, the state is kept
  4    cannot tell: what was asked for could not be seen
  101  a bug of ours

Each verb has its own help: rollgate plan --help";
