//! A snapshot from a file.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{Group, Snapshot};

/// Something that is wrong with a snapshot's file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", self.place())]
pub struct SnapshotError {
    /// The line and the column, counted from 1, where it was noticed; none if it is about the
    /// whole.
    pub place: Option<(usize, usize)>,
    /// What is wrong, as a clause.
    pub message: String,
}

impl SnapshotError {
    fn of_whole(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }

    fn place(&self) -> String {
        self.place.map(|(line, column)| format!("line {line}, column {column}: ")).unwrap_or_default()
    }
}

impl From<serde_json::Error> for SnapshotError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let message = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
        Self { place: (line > 0).then_some((line, column)), message: message.to_owned() }
    }
}

impl Snapshot {
    /// Reads a snapshot from its JSON. Keys that this program does not know are passed over: a
    /// newer one may write more.
    ///
    /// # Errors
    /// What is wrong, with its place where it has one: no JSON, a value that is missing or of
    /// another kind, another version of the format, parts that contradict one another.
    pub fn read(text: &str) -> Result<Self, Vec<SnapshotError>> {
        if text.trim().is_empty() {
            return Err(vec![SnapshotError::of_whole("there is nothing in it")]);
        }
        let head: Head = serde_json::from_str(text).map_err(|error| vec![error.into()])?;
        match head.schema_version {
            None => {
                let message = "it is no snapshot: `schema_version` is missing";
                return Err(vec![SnapshotError::of_whole(message)]);
            }
            Some(Self::SCHEMA_VERSION) => {}
            Some(other) => {
                let ours = Self::SCHEMA_VERSION;
                let message =
                    format!("its schema_version is {other}; this program reads {ours}: take it with the same");
                return Err(vec![SnapshotError::of_whole(message)]);
            }
        }
        let snapshot: Self = serde_json::from_str(text).map_err(|error| vec![error.into()])?;
        let errors = snapshot.contradictions();
        if errors.is_empty() { Ok(snapshot) } else { Err(errors) }
    }

    /// What no cluster can have said.
    fn contradictions(&self) -> Vec<SnapshotError> {
        let mut errors = Vec::new();
        if self.took_ms < 0 {
            errors.push(SnapshotError::of_whole(format!("took_ms is {}, and time does not run back", self.took_ms)));
        }
        let members = self.group.known().map(|group| group.members.as_slice()).unwrap_or_default();
        for id in twice(members.iter().map(|member| member.id.as_str())) {
            errors.push(SnapshotError::of_whole(format!("two members have the id `{id}`")));
        }
        for connector in twice(self.sinks.iter().map(|sink| sink.connector.as_str())) {
            errors.push(SnapshotError::of_whole(format!("two sinks are named `{connector}`")));
        }
        if let Some(delay) = self.group.known().and_then(shortest_delay)
            && delay < 0
        {
            errors.push(SnapshotError::of_whole(format!("a delay_ms is {delay}, below 0")));
        }
        errors
    }
}

fn shortest_delay(group: &Group) -> Option<i64> {
    let delays = group.members.iter().filter_map(|member| member.assignment.known());
    delays.map(|assignment| assignment.delay_ms).min()
}

fn twice<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).collect()
}

/// What must be known before the rest can be read.
#[derive(Deserialize)]
#[serde(expecting = "a snapshot")]
struct Head {
    schema_version: Option<u32>,
}
