//! A small Connect, good enough to fool a gate: owners by rounds, a delay, statuses that nobody
//! takes back, tasks that run or do not, whatever is claimed of them.

use std::collections::{BTreeMap, BTreeSet};

use rand_core::Rng as _;
use rand_pcg::Pcg32;
use rollgate_core::snapshot::{
    Assignment, Claimed, ConnectorState, ConnectorStatus, ConnectorType, Endpoint, Group, GroupState, Member, NoAnswer,
    Seen, Snapshot, Statuses, Version, WorkItems,
};
use rollgate_core::units::{Duration, Timestamp};

/// A connector with no number, or one of its tasks.
pub(crate) type Item = (String, Option<u32>);

/// The cluster as it is, in milliseconds since its beginning.
pub(crate) struct World {
    pub(crate) now: i64,
    pub(crate) workers: Vec<String>,
    pub(crate) items: Vec<Item>,
    /// Members in the group's order: name, life, what each owns.
    members: Vec<(String, u32, BTreeSet<Item>)>,
    /// What came with the last round, and what was revoked in it.
    new: BTreeMap<Item, String>,
    revoked: BTreeMap<Item, String>,
    /// The round that is under way ends then.
    round: Option<i64>,
    /// Killed members, until their sessions end.
    ghosts: BTreeMap<String, i64>,
    lives: BTreeMap<String, u32>,
    /// Processes that join then.
    joins: BTreeMap<String, i64>,
    lost: BTreeSet<Item>,
    leader: String,
    delay: i64,
    delay_until: Option<i64>,
    delay_told: i64,
    offset: i64,
    /// Starts that are over then.
    starts: BTreeMap<Item, (String, i64)>,
    /// What really runs, and where.
    pub(crate) running: BTreeMap<Item, String>,
    pub(crate) claims: BTreeMap<Item, (ConnectorState, String)>,
    /// Wishes of a person: these are paused.
    pub(crate) paused: BTreeSet<Item>,
}

/// How many things below a bound.
pub(crate) fn draw(chance: &mut Pcg32, below: u32) -> u32 {
    chance.next_u32() % below.max(1)
}

impl World {
    /// A cluster at rest.
    pub(crate) fn new(chance: &mut Pcg32) -> Self {
        let workers: Vec<String> = (1..=2 + draw(chance, 3)).map(|number| format!("w{number}")).collect();
        let mut items = Vec::new();
        for connector in ["alpha", "beta"] {
            items.push((connector.to_owned(), None));
            items.extend((0..draw(chance, 5)).map(|task| (connector.to_owned(), Some(task))));
        }
        let mut world = Self {
            now: 0,
            members: workers.iter().map(|name| (name.clone(), 1, BTreeSet::new())).collect(),
            lives: workers.iter().map(|name| (name.clone(), 1)).collect(),
            leader: "w1".to_owned(),
            workers,
            items: items.clone(),
            new: BTreeMap::new(),
            revoked: BTreeMap::new(),
            round: None,
            ghosts: BTreeMap::new(),
            joins: BTreeMap::new(),
            lost: BTreeSet::new(),
            delay: i64::from(draw(chance, 3)) * 12_000,
            delay_until: None,
            delay_told: 0,
            offset: 3,
            starts: BTreeMap::new(),
            running: BTreeMap::new(),
            claims: BTreeMap::new(),
            paused: BTreeSet::new(),
        };
        for (place, item) in items.into_iter().enumerate() {
            let members = world.members.len();
            let (_, _, owns) = &mut world.members[place % members];
            owns.insert(item.clone());
            if item.0 == "beta" && draw(chance, 3) == 0 {
                world.paused.insert(item.clone());
            }
            let state = world.state_of(&item);
            let name = world.members[place % members].0.clone();
            world.running.insert(item.clone(), name.clone());
            world.claims.insert(item, (state, name));
        }
        world
    }

    fn state_of(&self, item: &Item) -> ConnectorState {
        if self.paused.contains(item) { ConnectorState::Paused } else { ConnectorState::Running }
    }

