//! A broker's port: frames in, frames out.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use kafka_protocol::messages::{ApiKey, RequestHeader, ResponseHeader};
use kafka_protocol::protocol::{Decodable, Encodable};

use super::{Shared, answers, http};

/// Serves one broker until the cluster is over.
pub(super) fn serve(shared: &Shared, broker: usize, listener: &TcpListener) {
    if listener.set_nonblocking(true).is_err() {
        return;
    }
    while !shared.is_over() {
        match listener.accept() {
            Ok((stream, _)) => {
                let shared = shared.clone();
                std::thread::spawn(move || connection(&shared, broker, stream));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Answers requests until the other side goes, or one cannot be read.
fn connection(shared: &Shared, broker: usize, mut stream: TcpStream) -> Option<()> {
    stream.set_nonblocking(false).ok()?;
    loop {
        let request = frame(&mut stream)?;
        if shared.script().brokers_hang {
            http::wait(shared, &stream);
            return None;
        }
        let response = respond(shared, broker, request)?;
        stream.write_all(&u32::try_from(response.len()).ok()?.to_be_bytes()).ok()?;
        stream.write_all(&response).ok()?;
    }
}

fn frame(stream: &mut TcpStream) -> Option<Bytes> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let mut frame = vec![0; usize::try_from(u32::from_be_bytes(length)).ok().filter(|length| *length < LONGEST)?];
    stream.read_exact(&mut frame).ok()?;
    Some(frame.into())
}

fn respond(shared: &Shared, broker: usize, mut request: Bytes) -> Option<BytesMut> {
    let (key, version) = {
        let mut start = request.clone();
        (start.remaining() >= 4).then(|| (start.get_i16(), start.get_i16()))?
    };
    let api = ApiKey::try_from(key).ok();
    shared
        .log
        .write(&format!("b{}", broker + 1), &api.map_or_else(|| format!("request {key}"), |api| format!("{api:?}")));
    let api = api?;
    let header = RequestHeader::decode(&mut request, api.request_header_version(version)).ok()?;
    let mut response = BytesMut::new();
    let answer = ResponseHeader::default().with_correlation_id(header.correlation_id);
    answer.encode(&mut response, api.response_header_version(version)).ok()?;
    let script = shared.script().clone();
    answers::answer(&script, broker, api, version, request, &mut response).ok()?;
    Some(response)
}

/// No request is longer.
const LONGEST: usize = 1 << 20;
