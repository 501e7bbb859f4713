//! What the gate keeps of earlier looks: owners, claims, rounds, the delay.
//!
//! A status has no instant and no generation, and a worker has the same address before and
//! after its restart. Whether a claim is of now can only be told from how it came to be there.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::serial::{left, millis, millis_if_known};
use super::view::{Owners, View, is_at};
use crate::snapshot::{ConnectorState, ConnectorStatus};
use crate::units::Duration;

/// What was seen until now.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    /// Member ids, and claims as state and worker, each once; the slots hold places in it.
    names: Vec<(String, String)>,
    /// By connector of the baseline.
    held: BTreeMap<String, Held>,
    /// Tells the last round seen from others.
    generation: Option<u64>,
    /// When that round was first seen.
    #[serde(with = "millis", rename = "round_at_ms")]
    round_at: Duration,
    /// When a status was last seen to have been written.
    #[serde(with = "millis", rename = "written_at_ms")]
    written_at: Duration,
    /// The delay of that round.
    pub(super) delay: Option<DelaySeen>,
}

/// A running delay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DelaySeen {
    /// What was left when the leader computed it.
    #[serde(with = "millis", rename = "value_ms")]
    pub(super) value: Duration,
    /// When it was first seen.
    #[serde(with = "millis", rename = "at_ms")]
    pub(super) at: Duration,
    /// Whether the look before did not have it.
    pub(super) exact: bool,
}

/// What is kept of one connector.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Held {
    #[serde(rename = "c")]
    instance: Slot,
    #[serde(rename = "t", default, skip_serializing_if = "BTreeMap::is_empty")]
    tasks: BTreeMap<u32, Slot>,
}

/// What is kept of one connector instance or task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Slot {
    /// The member that had it.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    owner: Option<u32>,
    /// What the status topic said.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    claim: Option<u32>,
    /// Since when the claim may be one of a life before.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none", with = "millis_if_known")]
    doubt: Option<Duration>,
    /// When it was last handed out.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none", with = "millis_if_known")]
    handed: Option<Duration>,
}

/// Gives each name a number.
struct Numbers<'a>(BTreeMap<(&'a str, &'a str), u32>, Vec<(&'a str, &'a str)>);

impl Memory {
    /// Takes a look into account. `apart` says whether something may have gone unseen since
    /// the one before.
    ///
    /// Gives the new memory, and whether anything moved: a round was completed, or a status
    /// was written.
    pub(super) fn next(&self, view: &View<'_>, names: &[&str], now: Duration, apart: bool) -> (Self, bool) {
        let statuses = view.snapshot.statuses.known();
        let generation = view.group.as_ref().map(|group| group.generation).or(self.generation);
        let round = generation != self.generation;
        let mut numbers = Numbers(BTreeMap::new(), Vec::new());
        let mut written = false;
        let mut held = BTreeMap::new();
        for connector in names {
            let before = self.held.get(*connector);
            let status = statuses.and_then(|all| all.connectors.get(*connector));
            let group = view.group.as_ref();
            let owners = group.and_then(|group| group.owners.get(connector));
            let mut slot = |task: Option<u32>| {
                let owner = group.zip(owners.and_then(|owners| owners.of(task)));
                let claimed = status.and_then(|status| match task {
                    Some(task) => status.tasks.get(&task),
                    None => status.instance.known(),
                });
                let now = Now {
                    owner: match owner {
                        Some((group, owner)) => Belongs::To(group.id(owner.member), owner.new),
                        None if group.is_some() => Belongs::Nobody,
                        None => Belongs::AsBefore,
                    },
                    home: owner.map(|(group, owner)| group.address(owner.member)),
                    claim: claimed.map(|claimed| (state_name(&claimed.state), claimed.worker.as_str())),
                    round,
                    at: now,
                };
                let next = self.slot(before.and_then(|held| held.slot(task)).copied(), &now, &mut numbers);
                written |= next.1;
                next.0
            };
            let instance = slot(None);
            let tasks = task_numbers(owners, status, before);
            let tasks = tasks.into_iter().map(|task| (task, slot(Some(task)))).collect();
            held.insert((*connector).to_owned(), Held { instance, tasks });
        }
        let delay = match &view.group {
            None => self.delay.clone(),
            Some(group) if group.delay <= Duration::ZERO => None,
            Some(group) if !round => self.delay.clone().map(|delay| DelaySeen { value: group.delay, ..delay }),
            Some(group) => {
                let exact = self.generation.is_some() && !apart;
                Some(DelaySeen { value: group.delay, at: now, exact })
            }
        };
        let next = Self {
            names: numbers.1.iter().map(|(name, by)| ((*name).to_owned(), (*by).to_owned())).collect(),
            held,
            generation,
            round_at: if round { now } else { self.round_at },
            written_at: if written { now } else { self.written_at },
            delay,
        };
        (next, written || round && self.generation.is_some())
    }

