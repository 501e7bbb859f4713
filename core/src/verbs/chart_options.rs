//! The options of `chart`, as the command line and JSON give them.

use serde::Deserialize;

use super::{DEFAULT_SEED, ExecutorOption, OptionError, SimulateOptions};
use crate::chart::{Look, Theme};
use crate::description::nearest;

/// What is drawn, how, and of which roll.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChartOptions {
    /// `roll`, `unassigned`, `lag`, `delay` or `variants`.
    pub figure: String,
    /// Pixels from left to right.
    pub width: u32,
    /// `light`, `dark` or `auto`.
    pub theme: String,
    /// With this or one of the next four, that roll is drawn instead of the plan's; as for `simulate`.
    pub order: Option<String>,
    /// When the next worker may stop.
    pub wait: Option<String>,
    /// How many workers may be away at once.
    pub at_once: Option<usize>,
    /// How a worker is stopped.
    pub stop: Option<String>,
    /// When the leader goes once more.
    pub leader_again: Option<String>,
    /// What carries the plan out whose roll is drawn.
    pub executor: ExecutorOption,
    /// The number that repeats it.
    pub seed: u64,
    /// How many rolls are drawn; the course shown is the median one's.
    pub runs: Option<u32>,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Who runs what over time.
    Roll,
    /// The share of the work that nobody has.
    Unassigned,
    /// How far connectors fall behind.
    Lag,
    /// The price against the delay.
    Delay,
    /// The rolls of the plan side by side.
    Variants,
}

impl Figure {
    /// All of them, in the order in which people ask.
    pub const ALL: [Self; 5] = [Self::Roll, Self::Unassigned, Self::Lag, Self::Delay, Self::Variants];

    /// As options call it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Roll => "roll",
            Self::Unassigned => "unassigned",
            Self::Lag => "lag",
            Self::Delay => "delay",
            Self::Variants => "variants",
        }
    }
}

impl ChartOptions {
    /// A picture of the roll that `simulate` would run.
    pub fn of_roll(roll: &SimulateOptions) -> Self {
        Self {
            order: Some(roll.order.clone()),
            wait: Some(roll.wait.clone()),
            at_once: Some(roll.at_once),
            stop: Some(roll.stop.clone()),
            leader_again: Some(roll.leader_again.clone()),
            seed: roll.seed,
            runs: Some(roll.runs),
            ..Self::default()
        }
    }

    pub(super) fn figure(&self) -> Result<Figure, OptionError> {
        Figure::ALL.into_iter().find(|figure| figure.key() == self.figure).ok_or_else(|| {
            let known = Figure::ALL.map(Figure::key);
            let hint = nearest(&self.figure, known)
                .map_or_else(|| format!("one of {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
            OptionError(format!("there is no figure `{}`; {hint}", self.figure))
        })
    }

    pub(super) fn look(&self) -> Result<Look, OptionError> {
        look(self.width, &self.theme)
    }

    /// The roll that is asked for; `None` if it is to be the plan's.
    pub(super) fn given(&self) -> Option<SimulateOptions> {
        let usual = SimulateOptions::default();
        let any = [&self.order, &self.wait, &self.stop, &self.leader_again].into_iter().any(Option::is_some);
        (any || self.at_once.is_some()).then(|| SimulateOptions {
            order: self.order.clone().unwrap_or(usual.order),
            wait: self.wait.clone().unwrap_or(usual.wait),
            at_once: self.at_once.unwrap_or(usual.at_once),
            stop: self.stop.clone().unwrap_or(usual.stop),
            leader_again: self.leader_again.clone().unwrap_or(usual.leader_again),
            seed: self.seed,
            runs: self.runs.unwrap_or(usual.runs),
        })
    }
}

impl Default for ChartOptions {
    fn default() -> Self {
        Self {
            figure: Figure::Roll.key().to_owned(),
            width: 1_200,
            theme: "auto".to_owned(),
            order: None,
            wait: None,
            at_once: None,
            stop: None,
            leader_again: None,
            executor: ExecutorOption::default(),
            seed: DEFAULT_SEED,
            runs: None,
        }
    }
}

pub(super) fn look(width: u32, theme: &str) -> Result<Look, OptionError> {
    let theme = match theme {
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        "auto" => Theme::Auto,
        other => return Err(OptionError(format!("theme `{other}` is neither light nor dark nor auto"))),
    };
    if !Look::WIDTHS.contains(&width) {
        let (least, most) = (Look::WIDTHS.start(), Look::WIDTHS.end());
        return Err(OptionError(format!("width {width} is not between {least} and {most} pixels")));
    }
    Ok(Look::new(width, theme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_drawn_is_refused_with_what_can() {
        let figure = |figure: &str| ChartOptions { figure: figure.into(), ..ChartOptions::default() }.figure();
        assert_eq!(figure("lag").map(Figure::key), Ok("lag"));
        assert!(figure("unasigned").unwrap_err().to_string().ends_with("did you mean `unassigned`?"));
        let size = |width| ChartOptions { width, ..ChartOptions::default() }.look().map_err(|error| error.to_string());
        assert!(size(400).is_ok());
        assert_eq!(size(100), Err("width 100 is not between 320 and 2400 pixels".into()));
        assert!(look(400, "sepia").is_err());
    }

    #[test]
    fn one_word_about_the_roll_makes_it_a_given_one() {
        assert_eq!(ChartOptions::default().given(), None);
        let given = ChartOptions { wait: Some("settled".into()), ..ChartOptions::default() }.given().unwrap();
        assert_eq!((given.order.as_str(), given.wait.as_str()), ("listed", "settled"));
    }
}
