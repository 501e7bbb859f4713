//! `rollgate observe`: its options and its help.

use clap::Args;

use super::{Access, Format};

/// See a running cluster: who owns what, what is said of it, what is unknown
#[derive(Args, Debug)]
#[command(after_help = OBSERVE)]
pub(crate) struct Observe {
    /// text for people, json or yaml for programs, md for a ticket [default: text
    /// on a terminal, else json]
    #[arg(short, long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    pub(crate) output: Option<Format>,

    #[command(flatten)]
    pub(crate) access: Access,
}

const OBSERVE: &str = "\
Asks the coordinator of the workers' group who is a member, who leads and who
owns what; one worker what the status topic claims; each worker its version;
and the brokers how far the sinks are behind. It only reads. What cannot be
seen is unknown, with the reason.

Without --bootstrap only the workers are asked: nobody says then who owns what,
whether a delay runs and how far the sinks are behind.

Examples:
  rollgate observe --connect http://w1:8083 --bootstrap kafka:9092 -o text
  rollgate observe --connect http://w1:8083,http://w2:8083 > snapshot.json
  rollgate observe --snapshot snapshot.json -o md
  rollgate observe --bootstrap kafka:9093 --group connect --tls --ca ca.pem \\
    --sasl SCRAM-SHA-512 --user reader --password-from file:/run/secrets/kafka

Exit codes:
  0  seen
  2  the call is wrong, or more than one group is meant
  4  what was asked for could not be seen; a permission that lacks is named";
