//! What is out of the ordinary in a snapshot, beside what statuses and group say differently.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Address, Endpoint, Group, Item, Member, Seen, Snapshot};
use crate::units::count;

/// Something that a person should see, as a sentence. Each comes from a reading of its own;
/// together they are [`remarks`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[non_exhaustive]
pub enum Remark {
    /// Configured, and owned by nobody: it runs nowhere.
    Unowned {
        /// What.
        item: Item,
    },
    /// Owned by several members: it may run twice.
    OwnedTwice {
        /// What.
        item: Item,
        /// By whom, as `host:port`.
        owners: Vec<String>,
    },
    /// Several members advertise one address: a dead process whose session still runs beside
    /// the one that came after it, or two workers that are set up alike.
    SameUrl {
        /// The address.
        url: String,
        /// Their member ids.
        members: Vec<String>,
    },
    /// A member whose REST port was not asked.
    NoEndpoint {
        /// Its advertised address.
        url: String,
    },
    /// A REST port that was asked, and that no member advertises.
    NoMember {
        /// Its address, as it was given.
        url: String,
        /// Why it did not answer, if it did not.
        no_answer: Option<String>,
    },
    /// The members had read different lengths of the config topic when they joined.
    ConfigOffsets {
        /// The members with each offset, as `host:port`.
        offsets: BTreeMap<i64, Vec<String>>,
    },
    /// Tasks of a sink that have no partition: they run and read nothing.
    WithoutPartitions {
        /// The connector.
        connector: String,
        /// The numbers of its tasks.
        tasks: Vec<u32>,
    },
    /// Not known.
    NotKnown {
        /// What.
        what: String,
        /// Why.
        reason: String,
    },
}

impl Snapshot {
    /// Connectors and tasks that are configured and that nobody owns, as far as the status
    /// answer lists connectors.
    pub fn unowned(&self) -> Seen<Vec<Item>> {
        let (group, statuses) = match (&self.group, &self.statuses) {
            (Seen::Known(group), Seen::Known(statuses)) => (group, statuses),
            (Seen::Unknown(reason), _) | (_, Seen::Unknown(reason)) => return Seen::Unknown(reason.clone()),
        };
        let owners = match group.owners() {
            Seen::Known(owners) => owners,
            Seen::Unknown(reason) => return Seen::Unknown(reason),
        };
        let mut unowned = Vec::new();
        for (name, status) in &statuses.connectors {
            let tasks = match &status.configured_tasks {
                Seen::Known(tasks) => tasks.iter().map(|&number| Item::Task(name.clone(), number)),
                Seen::Unknown(reason) => {
                    return Seen::unknown(format!("the tasks configured for {name}: {}", reason.unknown));
                }
            };
            let all = std::iter::once(Item::Connector(name.clone())).chain(tasks);
            unowned.extend(all.filter(|item| !owners.contains_key(item)));
        }
        Seen::Known(unowned)
    }

    /// Members whose advertised address is none of the REST ports that were asked.
    pub fn members_without_endpoint(&self) -> Seen<Vec<&Member>> {
        let asked: Vec<Address> = self.endpoints.iter().map(|endpoint| Address::of_url(&endpoint.url)).collect();
        self.group.map_known(Group::addresses).map(|members| {
            let others = members.into_iter().filter(|(_, address)| !asked.contains(address));
            others.map(|(member, _)| member).collect()
        })
    }

    /// REST ports that were asked and that no member advertises: a worker that is not in the
    /// group, or one that was asked under another name than it advertises.
    pub fn endpoints_without_member(&self) -> Seen<Vec<&Endpoint>> {
        self.group.map_known(Group::addresses).map(|members| {
            let known = |endpoint: &&Endpoint| {
                let asked = Address::of_url(&endpoint.url);
                !members.iter().any(|(_, address)| *address == asked)
            };
            self.endpoints.iter().filter(known).collect()
        })
    }
}

impl Group {
    /// What several members own, with their places in `members`.
    pub fn owned_twice(&self) -> Seen<BTreeMap<Item, Vec<usize>>> {
        self.owners().map(|owners| owners.into_iter().filter(|(_, owners)| owners.len() > 1).collect())
    }

    /// Addresses that several members advertise, with their places in `members`.
    pub fn same_url(&self) -> Seen<BTreeMap<Address, Vec<usize>>> {
        self.addresses().map(|members| {
            let mut places: BTreeMap<Address, Vec<usize>> = BTreeMap::new();
            for (place, (_, address)) in members.into_iter().enumerate() {
                places.entry(address).or_default().push(place);
            }
            places.retain(|_, places| places.len() > 1);
            places
        })
    }

    /// How far the members had read the config topic when they joined: for each offset their
    /// places in `members`. One offset if all had read the same.
    pub fn config_offsets(&self) -> Seen<BTreeMap<i64, Vec<usize>>> {
        let mut places: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (place, member) in self.members.iter().enumerate() {
            match &member.config_offset {
                Seen::Known(offset) => places.entry(*offset).or_default().push(place),
                Seen::Unknown(reason) => {
                    return Seen::unknown(format!("the config offset of {}: {}", member.name(), reason.unknown));
                }
            }
        }
        Seen::Known(places)
    }

