//! Who owns what when a run begins, where that was observed.

use super::{Cluster, Items};
use crate::units::Duration;

/// The work of a running cluster, and what of it waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ownership {
    /// What each worker owns, by [`super::WorkerId`], in its own order (newest first); nothing of
    /// one that is out of the group.
    pub owns: Vec<Items>,
    /// What nobody owns: it waits for the delay to end. In the order of the ids, for nobody's has any other.
    pub waiting: Items,
    /// What is left of the delay, if one runs.
    pub delay_left: Option<Duration>,
    /// How long ago the group completed its last round, where that was seen: the heartbeats of
    /// all members count from it.
    pub last_round: Option<Duration>,
}

impl Cluster {
    /// What is left of the rebalance delay that runs when a run begins, if one does.
    pub fn delay_left(&self) -> Option<Duration> {
        self.ownership.as_ref().and_then(|ownership| ownership.delay_left)
    }
}
