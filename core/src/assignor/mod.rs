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
mod consumer_cooperative_sticky;
mod consumer_range;
mod distribution;
mod java_order;
mod kind;
mod lost;
mod members;
mod round;
mod wire_order;

pub use crate::model::{Configured, Items};
pub use connect_eager::assign_eager;
pub use connect_incremental::{IncrementalAssignor, Memory};
pub use consumer_cooperative_sticky::consumer_cooperative_sticky;
pub use consumer_range::consumer_range;
pub use java_order::{HashOrder, Java, worker_order};
pub use members::{MemberId, MemberIds};
pub use round::{Assignment, Given, Member, Round};
pub use wire_order::{WireOrder, regroup};
