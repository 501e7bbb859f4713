//! A replay file with its names resolved and its facts checked against each other.

use std::collections::BTreeMap;

use super::settings::Layers;
use super::workers::{client_of, restart};
use super::{Build, HEARTBEAT_DRIFT, SessionLimits};
use crate::description::{
    ConnectorWritten, EventKindWritten, ItemsWritten, MemberWritten, ReplayFile, RestartWritten, RunsWritten, proposal,
};
use crate::model::{
    Cluster, Configured, Connector, ConnectorConfig, ConnectorId, ConnectorState, Items, KafkaVersion, Observed,
    Replay, ReplayEvent, ReplayEventKind, ReplayMember, ReplayMemory, Work, Worker, WorkerId,
};
use crate::text::{DescriptionError, Errors, Files, Span, Spanned};
use crate::units::{Duration, SimTime};

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

/// What the names of a replay file stand for.
struct Known<'f> {
    workers: Vec<&'f str>,
    work: Work,
    /// Every member id of the file, with the place where it first appears.
    ids: BTreeMap<&'f str, Span>,
}

/// The layers of settings and the version of each worker's present process.
struct Runs<'f> {
    layers: Vec<Layers<'f>>,
    versions: Vec<KafkaVersion>,
    limits: SessionLimits,
}

