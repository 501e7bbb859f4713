//! What this client can ask a broker: a closed list of requests that only read.

use std::ops::RangeInclusive;

use super::codec::{Malformed, Reader, Writer};

/// The kinds of request there are here. None of them changes anything in a cluster, and
/// nothing can be sent that is not one of them: [`Request`] names its kind by this type.
///
/// The numbers are Kafka's API keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::enum_variant_names, reason = "the names are Kafka's")]
pub(crate) enum Api {
    /// The last offsets of partitions.
    ListOffsets = 2,
    /// Brokers, the cluster's id, the leaders of partitions. Asked so that no topic is created.
    Metadata = 3,
    /// What a group has committed.
    OffsetFetch = 9,
    /// Which broker coordinates a group.
    FindCoordinator = 10,
    /// State and members of groups of the classic protocol.
    DescribeGroups = 15,
    /// The groups that a broker coordinates.
    ListGroups = 16,
    /// Which SASL mechanism will be used.
    SaslHandshake = 17,
    /// Which versions of which requests a broker understands.
    ApiVersions = 18,
    /// The messages of a SASL mechanism.
    SaslAuthenticate = 36,
    /// State and members of groups of the consumer protocol (KIP-848).
    ConsumerGroupDescribe = 69,
}

impl Api {
    /// Kafka's number for it.
    pub(super) const fn key(self) -> i16 {
        self as i16
    }

    /// Kafka's name for it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ListOffsets => "ListOffsets",
            Self::Metadata => "Metadata",
            Self::OffsetFetch => "OffsetFetch",
            Self::FindCoordinator => "FindCoordinator",
            Self::DescribeGroups => "DescribeGroups",
            Self::ListGroups => "ListGroups",
            Self::SaslHandshake => "SaslHandshake",
            Self::ApiVersions => "ApiVersions",
            Self::SaslAuthenticate => "SaslAuthenticate",
            Self::ConsumerGroupDescribe => "ConsumerGroupDescribe",
        }
    }

    /// The versions that are understood here. The first is one that Kafka 2.1, and every
    /// release since, understands (KIP-896 removed what is older from 4.0).
    pub(super) const fn versions(self) -> RangeInclusive<i16> {
        match self {
            Self::ListOffsets => 1..=7,
            Self::Metadata => 5..=12,
            Self::OffsetFetch => 2..=9,
            Self::FindCoordinator => 1..=4,
            Self::DescribeGroups => 0..=6,
            Self::ListGroups => 0..=5,
            Self::SaslHandshake => 1..=1,
            Self::ApiVersions => 0..=0,
            Self::SaslAuthenticate => 0..=2,
            Self::ConsumerGroupDescribe => 0..=1,
        }
    }

    /// Whether a version has tagged fields and compact lengths (KIP-482).
    pub(super) const fn flexible(self, version: i16) -> bool {
        let first = match self {
            Self::ListOffsets | Self::OffsetFetch => 6,
            Self::Metadata => 9,
            Self::FindCoordinator | Self::ListGroups | Self::ApiVersions => 3,
            Self::DescribeGroups => 5,
            Self::SaslAuthenticate => 2,
            Self::ConsumerGroupDescribe => 0,
            Self::SaslHandshake => i16::MAX,
        };
        version >= first
    }
}

/// A request with the form of its answer.
pub(super) trait Request {
    /// Which kind it is.
    const API: Api;
    /// What comes back.
    type Answer;

    /// Writes its body in a version of [`Api::versions`].
    fn write(&self, version: i16, to: &mut Writer);

    /// Reads the body of the answer, to its end.
    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_request_can_be_sent_but_these_ten_which_only_read() {
        let read_only = [
            (Api::ListOffsets, 2, "ListOffsets"),
            (Api::Metadata, 3, "Metadata"),
            (Api::OffsetFetch, 9, "OffsetFetch"),
            (Api::FindCoordinator, 10, "FindCoordinator"),
            (Api::DescribeGroups, 15, "DescribeGroups"),
            (Api::ListGroups, 16, "ListGroups"),
            (Api::SaslHandshake, 17, "SaslHandshake"),
            (Api::ApiVersions, 18, "ApiVersions"),
            (Api::SaslAuthenticate, 36, "SaslAuthenticate"),
            (Api::ConsumerGroupDescribe, 69, "ConsumerGroupDescribe"),
        ];
        for (api, key, name) in read_only {
            // A kind that is added has to be added here, or this does not compile.
            let (Api::ListOffsets
            | Api::Metadata
            | Api::OffsetFetch
            | Api::FindCoordinator
            | Api::DescribeGroups
            | Api::ListGroups
            | Api::SaslHandshake
            | Api::ApiVersions
            | Api::SaslAuthenticate
            | Api::ConsumerGroupDescribe) = api;
            assert_eq!((api.key(), api.name()), (key, name));
        }
    }
}
