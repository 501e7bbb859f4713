//! What the operator wrote: the shape of the file, its keys and values, each in its place.
//!
//! [`Description::parse`] checks the file against one table of keys and reports everything
//! that is wrong at once; what the values mean together is decided in `model`.

mod keys;
pub mod overrides;
mod read;
mod replay;
mod replay_keys;
mod schema;
mod settings;
mod shape;
mod value;
mod written;

use crate::units::Duration;

pub use replay::{
    EventKindWritten, EventWritten, ItemsWritten, MemberWritten, MemoryWritten, ObservedWritten, ReplayFile,
    RunsWritten,
};
pub use schema::{description_schema, replay_schema};
pub(crate) use shape::{nearest, proposal};
pub use written::{
    BrokerWritten, ChangeWritten, ConnectorWritten, ConsumerWritten, Description, PolicyWritten, Remark,
    RestartWritten, RollWritten, Setting, SettingsWritten, StartWritten, WorkerWritten, WorkersWritten,
};

/// A time as people write it, where a setting or policy holds it as text.
pub(crate) fn time(text: &str) -> Result<Duration, ()> {
    value::time(text, false).map_err(drop)
}
