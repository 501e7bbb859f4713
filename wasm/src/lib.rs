//! Browser bindings of rollgate-core.