    fn addresses(&self) -> Seen<Vec<(&Member, Address)>> {
        let mut addresses = Vec::new();
        for member in &self.members {
            match &member.url {
                Seen::Known(url) => addresses.push((member, Address::of_url(url))),
                Seen::Unknown(reason) => {
                    return Seen::unknown(format!("the address of {}: {}", member.id, reason.unknown));
                }
            }
        }
        Seen::Known(addresses)
    }

    fn names(&self, places: &[usize]) -> Vec<String> {
        places.iter().filter_map(|&place| self.members.get(place)).map(Member::name).collect()
    }
}

/// Everything out of the ordinary that can be read from a snapshot, and what cannot be read.
pub fn remarks(snapshot: &Snapshot) -> Vec<Remark> {
    let mut found = Vec::new();
    let group = match &snapshot.group {
        Seen::Known(group) => group,
        Seen::Unknown(reason) => {
            found.push(not_known("the group", &reason.unknown));
            return found;
        }
    };
    let mut add = |what: &str, seen: Seen<Vec<Remark>>| match seen {
        Seen::Known(remarks) => found.extend(remarks),
        Seen::Unknown(reason) => found.push(not_known(what, &reason.unknown)),
    };
    let list = |items: Vec<Item>| items.into_iter().map(|item| Remark::Unowned { item }).collect();
    add("what nobody owns", snapshot.unowned().map(list));
    let twice = |(item, places): (Item, Vec<usize>)| Remark::OwnedTwice { item, owners: group.names(&places) };
    add("what two own", group.owned_twice().map(|owners| owners.into_iter().map(twice).collect()));
    let ids = |places: Vec<usize>| {
        places.iter().filter_map(|&place| group.members.get(place)).map(|member| member.id.clone()).collect()
    };
    let same =
        |(address, places): (Address, Vec<usize>)| Remark::SameUrl { url: address.to_string(), members: ids(places) };
    add("who advertises the same", group.same_url().map(|urls| urls.into_iter().map(same).collect()));
    let differ = |offsets: BTreeMap<i64, Vec<usize>>| {
        let named = offsets.iter().map(|(&offset, places)| (offset, group.names(places))).collect();
        if offsets.len() > 1 { vec![Remark::ConfigOffsets { offsets: named }] } else { Vec::new() }
    };
    add("how far the members have read the configs", group.config_offsets().map(differ));
    let alone = |member: &Member| Remark::NoEndpoint { url: member.url.known().cloned().unwrap_or_default() };
    add(
        "which members were not asked",
        snapshot.members_without_endpoint().map(|all| all.into_iter().map(alone).collect()),
    );
    let outside = |endpoint: &Endpoint| Remark::NoMember {
        url: endpoint.url.clone(),
        no_answer: endpoint.version.why_unknown().map(str::to_owned),
    };
    add(
        "which ports are no member's",
        snapshot.endpoints_without_member().map(|all| all.into_iter().map(outside).collect()),
    );
    for sink in &snapshot.sinks {
        let connector = &sink.connector;
        let status = snapshot.statuses.known().and_then(|statuses| statuses.connectors.get(connector));
        let Some(configured) = status.and_then(|status| status.configured_tasks.known()) else { continue };
        let idle = |tasks: Vec<u32>| {
            if tasks.is_empty() {
                Vec::new()
            } else {
                vec![Remark::WithoutPartitions { connector: connector.clone(), tasks }]
            }
        };
        add(&format!("which tasks of {connector} have partitions"), sink.idle_tasks(configured).map(idle));
    }
    found
}

fn not_known(what: &str, reason: &str) -> Remark {
    Remark::NotKnown { what: what.to_owned(), reason: reason.to_owned() }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unowned { item } => write!(f, "nobody owns {item}: it runs nowhere"),
            Self::OwnedTwice { item, owners } => write!(f, "{item} is owned by {}: it may run twice", and(owners)),
            Self::SameUrl { url, members } => {
                let number = count(members.len(), "member");
                write!(f, "{number} advertise {url}: one may be a process that is gone ({})", members.join(", "))
            }
            Self::NoEndpoint { url } => write!(f, "{url} is a member, and its REST port was not asked"),
            Self::NoMember { url, no_answer: None } => write!(f, "{url} answers, and no member advertises it"),
            Self::NoMember { url, no_answer: Some(why) } => {
                write!(f, "{url} is no member's address, and does not answer: {why}")
            }
            Self::ConfigOffsets { offsets } => {
                let told = offsets.iter().map(|(offset, names)| format!("{} up to {offset}", and(names)));
                let told: Vec<String> = told.collect();
                write!(f, "the members had read the config topic to different offsets: {}", told.join("; "))
            }
            Self::WithoutPartitions { connector, tasks } => {
                let items: Vec<String> = tasks.iter().map(|number| format!("{connector}-{number}")).collect();
                let have = if items.len() == 1 { "has" } else { "have" };
                write!(f, "{} {have} no partition to read", and(&items))
            }
            Self::NotKnown { what, reason } => write!(f, "{what}: not known: {reason}"),
        }
    }
}

/// `a`, `a and b`, `a, b and c`.
fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
