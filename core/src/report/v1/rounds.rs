//! The rounds of a run.

use serde::Serialize;

use super::Ordered;
use crate::model::{Cluster, Items, Work};
use crate::report::words;
use crate::simulation::{Round, RoundMember, Timeline};
use crate::units::SimTime;

/// One completed rebalance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundV1 {
    /// Its generation.
    pub generation: i32,
    /// When its last member joined, since time 0.
    pub at_ms: i64,
    /// When it was really seen, where a replay file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_at_ms: Option<i64>,
    /// The worker that leads it.
    pub leader: String,
    /// The rest of the scheduled delay that the leader announced.
    pub delay_ms: i64,
    /// `sessioned`, `compatible` or `eager`.
    pub protocol: &'static str,
    /// What each worker holds afterwards: tasks, then connectors, each in the worker's own order,
    /// by Kafka's names. A connector that is called as some task is, such as `a-1` beside the
    /// second task of `a`, is written `a-1 (connector)`.
    pub owns: Ordered<Vec<String>>,
    /// What was asked back, of the workers of which something was.
    pub revoked: Ordered<Vec<String>>,
    /// Members that never got their assignment; left out if all did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
    /// What brought it about, in words.
    pub cause: String,
}

impl RoundV1 {
    /// A round of a run.
    pub fn new(cluster: &Cluster, round: &Round) -> Self {
        let names = |member: &RoundMember| words::worker(cluster, member.worker).to_owned();
        let mut members: Vec<&RoundMember> = round.members.iter().collect();
        members.sort_by_key(|member| member.worker);
        let mut owns: Ordered<Vec<String>> = Ordered::default();
        let mut revoked: Ordered<Vec<String>> = Ordered::default();
        for member in &members {
            add(&mut owns, names(member), items(&cluster.work, &member.owns));
            if !member.revoked.is_empty() {
                add(&mut revoked, names(member), items(&cluster.work, &member.revoked));
            }
        }
        Self {
            generation: round.generation,
            at_ms: round.at.as_millis(),
            seen_at_ms: round.seen_at.map(SimTime::as_millis),
            leader: words::worker(cluster, round.leader).to_owned(),
            delay_ms: round.delay.as_millis(),
            protocol: words::protocol(round.protocol),
            owns,
            revoked,
            missed: members.iter().filter(|member| !member.synced).map(|member| names(member)).collect(),
            cause: words::causes(cluster, &round.causes),
        }
    }

    /// All rounds of a run.
    pub fn all(cluster: &Cluster, timeline: &Timeline) -> Vec<Self> {
        timeline.rounds.iter().map(|round| Self::new(cluster, round)).collect()
    }
}

/// Adds to what a worker has: a process that was believed dead may be a member beside its
/// successor.
fn add(list: &mut Ordered<Vec<String>>, worker: String, items: Vec<String>) {
    match list.0.last_mut() {
        Some((known, all)) if *known == worker => all.extend(items),
        _ => list.0.push((worker, items)),
    }
}

/// Tasks, then connectors, as Kafka writes them.
fn items(work: &Work, items: &Items) -> Vec<String> {
    let tasks = items.tasks.iter().map(|task| work.task_name(*task));
    let connectors = items.connectors.iter().map(|connector| {
        let name = work.name(*connector);
        if work.task_named(name).is_some() { format!("{name} (connector)") } else { name.to_owned() }
    });
    tasks.chain(connectors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connector_called_as_a_task_is_told_from_it() {
        let work = Work::new([("a", 2), ("a-1", 1), ("a-2", 0)]);
        let all = |name| work.connector(name).unwrap();
        let owned = Items {
            connectors: vec![all("a-1"), all("a-2"), all("a")],
            tasks: vec![work.task(all("a"), 1).unwrap(), work.task(all("a-1"), 0).unwrap()],
        };
        assert_eq!(items(&work, &owned), ["a-1", "a-1-0", "a-1 (connector)", "a-2", "a"]);
    }
}
