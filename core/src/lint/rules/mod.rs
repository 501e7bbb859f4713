//! One rule, one file.

pub(super) mod all_workers_at_once;
pub(super) mod allow_of_unknown_rule;
