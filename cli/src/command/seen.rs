//! One look at the cluster that a call is about.

use rollgate_core::snapshot::Snapshot;
use rollgate_core::text::Files;
use rollgate_core::verbs;

use crate::args::Access;
use crate::collect::{Collector, Look};
use crate::failure::Failure;
use crate::load;

/// A snapshot: the one that a file holds, else of the cluster itself.
///
/// # Errors
/// If the file is no snapshot, or the options have to change.
pub(super) fn snapshot(access: &Access) -> Result<Snapshot, Failure> {
    if let Some(path) = &access.snapshot {
        let mut files = Files::default();
        let name = load::beside(&mut files, path)?;
        return verbs::snapshot_of(&files, &name).map_err(|refusal| Failure::refused(&refusal, &files, false));
    }
    let looked = Collector::of(access).and_then(|mut of| of.look(Look::default()));
    Ok(looked.map_err(Failure::Argument)?.snapshot)
}
