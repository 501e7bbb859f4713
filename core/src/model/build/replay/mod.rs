//! A replay file with its names resolved and its facts checked against each other.

mod events;
mod names;

use std::collections::BTreeMap;

use self::events::{Config, Runs};
use self::names::{Known, configs, universe, worker_names};
use super::items::named_items;
use super::settings::Layers;
use super::workers::{client_of, restart};
use super::{Build, HEARTBEAT_DRIFT, SessionLimits};
use crate::description::{EventKindWritten, MemberWritten, ReplayFile, RestartWritten};
use crate::model::{
    Cluster, Configured, Connector, ConnectorState, KafkaVersion, Replay, ReplayMember, ReplayMemory, Work, Worker,
};
use crate::text::{DescriptionError, Errors, Files, Span};
use crate::units::SimTime;

/// Reads the replay file `main` and what it names.
///
/// # Errors
/// Everything that is wrong in any of the files, each with its place.
pub fn read_replay(files: &Files, main: &str) -> Result<Replay, Vec<DescriptionError>> {
    let (file, errors) = ReplayFile::read(files, main);
    match file {
        Some(file) => Replay::resolve(&file, errors),
        None => errors.finish(None),
    }
}

impl Replay {
    /// Decides what a replay file means.
    ///
    /// # Errors
    /// Everything that is unknown or contradicts itself, each with its place.
    pub fn build(file: &ReplayFile) -> Result<Self, Vec<DescriptionError>> {
        Self::resolve(file, Errors::new(file.files.clone()))
    }

    fn resolve(file: &ReplayFile, errors: Errors) -> Result<Self, Vec<DescriptionError>> {
        let mut build = Build::new(errors);
        let mut replay = build.replay(file);
        replay.cluster.assumed = build.assumed;
        build.errors.finish(Some(replay))
    }
}

impl Build {
    fn replay(&mut self, file: &ReplayFile) -> Replay {
        self.remarks(&file.settings);
        let kafka = self.version("kafka", &file.kafka);
        let (broker, limits) = self.broker(&file.broker, kafka);
        let known = Known { workers: worker_names(file), work: universe(file), ids: self.member_ids(file) };
        let mut runs = self.runs(file, &known, kafka, limits);
        let workers = self.processes(file, &known, &runs);
        let mut connectors = self.replayed_connectors(file, &known.work, &workers, limits);
        let configured = Configured { tasks_of: initially(file, &known.work) };
        for (connector, tasks) in connectors.iter_mut().zip(&configured.tasks_of) {
            connector.tasks = tasks.unwrap_or(0);
        }
        let members = self.members(file, &known);
        let memory = file.memory.as_ref().map(|memory| ReplayMemory {
            lost: self.items(&memory.lost, &known.work),
            due: memory.due.as_ref().map(|due| SimTime::ZERO + due.value),
            candidates: memory.candidates.iter().map(|id| id.value.clone()).collect(),
            revoked: self.items(&memory.revoked, &known.work),
            revoked_last: memory.revoked_last,
        });
        self.check_memory(file, memory.as_ref(), &members, &known);
        let events = self.events(file, &known, &mut runs);
        let observed = self.observed(file, &known);
        if let Some(buckets) = file.map_buckets.as_ref().filter(|buckets| !buckets.value.is_power_of_two()) {
            let message = format!("`map_buckets` is {}, and a Java map has a power of two", buckets.value);
            let help = format!("write {}", buckets.value.next_power_of_two());
            self.errors.add_with_help(buckets.span, message, help);
        }
        Replay {
            cluster: Cluster {
                broker,
                workers,
                connectors,
                work: known.work,
                group_order: None,
                ownership: None,
                heartbeat_drift: HEARTBEAT_DRIFT,
                unseen: Vec::new(),
                assumed: Vec::new(),
            },
            configured,
            generation: file.generation.as_ref().and_then(|generation| i32::try_from(generation.value).ok()),
            last_round: file.last_round.as_ref().map(|at| SimTime::ZERO + at.value),
            memory,
            map_buckets: file.map_buckets.as_ref().map(|buckets| buckets.value as usize),
            members,
            events,
            observed,
        }
    }