impl Known<'_> {
    fn worker(&self, name: &str) -> Option<WorkerId> {
        let place = self.workers.iter().position(|known| *known == name)?;
        u32::try_from(place).ok().map(WorkerId)
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
                heartbeat_drift: HEARTBEAT_DRIFT,
                assumed: Vec::new(),
            },
            configured,
            generation: file.generation.as_ref().and_then(|generation| i32::try_from(generation.value).ok()),
            last_round: file.last_round.map(|at| SimTime::ZERO + at),
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

    /// From now on the worker runs so.
    fn change<'f>(&mut self, runs: &mut Runs<'f>, worker: WorkerId, name: &str, written: &'f RunsWritten) {
        self.remarks(&written.settings);
        if let Some(version) = &written.kafka {
            runs.versions[worker.index()] = self.version(&format!("workers.{name}.kafka"), version);
        }
        let layers = &mut runs.layers[worker.index()];
        *layers = layers.with(written.settings.file.as_ref()).with(Some(&written.settings.inline));
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
                if let Some(place) = lost.get(&key).and_then(|_| place_of(&written.lost, &name)) {
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

    fn events<'f>(&mut self, file: &'f ReplayFile, known: &Known<'_>, runs: &mut Runs<'f>) -> Vec<ReplayEvent> {
        let mut events = Vec::with_capacity(file.events.len());
        let mut config = Config::new(file, &known.work);
        let times: Vec<Spanned<Duration>> = file.events.iter().map(|event| event.at.clone()).collect();
        self.in_order("event", &times);
        for written in &file.events {
            let kind = match &written.kind {
                EventKindWritten::Leave(id) => self.member(id, known).map(ReplayEventKind::Leave),
                EventKindWritten::Expire(id) => self.member(id, known).map(ReplayEventKind::Expire),
                EventKindWritten::Rejoin(id) => self.member(id, known).map(ReplayEventKind::Rejoin),
                EventKindWritten::Kill(name) => self.worker(name, known).map(ReplayEventKind::Kill),
                EventKindWritten::Freeze(name) => self.worker(name, known).map(ReplayEventKind::Freeze),
                EventKindWritten::Thaw(name) => self.worker(name, known).map(ReplayEventKind::Thaw),
                EventKindWritten::Coordinator { away: true } => Some(ReplayEventKind::CoordinatorAway),
                EventKindWritten::Coordinator { away: false } => Some(ReplayEventKind::CoordinatorBack),
                EventKindWritten::Config(changes) => Some(ReplayEventKind::Config(
                    changes.iter().filter_map(|change| self.changed(change, &mut config)).collect(),
                )),
                EventKindWritten::Join { id, worker: name, runs: changed, owns } => {
                    known.worker(&name.value).map(|worker| ReplayEventKind::Join {
                        id: id.value.clone(),
                        worker,
                        setup: changed.as_ref().map(|changed| {
                            self.change(runs, worker, &name.value, changed);
                            let layers = runs.layers[worker.index()].clone();
                            self.setup(&layers, runs.versions[worker.index()], runs.limits)
                        }),
                        owns: owns.as_ref().map(|owns| self.items(owns, &known.work)),
                    })
                }
            };
            events.extend(kind.map(|kind| ReplayEvent { at: SimTime::ZERO + written.at.value, kind }));
        }
        self.known_in_time(file, known);
        events
    }

    /// Nothing happens to a member before it joined.
    fn known_in_time(&mut self, file: &ReplayFile, known: &Known<'_>) {
        let mut joined: Vec<&str> = file.members.iter().map(|member| member.id.value.as_str()).collect();
        for event in &file.events {
            match &event.kind {
                EventKindWritten::Join { id, .. } => joined.push(&id.value),
                EventKindWritten::Leave(id) | EventKindWritten::Expire(id) | EventKindWritten::Rejoin(id)
                    if !joined.contains(&id.value.as_str()) =>
                {
                    if let Some(later) = known.ids.get(id.value.as_str()) {
                        self.errors.add_with_also(id.span, "this member joins only later", *later, "joins here");
                    }
                }
                _ => {}
            }
        }
    }

    fn changed(
        &mut self,
        (name, written): &(Spanned<String>, Option<ConnectorWritten>),
        config: &mut Config<'_>,
    ) -> Option<(ConnectorId, Option<ConnectorConfig>)> {
        let Some(id) = config.work.connector(&name.value) else {
            self.unknown_connector(name, &name.value, config.work);
            return None;
        };
        let now = &mut config.now[id.index()];
        let Some(written) = written else {
            if now.take().is_none() {
                self.errors.add(name.span, format!("`{}` cannot be deleted: it does not exist then", name.value));
            }
            return Some((id, None));
        };
        let given = written.tasks.as_ref().map(|tasks| tasks.value);
        let state = written.state.as_deref().map(state_of);
        let Some((tasks, before)) = now else {
            if given.is_none() && state != Some(ConnectorState::Stopped) {
                let message = format!("`{}` does not exist then, so a change must say its `tasks`", name.value);
                self.errors.add(name.span, message);
            }
            *now = Some((given.unwrap_or(0), state.unwrap_or(ConnectorState::Running)));
            let tasks = given.filter(|_| state != Some(ConnectorState::Stopped));
            return Some((id, Some(ConnectorConfig { tasks, state })));
        };
        let resumes = *before == ConnectorState::Stopped && state.is_some_and(|state| state != ConnectorState::Stopped);
        *tasks = given.unwrap_or(*tasks);
        *before = state.unwrap_or(*before);
        let tasks = if *before == ConnectorState::Stopped {
            None
        } else if resumes {
            Some(*tasks)
        } else {
            given
        };
        Some((id, Some(ConnectorConfig { tasks, state })))
    }

    fn observed(&mut self, file: &ReplayFile, known: &Known<'_>) -> Vec<Observed> {
        let times: Vec<Spanned<Duration>> = file.observed.iter().map(|seen| seen.at.clone()).collect();
        self.in_order("observed round", &times);
        let mut last = file.generation.clone();
        let mut observed = Vec::with_capacity(file.observed.len());
        for written in &file.observed {
            let generation = &written.generation;
            if let Some(last) = last.as_ref().filter(|last| last.value >= generation.value) {
                let message = format!("generation {} cannot come after generation {}", generation.value, last.value);
                self.errors.add_with_also(generation.span, message, last.span, "the one before");
            }
            last = Some(generation.clone());
            let synced = written.synced.as_ref();
            observed.push(Observed {
                at: SimTime::ZERO + written.at.value,
                generation: i32::try_from(generation.value).unwrap_or(i32::MAX),
                synced: synced.map(|names| names.iter().filter_map(|name| self.worker(name, known)).collect()),
            });
        }
        observed
    }

    fn in_order(&mut self, what: &str, times: &[Spanned<Duration>]) {
        for pair in times.windows(2) {
            if pair[1].value < pair[0].value {
                let (before, after) = (pair[0].value.as_millis(), pair[1].value.as_millis());
                let message = format!("this {what} at {after} ms stands after one at {before} ms");
                self.errors.add_with_also(pair[1].span, message, pair[0].span, "the one before");
            }
        }
    }

    /// A member id that some member has, had or will have.
    fn member(&mut self, id: &Spanned<String>, known: &Known<'_>) -> Option<String> {
        if known.ids.contains_key(id.value.as_str()) {
            return Some(id.value.clone());
        }
        self.unknown_id(id, known);
        None
    }

    fn unknown_id(&mut self, id: &Spanned<String>, known: &Known<'_>) {
        self.errors.add(id.span, format!("no member has the id `{}`", id.value)).help =
            proposal(&id.value, known.ids.keys().copied());
    }

    fn worker(&mut self, name: &Spanned<String>, known: &Known<'_>) -> Option<WorkerId> {
        let found = known.worker(&name.value);
        if found.is_none() {
            self.errors.add(name.span, format!("no worker is called `{}`", name.value)).help =
                proposal(&name.value, known.workers.iter().copied());
        }
        found
    }

    /// Names of connectors and tasks as ids.
    fn items(&mut self, written: &ItemsWritten, work: &Work) -> Items {
        let mut items = Items::default();
        match written {
            ItemsWritten::Mixed(names) => {
                for name in names {
                    match (work.connector(&name.value), self.task(name, work, false)) {
                        (Some(_), Some(_)) => {
                            let message = format!("`{}` is a connector, and a task of another one", name.value);
                            let help = "write `{connectors: [...], tasks: [...]}` instead of one list";
                            self.errors.add_with_help(name.span, message, help);
                        }
                        (Some(connector), None) => items.connectors.push(connector),
                        (None, Some(task)) => items.tasks.push(task),
                        (None, None) => drop(self.task(name, work, true)),
                    }
                }
            }
            ItemsWritten::Apart(connectors, tasks) => {
                for name in connectors {
                    match work.connector(&name.value) {
                        Some(connector) => items.connectors.push(connector),
                        None => self.unknown_connector(name, &name.value, work),
                    }
                }
                items.tasks.extend(tasks.iter().filter_map(|name| self.task(name, work, true)));
            }
        }
        self.once(written);
        items
    }

    /// The task of that name.
    fn task(&mut self, name: &Spanned<String>, work: &Work, report: bool) -> Option<crate::model::TaskId> {
        let split = name.value.rsplit_once('-').and_then(|(connector, number)| {
            let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let plain = plain && (number == "0" || !number.starts_with('0'));
            Some((connector, number.parse::<u32>().ok().filter(|_| plain)?))
        });
        let Some((connector, number)) = split else {
            if report {
                self.unknown_connector(name, &name.value, work);
            }
            return None;
        };
        let Some(id) = work.connector(connector) else {
            if report {
                self.unknown_connector(name, connector, work);
            }
            return None;
        };
        let task = work.task(id, number);
        if task.is_none() && report {
            let most = work.tasks_of(id).count();
            let message = format!("`{}` does not exist: `{connector}` never has more than {most} tasks", name.value);
            self.errors.add(name.span, message);
        }
        task
    }

    fn unknown_connector(&mut self, name: &Spanned<String>, connector: &str, work: &Work) {
        let names: Vec<&str> = work.connectors().map(|id| work.name(id)).collect();
        self.errors.add(name.span, format!("there is no connector `{connector}`")).help = proposal(connector, names);
    }

    /// Nobody owns anything twice.
    fn once(&mut self, written: &ItemsWritten) {
        let lists = match written {
            ItemsWritten::Mixed(names) => vec![names],
            ItemsWritten::Apart(connectors, tasks) => vec![connectors, tasks],
        };
        for names in lists {
            let mut first: BTreeMap<&str, Span> = BTreeMap::new();
            for name in names {
                if let Some(first) = first.insert(&name.value, name.span) {
                    self.errors.add_with_also(
                        name.span,
                        format!("`{}` is listed twice", name.value),
                        first,
                        "the first",
                    );
                }
            }
        }
    }
}

