//! `rollgate lint`: its options and its help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Find what will go wrong, from the files alone
#[derive(Args, Debug)]
#[command(after_help = LINT)]
pub(crate) struct Lint {
    /// A description of the cluster (.yaml, .yml, .json, or - for standard
    /// input), worker files (.properties), or both
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// The least severity that ends with 1: error, warning, note, or never
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = Deny::Error, hide_possible_values = true)]
    pub(crate) deny: Deny,

    /// text for people, json or yaml for programs, md for a ticket, github for
    /// annotations of a workflow, sarif for code scanning
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = LintFormat::Text, hide_possible_values = true)]
    pub(crate) output: LintFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    Error,
    Warning,
    Note,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    Text,
    Json,
    Yaml,
    Md,
    Github,
    Sarif,
}

impl Deny {
    /// As the core takes it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Never => "never",
        }
    }
}

const LINT: &str = "\
Worker files beside a description are linted as files of its workers, those that
it names in settings_from are linted too; worker files alone, as files of one
cluster if they say the same group.id. A file that is wrong is shown with its
mistakes, and the others are linted all the same.

A comment on the line or the line above allows a finding, which is then counted
and not shown; in .properties only the line above can be a comment:
  # rollgate: allow single-worker

Examples:
  rollgate lint cluster.yaml
  rollgate lint --deny warning workers/*.properties
  rollgate lint cluster.yaml -o sarif > rollgate.sarif

Exit codes:
  0  no finding is denied
  1  a finding is as severe as --deny says, or more
  2  the call or a file is wrong; every mistake is shown with its line";
