//! A small Kafka client that only reads: groups with their members' own bytes, committed
//! offsets, ends of partitions.
//!
//! [`Kafka`] keeps its connections and what it knows of the cluster between calls, so that
//! asking again for a group is one request to its coordinator. Each call ends within
//! [`Access::timeout`], whatever the other side does. There is no clock beyond that, no
//! thread but one that resolves names, and nothing is written anywhere.
//!
//! All requests pass through [`connection`], which can send those of [`api::Api`] and no other.
//!
//! The messages are encoded and decoded here, for a reason: codecs that are made from
//! Kafka's schemas reserve memory for as many elements as an answer names, and one broken
//! length then ends the process. The tests use such a codec as the other side.
//!
//! # Leaves out
//! - Kerberos (GSSAPI): needs a C library and the site's configuration; observe with
//!   Kafka's own tools there
//! - getting a token for OAUTHBEARER: the token is handed in
//! - transactions, records, and whatever changes a cluster

mod access;
mod api;
mod client;
mod codec;
mod connection;
mod coordinators;
mod deadline;
mod error;
mod groups;
mod messages;
mod offsets;
mod probe;
mod sasl;
mod scram;
mod secret;
mod socket;
mod tls;

#[cfg(test)]
mod tests;

pub(crate) use access::{Access, Mechanism, Sasl, Tls};
pub(crate) use client::Kafka;
pub(crate) use error::{KafkaError, Permission};
pub(crate) use groups::{ConsumerGroup, DescribedGroup};
#[cfg(test)]
pub(crate) use messages::DescribedMember;
pub(crate) use secret::Secret;
