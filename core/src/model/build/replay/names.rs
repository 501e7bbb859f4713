//! The names of a replay file: workers, members, connectors and tasks.

use std::collections::BTreeMap;

use crate::description::{ConnectorWritten, EventKindWritten, ItemsWritten, ReplayFile, proposal};
use crate::model::build::Build;
use crate::model::work::split_task_name;
use crate::model::{Items, TaskId, Work, WorkerId};
use crate::text::{Span, Spanned};

/// What the names of a replay file stand for.
pub(super) struct Known<'f> {
    pub(super) workers: Vec<&'f str>,
    pub(super) work: Work,
    /// Every member id of the file, with the place where it first appears.
    pub(super) ids: BTreeMap<&'f str, Span>,
}

impl Known<'_> {
    pub(super) fn worker(&self, name: &str) -> Option<WorkerId> {
        let place = self.workers.iter().position(|known| *known == name)?;
        u32::try_from(place).ok().map(WorkerId)
    }
}

impl Build {
    /// A worker that the file knows.
    pub(super) fn worker(&mut self, name: &Spanned<String>, known: &Known<'_>) -> Option<WorkerId> {
        let found = known.worker(&name.value);
        if found.is_none() {
            self.errors.add(name.span, format!("no worker is called `{}`", name.value)).help =
                proposal(&name.value, known.workers.iter().copied());
        }
        found
    }

    /// Names of connectors and tasks as ids.
    pub(super) fn items(&mut self, written: &ItemsWritten, work: &Work) -> Items {
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
    pub(super) fn task(&mut self, name: &Spanned<String>, work: &Work, report: bool) -> Option<TaskId> {
        let Some((connector, number)) = split_task_name(&name.value) else {
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

    pub(super) fn unknown_connector(&mut self, name: &Spanned<String>, connector: &str, work: &Work) {
        let names: Vec<&str> = work.connectors().map(|id| work.name(id)).collect();
        self.errors.add(name.span, format!("there is no connector `{connector}`")).help = proposal(connector, names);
    }

    /// Nobody owns anything twice.
    pub(super) fn once(&mut self, written: &ItemsWritten) {
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

    /// A member id that some member has, had or will have.
    pub(super) fn member(&mut self, id: &Spanned<String>, known: &Known<'_>) -> Option<String> {
        if known.ids.contains_key(id.value.as_str()) {
            return Some(id.value.clone());
        }
        self.unknown_id(id, known);
        None
    }

    pub(super) fn unknown_id(&mut self, id: &Spanned<String>, known: &Known<'_>) {
        self.errors.add(id.span, format!("no member has the id `{}`", id.value)).help =
            proposal(&id.value, known.ids.keys().copied());
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

    pub(super) fn first_place(&self) -> Option<Span> {
        self.all().next().map(|name| name.span)
    }
}

pub(super) fn place_of(items: &ItemsWritten, name: &str) -> Option<Span> {
    items.all().find(|written| written.value == name).map(|written| written.span)
}

/// Each connector or task with a key that no other has, and its name.
pub(super) fn named_items(items: &Items, work: &Work) -> Vec<((bool, u32), String)> {
    let connectors = items.connectors.iter().map(|id| ((false, id.0), work.name(*id).to_owned()));
    connectors.chain(items.tasks.iter().map(|id| ((true, id.0), work.task_name(*id)))).collect()
}

/// Every connector of the file with the largest number of tasks it has at any time.
pub(super) fn universe(file: &ReplayFile) -> Work {
    let later = configs(file).flatten().filter_map(|(_, written)| written.as_ref());
    Work::new(file.connectors.iter().chain(later).map(|written| {
        let tasks = written.tasks.as_ref().map_or(0, |tasks| tasks.value);
        (written.name.value.as_str(), tasks)
    }))
}

/// All workers, w2 before w10.
pub(super) fn worker_names(file: &ReplayFile) -> Vec<&str> {
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

pub(super) fn configs(file: &ReplayFile) -> impl Iterator<Item = &[(Spanned<String>, Option<ConnectorWritten>)]> {
    file.events.iter().filter_map(|event| match &event.kind {
        EventKindWritten::Config(changes) => Some(changes.as_slice()),
        _ => None,
    })
}
