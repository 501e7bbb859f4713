//! Where the status topic and the group contradict each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Address, Claimed, ConnectorState, ConnectorStatus, Group, Item, Member, Seen, Snapshot, Statuses};
use crate::units::count;

/// What the status topic and the group say differently of one item, or what keeps the two from
/// being compared. Each is a sentence.
///
/// What the group says is right, as of its last completed generation. A status is what its
/// writer once wrote: nobody takes back that of a worker that is gone, and since Kafka 3.6 an
/// orderly stop is not seen either for what the worker had started in its present generation
/// (KAFKA-12525). Within the seconds after a move a status may only be late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[non_exhaustive]
pub enum Disagreement {
    /// A status of work, but no owner: it does not run, whatever the status says.
    OwnedByNobody {
        /// Of what.
        item: Item,
        /// What is claimed.
        claimed: Claimed,
    },
    /// The status is of another worker than the owner.
    OwnedElsewhere {
        /// Of what.
        item: Item,
        /// What is claimed.
        claimed: Claimed,
        /// Who owns it, as `host:port`.
        owner: String,
    },
    /// UNASSIGNED, but it has an owner: not started yet, or the status is late.
    UnassignedButOwned {
        /// Of what.
        item: Item,
        /// Who owns it, as `host:port`.
        owner: String,
    },
    /// It is configured and the status topic has nothing of it.
    NoStatus {
        /// Of what.
        item: Item,
        /// Who owns it, as `host:port`, if somebody is known to.
        owner: Option<String>,
    },
    /// A status of a task that is not configured: left from when the connector had more.
    NotConfigured {
        /// Of what.
        item: Item,
        /// What is claimed.
        claimed: Claimed,
        /// How many tasks its connector has.
        tasks: usize,
    },
    /// A task that is not configured has an owner.
    OwnedButNotConfigured {
        /// Of what.
        item: Item,
        /// Who owns it, as `host:port`.
        owner: String,
        /// How many tasks its connector has.
        tasks: usize,
    },
    /// The answer leaves a connector out that the group has.
    LeftOut {
        /// Its name.
        connector: String,
        /// How many of its items the members own.
        owned: usize,
        /// Whom the statuses were asked of.
        asked: String,
    },
    /// Not known, hence not compared.
    CannotCompare {
        /// What is not known.
        what: String,
        /// Why.
        reason: String,
    },
}

/// Everything in which the status topic and the group differ, by connector. An empty list says
/// that all of it was compared and agrees.
pub fn disagreements(snapshot: &Snapshot) -> Vec<Disagreement> {
    let cannot =
        |what: &str, reason: &str| Disagreement::CannotCompare { what: what.to_owned(), reason: reason.to_owned() };
    let statuses = match &snapshot.statuses {
        Seen::Known(statuses) => statuses,
        Seen::Unknown(reason) => return vec![cannot("the statuses", &reason.unknown)],
    };
    let mut found = Vec::new();
    let owners = match snapshot.group.known().map(|group| (group, group.owners())) {
        Some((group, Seen::Known(owners))) => Some(Owners::of(group, owners)),
        Some((_, Seen::Unknown(reason))) => {
            found.push(cannot("who owns what", &reason.unknown));
            None
        }
        None => {
            found.push(cannot("the group", snapshot.group.why_unknown().unwrap_or_default()));
            None
        }
    };
    for (name, status) in &statuses.connectors {
        if let Seen::Unknown(reason) = &status.configured_tasks {
            found.push(cannot(&format!("the tasks configured for {name}"), &reason.unknown));
        }
        of_connector(name, status, owners.as_ref(), &mut found);
    }
    if let Some(owners) = &owners {
        left_out(statuses, owners, &mut found);
    }
    found
}

/// Who owns what, by the group.
struct Owners {
    of_items: BTreeMap<Item, Vec<usize>>,
    names: Vec<String>,
    /// Of each member, if it is known.
    addresses: Vec<Option<Address>>,
}

impl Owners {
    fn of(group: &Group, owners: BTreeMap<Item, Vec<usize>>) -> Self {
        let address = |member: &Member| member.url.known().map(|url| Address::of_url(url));
        let addresses = group.members.iter().map(address).collect();
        Self { of_items: owners, names: group.members.iter().map(Member::name).collect(), addresses }
    }

    fn places(&self, item: &Item) -> &[usize] {
        self.of_items.get(item).map_or(&[], Vec::as_slice)
    }

    /// The first owner's name.
    fn name(&self, item: &Item) -> Option<&String> {
        self.places(item).first().and_then(|&place| self.names.get(place))
    }

