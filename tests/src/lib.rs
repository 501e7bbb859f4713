//! Harness of the tests.

pub mod oracle;
