//! A worker as far as the files tell: described, or known by its file alone.

use crate::description::Setting;
use crate::model::{self, KafkaVersion, Layers, WorkerSetup};

/// A worker, at one side of its restart.
#[derive(Debug)]
pub struct Worker<'i> {
    /// Its name in the description, or that of its file.
    pub name: &'i str,
    /// What the description makes of it; `None` if only its file is known.
    pub described: Option<&'i model::Worker>,
    /// Before or after its restart.
    pub phase: Phase,
    /// What its settings mean; `None` if it fills one of them in as it starts.
    pub setup: Option<&'i WorkerSetup>,
    /// Its version; `None` if nothing says it.
    pub version: Option<KafkaVersion>,
    /// The file, if only that is known.
    pub(super) file: Option<&'i super::WorkerFile>,
    pub(super) layers: Layers<'i>,
}

/// The side of the restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// As it runs now.
    Before,
    /// As it comes back.
    After,
}

/// Workers that form one group.
#[derive(Debug)]
pub struct Group<'c, 'i> {
    /// `group.id`, where it is said.
    pub id: Option<&'i str>,
    /// Its workers, in the order of the description and then of the files.
    pub workers: Vec<&'c Worker<'i>>,
}

impl<'i> Worker<'i> {
    /// The setting that counts, if anybody wrote it.
    pub fn get(&self, key: &str) -> Option<&'i Setting> {
        self.layers.get(key)
    }

    /// Its value as text without blanks around it.
    pub fn text(&self, key: &str) -> Option<&'i str> {
        self.layers.text(key).map(str::trim)
    }
}
