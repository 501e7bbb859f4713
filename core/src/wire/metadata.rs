//! What a member says of itself.

use super::assignment::read_version;
use super::read::Reader;
use super::{Assignment, TooLong, WireError, write};

/// What a worker hands in when it joins (`JoinGroup`).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Metadata {
    /// 0 under `eager`, 1 under `compatible`, 2 under `sessioned`.
    pub version: i16,
    /// Its advertised REST address.
    pub url: String,
    /// How far it has read the config topic.
    pub config_offset: i64,
    /// What it works by. `None` for a fresh process, and in version 0, which does not tell it.
    pub allocation: Option<Assignment>,
}

impl Metadata {
    /// Reads metadata; `None` if there are no bytes: outside `Stable` the coordinator shows none.
    ///
    /// # Errors
    /// What is expected where, if the bytes are no metadata.
    pub fn decode(bytes: &[u8]) -> Result<Option<Self>, WireError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let mut reader = Reader::new(bytes);
        let mut read = Self {
            version: read_version(&mut reader)?,
            url: reader.string(URL)?,
            config_offset: reader.i64("the config offset")?,
            allocation: None,
        };
        if read.version >= 1 && !reader.is_at_end() {
            let allocation = reader.bytes(ALLOCATION)?;
            read.allocation = allocation.map(Assignment::read).transpose()?;
        }
        Ok(Some(read))
    }

    /// Writes it as its version has it.
    ///
    /// # Errors
    /// If a text or list is longer than the format allows.
    pub fn encode(&self) -> Result<Vec<u8>, TooLong> {
        let mut into = Vec::new();
        into.extend(self.version.to_be_bytes());
        write::string(&mut into, &self.url, URL)?;
        into.extend(self.config_offset.to_be_bytes());
        if self.version >= 1 {
            match &self.allocation {
                Some(allocation) => {
                    let bytes = allocation.encode()?;
                    write::length(&mut into, bytes.len(), ALLOCATION)?;
                    into.extend(bytes);
                }
                None => into.extend((-1_i32).to_be_bytes()),
            }
        }
        Ok(into)
    }
}

const URL: &str = "the worker's URL";
const ALLOCATION: &str = "the allocation";
