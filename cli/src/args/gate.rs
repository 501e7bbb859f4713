//! `rollgate gate`: its options and its help.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Access;

/// Ask, around each restart of a roll: may it be stopped now, is it whole again?
#[derive(Args, Debug)]
#[command(after_help = GATE)]
pub(crate) struct Gate {
    #[command(subcommand)]
    pub(crate) ask: GateAsk,
}

#[derive(Subcommand, Debug)]
pub(crate) enum GateAsk {
    Before(Before),
    After(After),
}

/// May these workers be stopped now?
#[derive(Args, Debug)]
#[command(after_help = BEFORE)]
pub(crate) struct Before {
    #[command(flatten)]
    pub(crate) question: Question,
}

/// Is the cluster whole again, so that the next may go?
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct After {
    #[command(flatten)]
    pub(crate) question: Question,

    /// When the restarted process started, such as 2026-12-01T03:17:18Z
    #[arg(long, value_name = "MOMENT")]
    pub(crate) started_at: Option<String>,
}

/// What both questions have in common.
#[derive(Args, Debug)]
pub(crate) struct Question {
    /// The worker by its name in the plan; all of them, with commas between, where
    /// a step restarts several together
    #[arg(value_name = "WORKER", value_delimiter = ',', required = true)]
    pub(crate) workers: Vec<String>,

    /// The plan that is followed, from rollgate plan -o json
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,

    /// Where the state of the roll is kept between calls; made by the first
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: PathBuf,

    /// How long everything must hold where all must run [default: 10s]
    #[arg(long, value_name = "TIME")]
    pub(crate) calm: Option<String>,

    /// How often the cluster is looked at
    #[arg(long, value_name = "TIME", default_value = "1s")]
    pub(crate) poll: String,

    /// How long this call waits; then it ends with 3 and the state is kept
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub(crate) wait_timeout: String,

    /// How long the whole step may take; then the roll is halted
    #[arg(long, value_name = "TIME")]
    pub(crate) deadline: Option<String>,

    /// How many records more than before the roll a sink may be behind to count as
    /// caught up [default: sinks need not catch up]
    #[arg(long, value_name = "RECORDS")]
    pub(crate) lag_band: Option<i64>,

    /// Without --bootstrap: the largest scheduled.rebalance.max.delay.ms of the workers
    #[arg(long, value_name = "TIME")]
    pub(crate) max_delay: Option<String>,

    /// Without --bootstrap: how long ago the last worker was stopped
    #[arg(long, value_name = "TIME")]
    pub(crate) since_stop: Option<String>,

    /// A kind of reason to overrule for this step, such as failed; again for more
    #[arg(long, value_name = "REASON", requires = "because")]
    pub(crate) accept: Vec<String>,

    /// Why it is overruled; stands in the journal
    #[arg(long, value_name = "TEXT", requires = "accept")]
    pub(crate) because: Option<String>,

    /// Whose roll it is; the user and the machine, if nothing is said
    #[arg(long, value_name = "NAME")]
    pub(crate) owner: Option<String>,

    /// Make another's roll yours
    #[arg(long)]
    pub(crate) take_over: bool,

    /// Set aside the lock of a call that hangs
    #[arg(long)]
    pub(crate) break_lock: bool,

    /// text for people, json for programs
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = GateFormat::Text, hide_possible_values = true)]
    pub(crate) output: GateFormat,

    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GateFormat {
    Text,
    Json,
}

const GATE: &str = "\
A roll asks twice for each restart: `gate before w2`, then somebody restarts w2,
then `gate after w2`. Both wait until there is an answer, and answer from what
the group itself says: a port that answers or a status that says RUNNING is no
evidence. What cannot be seen is no yes. The gate only reads; it restarts nothing.";

const BEFORE: &str = "\
Asks whether everyone else is present and owns work, nothing failed that ran
before, no delay runs unless the step allows it, no rebalance is under way, and
what would happen if the worker went now stays within the policy.

Examples:
  rollgate gate before w2 --plan plan.json --journal roll.jsonl \\
    --connect http://w1:8083,http://w2:8083 --bootstrap kafka:9092
  rollgate gate before w2 … --accept failed --because 'orders-3 broke at noon'

Exit codes:
  0  proceed: it may be stopped now
  1  stop: the roll is halted, with the reason
  2  the call or a file is wrong
  3  not yet: --wait-timeout is over; ask again, the state is kept
  4  cannot tell: something that decides could not be seen; the state is kept";

const AFTER: &str = "\
Asks whether the worker is back under a new member id, as the group sees it, and,
where the step waits for it, whether every connector and task runs where the
group says and as before, no delay runs, and that for the calm window.

Examples:
  rollgate gate after w2 --plan plan.json --journal roll.jsonl \\
    --connect http://w1:8083,http://w2:8083 --bootstrap kafka:9092

Exit codes:
  0  proceed: the next step may begin
  1  stop: the roll is halted, with the reason
  2  the call or a file is wrong
  3  not yet: --wait-timeout is over; ask again, the state is kept
  4  cannot tell: something that decides could not be seen; the state is kept";
