//! `rollgate schema [cluster|replay|snapshot]`

use rollgate_core::description::{description_schema, replay_schema};
use rollgate_core::report::json;
use rollgate_core::snapshot::snapshot_schema;

use crate::args::{Schema, SchemaOf};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Screen;

/// Prints the JSON schema of a file.
pub(super) fn run(arguments: &Schema) -> Result<Exit, Failure> {
    let schema = match arguments.of {
        SchemaOf::Cluster => description_schema(),
        SchemaOf::Replay => replay_schema(),
        SchemaOf::Snapshot => snapshot_schema(),
    };
    Screen::answer(&json(&schema))?;
    Ok(Exit::Fine)
}
