//! A TCP connection on which nothing lasts longer than its deadline.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;

use super::deadline::Deadline;
use super::error::{Attempt, KafkaError};

/// A connection whose reads and writes end with `TimedOut` at the deadline.
#[derive(Debug)]
pub(super) struct Socket {
    tcp: TcpStream,
    pub(super) deadline: Deadline,
}

impl Socket {
    /// Connects to `host:port`, trying each address that the name has.
    pub(super) fn connect(address: &str, deadline: Deadline) -> Result<Self, KafkaError> {
        let (host, port) = host_and_port(address)?;
        let failed =
            |why: String| KafkaError::Unreachable { attempts: vec![Attempt { address: address.to_owned(), why }] };
        let found = resolve(host, port, deadline).map_err(&failed)?;
        let mut last = "the name has no address".to_owned();
        for (place, each) in found.iter().enumerate() {
            let Some(left) = deadline.share(found.len() - place).left() else { break };
            match TcpStream::connect_timeout(each, left) {
                Ok(tcp) => {
                    // A request is one write; it must not wait for the answer to an earlier one.
                    tcp.set_nodelay(true).map_err(|error| failed(error.to_string()))?;
                    return Ok(Self { tcp, deadline });
                }
                Err(error) if timed_out(&error) => "no answer in time".clone_into(&mut last),
                Err(error) => last = in_words(&error),
            }
        }
        Err(failed(last))
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.deadline.left().ok_or(ErrorKind::TimedOut)?;
            self.tcp.set_read_timeout(Some(left))?;
            match self.tcp.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if timed_out(&error) => return Err(ErrorKind::TimedOut.into()),
                done => return done,
            }
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            let left = self.deadline.left().ok_or(ErrorKind::TimedOut)?;
            self.tcp.set_write_timeout(Some(left))?;
            match self.tcp.write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if timed_out(&error) => return Err(ErrorKind::TimedOut.into()),
                done => return done,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}

/// The two halves of an address; an IPv6 address stands in brackets.
pub(super) fn host_and_port(address: &str) -> Result<(&str, u16), KafkaError> {
    let halves = address.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
    let bare = |host: &'_ str| !host.is_empty() && !host.contains([':', '/', ' ', '@']);
    match halves {
        Some((host, port)) if port > 0 && bare(host) => Ok((host, port)),
        Some((host, port)) if port > 0 && host.starts_with('[') && host.ends_with(']') => {
            Ok((host.trim_matches(['[', ']']), port))
        }
        _ => Err(KafkaError::BadAddress { address: address.to_owned() }),
    }
}

/// An error of the operating system in words, without its number.
pub(super) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        ErrorKind::ConnectionReset => "connection reset".to_owned(),
        ErrorKind::HostUnreachable => "no route to the host".to_owned(),
        ErrorKind::NetworkUnreachable => "no route to the network".to_owned(),
        _ => error.to_string(),
    }
}

/// Blocking sockets say one or the other when their time-out is over.
fn timed_out(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

/// The addresses of a name. The system's resolver knows no deadline: it is asked on a
/// thread of its own, which is left behind if it takes too long.
fn resolve(host: &str, port: u16, deadline: Deadline) -> Result<Vec<SocketAddr>, String> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let (tell, hear) = mpsc::channel();
    let name = host.to_owned();
    std::thread::spawn(move || {
        let found = (name.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        // Nobody hears it once the deadline has passed.
        drop(tell.send(found));
    });
    let left = deadline.left().unwrap_or_default();
    match hear.recv_timeout(left) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(_)) => Err("the name cannot be resolved".to_owned()),
        Err(_) => Err("the name was not resolved in time".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_port() {
        assert_eq!(host_and_port("kafka-1.example:9092").unwrap(), ("kafka-1.example", 9092));
        assert_eq!(host_and_port("[::1]:9092").unwrap(), ("::1", 9092));
        for wrong in
            ["kafka", "kafka:", ":9092", "kafka:0", "kafka:99999", "::1:9092", "http://kafka:9092", "a b:1", ""]
        {
            let error = KafkaError::BadAddress { address: wrong.to_owned() };
            assert_eq!(host_and_port(wrong).unwrap_err(), error);
        }
    }
}
