//! Writing Kafka's primitive types.

use super::TooLong;

/// A string that cannot be null.
pub(super) fn string(into: &mut Vec<u8>, text: &str, what: &'static str) -> Result<(), TooLong> {
    let most = usize::from(i16::MAX.unsigned_abs());
    let length = i16::try_from(text.len()).map_err(|_| TooLong { what, bytes: text.len(), most })?;
    into.extend(length.to_be_bytes());
    into.extend(text.as_bytes());
    Ok(())
}

/// The length of bytes or of a list.
pub(super) fn length(into: &mut Vec<u8>, length: usize, what: &'static str) -> Result<(), TooLong> {
    let most = usize::try_from(i32::MAX).unwrap_or(usize::MAX);
    let length = i32::try_from(length).map_err(|_| TooLong { what, bytes: length, most })?;
    into.extend(length.to_be_bytes());
    Ok(())
}
