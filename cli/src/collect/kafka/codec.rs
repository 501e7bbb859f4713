//! Kafka's wire types, read and written: integers, texts, arrays, tagged fields.
//!
//! A length that the other side names is believed only as far as there are bytes for it:
//! no answer, however wrong, makes this reader allocate more than it has received.

/// What cannot be read, and where in the answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    /// How many bytes of the answer were understood.
    pub(super) at: usize,
    /// What is wrong there.
    pub(super) why: String,
}

/// Reads the body of an answer.
///
/// In *flexible* versions (KIP-482) lengths are varints, and each structure ends with
/// tagged fields, which are skipped.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    flexible: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], flexible: bool) -> Self {
        Self { bytes, at: 0, flexible }
    }

    pub(super) fn flag(&mut self) -> Result<bool, Malformed> {
        Ok(self.fixed::<1>("a flag")? != [0])
    }

    pub(super) fn int8(&mut self) -> Result<i8, Malformed> {
        self.fixed("a number").map(i8::from_be_bytes)
    }

    pub(super) fn int16(&mut self) -> Result<i16, Malformed> {
        self.fixed("a number").map(i16::from_be_bytes)
    }

    pub(super) fn int32(&mut self) -> Result<i32, Malformed> {
        self.fixed("a number").map(i32::from_be_bytes)
    }

    pub(super) fn int64(&mut self) -> Result<i64, Malformed> {
        self.fixed("a number").map(i64::from_be_bytes)
    }

    /// A topic's id, which is of no use here.
    pub(super) fn skip_uuid(&mut self) -> Result<(), Malformed> {
        self.fixed::<16>("an id").map(|_| ())
    }

    /// A text that has to be there.
    pub(super) fn text(&mut self) -> Result<String, Malformed> {
        let at = self.at;
        self.text_or_null()?.ok_or_else(|| Malformed { at, why: "a text is missing".to_owned() })
    }

    pub(super) fn text_or_null(&mut self) -> Result<Option<String>, Malformed> {
        let at = self.at;
        let length = if self.flexible { self.compact_length()? } else { self.int16()?.into() };
        let Some(bytes) = self.sized(at, length)? else { return Ok(None) };
        let text = std::str::from_utf8(bytes).map_err(|_| Malformed { at, why: "a text is not UTF-8".to_owned() })?;
        Ok(Some(text.to_owned()))
    }

    /// Bytes; none where there are none.
    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, Malformed> {
        let at = self.at;
        let length = if self.flexible { self.compact_length()? } else { self.int32()?.into() };
        Ok(self.sized(at, length)?.unwrap_or_default().to_vec())
    }

    /// A list; an absent one is empty.
    pub(super) fn array<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let at = self.at;
        let length = if self.flexible { self.compact_length()? } else { self.int32()?.into() };
        let left = self.bytes.len() - self.at;
        let length = match usize::try_from(length) {
            // No element is smaller than a byte.
            Ok(length) if length <= left => length,
            Ok(length) => return Err(too_long(at, length, left)),
            Err(_) if length == -1 => 0,
            Err(_) => return Err(negative(at, length)),
        };
        let mut elements = Vec::new();
        for _ in 0..length {
            elements.push(element(self)?);
        }
        Ok(elements)
    }

    /// The end of a structure: skips its tagged fields, where there can be any.
    pub(super) fn tags(&mut self) -> Result<(), Malformed> {
        if self.flexible {
            for _ in 0..self.varint()? {
                self.varint()?;
                let at = self.at;
                let length = self.varint()?;
                self.sized(at, length.into())?;
            }
        }
        Ok(())
    }

    /// The end of the answer: nothing may be left over.
    pub(super) fn end(&self) -> Result<(), Malformed> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(Malformed { at: self.at, why: format!("{left} bytes are left over") }),
        }
    }

    fn fixed<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Malformed> {
        let at = self.at;
        let cut = || Malformed { at, why: format!("it ends within {what}") };
        let bytes = self.bytes.get(at..at + N).and_then(|bytes| bytes.try_into().ok()).ok_or_else(cut)?;
        self.at += N;
        Ok(bytes)
    }

    /// The bytes after a length; `None` for -1.
    fn sized(&mut self, at: usize, length: i64) -> Result<Option<&'a [u8]>, Malformed> {
        let Ok(length) = usize::try_from(length) else {
            return if length == -1 { Ok(None) } else { Err(negative(at, length)) };
        };
        let left = self.bytes.get(self.at..).unwrap_or_default();
        let bytes = left.get(..length).ok_or_else(|| too_long(at, length, left.len()))?;
        self.at += length;
        Ok(Some(bytes))
    }

    /// One more than the length, so that 0 says that there is nothing.
    fn compact_length(&mut self) -> Result<i64, Malformed> {
        Ok(i64::from(self.varint()?) - 1)
    }

    fn varint(&mut self) -> Result<u32, Malformed> {
        let at = self.at;
        let mut value = 0_u64;
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.fixed("a length")?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value).map_err(|_| Malformed { at, why: "a length is too large".to_owned() });
            }
        }
        Err(Malformed { at, why: "a length has no end".to_owned() })
    }
}

