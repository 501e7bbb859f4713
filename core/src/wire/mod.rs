//! The bytes that Connect's workers hand to one another through the group protocol: what each
//! says of itself when it joins, and what the leader gives each.
//!
//! ```text
//! metadata     version i16 · url string · config offset i64 · from version 1 on: allocation bytes?
//! assignment   version i16 · error i16 · leader string · leader url string · config offset i64 ·
//!              assigned list · from version 1 on: revoked list, delay i32
//! list         i32 times: connector string · tasks i32 times: number i32, -1 is the connector itself
//! ```
//!
//! Numbers are big-endian, a string has an i16 of bytes before it, bytes have an i32; a length
//! of -1 is null where there is a question mark and for the lists of version 1 on. The
//! allocation is the assignment that the member works by, all of it.
//!
//! Read as Kafka reads it: what a version beyond 2 may add at the end is passed over, and an
//! assignment may end before its lists. Nothing is allocated for a length that the bytes do not hold.
//!
//! Source: `ConnectProtocol` (version 0, `eager`), `IncrementalCooperativeConnectProtocol`
//! (1, `compatible`; 2, `sessioned`), `ExtendedAssignment`. `tests/tests/oracle_wire.rs` holds
//! it against what these classes write, from 2.8.2 to 4.4.0.

mod assignment;
mod consumer;
mod error;
mod metadata;
mod read;
mod write;

pub use assignment::{Assignment, Part};
pub use consumer::consumer_partitions;
pub use error::{Problem, TooLong, WireError};
pub use metadata::Metadata;

#[cfg(test)]
mod tests;
