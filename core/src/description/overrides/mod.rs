//! What is tried in the place of what a file says: `KEY=VALUE`, taken as if it had been written there.
//!
//! An override changes the tree that was read, before anything is checked, so that one reader
//! finds what is wrong in a file and in what is set. It is the strongest: what is set for all
//! workers holds for each of them, also where the file says otherwise of one.

mod apply;
mod axis;
mod strongest;

pub use axis::{Axis, Override};

use crate::text::yaml::Node;
use crate::text::{Errors, FileId};

/// What messages call the place of overrides.
pub const SET: &str = "--set";

/// Puts overrides into the tree of a file, one after another. Told is what else was replaced.
pub(super) fn apply(root: &mut Node, sets: &[&Override], errors: &mut Errors) -> Vec<String> {
    if sets.is_empty() {
        return Vec::new();
    }
    let file: FileId = errors.file(SET);
    sets.iter().filter_map(|set| apply::Placing { set, file }.apply(root, errors)).collect()
}

#[cfg(test)]
mod tests;
