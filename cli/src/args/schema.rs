//! `rollgate schema`: its options and its help.

use clap::{Args, ValueEnum};

/// Print the JSON schema of the files
#[derive(Args, Debug)]
#[command(after_help = SCHEMA)]
pub(crate) struct Schema {
    /// Of which file
    #[arg(value_enum, default_value_t = SchemaOf::Cluster, value_name = "FILE")]
    pub(crate) of: SchemaOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    Cluster,
    Replay,
    Snapshot,
}

const SCHEMA: &str = "\
Editors complete and check a description with it.

Examples:
  rollgate schema > cluster.schema.json
  rollgate schema replay > replay.schema.json
  rollgate schema snapshot > snapshot.schema.json

Exit codes:
  0  printed
  2  the call is wrong";