    /// Lets time pass; starts take `start` milliseconds at most.
    pub(crate) fn pass(&mut self, millis: i64, start: u32, chance: &mut Pcg32) {
        let until = self.now + millis;
        while self.now < until {
            self.now += 100;
            let over: Vec<Item> =
                self.starts.iter().filter(|(_, (_, at))| *at <= self.now).map(|(item, _)| item.clone()).collect();
            for item in over {
                if let Some((worker, _)) = self.starts.remove(&item) {
                    let state = self.state_of(&item);
                    self.running.insert(item.clone(), worker.clone());
                    self.claims.insert(item, (state, worker));
                }
            }
            let expired: Vec<String> =
                self.ghosts.iter().filter(|(_, at)| **at <= self.now).map(|(name, _)| name.clone()).collect();
            for name in expired {
                self.ghosts.remove(&name);
                self.remove(&name);
            }
            let joining: Vec<String> =
                self.joins.iter().filter(|(_, at)| **at <= self.now).map(|(name, _)| name.clone()).collect();
            for name in joining {
                self.joins.remove(&name);
                let life = self.lives.entry(name.clone()).or_default();
                *life += 1;
                let member = (name, *life, BTreeSet::new());
                let place = draw(chance, u32::try_from(self.members.len()).unwrap_or(1) + 1) as usize;
                self.members.insert(place.min(self.members.len()), member);
                self.round.get_or_insert(self.now + 100 * i64::from(draw(chance, 30)));
            }
            if self.delay_until.is_some_and(|at| at <= self.now) {
                self.round.get_or_insert(self.now);
            }
            // A ghost keeps everybody waiting.
            if self.round.is_some_and(|at| at <= self.now) && self.ghosts.is_empty() {
                self.complete(start, chance);
            }
        }
    }

    /// A member goes, of two lives the earlier one; what it had is lost.
    fn remove(&mut self, name: &str) {
        let places = (0..self.members.len()).filter(|place| self.members[*place].0 == name);
        if let Some(place) = places.min_by_key(|place| self.members[*place].1) {
            let (_, _, owned) = self.members.remove(place);
            self.lost.extend(owned);
        }
        self.round.get_or_insert(self.now + 1_500);
    }

    /// A worker stops as it should: its tasks first, and not every status is believed.
    pub(crate) fn stop(&mut self, name: &str, down: i64, chance: &mut Pcg32) {
        if !self.members.iter().any(|member| member.0 == name) || self.ghosts.contains_key(name) {
            return;
        }
        self.halt(name);
        for (item, (state, worker)) in &mut self.claims {
            let dropped = item.1.is_some() && draw(chance, 2) == 0;
            if worker == name && !dropped {
                *state = ConnectorState::Unassigned;
            }
        }
        self.joins.insert(name.to_owned(), self.now + down);
        self.remove(name);
    }

    /// A worker is killed: it is a member until its session ends, and no status changes.
    pub(crate) fn kill(&mut self, name: &str, down: i64) {
        if !self.members.iter().any(|member| member.0 == name) || self.ghosts.contains_key(name) {
            return;
        }
        self.halt(name);
        self.ghosts.insert(name.to_owned(), self.now + 8_000);
        self.joins.insert(name.to_owned(), self.now + down);
    }

    fn halt(&mut self, name: &str) {
        self.running.retain(|_, worker| worker != name);
        self.starts.retain(|_, (worker, _)| worker != name);
    }

    /// A task fails.
    pub(crate) fn fail(&mut self, place: u32) {
        let Some(item) = self.items.get(place as usize % self.items.len().max(1)).cloned() else { return };
        if let Some(worker) = self.running.remove(&item) {
            self.claims.insert(item, (ConnectorState::Failed, worker));
        }
    }

    fn complete(&mut self, start: u32, chance: &mut Pcg32) {
        self.round = None;
        self.new.clear();
        self.revoked.clear();
        self.delay_told = 0;
        if self.members.is_empty() {
            return;
        }
        if !self.members.iter().any(|member| member.0 == self.leader && member.1 == self.lives[&member.0]) {
            self.leader = self.members[0].0.clone();
            self.delay_until = None;
        } else if !self.lost.is_empty() && self.delay_until.is_none() && self.delay > 0 {
            self.delay_until = Some(self.now + self.delay);
        }
        if let Some(until) = self.delay_until.filter(|at| *at > self.now) {
            self.delay_told = until - self.now;
            return;
        }
        self.delay_until = None;
        for item in std::mem::take(&mut self.lost) {
            self.hand_out(item, start, chance);
        }
        self.balance();
    }

    fn hand_out(&mut self, item: Item, start: u32, chance: &mut Pcg32) {
        let Some(member) = self.members.iter_mut().min_by_key(|member| member.2.len()) else { return };
        member.2.insert(item.clone());
        self.new.insert(item.clone(), member.0.clone());
        self.starts.insert(item, (member.0.clone(), self.now + i64::from(draw(chance, start))));
    }

