//! Where a step is, and how it goes on: all moves stand in this file.
//!
//! | in | all met | a condition breaks | restart began | seen back | limit reached |
//! | --- | --- | --- | --- | --- | --- |
//! | Settling | Open | stay | – | – | Halted |
//! | Open | stay | Settling | Away | – | Halted |
//! | Away | – | stay | – | Recovering | Halted |
//! | Recovering | Passed | stay | – | stay | Halted |
//! | Passed | – | – | – | – | – |
//! | Halted | – | – | – | – | – |
//!
//! An empty cell is an illegal move.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The worker is still there; what the step asks is not met, or not yet for long enough.
    Settling,
    /// The worker may be stopped now. Left as soon as a condition breaks.
    Open,
    /// The worker was told to stop; it is not seen back yet. That work waits is expected here.
    Away,
    /// It is a member again under a new id; what the step asks afterwards is not met yet.
    Recovering,
    /// The next step may begin. Final.
    Passed,
    /// A limit was reached or the cluster is another one. Final: only a person starts again.
    Halted,
}

/// What can happen to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Move {
    /// Everything the step asks has held for the calm window.
    AllMet,
    /// Something it asks does not hold.
    Broke,
    /// Somebody began to restart the worker.
    RestartBegan,
    /// The group has the worker again, under another member id.
    SeenBack,
    /// A deadline, a limit of the plan, or another cluster.
    LimitReached,
}

/// A move that the state does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The state that was to be left.
    pub state: State,
    /// What was said to have happened.
    pub tried: Move,
}

impl State {
    /// All states, in the order of a step.
    pub const ALL: [Self; 6] = [Self::Settling, Self::Open, Self::Away, Self::Recovering, Self::Passed, Self::Halted];

    /// The state after a move.
    ///
    /// # Errors
    /// The move, if the state does not have it.
    pub const fn after(self, tried: Move) -> Result<Self, IllegalMove> {
        use Move::{AllMet, Broke, LimitReached, RestartBegan, SeenBack};
        let next = match (self, tried) {
            (Self::Settling | Self::Open, AllMet) => Some(Self::Open),
            (Self::Settling | Self::Open, Broke) => Some(Self::Settling),
            (Self::Open, RestartBegan) | (Self::Away, Broke) => Some(Self::Away),
            (Self::Away, SeenBack) | (Self::Recovering, Broke | SeenBack) => Some(Self::Recovering),
            (Self::Recovering, AllMet) => Some(Self::Passed),
            (Self::Settling | Self::Open | Self::Away | Self::Recovering, LimitReached) => Some(Self::Halted),
            (Self::Settling, RestartBegan | SeenBack)
            | (Self::Open, SeenBack)
            | (Self::Away, AllMet | RestartBegan)
            | (Self::Recovering, RestartBegan)
            | (Self::Passed | Self::Halted, _) => None,
        };
        match next {
            Some(next) => Ok(next),
            None => Err(IllegalMove { state: self, tried }),
        }
    }

    /// Whether nothing leads out of it.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Passed | Self::Halted)
    }

    /// Whether the worker is still to be stopped.
    pub const fn is_before(self) -> bool {
        matches!(self, Self::Settling | Self::Open)
    }
}

impl Move {
    /// All moves, in the order of the table.
    pub const ALL: [Self; 5] = [Self::AllMet, Self::Broke, Self::RestartBegan, Self::SeenBack, Self::LimitReached];
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Settling => "settling",
            Self::Open => "open",
            Self::Away => "away",
            Self::Recovering => "recovering",
            Self::Passed => "passed",
            Self::Halted => "halted",
        })
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state;
        match (state, self.tried) {
            (State::Settling, Move::RestartBegan) => f.write_str(
                "the worker must not be stopped yet: ask whether it may be, and go on when the answer is proceed",
            ),
            (State::Away | State::Recovering, Move::RestartBegan) => {
                f.write_str("the worker's restart has already begun: ask whether the cluster is whole again")
            }
            (State::Passed, _) => f.write_str("this step is through: go on with the next one"),
            (State::Halted, _) => f.write_str("the gate has stopped this roll: look at the reasons, then begin again"),
            (_, Move::SeenBack) => f.write_str("a worker that was not stopped cannot come back"),
            (_, tried) => write!(f, "a step that is {state} has no move {tried:?}"),
        }
    }
}

impl std::error::Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_in_the_doc_is_the_table_in_the_code() {
        let rows: Vec<Vec<&str>> = include_str!("state.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("//! | "))
            .filter(|row| State::ALL.iter().any(|state| row.starts_with(&format!("{state:?} |"))))
            .map(|row| row.trim_end_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert_eq!(rows.len(), State::ALL.len());
        for (row, state) in rows.iter().zip(State::ALL) {
            assert_eq!(row[0], format!("{state:?}"));
            for (cell, tried) in row[1..].iter().zip(Move::ALL) {
                let found = match state.after(tried) {
                    Err(illegal) => {
                        assert_eq!(illegal, IllegalMove { state, tried });
                        assert!(!illegal.to_string().is_empty());
                        "–".to_owned()
                    }
                    Ok(next) if next == state => "stay".to_owned(),
                    Ok(next) => format!("{next:?}"),
                };
                assert_eq!(*cell, found, "{state:?}, {tried:?}");
            }
        }
    }

    #[test]
    fn nothing_leads_out_of_a_final_state() {
        for state in State::ALL {
            let ways_out = Move::ALL.iter().filter_map(|tried| state.after(*tried).ok()).count();
            assert_eq!(ways_out == 0, state.is_final(), "{state}");
        }
    }
}
