//! What happened, in order, and what was seen.

use super::names::Known;
use crate::description::{ConnectorWritten, EventKindWritten, ReplayFile, RunsWritten};
use crate::model::build::settings::Layers;
use crate::model::build::{Build, SessionLimits};
use crate::model::{
    ConnectorConfig, ConnectorId, ConnectorState, KafkaVersion, Observed, ReplayEvent, ReplayEventKind, Work, WorkerId,
};
use crate::text::Spanned;
use crate::units::{Duration, SimTime};

/// The layers of settings and the version of each worker's present process.
pub(super) struct Runs<'f> {
    pub(super) layers: Vec<Layers<'f>>,
    pub(super) versions: Vec<KafkaVersion>,
    pub(super) limits: SessionLimits,
}

/// What is configured at each moment while events are read.
pub(super) struct Config<'w> {
    work: &'w Work,
    /// Tasks, as many as it has or would have if it were not stopped, and state.
    pub(super) now: Vec<Option<(u32, ConnectorState)>>,
}

impl<'w> Config<'w> {
    pub(super) fn new(file: &ReplayFile, work: &'w Work) -> Self {
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

impl Build {
    /// From now on the worker runs so.
    pub(super) fn change<'f>(&mut self, runs: &mut Runs<'f>, worker: WorkerId, name: &str, written: &'f RunsWritten) {
        self.remarks(&written.settings);
        if let Some(version) = &written.kafka {
            runs.versions[worker.index()] = self.version(&format!("workers.{name}.kafka"), version);
        }
        let layers = &mut runs.layers[worker.index()];
        *layers = layers.with(written.settings.file.as_ref()).with(Some(&written.settings.inline));
    }

    pub(super) fn events<'f>(
        &mut self,
        file: &'f ReplayFile,
        known: &Known<'_>,
        runs: &mut Runs<'f>,
    ) -> Vec<ReplayEvent> {
        let mut events = Vec::with_capacity(file.events.len());
        let mut config = Config::new(file, &known.work);
        let times = file.last_round.iter().chain(file.events.iter().map(|event| &event.at));
        self.in_order("event", &times.cloned().collect::<Vec<_>>());
        for written in &file.events {
            let kind = match &written.kind {
                EventKindWritten::Leave(id) => self.member(id, known).map(ReplayEventKind::Leave),
                EventKindWritten::Expire(id) => self.member(id, known).map(ReplayEventKind::Expire),
                EventKindWritten::Rejoin(id) => self.member(id, known).map(ReplayEventKind::Rejoin),
                EventKindWritten::Kill(name) => self.worker(name, known).map(ReplayEventKind::Kill),
                EventKindWritten::Freeze(name) => self.worker(name, known).map(ReplayEventKind::Freeze),
                EventKindWritten::Thaw(name) => self.worker(name, known).map(ReplayEventKind::Thaw),
                EventKindWritten::Coordinator(away) => {
                    Some(if away.value { ReplayEventKind::CoordinatorAway } else { ReplayEventKind::CoordinatorBack })
                }
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
        self.coordinator_in_turn(file);
        events
    }

    /// The coordinator goes away and comes back in turn; at time 0 it is there.
    fn coordinator_in_turn(&mut self, file: &ReplayFile) {
        let mut last: Option<&Spanned<bool>> = None;
        for event in &file.events {
            let EventKindWritten::Coordinator(away) = &event.kind else { continue };
            match last {
                Some(last) if last.value == away.value => {
                    let message = format!("the coordinator is {} already", if away.value { "away" } else { "back" });
                    self.errors.add_with_also(away.span, message, last.span, "since here");
                }
                None if !away.value => {
                    let message = "the coordinator cannot be back: it did not go away";
                    let help = "at time 0 it is there; an event `coordinator: away` says when it went";
                    self.errors.add_with_help(away.span, message, help);
                }
                _ => {}
            }
            last = Some(away);
        }
    }

    /// Nothing happens to a member before it joined.
    pub(super) fn known_in_time(&mut self, file: &ReplayFile, known: &Known<'_>) {
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

    pub(super) fn changed(
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

    pub(super) fn observed(&mut self, file: &ReplayFile, known: &Known<'_>) -> Vec<Observed> {
        let times = file.last_round.iter().chain(file.observed.iter().map(|seen| &seen.at));
        self.in_order("observed round", &times.cloned().collect::<Vec<_>>());
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

    pub(super) fn in_order(&mut self, what: &str, times: &[Spanned<Duration>]) {
        for pair in times.windows(2) {
            if pair[1].value < pair[0].value {
                let (before, after) = (pair[0].value.as_millis(), pair[1].value.as_millis());
                let message = format!("this {what} at {after} ms stands after {before} ms; the order is that of time");
                self.errors.add_with_also(pair[1].span, message, pair[0].span, "the one before");
            }
        }
    }
}

pub(super) fn state_of(word: &str) -> ConnectorState {
    match word {
        "paused" => ConnectorState::Paused,
        "stopped" => ConnectorState::Stopped,
        _ => ConnectorState::Running,
    }
}
