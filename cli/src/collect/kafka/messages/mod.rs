//! The requests, one file for each subject, after the schemas in Kafka's
//! `clients/src/main/resources/common/message` (4.1).
//!
//! A field that nobody here needs is read and dropped.

mod cluster;
mod consumer_groups;
mod groups;
mod offsets;
mod session;

pub(super) use cluster::{Broker, FindCoordinator, FoundCoordinator, Metadata, MetadataAnswer};
pub(super) use consumer_groups::{ConsumerGroupDescribe, ConsumerGroupFields, ConsumerMember};
pub(crate) use groups::DescribedMember;
pub(super) use groups::{DescribeGroups, GroupFields, ListGroups, ListedGroup};
pub(super) use offsets::{GroupOffsets, ListOffsets, OffsetFetch, PartitionOffset};
pub(super) use session::{ApiVersions, SaslAuthenticate, SaslHandshake};
