//! A described cluster with what was seen of it: who is there, who leads and who owns what now.

use super::{Found, Unclear};
use crate::model::{Cluster, Connector, ConnectorState, Items, KafkaVersion, Ownership, Work, Worker, WorkerId};
use crate::snapshot::{Address, Item};
use crate::units::Spread;

/// The cluster of a description, as it was found to be: times of restarts, settings, rates and
/// names are the description's; members, leader, versions, owners, connectors and a delay that
/// runs are those seen.
///
/// A worker is known by its `url`, else by its name.
///
/// # Errors
/// If a member is no worker of the description.
pub fn with_seen(described: &Cluster, found: &Found) -> Result<Cluster, Unclear> {
    let mut cluster = described.clone();
    let mut places = Vec::with_capacity(found.workers.len());
    for seen in &found.workers {
        let Some(place) = place_of(described, &seen.url, &seen.name) else {
            return Err(Unclear::new(
                format!("the description has no worker at {}", seen.url),
                "add it, or give each worker of the description its `url`; `rollgate discover` writes a new one",
            ));
        };
        places.push(place);
    }
    for worker in &mut cluster.workers {
        worker.unready = true;
        worker.leads = false;
        worker.member_id = None;
    }
    for (place, seen) in places.iter().zip(&found.workers) {
        let Some(worker) = cluster.workers.get_mut(*place) else { continue };
        worker.unready = seen.member.is_none();
        worker.member_id.clone_from(&seen.member);
        take_client(worker, seen.member.as_deref());
        let version = seen.kafka.as_deref().unwrap_or(&found.kafka);
        if let Ok(parsed) = KafkaVersion::parse(version) {
            worker.before.version = parsed.version;
            worker.before.rules = parsed.version.rules();
        }
    }
    if let Some(leader) = places.get(found.leader).and_then(|place| cluster.workers.get_mut(*place)) {
        leader.leads = true;
    }
    cluster.connectors = connectors(described, found);
    cluster.work = Work::new(cluster.connectors.iter().map(|connector| (connector.name.as_str(), connector.tasks)));
    let id = |place: &usize| u32::try_from(*places.get(*place)?).ok().map(WorkerId);
    cluster.group_order = Some(found.order.iter().filter_map(id).collect());
    let mut ownership = Ownership {
        owns: vec![Items::default(); cluster.workers.len()],
        waiting: items(&found.waiting, &cluster.work),
        delay_left: found.delay_left,
        last_round: found.last_round,
    };
    ownership.waiting.connectors.sort_unstable();
    ownership.waiting.tasks.sort_unstable();
    for (place, seen) in places.iter().zip(&found.workers) {
        if let Some(owns) = ownership.owns.get_mut(*place) {
            *owns = items(&seen.owns, &cluster.work);
        }
    }
    cluster.ownership = Some(ownership);
    Ok(cluster)
}

/// The worker of a description that advertises an address, or is called so where it says none.
fn place_of(described: &Cluster, url: &str, name: &str) -> Option<usize> {
    let address = Address::of_url(url);
    let by_url = |worker: &Worker| worker.url.as_ref().is_some_and(|url| Address::of_url(url) == address);
    let by_name = |worker: &Worker| worker.url.is_none() && worker.name == name;
    described.workers.iter().position(by_url).or_else(|| described.workers.iter().position(by_name))
}

/// The client id is what stands before the UUID; that of the next process stays what it was to be.
fn take_client(worker: &mut Worker, member: Option<&str>) {
    let Some(client) = member.and_then(|id| id.get(..id.len().checked_sub(UUID)?)) else { return };
    if worker.client_id_after == worker.client_id {
        client.clone_into(&mut worker.client_id_after);
    }
    client.clone_into(&mut worker.client_id);
}

/// The connectors that were seen, in Kafka's order; what the description says of each is kept.
fn connectors(described: &Cluster, found: &Found) -> Vec<Connector> {
    let usual = described.connectors.first();
    let quick = || Spread::Fixed(crate::units::Duration::from_millis(100));
    let mut connectors: Vec<Connector> = found
        .connectors
        .iter()
        .map(|(name, seen)| {
            let known = described.connectors.iter().find(|connector| connector.name == *name);
            let base = known.cloned().unwrap_or_else(|| Connector {
                name: name.clone(),
                tasks: seen.tasks,
                tasks_max: None,
                state: seen.state,
                task_start: usual.map_or_else(quick, |usual| usual.task_start.clone()),
                task_stop: usual.map_or_else(quick, |usual| usual.task_stop.clone()),
                exactly_once: false,
                reconfigures_after: None,
                flow: None,
                sink: None,
            });
            let tasks = if seen.state == ConnectorState::Stopped { 0 } else { seen.tasks };
            Connector { tasks, state: seen.state, ..base }
        })
        .collect();
    connectors.sort_by_cached_key(|connector| connector.name.encode_utf16().collect::<Vec<u16>>());
    connectors
}

fn items(seen: &[Item], work: &Work) -> Items {
    let mut items = Items::default();
    for item in seen {
        match item {
            Item::Connector(name) => items.connectors.extend(work.connector(name)),
            Item::Task(name, number) => {
                let task = work.connector(name).and_then(|connector| work.task(connector, *number));
                items.tasks.extend(task);
            }
        }
    }
    items
}

/// A dash and a UUID.
const UUID: usize = 37;
