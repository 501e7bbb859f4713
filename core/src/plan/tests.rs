//! Plans whose worth is known.

use super::*;
use crate::assessment::Figure;
use crate::model::Policy;
use crate::simulation::Seed;
use crate::simulation::tests::cluster;
use crate::units::{Duration, Share};

pub(crate) fn policy(share: f64) -> Policy {
    Policy {
        max_share: Share(share),
        max_share_given: false,
        max_unassigned: None,
        max_lag: None,
        window: None,
        at_once: 1,
        wait: None,
        during_delay: true,
        leader_again: true,
    }
}

#[test]
fn the_default_plan_never_leaves_more_than_one_workers_share_waiting() {
    let cluster = cluster(5, &[("alpha", 20), ("beta", 10)], Duration::from_secs(300), Duration::from_secs(5));
    let budget = Budget::of(&cluster, Some(200));
    let found = plan(&cluster, &policy(0.2), Executor::Steps, Seed(7), budget, &mut |_| {}).unwrap();
    let careful = found.careful.unwrap();
    let lost = |candidate: &Candidate| candidate.distribution.of(Figure::Unassigned).median;
    assert!(lost(&found.chosen) < 0.1 * lost(&careful));
    assert!(found.chosen.distribution.of(Figure::PeakHeld).p95 <= 0.2 + 1e-9);
}