impl ItemsWritten {
    fn all(&self) -> impl Iterator<Item = &Spanned<String>> {
        let (one, other) = match self {
            Self::Mixed(names) => (names.as_slice(), [].as_slice()),
            Self::Apart(connectors, tasks) => (connectors.as_slice(), tasks.as_slice()),
        };
        one.iter().chain(other)
    }

    fn first_place(&self) -> Option<Span> {
        self.all().next().map(|name| name.span)
    }
}

/// What is configured at each moment while events are read.
struct Config<'w> {
    work: &'w Work,
    /// Tasks, as many as it has or would have if it were not stopped, and state.
    now: Vec<Option<(u32, ConnectorState)>>,
}

impl<'w> Config<'w> {
    fn new(file: &ReplayFile, work: &'w Work) -> Self {
        let mut now = vec![None; work.connector_count()];
        for written in &file.connectors {
            if let Some(id) = work.connector(&written.name.value) {
                let tasks = written.tasks.as_ref().map_or(0, |tasks| tasks.value);
                let state = written.state.as_deref().map_or(ConnectorState::Running, state_of);
                now[id.index()] = Some((tasks, state));
            }
        }
        Self { work, now }
    }
}

fn place_of(items: &ItemsWritten, name: &str) -> Option<Span> {
    items.all().find(|written| written.value == name).map(|written| written.span)
}

