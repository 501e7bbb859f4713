//! The default assignor of consumers, and so of sink tasks.

use std::ops::Range;

/// Shares the partitions 0 to `partitions` of one topic out in contiguous ranges.
///
/// The consumers are those of the generation in the order of their member ids
/// (`String.compareTo`; nothing else distinguishes them). The first ones get one
/// partition more when the division leaves a rest; those beyond the number of
/// partitions get none.
///
/// Follows `RangeAssignor` of Kafka 4.3.
///
/// # Leaves out
/// - several topics, of which each is shared out anew from the first consumer on
/// - racks of consumers (KIP-881) and static consumers (KIP-345), which Connect does not set
pub fn consumer_range(partitions: u32, consumers: usize) -> Vec<Range<u32>> {
    let Ok(count) = u32::try_from(consumers) else { return vec![0..0; consumers] };
    if count == 0 {
        return Vec::new();
    }
    let (each, longer) = (partitions / count, partitions % count);
    let start = |place: u32| place * each + place.min(longer);
    (0..count).map(|place| start(place)..start(place + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_consumers_get_the_rest() {
        assert_eq!(consumer_range(12, 5), [0..3, 3..6, 6..8, 8..10, 10..12]);
    }

    #[test]
    fn consumers_beyond_the_partitions_get_none() {
        assert_eq!(consumer_range(2, 3), [0..1, 1..2, 2..2]);
        assert_eq!(consumer_range(0, 2), [0..0, 0..0]);
        assert_eq!(consumer_range(2, 0), []);
    }
}
