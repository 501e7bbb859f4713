//! A second opinion on a look, written apart from the gate and simpler: no memory, no reasons.

use std::collections::BTreeSet;

use rollgate_core::snapshot::{ConnectorState, Group, GroupState, Item, Member, Snapshot, same_worker};

/// What a baseline had that was running or paused, by a look at it.
pub(crate) fn expected(baseline: &Snapshot) -> Vec<(Item, ConnectorState)> {
    let mut all = Vec::new();
    for (name, status) in baseline.statuses.known().map(|all| &all.connectors).into_iter().flatten() {
        let instance = status.instance.known().map(|claimed| claimed.state.clone());
        all.extend(instance.map(|state| (Item::Connector(name.clone()), state)));
        all.extend(status.tasks.iter().map(|(task, of)| (Item::Task(name.clone(), *task), of.state.clone())));
    }
    all.retain(|(_, state)| matches!(state, ConnectorState::Running | ConnectorState::Paused));
    all
}

/// What of it does not run by group and status. Everything, if that cannot be told.
pub(crate) fn down(expected: &[(Item, ConnectorState)], seen: &Snapshot) -> BTreeSet<Item> {
    let everything = || expected.iter().map(|(item, _)| item.clone()).collect();
    let (Some(group), Some(statuses)) = (seen.group.known(), seen.statuses.known()) else { return everything() };
    let owners = group.owners();
    let Some(owners) = owners.known().filter(|_| group.state == GroupState::Stable) else { return everything() };
    let runs = |item: &Item, state: &ConnectorState| {
        let [owner] = owners.get(item)?.as_slice() else { return None };
        let url = group.members.get(*owner)?.url.known()?;
        let status = statuses.connectors.get(item.connector())?;
        let claimed = match item.number() {
            Some(task) => status.tasks.get(&task)?,
            None => status.instance.known()?,
        };
        let as_it_was = claimed.state == *state || claimed.state == ConnectorState::Running;
        (as_it_was && same_worker(url, &claimed.worker)).then_some(())
    };
    expected.iter().filter(|(item, state)| runs(item, state).is_none()).map(|(item, _)| item.clone()).collect()
}

/// Whether the group is at rest and everybody is there.
pub(crate) fn at_rest(seen: &Snapshot, workers: &[String]) -> bool {
    let Some(group) = seen.group.known().filter(|group| group.state == GroupState::Stable) else { return false };
    let quiet = |member: &Member| member.assignment.known().is_some_and(|assignment| assignment.revoked.count() == 0);
    let there = |worker: &String| {
        let at = |member: &&Member| member.url.known().is_some_and(|url| same_worker(url, &format!("{worker}:8083")));
        group.members.iter().filter(at).count() == 1
    };
    group.members.iter().all(quiet) && workers.iter().all(there)
}

/// Whether no delay runs.
pub(crate) fn no_delay(seen: &Snapshot) -> bool {
    let delay = seen.group.known().map(Group::delay);
    delay.is_some_and(|delay| delay.known().is_some_and(|delay| delay.is_zero()))
}