/// Writes the body of a request.
pub(super) struct Writer {
    bytes: Vec<u8>,
    flexible: bool,
}

impl Writer {
    pub(super) fn new(flexible: bool) -> Self {
        Self { bytes: Vec::new(), flexible }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn flag(&mut self, value: bool) {
        self.bytes.push(value.into());
    }

    pub(super) fn int8(&mut self, value: i8) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(super) fn int16(&mut self, value: i16) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(super) fn int32(&mut self, value: i32) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(super) fn int64(&mut self, value: i64) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(super) fn zero_uuid(&mut self) {
        self.bytes.extend([0; 16]);
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.flexible {
            self.compact_length(text.len());
        } else {
            self.plain_text_length(text.len());
        }
        self.bytes.extend(text.as_bytes());
    }

    pub(super) fn null_text(&mut self) {
        if self.flexible { self.varint(0) } else { self.int16(-1) }
    }

    /// The client's name in a header, which never became compact.
    pub(super) fn header_text(&mut self, text: &str) {
        self.plain_text_length(text.len());
        self.bytes.extend(text.as_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend(bytes);
    }

    pub(super) fn array<T>(&mut self, elements: &[T], mut element: impl FnMut(&mut Self, &T)) {
        self.length(elements.len());
        for each in elements {
            element(self, each);
        }
    }

    pub(super) fn null_array(&mut self) {
        if self.flexible { self.varint(0) } else { self.int32(-1) }
    }

    /// The end of a structure: no tagged fields.
    pub(super) fn tags(&mut self) {
        if self.flexible {
            self.varint(0);
        }
    }

    fn length(&mut self, length: usize) {
        if self.flexible { self.compact_length(length) } else { self.int32(i32::try_from(length).unwrap_or(i32::MAX)) }
    }

    fn plain_text_length(&mut self, length: usize) {
        self.int16(i16::try_from(length).unwrap_or(i16::MAX));
    }

    fn compact_length(&mut self, length: usize) {
        self.varint(u32::try_from(length).map_or(u32::MAX, |length| length.saturating_add(1)));
    }

    fn varint(&mut self, mut value: u32) {
        loop {
            let [.., low] = value.to_be_bytes();
            value >>= 7;
            if value == 0 {
                return self.bytes.push(low & 0x7f);
            }
            self.bytes.push(low | 0x80);
        }
    }
}

fn too_long(at: usize, length: usize, left: usize) -> Malformed {
    Malformed { at, why: format!("a length of {length} where {left} bytes are left") }
}

fn negative(at: usize, length: i64) -> Malformed {
    Malformed { at, why: format!("a length of {length}") }
}
