//! What is asked of a running cluster, and how it becomes a snapshot.
//!
//! Workers are asked by [`rest`], brokers by [`kafka`]; both can only read. [`Collector`]
//! puts the answers together and judges nothing: that is for the core, which is handed a
//! snapshot in which all that could not be seen is unknown, with the reason.

mod access;
mod address;
mod collector;
mod group;
pub(crate) mod kafka;
mod rest;
mod sinks;
mod statuses;

pub(crate) use address::Address;
pub(crate) use collector::{Collector, Look, Versions};
