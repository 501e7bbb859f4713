//! The pure core of rollgate: what a rolling restart of a Kafka Connect cluster does
//! to its work, computed by simulating Kafka's own protocols.
//!
//! Nothing here reads a clock, a file, the environment or the network; time, chance and
//! observations are arguments. The rooms, in the order in which data flows through them:
//! each may use only those `ARCHITECTURE.md` lists for it.

pub mod units;

pub mod seal;
pub mod text;

pub mod wire;

pub mod snapshot;

pub mod gate;

pub mod description;

pub mod model;

pub mod discovery;

pub mod finding;

pub mod lint;

pub mod explain;
pub mod timeout;

pub mod assignor;

pub mod protocol;

pub mod simulation;

pub mod lag;

pub mod assessment;

pub mod plan;

pub mod roll;

pub mod chart;
pub mod compare;

pub mod report;

pub mod verbs;
