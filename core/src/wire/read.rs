//! Reading Kafka's primitive types.

use super::{Problem, WireError};

/// Takes values from the front of bytes and knows where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    /// How many bytes of the whole lie before `bytes`.
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    /// Whether nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn i16(&mut self, expected: &'static str) -> Result<i16, WireError> {
        self.array(expected).map(i16::from_be_bytes)
    }

    pub(super) fn i32(&mut self, expected: &'static str) -> Result<i32, WireError> {
        self.array(expected).map(i32::from_be_bytes)
    }

    pub(super) fn i64(&mut self, expected: &'static str) -> Result<i64, WireError> {
        self.array(expected).map(i64::from_be_bytes)
    }

    /// A string that cannot be null.
    pub(super) fn string(&mut self, expected: &'static str) -> Result<String, WireError> {
        let from = self.offset;
        let length = i32::from(self.i16(expected)?);
        let length =
            usize::try_from(length).map_err(|_| at(from, "the length of a text", Problem::TooSmall(length)))?;
        let start = self.offset;
        let bytes = self.take(length, expected)?;
        let text =
            std::str::from_utf8(bytes).map_err(|error| at(start + error.valid_up_to(), expected, Problem::NotUtf8))?;
        Ok(text.to_owned())
    }

    /// Bytes that have their length before them, for a reader that counts on; `None` if null.
    pub(super) fn bytes(&mut self, expected: &'static str) -> Result<Option<Self>, WireError> {
        let length = self.i32(expected)?;
        let Ok(length) = usize::try_from(length) else { return Ok(None) };
        let offset = self.offset;
        let bytes = self.take(length, expected)?;
        Ok(Some(Self { bytes, offset }))
    }

    /// How many entries of at least `least` bytes follow; `None` if null, where that may be.
    pub(super) fn length(
        &mut self,
        least: usize,
        may_be_null: bool,
        expected: &'static str,
    ) -> Result<Option<usize>, WireError> {
        let from = self.offset;
        let length = self.i32(expected)?;
        match usize::try_from(length) {
            Ok(length) => {
                let (needed, left) = (length.saturating_mul(least), self.bytes.len());
                if needed > left { Err(at(from, expected, Problem::Ends { needed, left })) } else { Ok(Some(length)) }
            }
            Err(_) if may_be_null => Ok(None),
            Err(_) => Err(at(from, "the length of a list", Problem::TooSmall(length))),
        }
    }

    /// Where the next value begins.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], WireError> {
        let offset = self.offset;
        let bytes = self.take(N, expected)?;
        bytes.try_into().map_err(|_| at(offset, expected, Problem::Ends { needed: N, left: bytes.len() }))
    }

    fn take(&mut self, length: usize, expected: &'static str) -> Result<&'a [u8], WireError> {
        let left = self.bytes.len();
        let Some((taken, rest)) = self.bytes.split_at_checked(length) else {
            return Err(at(self.offset, expected, Problem::Ends { needed: length, left }));
        };
        self.bytes = rest;
        self.offset += length;
        Ok(taken)
    }
}

/// An error at its place.
pub(super) fn at(offset: usize, expected: &'static str, problem: Problem) -> WireError {
    WireError { offset, expected, problem }
}
