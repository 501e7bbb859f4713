//! A worker's REST port.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Port, Shared, connect, tls};

/// How often a path was asked for, by path.
type Calls = Arc<Mutex<BTreeMap<String, usize>>>;

/// Serves one worker until the cluster is over; opens and closes the port as the script says.
pub(super) fn serve(shared: &Shared, worker: usize, listener: TcpListener) {
    let Ok(address) = listener.local_addr() else { return };
    let calls = Calls::default();
    let mut listening = Some(listener);
    while !shared.is_over() {
        let closed = shared.script().workers.get(worker).is_some_and(|worker| worker.does == Port::Closed);
        match (&listening, closed) {
            (Some(_), true) => listening = None,
            (None, false) => listening = TcpListener::bind(address).ok(),
            _ => {}
        }
        let accepted = listening.as_ref().and_then(|listener| {
            listener.set_nonblocking(true).ok()?;
            listener.accept().ok()
        });
        if let Some((stream, _)) = accepted {
            let (shared, calls) = (shared.clone(), calls.clone());
            std::thread::spawn(move || answer(&shared, worker, &calls, &stream));
        } else {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Answers one request; more there are not on a connection.
fn answer(shared: &Shared, place: usize, calls: &Calls, socket: &TcpStream) -> Option<()> {
    socket.set_nonblocking(false).ok()?;
    let secured = shared.script().workers.get(place)?.tls.clone();
    let mut stream: Box<dyn Stream> = match secured {
        None => Box::new(socket.try_clone().ok()?),
        Some(tls) => Box::new(tls::accept(&tls, socket.try_clone().ok()?)?),
    };
    let Some(request) = read(&mut stream) else {
        // What Jetty says to TLS on a port without it.
        stream.write_all(b"HTTP/1.1 400 Illegal character\r\nconnection: close\r\n\r\n").ok()?;
        return socket.shutdown(Shutdown::Write).ok();
    };
    let (path, _) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let number = {
        let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = calls.entry(path.to_owned()).or_default();
        *calls += 1;
        *calls - 1
    };
    let (does, status, body) = {
        let script = shared.script();
        let worker = script.workers.get(place)?;
        shared.log.write(&worker.name, &format!("{} {path}", request.method));
        let turn = worker.turns.iter().find(|turn| turn.path == path && turn.calls.contains(&number));
        let does = turn.map_or(&worker.does, |turn| &turn.does).clone();
        let (status, body) = connect::answer(&script, worker, &request);
        (does, status, body)
    };
    let (status, body) = match &does {
        Port::Says(status, body) => (*status, body.clone()),
        Port::Json(json) => (200, json.to_string()),
        _ => (status, body),
    };
    let whole = format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let half = whole.get(..whole.len() - body.len() / 2 - 1).unwrap_or(&whole);
    match does {
        Port::Hangs => wait(shared, socket),
        Port::Half => {
            stream.write_all(half.as_bytes()).and_then(|()| stream.flush()).ok()?;
            wait(shared, socket);
        }
        Port::Cuts => stream.write_all(half.as_bytes()).ok()?,
        Port::Drops | Port::Closed => {}
        Port::Slow(time) => {
            std::thread::sleep(time);
            stream.write_all(whole.as_bytes()).ok()?;
        }
        Port::Answers | Port::Says(..) | Port::Json(_) => stream.write_all(whole.as_bytes()).ok()?,
    }
    stream.flush().ok()?;
    socket.shutdown(Shutdown::Write).ok()
}

/// A connection, encrypted or not.
trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// What was asked.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) authorization: Option<String>,
}

fn read(stream: &mut dyn Stream) -> Option<Request> {
    let mut lines = BufReader::new(stream.take(1 << 16)).lines();
    let first = lines.next()?.ok()?;
    let mut words = first.split(' ').map(str::to_owned);
    let mut request = Request { method: words.next()?, target: words.next()?, authorization: None };
    for line in lines {
        let line = line.ok()?;
        if line.is_empty() {
            return Some(request);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("authorization")
        {
            request.authorization = Some(value.trim().to_owned());
        }
    }
    None
}

/// Says nothing until the other side goes, or the cluster is over.
pub(super) fn wait(shared: &Shared, stream: &TcpStream) {
    let end = Instant::now() + LONGEST;
    let mut rest = [0; 512];
    if stream.set_read_timeout(Some(PAUSE)).is_err() {
        return;
    }
    while !shared.is_over() && Instant::now() < end {
        match (&mut &*stream).read(&mut rest) {
            Ok(0) => return,
            Err(error) if !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                return;
            }
            _ => {}
        }
    }
}

/// Between two looks at the script.
const PAUSE: Duration = Duration::from_millis(2);

/// Nobody is kept waiting for longer, should the end be missed.
const LONGEST: Duration = Duration::from_secs(50);