    /// Takes from those that have too much; the next round hands it out.
    fn balance(&mut self) {
        let most = self.items.len().div_ceil(self.members.len());
        for place in 0..self.members.len() {
            while self.members[place].2.len() > most {
                let kept = |item: &&Item| !self.new.contains_key(*item);
                let Some(item) = self.members[place].2.iter().rev().find(kept).cloned() else { break };
                let name = self.members[place].0.clone();
                self.members[place].2.remove(&item);
                self.running.remove(&item);
                self.starts.remove(&item);
                self.revoked.insert(item.clone(), name);
                self.lost.insert(item);
                self.round.get_or_insert(self.now + 2_900);
            }
        }
    }

    /// What somebody sees who looks now.
    pub(crate) fn snapshot(&self, at: Timestamp, asked: &str) -> Snapshot {
        let taken_at = at.after(Duration::from_millis(self.now));
        let endpoint = |name: &String| {
            let up = self.members.iter().any(|member| member.0 == *name) && !self.joins.contains_key(name);
            let version = Version { version: "4.3.1".into(), commit: "c".into(), kafka_cluster_id: "kafka-1".into() };
            Endpoint {
                url: format!("http://{name}:8083"),
                version: if up { Seen::Known(version) } else { Seen::unknown("connection refused") },
                no_answer: (!up).then_some(NoAnswer::Refused),
            }
        };
        Snapshot {
            schema_version: Snapshot::SCHEMA_VERSION,
            taken_at,
            took_ms: 9,
            cluster_id: Seen::Known("kafka-1".into()),
            group: Seen::Known(self.group()),
            statuses: Seen::Known(self.statuses(asked)),
            endpoints: self.workers.iter().map(endpoint).collect(),
            sinks: Vec::new(),
        }
    }

    fn group(&self) -> Group {
        // A round under way is seen; the moment of a revocation is not.
        let stable = self.round.is_none() || !self.revoked.is_empty();
        let work = |items: &mut dyn Iterator<Item = &Item>| {
            let mut work = WorkItems::default();
            for (connector, task) in items {
                match task {
                    Some(task) => work.tasks.push((connector.clone(), *task)),
                    None => work.connectors.push(connector.clone()),
                }
            }
            work
        };
        let leader = self.members.iter().find(|member| member.0 == self.leader);
        let leader = leader.map(|(name, life, _)| format!("connect-{name}-{life}")).unwrap_or_default();
        let member = |(name, life, owns): &(String, u32, BTreeSet<Item>)| {
            let of = |all: &BTreeMap<Item, String>| {
                work(&mut all.iter().filter(|(_, worker)| *worker == name).map(|(item, _)| item))
            };
            let hidden = || Seen::<WorkItems>::unknown("the group is in a rebalance");
            Member {
                id: format!("connect-{name}-{life}"),
                client_id: format!("connect-{name}"),
                host: "192.0.2.1".into(),
                url: if stable { Seen::Known(format!("http://{name}:8083/")) } else { Seen::unknown("a rebalance") },
                config_offset: Seen::Known(self.offset),
                reported: hidden(),
                assignment: Seen::Known(Assignment {
                    error: 0,
                    leader: leader.clone(),
                    leader_url: format!("http://{}:8083/", self.leader),
                    config_offset: self.offset,
                    assigned: of(&self.new),
                    revoked: of(&self.revoked),
                    delay_ms: self.delay_told,
                }),
                owns: if stable { Seen::Known(work(&mut owns.iter())) } else { hidden() },
            }
        };
        Group {
            id: "connect".into(),
            state: if stable { GroupState::Stable } else { GroupState::PreparingRebalance },
            protocol: stable.then(|| "sessioned".into()),
            coordinator: "192.0.2.1:9092".into(),
            members: self.members.iter().map(member).collect(),
        }
    }

    fn statuses(&self, asked: &str) -> Statuses {
        let mut connectors: BTreeMap<String, ConnectorStatus> = BTreeMap::new();
        for (name, task) in &self.items {
            let Some((state, worker)) = self.claims.get(&(name.clone(), *task)) else { continue };
            let claimed = Claimed { state: state.clone(), worker: format!("{worker}:8083") };
            let status = connectors.entry(name.clone()).or_insert_with(|| ConnectorStatus {
                kind: ConnectorType::Source,
                instance: Seen::unknown("no status"),
                tasks: BTreeMap::new(),
                configured_tasks: Seen::Known(Vec::new()),
                config_hash: Seen::Known("a1b2".into()),
                consumer_group: None,
            });
            match task {
                None => status.instance = Seen::Known(claimed),
                Some(task) => {
                    status.tasks.insert(*task, claimed);
                    if let Seen::Known(configured) = &mut status.configured_tasks {
                        configured.push(*task);
                    }
                }
            }
        }
        Statuses { asked: format!("http://{asked}:8083"), connectors }
    }
}
