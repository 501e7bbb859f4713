//! Output of the verbs that can draw what they say.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

#[derive(Args, Debug)]
pub(crate) struct Pictured {
    /// text for people, json or yaml for programs, md for a ticket, svg for the
    /// picture alone
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = PicturedFormat::Text, hide_possible_values = true)]
    pub(crate) output: PicturedFormat,

    /// With -o md: write pictures into this folder and name them in the text
    #[arg(long, value_name = "DIR")]
    pub(crate) figures: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PicturedFormat {
    Text,
    Json,
    Yaml,
    Md,
    Svg,
}

impl PicturedFormat {
    /// The form without a picture; `None` if it is nothing but one.
    pub(crate) const fn plain(self) -> Option<Format> {
        match self {
            Self::Text => Some(Format::Text),
            Self::Json => Some(Format::Json),
            Self::Yaml => Some(Format::Yaml),
            Self::Md => Some(Format::Md),
            Self::Svg => None,
        }
    }
}
