//! The connectors of a cluster, and what of them nobody owns.

use std::collections::{BTreeMap, BTreeSet};

use super::group::Known;
use super::{FoundConnector, Unclear};
use crate::model;
use crate::snapshot::{ConnectorState, ConnectorStatus, ConnectorType, Item, SinkGroup, Snapshot};

/// Every connector that the status topic or an owner names.
pub(super) fn found(
    snapshot: &Snapshot,
    members: &[Known<'_>],
    remarks: &mut Vec<String>,
) -> BTreeMap<String, FoundConnector> {
    let mut found: BTreeMap<String, FoundConnector> = BTreeMap::new();
    match (snapshot.statuses.known(), snapshot.statuses.why_unknown()) {
        (Some(statuses), _) => {
            for (name, status) in &statuses.connectors {
                found.insert(name.clone(), of_status(name, status, remarks));
            }
        }
        (None, reason) => remarks.push(format!(
            "What the connectors are asked to do is not known ({}): all are taken to run, as many tasks as are owned.",
            reason.unwrap_or("they were not asked")
        )),
    }
    for item in members.iter().flat_map(|member| member.owns.items()) {
        let known = found.entry(item.connector().to_owned()).or_insert_with(|| {
            if snapshot.statuses.known().is_some() {
                remarks.push(format!("{} is owned, but the status topic does not know it.", item.connector()));
            }
            FoundConnector { sink: None, tasks: 0, state: model::ConnectorState::Running, partitions: None }
        });
        if let Some(number) = item.number() {
            known.tasks = known.tasks.max(number.saturating_add(1));
        }
    }
    for sink in &snapshot.sinks {
        if let Some(known) = found.get_mut(&sink.connector) {
            known.sink = Some(true);
            if sink.group != format!("connect-{}", sink.connector) {
                remarks.push(format!("{} reads as consumer group {}.", sink.connector, sink.group));
            }
            known.partitions = partitions(sink);
        }
    }
    for (name, connector) in &found {
        if connector.sink.is_none() {
            remarks.push(format!("Nobody says what {name} is: it is taken for a source."));
        }
    }
    found
}

/// What nobody owns; it can only wait for a delay.
pub(super) fn waiting(
    connectors: &BTreeMap<String, FoundConnector>,
    members: &[Known<'_>],
    delay_runs: bool,
) -> Result<Vec<Item>, Unclear> {
    let mut owners: BTreeMap<Item, &str> = BTreeMap::new();
    for member in members {
        for item in member.owns.items() {
            let name = item.to_string();
            if let Some(other) = owners.insert(item, member.url) {
                return Err(Unclear::new(
                    format!("{name} belongs to {other} and to {}", member.url),
                    "a worker with another connect.protocol, or one that was expelled and lives on, runs it twice: \
                     restart that worker, and ask again",
                ));
            }
        }
    }
    let all = connectors.iter().flat_map(|(name, connector)| {
        let tasks = (0..connector.tasks).map(|number| Item::Task(name.clone(), number));
        std::iter::once(Item::Connector(name.clone())).chain(tasks)
    });
    let waiting: Vec<Item> = all.filter(|item| !owners.contains_key(item)).collect();
    match waiting.first() {
        Some(first) if !delay_runs => {
            let more = match waiting.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            Err(Unclear::new(
                format!("nobody owns {first}{more}, and no delay runs"),
                "a rebalance is about to come, or the connector has just changed: ask again in some seconds",
            ))
        }
        _ => Ok(waiting),
    }
}

fn of_status(name: &str, status: &ConnectorStatus, remarks: &mut Vec<String>) -> FoundConnector {
    let state = match status.instance.known().map(|claimed| &claimed.state) {
        Some(ConnectorState::Paused) => model::ConnectorState::Paused,
        Some(ConnectorState::Stopped) => model::ConnectorState::Stopped,
        Some(ConnectorState::Failed) => {
            remarks.push(format!("{name} is FAILED; it is taken to run."));
            model::ConnectorState::Running
        }
        _ => model::ConnectorState::Running,
    };
    let failed: Vec<String> = status
        .tasks
        .iter()
        .filter(|(_, task)| task.state == ConnectorState::Failed)
        .map(|(number, _)| format!("{name}-{number}"))
        .collect();
    if let Some(first) = failed.first() {
        let more = match failed.len() {
            1 => "is FAILED; it is taken to run".to_owned(),
            count => format!("and {} more tasks of it are FAILED; they are taken to run", count - 1),
        };
        remarks.push(format!("{first} {more}."));
    }
    let claimed: BTreeSet<u32> = status.tasks.keys().copied().collect();
    let configured = status.configured_tasks.known();
    if configured.is_none() {
        remarks.push(format!("How many tasks {name} is configured to have is not known: as many as have a status."));
    }
    let last = configured.map_or_else(|| claimed.last().copied(), |numbers| numbers.iter().copied().max());
    FoundConnector {
        sink: match status.kind {
            ConnectorType::Source => Some(false),
            ConnectorType::Sink => Some(true),
            ConnectorType::Unknown => None,
        },
        tasks: if state == model::ConnectorState::Stopped { 0 } else { last.map_or(0, |last| last.saturating_add(1)) },
        state,
        partitions: None,
    }
}

/// The partitions that the group has committed or owns.
fn partitions(sink: &SinkGroup) -> Option<u32> {
    let committed = sink.partitions.known()?.iter().map(|partition| (partition.topic.as_str(), partition.partition));
    let owned = sink.consumers.known().into_iter().flatten().flat_map(|consumer| &consumer.partitions);
    let all: BTreeSet<(&str, i32)> = committed.chain(owned.map(|(topic, number)| (topic.as_str(), *number))).collect();
    u32::try_from(all.len()).ok().filter(|count| *count > 0)
}
