//! One connection to one broker: the only place from which bytes are sent.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;

use rustls::ClientConfig;

use super::access::Access;
use super::api::{Api, Request};
use super::codec::{Malformed, Reader, Writer};
use super::deadline::Deadline;
use super::error::{KafkaError, code, code_name};
use super::messages::ApiVersions;
use super::probe;
use super::sasl;
use super::socket::{Socket, in_words};
use super::tls::{Stream, meaning};

/// A broker that can be asked.
///
/// After an error it is of no further use: an answer that comes late would be taken for
/// the next one.
pub(super) struct Connection {
    address: String,
    stream: Stream,
    versions: BTreeMap<i16, (i16, i16)>,
    next: i32,
}

impl Connection {
    /// Connects, encrypts, asks for the versions and authenticates, as the access says.
    pub(super) fn open(
        address: &str,
        access: &Access,
        tls: Option<&Arc<ClientConfig>>,
        deadline: Deadline,
    ) -> Result<Self, KafkaError> {
        let mut connection = Self::open_unauthenticated(address, tls, deadline)?;
        if let Some(sasl) = &access.sasl {
            sasl::authenticate(&mut connection, sasl, deadline)?;
        }
        Ok(connection)
    }

    /// All but the authentication.
    pub(super) fn open_unauthenticated(
        address: &str,
        tls: Option<&Arc<ClientConfig>>,
        deadline: Deadline,
    ) -> Result<Self, KafkaError> {
        let socket = Socket::connect(address, deadline)?;
        let stream = match tls {
            None => Stream::Plain(socket),
            Some(config) => Stream::encrypted(address, socket, config)
                .map_err(|error| probe::why_no_tls(address, &error, deadline))?,
        };
        let mut connection = Self { address: address.to_owned(), stream, versions: BTreeMap::new(), next: 0 };
        connection.negotiate(deadline)?;
        Ok(connection)
    }

    /// The broker's address, `host:port`.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Sends a request in the newest version that both sides know, and reads its answer.
    pub(super) fn ask<R: Request>(&mut self, request: &R, deadline: Deadline) -> Result<R::Answer, KafkaError> {
        let version = self.version(R::API)?;
        self.stream.end_at(deadline);
        let correlation = self.next;
        self.next = self.next.wrapping_add(1);
        let frame = frame(request, version, correlation);
        if let Err(error) = self.stream.write_all(&frame).and_then(|()| self.stream.flush()) {
            // What it said before it closed the connection tells more, if it said something.
            return Err(match self.receive(R::API, deadline) {
                Ok(_) | Err(KafkaError::Closed { .. } | KafkaError::TimedOut { .. }) => {
                    fault(&self.address, &step(R::API), &error, deadline)
                }
                Err(said) => said,
            });
        }
        let answer = self.receive(R::API, deadline)?;
        let flexible = R::API.flexible(version);
        let understood = read_answer::<R>(&answer, version, correlation, flexible);
        understood.map_err(|Malformed { at, why }| self.not_understood(R::API, format!("at byte {at}: {why}")))
    }

    /// The newest version that both sides know.
    fn version(&self, api: Api) -> Result<i16, KafkaError> {
        let ours = api.versions();
        let Some((min, max)) = self.versions.get(&api.key()).copied() else {
            // Before the broker was asked: the one version that needs no agreement.
            return if api == Api::ApiVersions { Ok(0) } else { Err(self.no_common_version(api, None)) };
        };
        let common = max.min(*ours.end());
        if common >= min.max(*ours.start()) { Ok(common) } else { Err(self.no_common_version(api, Some((min, max)))) }
    }

    fn negotiate(&mut self, deadline: Deadline) -> Result<(), KafkaError> {
        let (error, versions) = self.ask(&ApiVersions, deadline)?;
        if error != code::NONE {
            let address = self.address.clone();
            return Err(KafkaError::Refused { address, step: step(Api::ApiVersions), why: code_name(error) });
        }
        self.versions = versions.into_iter().map(|each| (each.key, (each.min, each.max))).collect();
        Ok(())
    }

    /// The next frame, without its length.
    fn receive(&mut self, api: Api, deadline: Deadline) -> Result<Vec<u8>, KafkaError> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).map_err(|error| fault(&self.address, &step(api), &error, deadline))?;
        match length {
            // A TLS alert, protocol version 3.x.
            [0x15, 0x03, 0..=4, _] => return Err(KafkaError::TlsPort { address: self.address.clone() }),
            [b'H', b'T', b'T', b'P'] => return Err(KafkaError::HttpPort { address: self.address.clone() }),
            _ => {}
        }
        let length = match u32::try_from(i32::from_be_bytes(length)) {
            Ok(length) if length <= LONGEST_ANSWER => length,
            _ => return Err(self.not_understood(api, format!("an answer of {} bytes", i32::from_be_bytes(length)))),
        };
        // Grows with what comes, not with what was promised.
        let mut answer = Vec::new();
        let read = (&mut self.stream).take(length.into()).read_to_end(&mut answer);
        let whole =
            read.and_then(|read| if read == length as usize { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) });
        whole.map_err(|error| fault(&self.address, &step(api), &error, deadline))?;
        Ok(answer)
    }

    fn no_common_version(&self, api: Api, theirs: Option<(i16, i16)>) -> KafkaError {
        let ours = api.versions();
        KafkaError::NoCommonVersion {
            address: self.address.clone(),
            api: api.name(),
            theirs: theirs.map(|(min, max)| format!("{min} to {max}")),
            ours: format!("{} to {}", ours.start(), ours.end()),
        }
    }

    fn not_understood(&self, api: Api, why: String) -> KafkaError {
        KafkaError::NotUnderstood { address: self.address.clone(), step: step(api), why }
    }
}

/// What an error on the way means.
pub(super) fn fault(address: &str, step: &str, error: &io::Error, deadline: Deadline) -> KafkaError {
    if let Some(meaning) = meaning(address, error) {
        return meaning;
    }
    let (address, step) = (address.to_owned(), step.to_owned());
    match error.kind() {
        ErrorKind::TimedOut => KafkaError::TimedOut { address, step, after: deadline.passed() },
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => KafkaError::Closed { address, step },
        _ => KafkaError::Closed { address, step: format!("{step} ({})", in_words(error)) },
    }
}

/// Length, header, body.
fn frame<R: Request>(request: &R, version: i16, correlation: i32) -> Vec<u8> {
    const CLIENT: &str = "rollgate";
    let mut body = Writer::new(R::API.flexible(version));
    body.int16(R::API.key());
    body.int16(version);
    body.int32(correlation);
    body.header_text(CLIENT);
    body.tags();
    request.write(version, &mut body);
    let body = body.into_bytes();
    let length = i32::try_from(body.len()).unwrap_or(i32::MAX);
    [&length.to_be_bytes()[..], &body].concat()
}

/// Header, body, end.
fn read_answer<R: Request>(bytes: &[u8], version: i16, asked: i32, flexible: bool) -> Result<R::Answer, Malformed> {
    let mut reader = Reader::new(bytes, flexible);
    let answered = reader.int32()?;
    if answered != asked {
        return Err(Malformed { at: 0, why: format!("it answers request {answered}, not {asked}") });
    }
    reader.tags()?;
    let answer = R::read(version, &mut reader)?;
    reader.end()?;
    Ok(answer)
}

fn step(api: Api) -> String {
    api.name().to_owned()
}

/// The longest answer that is read, in bytes. A description of a group with a hundred workers
/// and thousands of tasks has less than one mebibyte.
const LONGEST_ANSWER: u32 = 64 << 20;
