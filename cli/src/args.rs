//! The command line, and what `--help` teaches about it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use rollgate_core::verbs::DEFAULT_SEED;

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
pub(crate) enum Verb {
    Plan(Plan),
    Simulate(Simulate),
    Replay(Replay),
    Schema(Schema),
    Completions(Completions),
    Man(Man),
}

/// Find the order and the waits, with their price and the reasons
#[derive(Args, Debug)]
#[command(after_help = PLAN)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) input: Description,
    #[command(flatten)]
    pub(crate) chance: Chance,
    #[command(flatten)]
    pub(crate) output: Output,
}

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
    pub(crate) output: Output,
}

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

/// Print the JSON schema of the files
#[derive(Args, Debug)]
#[command(after_help = SCHEMA)]
pub(crate) struct Schema {
    /// Of which file
    #[arg(value_enum, default_value_t = SchemaOf::Cluster, value_name = "FILE")]
    pub(crate) of: SchemaOf,
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Print the manual page, of all or of one verb
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// A verb: plan, simulate, replay, schema, completions, man
    #[arg(value_name = "VERB")]
    pub(crate) verb: Option<String>,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stop {
    Graceful,
    Kill,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    Cluster,
    Replay,
}

const HELP: &str = "\
Describe the cluster in one file. rollgate runs Kafka's own protocols through
the restart, without a cluster and in a second, and says in which order and at
which pace to restart the workers, how long each task will be without an owner,
and why.

Examples:
  rollgate plan cluster.yaml
  rollgate simulate cluster.yaml --order w3,w1,w2 --wait settled

Exit codes:
  0    fine
  1    no: nothing respects the policy
  2    the call or a file is wrong
  3    not yet: ask again            (reserved, as is 4, for watching a cluster)
  4    cannot tell
  101  a bug of ours

Each verb has its own help: rollgate plan --help";

const PLAN: &str = "\
Tries orders of the workers and waits between them over many simulated rolls,
keeps those that respect the policy of the description (the p95 of the runs), and
chooses the one with the least unassigned time on average; of equals, within 2 %,
the shortest. The runners-up are shown beside it.

Words:
  unassigned  a task's time without an owner able to run it, its start included
  hand-over   two heartbeat intervals and a task's start: shorter is no outage
  held, peak  the largest share unassigned for longer than that, or at an instant
  back        the restarted worker is a member of a completed generation
  settled     every task runs, no delay runs, nothing more will move

Examples:
  rollgate plan cluster.yaml
  rollgate plan cluster.yaml -o json | jq -r '.steps[].workers[]'

Exit codes:
  0  a plan respects the policy
  1  none does; the limit that binds and the best value in reach are named
  2  the call or a file is wrong; every mistake is shown with its line";

const SIMULATE: &str = "\
Restarts the workers in this order with these waits and prints every rebalance:
who leads, how long the delay is, who owns what, how long tasks have no owner.

Orders:
  w3,w1         these workers, and no others
  leader-last   the worker that leads at the beginning comes last
  leader-first  it comes first
  leader-next   always the worker that leads at that moment
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

Exit codes:
  0  the roll was run, whatever came of it
  2  the call or a file is wrong; every mistake is shown with its line";

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

const SCHEMA: &str = "\
Editors complete and check a description with it.

Examples:
  rollgate schema > cluster.schema.json
  rollgate schema replay > replay.schema.json

Exit codes:
  0  printed
  2  the call is wrong";

const COMPLETIONS: &str = "\
Examples:
  rollgate completions bash > /etc/bash_completion.d/rollgate
  rollgate completions fish > ~/.config/fish/completions/rollgate.fish

Exit codes:
  0  printed
  2  the call is wrong";

const MAN: &str = "\
Examples:
  rollgate man > rollgate.1
  rollgate man plan | man -l -

Exit codes:
  0  printed
  2  the call is wrong";