/// Each connector or task with a key that no other has, and its name.
fn named_items(items: &Items, work: &Work) -> Vec<((bool, u32), String)> {
    let connectors = items.connectors.iter().map(|id| ((false, id.0), work.name(*id).to_owned()));
    connectors.chain(items.tasks.iter().map(|id| ((true, id.0), work.task_name(*id)))).collect()
}

fn leads(member: &MemberWritten) -> bool {
    member.leader.as_ref().is_some_and(|leads| leads.value)
}

fn state_of(word: &str) -> ConnectorState {
    match word {
        "paused" => ConnectorState::Paused,
        "stopped" => ConnectorState::Stopped,
        _ => ConnectorState::Running,
    }
}

fn configs(file: &ReplayFile) -> impl Iterator<Item = &[(Spanned<String>, Option<ConnectorWritten>)]> {
    file.events.iter().filter_map(|event| match &event.kind {
        EventKindWritten::Config(changes) => Some(changes.as_slice()),
        _ => None,
    })
}

/// Every connector of the file with the largest number of tasks it has at any time.
fn universe(file: &ReplayFile) -> Work {
    let later = configs(file).flatten().filter_map(|(_, written)| written.as_ref());
    Work::new(file.connectors.iter().chain(later).map(|written| {
        let tasks = written.tasks.as_ref().map_or(0, |tasks| tasks.value);
        (written.name.value.as_str(), tasks)
    }))
}

fn initially(file: &ReplayFile, work: &Work) -> Vec<Option<u32>> {
    let of = |entry: Option<(u32, ConnectorState)>| {
        entry.map(|(tasks, state)| if state == ConnectorState::Stopped { 0 } else { tasks })
    };
    Config::new(file, work).now.into_iter().map(of).collect()
}

/// All workers, w2 before w10.
fn worker_names(file: &ReplayFile) -> Vec<&str> {
    let listed = file.workers.iter().map(|(name, _)| name.value.as_str());
    let members = file.members.iter().map(|member| member.worker.value.as_str());
    let joined = file.events.iter().filter_map(|event| match &event.kind {
        EventKindWritten::Join { worker, .. } => Some(worker.value.as_str()),
        _ => None,
    });
    let mut names: Vec<&str> = listed.chain(members).chain(joined).collect();
    names.sort_unstable_by_key(|name| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (stem, name[stem.len()..].parse::<u64>().unwrap_or(0), *name)
    });
    names.dedup();
    names
}
