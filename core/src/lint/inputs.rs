//! What is linted: a description, worker files, or both.

use std::collections::BTreeMap;

use crate::description::{ConnectorWritten, Description, Setting, WorkersWritten};
use crate::model::{Cluster, Connector, NEWEST, Policy, WorkerSetup, read_with_places, read_worker};
use crate::text::properties::{self, Properties};
use crate::text::{DescriptionError, Errors, FileId, Files};

/// Everything that was read, and what is wrong with it.
#[derive(Debug)]
pub struct Inputs<'f> {
    /// The texts.
    pub files: &'f Files,
    /// The names of the files; the places in them refer to these.
    pub names: Vec<String>,
    /// The description, if one was given and nothing is wrong with it.
    pub described: Option<Described>,
    /// The worker files with which nothing is wrong, each once.
    pub workers: Vec<WorkerFile>,
    /// Everything that is wrong, in whichever file.
    pub errors: Vec<DescriptionError>,
}

/// A description and what it means.
#[derive(Debug)]
pub struct Described {
    /// What was written.
    pub description: Description,
    /// What it means.
    pub cluster: Cluster,
    /// What a roll must respect.
    pub policy: Policy,
}

/// A worker's `.properties` file.
#[derive(Debug)]
pub struct WorkerFile {
    /// Its name.
    pub name: String,
    /// Its id in places.
    pub file: FileId,
    /// Every line that says something, also those that a later one replaces.
    pub properties: Properties,
    /// What Java keeps.
    pub settings: BTreeMap<String, Setting>,
    /// What the settings mean by themselves; `None` if the worker fills one of them in as it starts.
    pub setup: Option<WorkerSetup>,
    /// Whether the description names it in `settings_from`.
    pub described: bool,
}

impl<'f> Inputs<'f> {
    /// Reads a description, where there is one, with the files it names, and worker files beside it.
    ///
    /// A file that cannot be taken leaves its errors and nothing else; the others are read.
    pub fn read(files: &'f Files, main: Option<&str>, workers: &[String]) -> Self {
        let mut errors = Errors::new(Vec::new());
        let mut wrong = Vec::new();
        let described = main.and_then(|main| match read_with_places(files, main) {
            Ok((description, cluster, policy)) => {
                for name in &description.files {
                    errors.file(name);
                }
                Some(Described { description, cluster, policy })
            }
            Err(found) => {
                errors.file(main);
                wrong = found;
                None
            }
        });
        let referenced = main.and_then(|main| files.get(main)).map(Description::referenced_files).unwrap_or_default();
        let mut list = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for name in referenced.iter().chain(workers) {
            let described = referenced.contains(name);
            if !seen.insert(name.as_str()) {
                continue;
            }
            match files.get(name) {
                Some(text) => list.extend(WorkerFile::read(name, text, described, &mut errors)),
                // Of one that the description names, the reader of descriptions has said so.
                None if described => {}
                None => {
                    let file = errors.file(name);
                    let start = crate::text::Span { file, line: 1, column: 1, ..Default::default() };
                    errors.add(start, format!("the file `{name}` was not found"));
                }
            }
        }
        let names = errors.files().to_vec();
        let beside = errors.finish::<()>(None).err().unwrap_or_default();
        for error in beside {
            if !wrong.iter().any(|known| known.file == error.file && known.span == error.span) {
                wrong.push(error);
            }
        }
        Self { files, names, described, workers: list, errors: wrong }
    }
}

impl WorkerFile {
    fn read(name: &str, text: &str, described: bool, errors: &mut Errors) -> Option<Self> {
        let before = errors.len();
        let file = errors.file(name);
        let properties = properties::parse(text, file, errors);
        if errors.len() > before {
            return None;
        }
        let settings: BTreeMap<String, Setting> = properties
            .last()
            .into_iter()
            .map(|(key, property)| (key.to_owned(), Setting { value: property.value.clone(), key: property.key.span }))
            .collect();
        let filled_in = settings.iter().any(|(key, setting)| {
            setting.value.value.contains("${") && Description::worker_settings().any(|known| known == key)
        });
        // A file of a description was judged with all that stands beside it.
        let setup = if filled_in {
            None
        } else if described {
            read_worker(&settings, NEWEST, &mut Errors::default())
        } else {
            Some(read_worker(&settings, NEWEST, errors)?)
        };
        Some(Self { name: name.to_owned(), file, properties, settings, setup, described })
    }

    /// What the file says of a key.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.settings.get(key)
    }

    /// What the file says of a key, as text without blanks around it.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).map(|setting| setting.value.value.trim())
    }
}

impl Described {
    /// The connectors as they are listed, each with what it means; of many equal ones the first.
    pub fn connectors(&self) -> Vec<ListedConnector<'_>> {
        let by_name: BTreeMap<&str, &Connector> =
            self.cluster.connectors.iter().map(|connector| (connector.name.as_str(), connector)).collect();
        let listed = self.description.connectors.iter().enumerate();
        listed
            .filter_map(|(place, written)| {
                let name = &written.name.value;
                let name = if written.count.is_some() { name.replace("{n}", "1") } else { name.clone() };
                let connector = by_name.get(name.as_str()).copied()?;
                Some(ListedConnector { place, written, connector })
            })
            .collect()
    }

    /// Whether somebody said how long the start of a worker takes.
    pub fn knows_starts(&self) -> bool {
        let own = match &self.description.workers {
            WorkersWritten::Count(_) => false,
            WorkersWritten::List(list) => list.iter().all(|worker| worker.restart.start.is_some()),
        };
        self.description.restart.start.is_some() || own
    }
}

/// A connector of the description.
#[derive(Clone, Copy, Debug)]
pub struct ListedConnector<'i> {
    /// Its place in the list.
    pub place: usize,
    /// What was written.
    pub written: &'i ConnectorWritten,
    /// What it means.
    pub connector: &'i Connector,
}
