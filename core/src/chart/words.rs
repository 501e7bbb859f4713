//! The words in pictures: short, with their figures.

use crate::assessment::Impact;
use crate::model::{Cluster, WorkerId};
use crate::simulation::{Cause, Timeline};
use crate::units::SimTime;
pub(super) use crate::units::{count, part_of, seconds, task_seconds};

/// A time since the first stop.
pub(super) fn since(timeline: &Timeline, at: SimTime) -> String {
    (at - timeline.began).to_string()
}

/// The name of a worker.
pub(super) fn worker(cluster: &Cluster, worker: WorkerId) -> &str {
    cluster.name_of(worker)
}

/// What is restarted: `5 workers`, `5 workers (7 restarts)`, `2 of 5 workers`.
pub(super) fn restarted(cluster: &Cluster, timeline: &Timeline) -> String {
    let mut all: Vec<WorkerId> = timeline.steps.iter().flat_map(|step| step.workers.iter().copied()).collect();
    let restarts = all.len();
    all.sort_unstable();
    all.dedup();
    let whole = cluster.workers.len();
    let said = if all.len() == whole {
        count(whole, "worker")
    } else {
        format!("{} of {}", all.len(), count(whole, "worker"))
    };
    if restarts > all.len() { format!("{said} ({restarts} restarts)") } else { said }
}

/// How long it takes: `takes 2 min 53 s`.
pub(super) fn takes(impact: &Impact) -> String {
    impact.duration.map_or_else(|| "never settles".to_owned(), |span| format!("takes {span}"))
}

/// A cause in two or three words, workers called as said.
pub(super) fn cause(cause: Cause, name: impl Fn(WorkerId) -> String) -> String {
    match cause {
        Cause::Left(left) => format!("{} left", name(left)),
        Cause::Expired(gone) => format!("{} expired", name(gone)),
        Cause::Joined(joined) => format!("{} joined", name(joined)),
        Cause::DelayOver => "delay over".to_owned(),
        Cause::Revoked => "revoked work".to_owned(),
        Cause::ConfigChanged => "configs changed".to_owned(),
        Cause::AssignmentLost => "assignment lost".to_owned(),
        Cause::CoordinatorBack => "coordinator back".to_owned(),
    }
}
