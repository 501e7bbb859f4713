//! The names of a replay file: workers, members, connectors and tasks.

use std::collections::BTreeMap;

use crate::description::{ConnectorWritten, EventKindWritten, ReplayFile, proposal};
use crate::model::build::Build;
use crate::model::{Work, WorkerId};
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