    fn slot<'a>(&'a self, before: Option<Slot>, now: &Now<'a>, numbers: &mut Numbers<'a>) -> (Slot, bool) {
        let name = |number: Option<u32>| {
            let (name, by) = self.names.get(usize::try_from(number?).ok()?)?;
            Some((name.as_str(), by.as_str()))
        };
        let owner_before = name(before.and_then(|slot| slot.owner)).map(|(id, _)| id);
        let claim_before = name(before.and_then(|slot| slot.claim));
        let (owner, new) = match now.owner {
            Belongs::AsBefore => (owner_before, false),
            Belongs::Nobody => (None, false),
            Belongs::To(id, new) => (Some(id), new),
        };
        let handed = before.is_some() && owner.is_some() && (owner != owner_before || (now.round && new));
        let claim = now.claim.or(claim_before);
        let written = before.is_some() && now.claim.is_some() && now.claim != claim_before;
        let at_home = || now.home.is_some_and(|home| claim.is_some_and(|(_, by)| is_at(by, home)));
        let doubt = match before.and_then(|slot| slot.doubt) {
            _ if written => None,
            _ if handed && at_home() => Some(now.at),
            doubt => doubt,
        };
        let handed_at = if handed { Some(now.at) } else { before.and_then(|slot| slot.handed) };
        let slot = Slot {
            owner: owner.map(|owner| numbers.of((owner, ""))),
            claim: claim.map(|claim| numbers.of(claim)),
            doubt,
            handed: handed_at,
        };
        (slot, written)
    }

    /// For how long no round was completed and no status written.
    pub(super) fn quiet(&self, now: Duration) -> Duration {
        left(now, self.round_at.max(self.written_at))
    }

    /// What is kept of a connector.
    pub(super) fn of(&self, connector: &str) -> Option<&Held> {
        self.held.get(connector)
    }
}

impl Held {
    /// How long the claim of a task, or with no number of the instance, may still be one of a
    /// life before, if starts take `start` at most.
    pub(super) fn doubt(&self, task: Option<u32>, now: Duration, start: Duration) -> Option<Duration> {
        let since = self.slot(task)?.doubt?;
        Some(left(start, left(now, since))).filter(|left| !left.is_zero())
    }

    /// How long ago the instance was handed out, if that was seen.
    pub(super) fn handed(&self, now: Duration) -> Option<Duration> {
        Some(left(now, self.instance.handed?))
    }

    fn slot(&self, task: Option<u32>) -> Option<&Slot> {
        match task {
            Some(task) => self.tasks.get(&task),
            None => Some(&self.instance),
        }
    }
}

/// What a look says of one connector instance or task.
struct Now<'a> {
    /// Who has it.
    owner: Belongs<'a>,
    /// The owner's address.
    home: Option<&'a str>,
    /// What the status topic says: state and worker.
    claim: Option<(&'a str, &'a str)>,
    /// Whether a round was completed since the look before.
    round: bool,
    /// When.
    at: Duration,
}

/// Whom something belongs to.
#[derive(Clone, Copy)]
enum Belongs<'a> {
    /// The group is in a rebalance, or unknown: the last owner that was seen stands.
    AsBefore,
    /// Nobody has it.
    Nobody,
    /// A member has it, by its id; and whether it came with the last round.
    To(&'a str, bool),
}

impl<'a> Numbers<'a> {
    fn of(&mut self, name: (&'a str, &'a str)) -> u32 {
        let next = u32::try_from(self.1.len()).unwrap_or(u32::MAX);
        *self.0.entry(name).or_insert_with(|| {
            self.1.push(name);
            next
        })
    }
}

/// The tasks of a connector to keep: configured and claimed; without a status, owned and kept.
fn task_numbers(owners: Option<&Owners>, status: Option<&ConnectorStatus>, before: Option<&Held>) -> BTreeSet<u32> {
    if let Some(status) = status {
        let configured = status.configured_tasks.known().into_iter().flatten().copied();
        return configured.chain(status.tasks.keys().copied()).collect();
    }
    let owned = owners.into_iter().flat_map(|owners| owners.tasks.keys().copied());
    owned.chain(before.into_iter().flat_map(|held| held.tasks.keys().copied())).collect()
}

/// A state as Kafka writes it.
pub(super) fn state_name(state: &ConnectorState) -> &str {
    match state {
        ConnectorState::Unassigned => "UNASSIGNED",
        ConnectorState::Running => "RUNNING",
        ConnectorState::Paused => "PAUSED",
        ConnectorState::Failed => "FAILED",
        ConnectorState::Stopped => "STOPPED",
        ConnectorState::Restarting => "RESTARTING",
        ConnectorState::Other(name) => name,
    }
}
