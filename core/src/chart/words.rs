//! The words in pictures: short, with their figures.

use crate::assessment::Impact;
use crate::model::{Cluster, WorkerId};
use crate::simulation::{Cause, Timeline};
use crate::units::{Duration, Records, Share, SimTime};

/// `1 task`, `4 tasks`, `1,200 tasks`.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn count(number: usize, one: &str) -> String {
    format!("{} {one}{}", Records(number as f64), if number == 1 { "" } else { "s" })
}

/// How many of a whole a share is.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn part_of(share: Share, whole: usize) -> String {
    Records(share.0 * whole as f64).to_string()
}

/// Seconds of tasks: `4.2`, `96`, `1,806`.
pub(super) fn task_seconds(sum: f64) -> String {
    if sum.abs() < 9.95 { format!("{sum:.1}") } else { Records(sum).to_string() }
}

/// Seconds of a figure: `4.2 s`; `never` if they never end.
pub(super) fn seconds(value: f64) -> String {
    if value.is_finite() { Duration::from_secs_f64(value).to_string() } else { "never".to_owned() }
}

/// A time since the first stop.
pub(super) fn since(timeline: &Timeline, at: SimTime) -> String {
    (at - timeline.began).to_string()
}

/// The name of a worker.
pub(super) fn worker(cluster: &Cluster, worker: WorkerId) -> &str {
    cluster.workers.get(worker.index()).map_or("?", |worker| &worker.name)
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
