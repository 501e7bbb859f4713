//! A snapshot as the gate reads it: who has what, by addresses.

use std::collections::{BTreeMap, BTreeSet};

use super::serial::bounded;
use super::work::Work;
use crate::snapshot::{Address, Group, GroupState, Member, Seen, Snapshot};
use crate::units::Duration;

/// A snapshot with its group, where that is stable.
pub(super) struct View<'a> {
    /// What was seen.
    pub(super) snapshot: &'a Snapshot,
    /// The group, if it is stable and all its members can be read.
    pub(super) group: Option<GroupView<'a>>,
    /// Members of a stable group that cannot be read, and why the first cannot.
    pub(super) unreadable: Option<(Vec<String>, String)>,
}

/// A stable group.
pub(super) struct GroupView<'a> {
    /// The group itself.
    pub(super) group: &'a Group,
    /// Addresses of the members, in the group's order.
    pub(super) addresses: Vec<String>,
    /// The members at an address, by their place.
    pub(super) at: BTreeMap<String, Vec<usize>>,
    /// Who has what, by connector.
    pub(super) owners: BTreeMap<&'a str, Owners>,
    /// What two have, with their places.
    pub(super) twice: (Work, BTreeSet<usize>),
    /// What was revoked: the next round hands it out.
    pub(super) revoked: Work,
    /// Members that were given an error instead of work.
    pub(super) without_assignment: Vec<usize>,
    /// The leader's place.
    pub(super) leader: Option<usize>,
    /// What was left of the delay when the leader assigned.
    pub(super) delay: Duration,
    /// Tells this set of assignments from others.
    pub(super) generation: u64,
}

/// Who has the instance and the tasks of one connector.
#[derive(Default)]
pub(super) struct Owners {
    /// The instance.
    pub(super) instance: Option<Owner>,
    /// The tasks by number.
    pub(super) tasks: BTreeMap<u32, Owner>,
}

/// Who has one connector or task.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    /// The member's place.
    pub(super) member: usize,
    /// Whether it came with the last round.
    pub(super) new: bool,
}

impl Owners {
    /// Who has a task, or with no number the instance.
    pub(super) fn of(&self, task: Option<u32>) -> Option<Owner> {
        match task {
            Some(task) => self.tasks.get(&task).copied(),
            None => self.instance,
        }
    }
}

impl<'a> View<'a> {
    /// Reads a snapshot.
    pub(super) fn of(snapshot: &'a Snapshot) -> Self {
        let group = snapshot.group.known().filter(|group| group.state == GroupState::Stable);
        match group.map(GroupView::of) {
            None => Self { snapshot, group: None, unreadable: None },
            Some(Ok(group)) => Self { snapshot, group: Some(group), unreadable: None },
            Some(Err(unreadable)) => Self { snapshot, group: None, unreadable: Some(unreadable) },
        }
    }

    /// Whether the REST port at an address answered: nothing if it was not asked.
    pub(super) fn answers(&self, at: &str) -> Option<bool> {
        let asked = self.snapshot.endpoints.iter().find(|endpoint| address(&endpoint.url) == at)?;
        Some(asked.version.known().is_some())
    }
}

impl<'a> GroupView<'a> {
    /// Reads a stable group.
    ///
    /// # Errors
    /// The members that cannot be read, and why the first cannot.
    fn of(group: &'a Group) -> Result<Self, (Vec<String>, String)> {
        let mut view = Self {
            group,
            addresses: Vec::with_capacity(group.members.len()),
            at: BTreeMap::new(),
            owners: BTreeMap::new(),
            twice: (Work::default(), BTreeSet::new()),
            revoked: Work::default(),
            without_assignment: Vec::new(),
            leader: None,
            delay: Duration::ZERO,
            generation: 0,
        };
        let mut unreadable: Vec<&str> = Vec::new();
        let mut why = None;
        for (place, member) in group.members.iter().enumerate() {
            match view.take(place, member) {
                Ok(()) => {}
                Err(reason) => {
                    unreadable.push(&member.id);
                    why.get_or_insert(reason);
                }
            }
        }
        view.generation = fingerprint(group);
        match why {
            Some(why) => Err((unreadable.into_iter().map(str::to_owned).collect(), why)),
            None => Ok(view),
        }
    }

