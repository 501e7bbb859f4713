//! What stopping workers of a running cluster would do now, for the gate.

use crate::discovery::{find, with_seen};
use crate::gate::Foreseen;
use crate::model::WorkerId;
use crate::plan::goes_now;
use crate::roll::{PlanFile, addresses};
use crate::simulation::Seed;
use crate::snapshot::Snapshot;
use crate::units::Duration;

/// What happens if these workers of a plan are stopped at the moment of a snapshot. Nothing where
/// the snapshot does not tell: the group is not at rest, or its members are not the plan's.
pub fn foreseen(plan: &PlanFile, workers: &[String], snapshot: &Snapshot) -> Option<Foreseen> {
    let urls = addresses(&plan.cluster, snapshot).ok()?;
    let mut described = plan.cluster.clone();
    for worker in &mut described.workers {
        worker.url = urls.get(&worker.name).cloned();
    }
    let cluster = with_seen(&described, &find(snapshot, None).ok()?).ok()?;
    let id = |name: &String| {
        let place = cluster.workers.iter().position(|worker| worker.name == *name)?;
        u32::try_from(place).ok().map(WorkerId)
    };
    let workers: Vec<WorkerId> = workers.iter().map(id).collect::<Option<_>>()?;
    let goes = goes_now(&cluster, &workers, Seed(super::DEFAULT_SEED), RUNS);
    let name = |connector: &crate::model::ConnectorId| Some(cluster.connectors.get(connector.index())?.name.clone());
    Some(Foreseen {
        tasks: tasks(goes.held.p95, goes.all),
        of: goes.all,
        longest: Duration::from_secs_f64(goes.longest.p95),
        whole_connectors: goes.connectors_down.iter().filter_map(name).collect(),
        leads: goes.leads,
        task_seconds: goes.unassigned.median,
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of few tasks")]
#[expect(clippy::cast_precision_loss, reason = "tasks are far fewer than 2^52")]
fn tasks(share: f64, all: usize) -> usize {
    libm::round(share * all as f64) as usize
}

/// So many runs tell the spread of a restart well enough for a yes or no in each look.
const RUNS: u32 = 8;
