//! The eager assignor of Kafka Connect (protocol `default`).

use super::{Assignment, Round};

/// Deals everything anew: first all connectors, then, without starting over, all tasks.
///
/// Members are taken in the order of their ids, round and round. Nothing is remembered, delayed
/// or revoked: each member has stopped what it had before it joined.
///
/// Source: `EagerAssignor.performTaskAssignment`.
pub fn assign_eager(round: &Round<'_>, out: &mut Assignment) {
    out.start(round.members.len());
    let mut by_id: Vec<_> = (0..round.members.len()).collect();
    by_id.sort_unstable_by_key(|place| round.ids.rank(round.members[*place].id));
    let mut turns = by_id.iter().cycle();
    let configured = || round.work.connectors().zip(&round.configured.tasks_of);
    for (connector, _) in configured().filter(|(_, tasks)| tasks.is_some()) {
        if let Some(place) = turns.next() {
            out.given[*place].assigned.connectors.push(connector);
        }
    }
    for (connector, tasks) in configured() {
        for task in round.work.tasks_of(connector).take(tasks.unwrap_or(0) as usize) {
            if let Some(place) = turns.next() {
                out.given[*place].assigned.tasks.push(task);
            }
        }
    }
}