    fn take(&mut self, place: usize, member: &'a Member) -> Result<(), String> {
        let url = seen(&member.url)?;
        let assignment = seen(&member.assignment)?;
        let owns = seen(&member.owns)?;
        let at = address(url);
        self.addresses.push(at.clone());
        self.at.entry(at).or_default().push(place);
        if assignment.error != 0 {
            self.without_assignment.push(place);
        }
        if assignment.leader == member.id {
            self.leader = Some(place);
        }
        self.delay = self.delay.max(bounded(assignment.delay_ms));
        for connector in &assignment.revoked.connectors {
            self.revoked.add(connector, None);
        }
        for (connector, task) in &assignment.revoked.tasks {
            self.revoked.add(connector, Some(*task));
        }
        let new: BTreeSet<&str> = assignment.assigned.connectors.iter().map(String::as_str).collect();
        let new_tasks: BTreeSet<(&str, u32)> =
            assignment.assigned.tasks.iter().map(|(connector, task)| (connector.as_str(), *task)).collect();
        for connector in &owns.connectors {
            let new = new.contains(connector.as_str());
            self.give(connector, None, Owner { member: place, new });
        }
        for (connector, task) in &owns.tasks {
            let new = new_tasks.contains(&(connector.as_str(), *task));
            self.give(connector, Some(*task), Owner { member: place, new });
        }
        Ok(())
    }

    fn give(&mut self, connector: &'a str, task: Option<u32>, owner: Owner) {
        let owners = self.owners.entry(connector).or_default();
        let before = match task {
            Some(task) => owners.tasks.insert(task, owner),
            None => owners.instance.replace(owner),
        };
        if let Some(before) = before {
            self.twice.0.add(connector, task);
            self.twice.1.extend([before.member, owner.member]);
        }
    }

    /// Who has a task, or with no number the connector's instance.
    pub(super) fn owner(&self, connector: &str, task: Option<u32>) -> Option<Owner> {
        self.owners.get(connector)?.of(task)
    }

    /// The address of a member by its place.
    pub(super) fn address(&self, place: usize) -> &str {
        self.addresses.get(place).map(String::as_str).unwrap_or_default()
    }

    /// The id of a member by its place.
    pub(super) fn id(&self, place: usize) -> &'a str {
        self.group.members.get(place).map(|member| member.id.as_str()).unwrap_or_default()
    }

    /// The ids of the members at an address.
    pub(super) fn ids_at(&self, at: &str) -> impl Iterator<Item = &'a str> {
        self.at.get(at).into_iter().flatten().map(|place| self.id(*place))
    }

    /// How much the members at an address have.
    pub(super) fn owned_by(&self, at: &str) -> usize {
        let of = |place: &usize| {
            let owns = self.group.members.get(*place).and_then(|member| member.owns.known());
            owns.map_or(0, |owns| owns.connectors.len() + owns.tasks.len())
        };
        self.at.get(at).into_iter().flatten().map(of).sum()
    }

    /// Where the leader is.
    pub(super) fn leader_address(&self) -> Option<&str> {
        self.leader.map(|place| self.address(place))
    }

    /// How far the config topic was read by the leader, when it assigned.
    pub(super) fn config_offset(&self) -> Option<i64> {
        let offset = |member: &Member| member.assignment.known().map(|assignment| assignment.config_offset);
        self.group.members.iter().filter_map(offset).max()
    }
}

fn seen<T>(value: &Seen<T>) -> Result<&T, String> {
    value.known().ok_or_else(|| value.why_unknown().unwrap_or_default().to_owned())
}

/// Host and port of an address: `http://w1:8083/` and the `w1:8083` of a status are one worker.
pub(super) fn address(url: &str) -> String {
    Address::of_url(url).to_string()
}

/// Whether a worker that wrote a status is the one at an address. Both are nearly always spelled
/// alike.
pub(super) fn is_at(worker: &str, at: &str) -> bool {
    worker == at || address(worker) == at
}

/// FNV-1a over what one round decides. `DescribeGroups` has no generation number.
fn fingerprint(group: &Group) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let mut members: Vec<&Member> = group.members.iter().collect();
    members.sort_unstable_by_key(|member| &member.id);
    hash.text(group.protocol.as_deref().unwrap_or_default());
    for member in members {
        hash.text(&member.id);
        hash.number(member.config_offset.known().copied().unwrap_or(-1));
        if let Some(assignment) = member.assignment.known() {
            hash.text(&assignment.leader);
            hash.number(assignment.config_offset);
            hash.number(assignment.delay_ms);
            for items in [&assignment.assigned, &assignment.revoked] {
                items.connectors.iter().for_each(|connector| hash.text(connector));
                for (connector, task) in &items.tasks {
                    hash.text(connector);
                    hash.number(i64::from(*task));
                }
                hash.number(-2);
            }
        }
        if let Some(owns) = member.owns.known() {
            hash.number(i64::try_from(owns.connectors.len() + owns.tasks.len()).unwrap_or(i64::MAX));
        }
    }
    hash.0
}

struct Fnv(u64);

impl Fnv {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.byte(byte));
        self.byte(0xff);
    }

    fn number(&mut self, number: i64) {
        number.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }
}