    /// All member ids; each begins to exist once.
    fn member_ids<'f>(&mut self, file: &'f ReplayFile) -> BTreeMap<&'f str, Span> {
        let mut ids: BTreeMap<&str, Span> = BTreeMap::new();
        let joined = file.events.iter().filter_map(|event| match &event.kind {
            EventKindWritten::Join { id, .. } => Some(id),
            _ => None,
        });
        for id in file.members.iter().map(|member| &member.id).chain(joined) {
            if let Some(first) = ids.get(id.value.as_str()) {
                let message = "this member id is there already; each new process has a new one";
                self.errors.add_with_also(id.span, message, *first, "the first");
            } else {
                ids.insert(&id.value, id.span);
            }
        }
        ids
    }

    fn runs<'f>(
        &mut self,
        file: &'f ReplayFile,
        known: &Known<'_>,
        kafka: KafkaVersion,
        limits: SessionLimits,
    ) -> Runs<'f> {
        let all = Layers::default().with(file.settings.file.as_ref()).with(Some(&file.settings.inline));
        let count = known.workers.len();
        let mut runs = Runs { layers: vec![all; count], versions: vec![kafka; count], limits };
        for (name, written) in &file.workers {
            if let Some(worker) = known.worker(&name.value) {
                self.change(&mut runs, worker, &name.value, written);
            }
        }
        runs
    }

    fn processes(&mut self, file: &ReplayFile, known: &Known<'_>, runs: &Runs<'_>) -> Vec<Worker> {
        let mut workers = Vec::with_capacity(known.workers.len());
        for (place, name) in known.workers.iter().enumerate() {
            let setup = self.setup(&runs.layers[place], runs.versions[place], runs.limits);
            let member = file.members.iter().find(|member| member.worker.value == *name);
            let id = member.map(|member| member.id.value.as_str());
            let client_id = id.map_or(*name, |id| client_of(id).unwrap_or(id)).to_owned();
            workers.push(Worker {
                name: (*name).to_owned(),
                url: None,
                host: None,
                rack: None,
                client_id_after: client_id.clone(),
                client_id,
                member_id: id.map(str::to_owned),
                leads: member.is_some_and(leads),
                unready: false,
                before: setup.clone(),
                after: setup,
                restart: restart(&RestartWritten::default(), None),
            });
        }
        workers
    }

    /// All connectors of all times, in the order of their ids.
    fn replayed_connectors(
        &mut self,
        file: &ReplayFile,
        work: &Work,
        workers: &[Worker],
        limits: SessionLimits,
    ) -> Vec<Connector> {
        let layers = Layers::default().with(file.settings.file.as_ref()).with(Some(&file.settings.inline));
        let mut connectors: Vec<Option<Connector>> = vec![None; work.connector_count()];
        for written in &file.connectors {
            if let Some(id) = work.connector(&written.name.value) {
                connectors[id.index()] = Some(self.connector(written, workers, &layers, limits));
            }
        }
        for (_, written) in configs(file).flatten() {
            let Some(written) = written else { continue };
            let Some(id) = work.connector(&written.name.value) else { continue };
            if connectors[id.index()].is_none() {
                connectors[id.index()] = Some(self.connector(written, workers, &layers, limits));
            }
        }
        connectors.into_iter().flatten().collect()
    }

    fn members(&mut self, file: &ReplayFile, known: &Known<'_>) -> Vec<ReplayMember> {
        let mut leader: Option<Span> = None;
        let mut owner: BTreeMap<(bool, u32), &str> = BTreeMap::new();
        let mut members = Vec::with_capacity(file.members.len());
        for written in &file.members {
            if leads(written) {
                let span = written.leader.as_ref().map_or(written.id.span, |leads| leads.span);
                if let Some(first) = leader {
                    self.errors.add_with_also(
                        span,
                        "a group has one leader, and this is the second",
                        first,
                        "the first",
                    );
                }
                leader.get_or_insert(span);
            }
            let owns = self.items(&written.owns, &known.work);
            for (key, name) in named_items(&owns, &known.work) {
                if let Some(other) = owner.insert(key, &written.worker.value) {
                    let value = format!("{other} and {}", written.worker.value);
                    self.assume(format!("replay.members.{name}"), value, "both report it; it runs twice");
                }
            }
            let Some(worker) = known.worker(&written.worker.value) else { continue };
            members.push(ReplayMember { id: written.id.value.clone(), worker, leader: leads(written), owns });
        }
        if leader.is_none() && !file.members.is_empty() {
            self.errors.add_with_help(
                file.members_span,
                "it is not said who leads",
                "add `leader: true` to one member",
            );
        }
        members
    }

    fn check_memory(
        &mut self,
        file: &ReplayFile,
        memory: Option<&ReplayMemory>,
        members: &[ReplayMember],
        known: &Known<'_>,
    ) {
        let (Some(written), Some(memory)) = (&file.memory, memory) else { return };
        for candidate in &written.candidates {
            if !file.members.iter().any(|member| member.id.value == candidate.value) {
                self.unknown_id(candidate, known);
            }
        }
        let lost: BTreeMap<_, _> = named_items(&memory.lost, &known.work).into_iter().collect();
        for member in members {
            for (key, name) in named_items(&member.owns, &known.work) {
                if let Some(place) = lost.get(&key).and_then(|_| written.lost.place_of(&name)) {
                    let worker = known.workers[member.worker.index()];
                    self.errors.add(place, format!("`{name}` cannot be lost: {worker} owns it"));
                }
            }
        }
        if memory.due.is_none() && !memory.lost.is_empty() {
            let place = written.lost.first_place().unwrap_or(file.members_span);
            self.errors.add_with_help(place, "it is not said when the delay of what is lost ends", "add `due`");
        }
    }
}

fn leads(member: &MemberWritten) -> bool {
    member.leader.as_ref().is_some_and(|leads| leads.value)
}

fn initially(file: &ReplayFile, work: &Work) -> Vec<Option<u32>> {
    let of = |entry: Option<(u32, ConnectorState)>| {
        entry.map(|(tasks, state)| if state == ConnectorState::Stopped { 0 } else { tasks })
    };
    Config::new(file, work).now.into_iter().map(of).collect()
}
