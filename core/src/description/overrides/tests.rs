//! Overrides in trees.
