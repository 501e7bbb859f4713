//! Which worker is asked what the status topic claims.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rollgate_core::snapshot::{Address as Known, Endpoint, Group, Item, Seen, Statuses};

use super::address::Address;
use super::rest::{Rest, Silence};

/// Asks one worker; another only if the first does not answer, or leaves out connectors that
/// the group has, as one does that has only just started. Nobody new is asked after `patience`.
pub(super) fn ask(rest: &Rest, order: &[&Address], group: Option<&Group>, patience: Duration) -> Seen<Statuses> {
    let began = Instant::now();
    let owned = group.map(owned_connectors);
    let mut best: Option<(usize, Statuses)> = None;
    let mut silent = Vec::new();
    for worker in order {
        match rest.statuses(worker) {
            Ok(statuses) => {
                let left_out = left_out(&statuses, owned.as_ref());
                if left_out == 0 {
                    return Seen::Known(statuses);
                }
                if best.as_ref().is_none_or(|(least, _)| left_out < *least) {
                    best = Some((left_out, statuses));
                }
            }
            Err(Silence { why, .. }) => silent.push(format!("{worker}: {why}")),
        }
        if began.elapsed() > patience {
            break;
        }
    }
    match best {
        Some((_, statuses)) => Seen::Known(statuses),
        None if silent.is_empty() => Seen::unknown("no worker answers"),
        None => Seen::unknown(format!("no worker answers: {}", silent.join("; "))),
    }
}

/// In which order workers are asked: those that are in the group before others, and those that
/// are being restarted last. One whose REST port has just said nothing is not asked again.
pub(super) fn order<'a>(
    workers: &'a [Address],
    endpoints: &[Endpoint],
    group: Option<&Group>,
    restarted: &[Address],
) -> Vec<&'a Address> {
    let silent = |worker: &Address| endpoints.iter().any(|of| of.url == worker.as_str() && of.no_answer.is_some());
    let members: BTreeSet<Known> = group.map(member_addresses).unwrap_or_default();
    let mut order: Vec<&Address> = workers.iter().filter(|worker| !silent(worker)).collect();
    order.sort_by_key(|worker| (restarted.contains(worker), !members.contains(&Known::of(worker.host_port()))));
    order
}

/// How many connectors of the group an answer leaves out. Where the group is not known, an
/// answer without any is not taken for granted.
fn left_out(statuses: &Statuses, owned: Option<&BTreeSet<String>>) -> usize {
    match owned {
        Some(owned) => owned.iter().filter(|name| !statuses.connectors.contains_key(*name)).count(),
        None => usize::from(statuses.connectors.is_empty()),
    }
}

fn owned_connectors(group: &Group) -> BTreeSet<String> {
    let owned = group.members.iter().filter_map(|member| member.owns.known());
    owned.flat_map(|work| work.items().map(|item: Item| item.connector().to_owned())).collect()
}

fn member_addresses(group: &Group) -> BTreeSet<Known> {
    group.members.iter().filter_map(|member| member.url.known()).map(|url| Known::of_url(url)).collect()
}
