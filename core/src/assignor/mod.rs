//! Who gets which work: pure functions over dense ids, one file for each assignor.
//!
//! All of them take decoded lists and give ordered lists, exactly as Kafka's classes do:
//! the order decides what is revoked next.

mod consumer_cooperative_sticky;
mod consumer_range;
mod members;
mod round;

pub use consumer_cooperative_sticky::consumer_cooperative_sticky;
pub use consumer_range::consumer_range;
pub use members::{MemberId, MemberIds};
pub use round::{Assignment, Configured, Given, Items, Member, Round};
