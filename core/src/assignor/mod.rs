//! Who gets which work: pure functions over dense ids, one file for each assignor.
//!
//! All of them take decoded lists and give ordered lists, exactly as Kafka's classes do:
//! the order decides what is revoked next.

mod back_off;
mod balance;
mod bits;
mod ceiling;
mod connect_eager;
mod connect_incremental;
mod distribution;
mod java_order;
mod kind;
mod lost;
mod members;
mod round;
mod wire_order;

pub use connect_eager::assign_eager;
pub use connect_incremental::{IncrementalAssignor, Memory};
pub use java_order::{HashOrder, worker_order};
pub use members::{MemberId, MemberIds};
pub use round::{Assignment, Configured, Given, Items, Member, Round};
pub use wire_order::{WireOrder, regroup};
