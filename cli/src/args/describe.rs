//! `rollgate describe`: its options and its help.

use clap::Args;

use super::{Description, Output};

/// Say everything that a description is taken to mean
#[derive(Args, Debug)]
#[command(after_help = DESCRIBE)]
pub(crate) struct Describe {
    #[command(flatten)]
    pub(crate) input: Description,
    #[command(flatten)]
    pub(crate) output: Output,
}

const DESCRIBE: &str = "\
Prints the description again with every default, every setting of a worker file
and every name written out, and lists what was assumed. What it prints is a
description too: it needs no other file, and a plan of it is the same plan. Of
worker files it holds only the settings that matter here, and no secret.

Examples:
  rollgate describe cluster.yaml
  rollgate describe cluster.yaml -o json | jq .settings

Exit codes:
  0  described
  2  the call or a file is wrong; every mistake is shown with its line";