    /// Whether the worker that wrote a status is an owner; also if an owner's address is not known.
    fn may_be(&self, item: &Item, worker: &str) -> bool {
        let address = |&place: &usize| self.addresses.get(place).and_then(Option::as_ref);
        self.places(item).iter().map(address).any(|address| address.is_none_or(|address| address.is_worker(worker)))
    }
}

fn of_connector(name: &str, status: &ConnectorStatus, owners: Option<&Owners>, found: &mut Vec<Disagreement>) {
    of_item(Item::Connector(name.to_owned()), status.instance.known(), owners, found);
    let task = |number| Item::Task(name.to_owned(), number);
    let configured: Option<BTreeSet<u32>> =
        status.configured_tasks.known().map(|tasks| tasks.iter().copied().collect());
    for (&number, claimed) in &status.tasks {
        match &configured {
            Some(configured) if !configured.contains(&number) => {
                let (item, claimed) = (task(number), claimed.clone());
                found.push(Disagreement::NotConfigured { item, claimed, tasks: configured.len() });
            }
            _ => of_item(task(number), Some(claimed), owners, found),
        }
    }
    let Some(configured) = configured else { return };
    for &number in configured.iter().filter(|number| !status.tasks.contains_key(number)) {
        of_item(task(number), None, owners, found);
    }
    let Some(owners) = owners else { return };
    let of_this = owners.of_items.range(task(0)..).take_while(|(item, _)| item.connector() == name);
    for (item, _) in of_this.filter(|(item, _)| item.number().is_some_and(|number| !configured.contains(&number))) {
        let owner = owners.name(item).cloned().unwrap_or_default();
        found.push(Disagreement::OwnedButNotConfigured { item: item.clone(), owner, tasks: configured.len() });
    }
}

fn of_item(item: Item, claimed: Option<&Claimed>, owners: Option<&Owners>, found: &mut Vec<Disagreement>) {
    let owner = owners.and_then(|owners| owners.name(&item));
    let Some(claimed) = claimed else {
        found.push(Disagreement::NoStatus { owner: owner.cloned(), item });
        return;
    };
    let Some(owners) = owners else { return };
    match (owner, &claimed.state) {
        (None, ConnectorState::Unassigned) => {}
        (None, _) => found.push(Disagreement::OwnedByNobody { item, claimed: claimed.clone() }),
        (Some(owner), ConnectorState::Unassigned) => {
            found.push(Disagreement::UnassignedButOwned { owner: owner.clone(), item });
        }
        (Some(owner), _) if !owners.may_be(&item, &claimed.worker) => {
            found.push(Disagreement::OwnedElsewhere { owner: owner.clone(), item, claimed: claimed.clone() });
        }
        (Some(_), _) => {}
    }
}

fn left_out(statuses: &Statuses, owners: &Owners, found: &mut Vec<Disagreement>) {
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    for item in owners.of_items.keys().filter(|item| !statuses.connectors.contains_key(item.connector())) {
        *missing.entry(item.connector()).or_default() += 1;
    }
    found.extend(missing.into_iter().map(|(connector, owned)| Disagreement::LeftOut {
        connector: connector.to_owned(),
        owned,
        asked: statuses.asked.clone(),
    }));
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tasks = |tasks: usize| count(tasks, "task");
        match self {
            Self::OwnedByNobody { item, claimed } => {
                write!(f, "{item} is {claimed} by its status, but nobody owns it by the group")
            }
            Self::OwnedElsewhere { item, claimed, owner } => {
                write!(f, "{item} is {claimed} by its status, but {owner} owns it by the group")
            }
            Self::UnassignedButOwned { item, owner } => {
                write!(f, "{item} is UNASSIGNED by its status, but {owner} owns it by the group")
            }
            Self::NoStatus { item, owner: Some(owner) } => write!(f, "{item} has no status, but {owner} owns it"),
            Self::NoStatus { item, owner: None } => write!(f, "{item} is configured, but has no status"),
            Self::NotConfigured { item, claimed, tasks: number } => {
                let connector = item.connector();
                write!(f, "{item} is {claimed} by its status, but {connector} has {} now", tasks(*number))
            }
            Self::OwnedButNotConfigured { item, owner, tasks: number } => {
                write!(f, "{owner} owns {item} by the group, but {} has {} now", item.connector(), tasks(*number))
            }
            Self::LeftOut { connector, owned, asked } => {
                let items = count(*owned, "item");
                write!(f, "the members own {items} of {connector}, but the status answer of {asked} leaves it out")
            }
            Self::CannotCompare { what, reason } => write!(f, "{what}: not known, hence not compared: {reason}"),
        }
    }
}
