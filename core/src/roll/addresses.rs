//! Which member of the group a worker of the plan is.

use std::collections::BTreeMap;

use super::refusal::Refusal;
use crate::model::{Cluster, Worker};
use crate::snapshot::{Address, Snapshot};

/// The advertised address of each worker of the plan, by its name. A worker is its address: the
/// one in the plan, else the only member whose host is the worker's host or name.
///
/// # Errors
/// The workers for which there is none, or more than one.
pub fn addresses(cluster: &Cluster, snapshot: &Snapshot) -> Result<BTreeMap<String, String>, Refusal> {
    let seen = urls(snapshot);
    let mut found = BTreeMap::new();
    let mut missing = Vec::new();
    for worker in &cluster.workers {
        match address_of(worker, &seen) {
            Some(url) => _ = found.insert(worker.name.clone(), url),
            None => missing.push(worker.name.clone()),
        }
    }
    if missing.is_empty() { Ok(found) } else { Err(Refusal::NoAddress { workers: missing, seen }) }
}

/// The addresses that the members advertise, or, without access to the group, that were asked.
fn urls(snapshot: &Snapshot) -> Vec<String> {
    let members = snapshot.group.known().map(|group| &group.members);
    let advertised = members.into_iter().flatten().filter_map(|member| member.url.known().cloned());
    let mut urls: Vec<String> = advertised.collect();
    if urls.is_empty() {
        urls.extend(snapshot.endpoints.iter().map(|endpoint| endpoint.url.clone()));
    }
    urls
}

fn address_of(worker: &Worker, seen: &[String]) -> Option<String> {
    if let Some(url) = &worker.url {
        return Some(url.clone());
    }
    let is_its = |url: &&String| {
        let address = Address::of_url(url);
        let is_host = |named: &String| named.eq_ignore_ascii_case(address.host());
        worker.host.as_ref().is_some_and(is_host) || is_host(&worker.name)
    };
    let mut of_host = seen.iter().filter(is_its);
    match (of_host.next(), of_host.next()) {
        (Some(url), None) => Some(url.clone()),
        _ => None,
    }
}
