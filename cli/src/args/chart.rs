//! `rollgate chart`: its options and its help.

use clap::{Args, ValueEnum};

use super::{Chance, Description, GivenRoll};

/// Draw a picture of a roll, or of what it would cost otherwise, as SVG
#[derive(Args, Debug)]
#[command(after_help = CHART)]
pub(crate) struct Chart {
    #[command(flatten)]
    pub(crate) input: Description,

    /// What is drawn: roll, unassigned, lag, delay or variants
    #[arg(long, value_name = "FIGURE", value_enum, default_value_t = Figure::Roll, hide_possible_values = true)]
    pub(crate) figure: Figure,

    #[command(flatten)]
    pub(crate) look: Look,

    #[command(flatten)]
    pub(crate) roll: GivenRoll,

    #[command(flatten)]
    pub(crate) chance: Chance,
}

#[derive(Args, Debug)]
pub(crate) struct Look {
    /// Pixels from left to right; below 700 laid out for a phone or a column
    #[arg(long, value_name = "PIXELS", default_value_t = 1_200, value_parser = clap::value_parser!(u32).range(320..=2_400))]
    pub(crate) width: u32,

    /// The paper: light, dark, or auto (the SVG follows the reader's system)
    #[arg(long, value_name = "THEME", value_enum, default_value_t = Theme::Auto, hide_possible_values = true)]
    pub(crate) theme: Theme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Figure {
    Roll,
    Unassigned,
    Lag,
    Delay,
    Variants,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Theme {
    Light,
    Dark,
    Auto,
}

impl Figure {
    /// As the core calls it.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Roll => "roll",
            Self::Unassigned => "unassigned",
            Self::Lag => "lag",
            Self::Delay => "delay",
            Self::Variants => "variants",
        }
    }
}

impl Theme {
    /// As the core calls it.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Auto => "auto",
        }
    }
}

const CHART: &str = "\
Prints one SVG document. Without --order, --wait, --at-once, --stop or
--leader-again it draws the roll that plan chooses; with one of them, the roll
that simulate would run.

Figures:
  roll        who runs what over time, with rebalances, leader and delays
  unassigned  the share of the tasks without an owner, against the policy
  lag         how far connectors fall behind, and when they have caught up
              (of connectors with a rate)
  delay       the price against scheduled.rebalance.max.delay.ms, with the
              time a restart takes
  variants    the rolls of the plan side by side

Examples:
  rollgate chart cluster.yaml > roll.svg
  rollgate chart cluster.yaml --order leader-last --wait settled > careful.svg
  rollgate chart cluster.yaml --figure delay --width 400 --theme dark > d.svg

Exit codes:
  0  drawn
  1  drawn, but no roll respects the policy: it is the one that comes nearest
  2  the call or a file is wrong, or nothing is known of what is to be drawn";
