//! What a rule can ask.

use std::collections::BTreeMap;

use super::{Described, Group, Inputs, ListedConnector, Phase, Worker, WorkerFile};
use crate::description::Setting;
use crate::finding::Place;
use crate::model::{Layers, WorkerId, layers_of};
use crate::text::{FileId, Files, Span};

/// What was read, from the view of rules.
#[derive(Debug)]
pub struct Context<'i> {
    inputs: &'i Inputs<'i>,
    before: Vec<Worker<'i>>,
    after: Vec<Worker<'i>>,
}

impl<'i> Context<'i> {
    /// The view of what was read.
    pub fn new(inputs: &'i Inputs<'i>) -> Self {
        let mut context = Self { inputs, before: Vec::new(), after: Vec::new() };
        if let Some(Described { description, cluster, .. }) = &inputs.described {
            for (id, worker) in (0..).map(WorkerId).zip(&cluster.workers) {
                let layers = layers_of(description, cluster, id);
                let seen = |phase, setup: &'i crate::model::WorkerSetup, layers| Worker {
                    name: &worker.name,
                    described: Some(worker),
                    phase,
                    setup: Some(setup),
                    version: Some(setup.version),
                    file: None,
                    layers,
                };
                if worker.before != worker.after || layers.after.is_some() {
                    let after = layers.after.unwrap_or_else(|| layers.before.clone());
                    context.after.push(seen(Phase::After, &worker.after, after));
                }
                context.before.push(seen(Phase::Before, &worker.before, layers.before));
            }
        }
        let described = inputs.described.is_some();
        context.before.extend(inputs.workers.iter().filter(|file| !(described && file.described)).map(Worker::of));
        context
    }

    /// The texts of all files.
    pub fn files(&self) -> &'i Files {
        self.inputs.files
    }

    /// The names of all files, the description's first.
    pub fn names(&self) -> &'i [String] {
        &self.inputs.names
    }

    /// The description and what it means, if one was given.
    pub fn described(&self) -> Option<&'i Described> {
        self.inputs.described.as_ref()
    }

    /// All worker files, each once, those that the description names first.
    pub fn worker_files(&self) -> &'i [WorkerFile] {
        &self.inputs.workers
    }

    /// The workers as they run now: those of the description, then those of files beside it.
    pub fn workers(&self) -> &[Worker<'i>] {
        &self.before
    }

    /// The described workers that come back with another version or other settings.
    pub fn changed(&self) -> &[Worker<'i>] {
        &self.after
    }

    /// The workers before and after the roll.
    pub fn setups(&self) -> impl Iterator<Item = &Worker<'i>> {
        self.before.iter().chain(&self.after)
    }

    /// The described workers at one side of the roll.
    pub fn roll(&self, phase: Phase) -> Vec<&Worker<'i>> {
        let described = self.before.iter().filter(|worker| worker.described.is_some());
        match phase {
            Phase::Before => described.collect(),
            Phase::After => described
                .map(|before| self.after.iter().find(|after| after.name == before.name).unwrap_or(before))
                .collect(),
        }
    }

    /// The workers as they run now, by group. A worker whose file says no `group.id`, or the
    /// same as the description's workers, belongs to these.
    pub fn groups(&self) -> Vec<Group<'_, 'i>> {
        let described = self.inputs.described.is_some();
        let own = self.before.first().filter(|_| described).and_then(|worker| worker.text("group.id"));
        let mut groups: BTreeMap<Option<&'i str>, Vec<&Worker<'i>>> = BTreeMap::new();
        for worker in &self.before {
            let id = match worker.text("group.id") {
                _ if worker.described.is_some() => own,
                None if described => own,
                Some(_) if described && own.is_none() => own,
                other => other,
            };
            groups.entry(id).or_default().push(worker);
        }
        groups.into_iter().map(|(id, workers)| Group { id, workers }).collect()
    }

    /// A place of a file that was read.
    pub fn at(&self, span: Span) -> Place {
        let file = self.inputs.names.get(usize::from(span.file.0)).cloned().unwrap_or_default();
        Place { file, line: span.line, column: span.column, span: span.bytes(), label: None }
    }

    /// The place of a setting's value, or of its key if it has none.
    pub fn of(&self, setting: &Setting) -> Place {
        let span = setting.value.span;
        self.at(if span.start == span.end { setting.key } else { span })
    }

    /// The place of a key of the description, by the keys that lead to it; if nobody wrote it,
    /// the place that comes nearest, which says so. The beginning of the first file if there is no description.
    pub fn key(&self, path: &[&str]) -> Place {
        let Some(described) = self.described() else { return self.beginning(FileId(0)) };
        let nearest = described.description.nearest(path);
        if nearest.written {
            return self.at(nearest.value.unwrap_or(nearest.span));
        }
        self.at(nearest.span).labelled(format!("nothing here says `{}`", path.join(".")))
    }

    /// The place of the setting that counts for a worker; if nobody wrote it, the place that
    /// comes nearest, which says that the default counts.
    pub fn setting(&self, worker: &Worker<'_>, key: &str, default: &str) -> Place {
        if let Some(setting) = worker.get(key) {
            return self.of(setting);
        }
        let nearest = match (worker.file, self.described()) {
            (Some(file), _) => self.beginning(file.file),
            (None, Some(described)) => {
                // Without settings the version decides the default.
                let nearest = ["settings", "settings_from", "kafka"].map(|key| described.description.nearest(&[key]));
                let written = nearest.into_iter().find(|nearest| nearest.written);
                self.at(written.unwrap_or(nearest[0]).span)
            }
            (None, None) => self.beginning(FileId(0)),
        };
        nearest.labelled(format!("{key} is not set: {default} by default"))
    }

    /// The place of a key of a connector, or of its name if nobody wrote the key.
    pub fn connector(&self, listed: ListedConnector<'_>, key: &str) -> Place {
        let Some(described) = self.described() else { return self.beginning(FileId(0)) };
        let place = listed.place.to_string();
        let description = &described.description;
        // In a list a connector is found by its place, in a map by its name.
        let paths = [["connectors", &place, key], ["connectors", &listed.written.name.value, key]];
        let found = paths.iter().map(|path| description.nearest(path)).find(|nearest| nearest.written);
        let name = self.at(listed.written.name.span);
        found.map_or(name, |nearest| self.at(nearest.value.unwrap_or(nearest.span)))
    }

    /// Where a file begins to say something: the first key of a worker file, else its first line.
    pub fn beginning(&self, file: FileId) -> Place {
        let worker = self.inputs.workers.iter().find(|worker| worker.file == file);
        if let Some(first) = worker.and_then(|worker| worker.properties.all.first()) {
            return self.at(first.key.span);
        }
        let name = self.inputs.names.get(usize::from(file.0)).cloned().unwrap_or_default();
        let text = self.inputs.files.get(&name).unwrap_or_default();
        let end = text.find(['\n', '\r']).unwrap_or(text.len());
        Place { file: name, line: 1, column: 1, span: 0..end, label: None }
    }
}

impl<'i> Worker<'i> {
    fn of(file: &'i WorkerFile) -> Self {
        Self {
            name: &file.name,
            described: None,
            phase: Phase::Before,
            setup: file.setup.as_ref(),
            version: None,
            file: Some(file),
            layers: Layers::default().with(Some(&file.settings)),
        }
    }
}
