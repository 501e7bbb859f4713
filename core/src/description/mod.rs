//! What the operator wrote: the shape of the file, its keys and values, each in its place.
//!
//! [`Description::parse`] checks the file against one table of keys and reports everything
//! that is wrong at once; what the values mean together is decided in `model`.

mod covered;
mod documented;
mod items;
mod keys;
mod known;
pub mod overrides;
mod read;
mod replay;
mod replay_keys;
mod schema;
mod settings;
mod shape;
mod synonyms;
mod value;
mod written;

use crate::units::Duration;

pub(crate) use covered::{covered, is_covered};
pub use documented::KeyDoc;
pub use items::ItemsWritten;
pub(crate) use known::is_handed_on;
pub use known::{KnownSetting, Minor, Owner};
pub use replay::{
    EventKindWritten, EventWritten, MemberWritten, MemoryWritten, ObservedWritten, ReplayFile, RunsWritten,
};
pub use schema::{description_schema, replay_schema};
pub(crate) use shape::{nearest, proposal};
pub use synonyms::key_meant;
pub(crate) use value::time as time_or_why;
pub use written::{
    BrokerWritten, ChangeWritten, ConnectorWritten, ConsumerWritten, Description, MaxShareWritten, Nearest,
    PolicyWritten, Remark, RestartWritten, RollWritten, Setting, SettingsWritten, StartWritten, WorkerWritten,
    WorkersWritten,
};

impl Description {
    /// The names of the worker settings that decide what happens in a roll.
    pub fn worker_settings() -> impl Iterator<Item = &'static str> {
        settings::WORKER_SETTINGS.iter().map(|known| known.name)
    }

    /// What a description says of settings, the workers' and the brokers'.
    #[cfg(test)]
    pub(crate) fn setting_docs() -> impl Iterator<Item = (&'static str, &'static str)> {
        let all = settings::WORKER_SETTINGS.iter().chain(settings::BROKER_SETTINGS);
        all.map(|known| (known.name, known.doc))
    }
}

/// Whether text without quotes is a name to every reader of YAML.
pub(crate) fn is_plain_name(text: &str) -> bool {
    value::name(text, true).is_ok()
}

/// A time as people write it, such as `30s` or `1min 30s`; nothing if the text is none.
pub fn time(text: &str) -> Option<Duration> {
    value::time(text, false).ok()
}
