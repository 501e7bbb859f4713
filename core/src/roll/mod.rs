//! A roll that is under way: the plan it follows, its journal, and what each question to the
//! [gate](crate::gate) means at that point.
//!
//! ```text
//!  plan.json ─► PlanFile ─┐
//!  journal   ─► Journal ──┴► Session ◄── a look at the cluster, the time
//!                               ├─► what changed, for people
//!                               └─► the answer, and the lines to add to the journal
//! ```
//!
//! The gate is asked in separate processes, hours apart perhaps, and by a person as well as by a
//! playbook. All that one call leaves to the next stands in the journal.

mod addresses;
mod asked;
mod journal;
mod place;
mod plan_file;
mod refusal;
mod session;

pub use addresses::addresses;
pub use asked::{Options, conditions};
pub use journal::{Accepted, Answered, Ask, Began, Entry, Journal, JournalError, Seen};
pub use plan_file::{PlanFile, PlanFileError, Rule, Step};
pub use refusal::Refusal;
pub use session::{Asker, Session, Turn};
