//! What the leader gives one member.

use super::read::{Reader, at};
use super::{Problem, TooLong, WireError, write};

/// What the leader gave one member in a generation (`SyncGroup`); as a member's allocation,
/// what it works by.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Assignment {
    /// 0 under `eager`, 1 under `compatible`, 2 under `sessioned`.
    pub version: i16,
    /// 0 for none, 1 if the configs of the members do not agree.
    pub error: i16,
    /// The leader's member id.
    pub leader: String,
    /// The leader's advertised REST address.
    pub leader_url: String,
    /// The offset of the config topic that the leader worked from.
    pub config_offset: i64,
    /// What is assigned; from version 1 on only what is new to the member.
    pub assigned: Vec<Part>,
    /// What it must stop. Not written in version 0.
    pub revoked: Vec<Part>,
    /// What is left of the scheduled delay, in milliseconds; 0 if none runs. Not written in
    /// version 0.
    pub delay_ms: i32,
}

/// What a list says of one connector.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Part {
    /// The connector's name.
    pub connector: String,
    /// Whether the connector itself is listed (its instance, on the wire task -1).
    pub instance: bool,
    /// The numbers of its tasks, in the order on the wire.
    pub tasks: Vec<u32>,
}

impl Assignment {
    /// Reads an assignment; `None` if there are no bytes: the member has none.
    ///
    /// # Errors
    /// What is expected where, if the bytes are no assignment.
    pub fn decode(bytes: &[u8]) -> Result<Option<Self>, WireError> {
        if bytes.is_empty() { Ok(None) } else { Self::read(Reader::new(bytes)).map(Some) }
    }

    /// Writes it as its version has it. The connector itself comes before its tasks, as Kafka
    /// writes it.
    ///
    /// # Errors
    /// If a text or list is longer than the format allows.
    pub fn encode(&self) -> Result<Vec<u8>, TooLong> {
        let mut into = Vec::new();
        into.extend(self.version.to_be_bytes());
        into.extend(self.error.to_be_bytes());
        write::string(&mut into, &self.leader, LEADER)?;
        write::string(&mut into, &self.leader_url, LEADER_URL)?;
        into.extend(self.config_offset.to_be_bytes());
        write_parts(&mut into, &self.assigned)?;
        if self.version >= 1 {
            write_parts(&mut into, &self.revoked)?;
            into.extend(self.delay_ms.to_be_bytes());
        }
        Ok(into)
    }

    pub(super) fn read(mut reader: Reader<'_>) -> Result<Self, WireError> {
        let version = read_version(&mut reader)?;
        let mut read = Self {
            version,
            error: reader.i16("the error code")?,
            leader: reader.string(LEADER)?,
            leader_url: reader.string(LEADER_URL)?,
            config_offset: reader.i64("the config offset")?,
            ..Self::default()
        };
        if version == 0 {
            read.assigned = read_parts(&mut reader, false, "the assigned connectors")?;
            return Ok(read);
        }
        // `TOLERATE_MISSING_FIELDS_WITH_DEFAULTS`
        if !reader.is_at_end() {
            read.assigned = read_parts(&mut reader, true, "the assigned connectors")?;
        }
        if !reader.is_at_end() {
            read.revoked = read_parts(&mut reader, true, "the revoked connectors")?;
        }
        if !reader.is_at_end() {
            read.delay_ms = reader.i32("the delay")?;
        }
        Ok(read)
    }
}

/// Any version from 0 on: those to come are read as the newest, as Kafka does.
pub(super) fn read_version(reader: &mut Reader<'_>) -> Result<i16, WireError> {
    let offset = reader.offset();
    let version = reader.i16(VERSION)?;
    if version < 0 { Err(at(offset, VERSION, Problem::TooSmall(version.into()))) } else { Ok(version) }
}

fn read_parts(reader: &mut Reader<'_>, may_be_null: bool, expected: &'static str) -> Result<Vec<Part>, WireError> {
    let length = reader.length(LEAST_PART, may_be_null, expected)?.unwrap_or(0);
    (0..length).map(|_| read_part(reader)).collect()
}

fn read_part(reader: &mut Reader<'_>) -> Result<Part, WireError> {
    let mut part = Part { connector: reader.string(CONNECTOR)?, ..Part::default() };
    let length = reader.length(LEAST_TASK, false, TASKS)?.unwrap_or(0);
    for _ in 0..length {
        let offset = reader.offset();
        match reader.i32(NUMBER)? {
            INSTANCE => part.instance = true,
            number => match u32::try_from(number) {
                Ok(number) => part.tasks.push(number),
                Err(_) => return Err(at(offset, NUMBER, Problem::TooSmall(number))),
            },
        }
    }
    Ok(part)
}

fn write_parts(into: &mut Vec<u8>, parts: &[Part]) -> Result<(), TooLong> {
    write::length(into, parts.len(), "the connectors")?;
    for part in parts {
        write::string(into, &part.connector, CONNECTOR)?;
        write::length(into, part.tasks.len() + usize::from(part.instance), TASKS)?;
        if part.instance {
            into.extend(INSTANCE.to_be_bytes());
        }
        into.extend(part.tasks.iter().flat_map(|number| number.to_be_bytes()));
    }
    Ok(())
}

const VERSION: &str = "the version";
const NUMBER: &str = "the number of a task";
const LEADER: &str = "the leader's id";
const LEADER_URL: &str = "the leader's URL";
const CONNECTOR: &str = "a connector's name";
const TASKS: &str = "the tasks of a connector";
/// The task number that stands for the connector itself (`ConnectProtocol.CONNECTOR_TASK`).
const INSTANCE: i32 = -1;
/// A connector of a list takes at least so many bytes: the lengths of its name and its tasks.
const LEAST_PART: usize = 6;
/// A task's number takes so many bytes.
const LEAST_TASK: usize = 4;
