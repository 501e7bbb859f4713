//! What a consumer of the classic protocol was given: the partitions of a sink's task.

use super::WireError;
use super::assignment::read_version;
use super::read::Reader;

/// The partitions in a consumer's assignment, as topic and number, in the order on the wire.
///
/// ```text
/// version i16 · topics i32 times: topic string · partitions i32 times: number i32 · user data
/// ```
///
/// What comes after the partitions is not read. Nothing is assigned by no bytes.
/// Source: `ConsumerProtocolAssignment.json`, versions 0 to 3.
///
/// # Errors
/// Where the bytes are none of a consumer's assignment.
pub fn consumer_partitions(bytes: &[u8]) -> Result<Vec<(String, i32)>, WireError> {
    let mut partitions = Vec::new();
    if bytes.is_empty() {
        return Ok(partitions);
    }
    let mut reader = Reader::new(bytes);
    read_version(&mut reader)?;
    for _ in 0..reader.length(LEAST_TOPIC, false, "the topics")?.unwrap_or(0) {
        let topic = reader.string("a topic's name")?;
        for _ in 0..reader.length(LEAST_PARTITION, false, "the partitions of a topic")?.unwrap_or(0) {
            partitions.push((topic.clone(), reader.i32("the number of a partition")?));
        }
    }
    Ok(partitions)
}

/// Bytes of a topic without a name and partitions.
const LEAST_TOPIC: usize = 6;

/// Bytes of a partition's number.
const LEAST_PARTITION: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] =
        b"\0\x01\0\0\0\x02\0\x01a\0\0\0\x02\0\0\0\0\0\0\0\x07\0\x01b\0\0\0\x01\0\0\0\x03\xff\xff\xff\xff";

    #[test]
    fn partitions_are_read_in_their_order() {
        let expected = [("a", 0), ("a", 7), ("b", 3)].map(|(topic, partition)| (topic.to_owned(), partition));
        assert_eq!(consumer_partitions(BYTES).unwrap(), expected);
        assert_eq!(consumer_partitions(&[]).unwrap(), []);
    }

    #[test]
    fn bytes_that_end_early_give_an_error_with_the_place() {
        for length in 1..BYTES.len() - 4 {
            let error = consumer_partitions(&BYTES[..length]).unwrap_err();
            assert!(error.offset <= length, "{length}: {error}");
        }
    }

    #[test]
    fn a_length_that_the_bytes_do_not_hold_allocates_nothing() {
        let error = consumer_partitions(b"\0\0\x7f\xff\xff\xff").unwrap_err();
        assert_eq!((error.offset, error.expected), (2, "the topics"));
    }
}
