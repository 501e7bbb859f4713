//! The members of a group that is at rest.

use super::Unclear;
use crate::snapshot::{Address, Group, GroupState, Member, Seen, WorkItems};
use crate::units::Duration;

/// A member of which everything is known that a description says.
pub(super) struct Known<'s> {
    pub(super) id: &'s str,
    pub(super) url: &'s str,
    pub(super) owns: &'s WorkItems,
}

/// The members in the coordinator's order.
pub(super) fn members(group: &Group) -> Result<Vec<Known<'_>>, Unclear> {
    at_rest(group)?;
    let mut members: Vec<Known<'_>> = Vec::with_capacity(group.members.len());
    for member in &group.members {
        let url = said(member, "address", &member.url)?;
        if let Some(other) = members.iter().find(|other| Address::of_url(other.url) == Address::of_url(url)) {
            return Err(Unclear::new(
                format!("two members advertise {url}: {} and {}", other.id, member.id),
                "if a worker was killed, wait until its session has run out and ask again; else give each worker an \
                 address of its own (rest.advertised.host.name, rest.advertised.port)",
            ));
        }
        members.push(Known { id: &member.id, url, owns: said(member, "work", &member.owns)? });
    }
    Ok(members)
}

/// The place of the leader among the members.
pub(super) fn leader(group: &Group) -> Result<usize, Unclear> {
    let ask = "ask again in some seconds";
    let leader = match group.leader() {
        Seen::Known(leader) => leader,
        Seen::Unknown(reason) => return Err(Unclear::new(format!("who leads is not known: {}", reason.unknown), ask)),
    };
    let place = group.members.iter().position(|member| member.id == leader.id);
    place.ok_or_else(|| Unclear::new("the leader is not among the members", ask))
}

/// The delay that runs, as the leader announced it.
pub(super) fn delay(group: &Group) -> Result<Option<Duration>, Unclear> {
    match group.delay() {
        Seen::Known(delay) => Ok(Some(delay).filter(|delay| *delay > Duration::ZERO)),
        Seen::Unknown(reason) => Err(Unclear::new(
            format!("whether a delay runs is not known: {}", reason.unknown),
            "ask again in some seconds",
        )),
    }
}

/// The protocol of the group.
pub(super) fn protocol(group: &Group) -> Result<String, Unclear> {
    match group.protocol.as_deref() {
        Some(known @ ("eager" | "compatible" | "sessioned")) => Ok(known.to_owned()),
        Some(other) => {
            Err(Unclear::new(format!("the group's protocol is {other}"), "give the group of Kafka Connect workers"))
        }
        None => Err(Unclear::new("the group names no protocol", "ask again in some seconds")),
    }
}

fn at_rest(group: &Group) -> Result<(), Unclear> {
    let id = &group.id;
    match &group.state {
        GroupState::Stable if group.members.is_empty() => {
            Err(Unclear::new(format!("group {id} has no members"), "start its workers"))
        }
        GroupState::Stable => Ok(()),
        GroupState::Empty => Err(Unclear::new(format!("group {id} has no members"), "start its workers")),
        GroupState::Dead => Err(Unclear::new(format!("there is no group {id}"), "give its group.id with --group")),
        state => Err(Unclear::new(
            format!("group {id} is in the middle of a rebalance ({state})"),
            "ask again when it is Stable; that it does not become so for longer than rebalance.timeout.ms is a fault \
             of its own",
        )),
    }
}

fn said<'s, T>(member: &'s Member, what: &str, value: &'s Seen<T>) -> Result<&'s T, Unclear> {
    match value {
        Seen::Known(value) => Ok(value),
        Seen::Unknown(reason) => Err(Unclear::new(
            format!("the {what} of member {} is not known: {}", member.id, reason.unknown),
            "ask again in some seconds",
        )),
    }
}
