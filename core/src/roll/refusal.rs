//! Why a question cannot be asked at this point of a roll.

use thiserror::Error;

use crate::units::Timestamp;

/// Why a question cannot be asked at this point of a roll.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The plan has no such worker.
    #[error("`{worker}` is no worker of the plan: it has {}", .known.join(", "))]
    UnknownWorker {
        /// The name that was given.
        worker: String,
        /// The plan's workers.
        known: Vec<String>,
    },
    /// The workers' steps are through.
    #[error("{workers} is through since {since} (step {step}): leave it alone; to restart it once more, plan again")]
    Through {
        /// The workers' names.
        workers: String,
        /// When the last of their steps was.
        since: Timestamp,
        /// That step, from 1.
        step: usize,
    },
    /// Another step is not through.
    #[error("step {step} ({workers}) is under way: ask `gate after {first}` until it proceeds, then go on")]
    UnderWay {
        /// The step, from 1.
        step: usize,
        /// Its workers' names.
        workers: String,
        /// The first of them.
        first: String,
    },
    /// Nobody asked before the stop.
    #[error("nobody asked whether {workers} may be stopped: ask `gate before {workers}` first")]
    NotBegun {
        /// The workers' names.
        workers: String,
    },
    /// The plan restarts these workers together.
    #[error("step {step} restarts {together} together: ask for all of them at once")]
    Together {
        /// The step, from 1.
        step: usize,
        /// Its workers' names.
        together: String,
    },
    /// The journal belongs to another plan.
    #[error("this journal follows another plan (begun {began} by {owner}): give each roll a journal of its own")]
    OtherPlan {
        /// When that roll began.
        began: Timestamp,
        /// Who began it.
        owner: String,
    },
    /// Somebody else's roll.
    #[error("this roll is {owner}'s, last asked about {last}; `--take-over` makes it yours")]
    OtherOwner {
        /// Whose.
        owner: String,
        /// When it was last asked about.
        last: Timestamp,
    },
    /// A worker of the plan cannot be told among the members.
    #[error(
        "no member of the group can be told to be {}: the members advertise {}; plan from `rollgate discover`, or write each worker's `url` into the description",
        .workers.join(", "),
        if .seen.is_empty() { "nothing that was seen".to_owned() } else { .seen.join(", ") }
    )]
    NoAddress {
        /// The workers' names.
        workers: Vec<String>,
        /// The members' addresses.
        seen: Vec<String>,
    },
    /// Reasons that nobody may overrule, or that do not exist.
    #[error("{} cannot be accepted: it is no reason of the gate's, or one that nobody may overrule", .kinds.join(", "))]
    NotAcceptable {
        /// The kinds.
        kinds: Vec<String>,
    },
}
