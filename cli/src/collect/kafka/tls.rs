//! TLS over a socket, and what its errors mean to a person.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{AlertDescription, CertificateError, ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::access::Tls;
use super::deadline::Deadline;
use super::error::{KafkaError, quoted};
use super::socket::{Socket, host_and_port};

/// A connection, encrypted or not.
pub(super) enum Stream {
    /// Plain text.
    Plain(Socket),
    /// TLS, after its handshake.
    Tls(Box<StreamOwned<ClientConnection, Socket>>),
}

impl Stream {
    /// Shakes hands. The name in the address must be one of the certificate's.
    pub(super) fn encrypted(address: &str, mut socket: Socket, config: &Arc<ClientConfig>) -> io::Result<Self> {
        let name = host_and_port(address).ok().and_then(|(host, _)| ServerName::try_from(host.to_owned()).ok());
        let name = name.ok_or_else(|| io::Error::other("the name cannot be in a certificate"))?;
        let mut session = ClientConnection::new(Arc::clone(config), name).map_err(io::Error::other)?;
        while session.is_handshaking() {
            if session.complete_io(&mut socket)? == (0, 0) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(Self::Tls(Box::new(StreamOwned::new(session, socket))))
    }

    /// When what is read or written next has to be over.
    pub(super) fn end_at(&mut self, deadline: Deadline) {
        match self {
            Self::Plain(socket) => socket.deadline = deadline,
            Self::Tls(stream) => stream.sock.deadline = deadline,
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(socket) => socket.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

/// Whom to trust and what to show, from the files.
pub(super) fn config(tls: &Tls) -> Result<Arc<ClientConfig>, KafkaError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let failed = |error: &rustls::Error| KafkaError::TlsFailed { address: "TLS".to_owned(), why: error.to_string() };
    let builder = builder.map_err(|error| failed(&error))?.with_root_certificates(roots(tls.ca.as_deref())?);
    let config = match &tls.identity {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = certificates(certificate)?;
            let config = builder.with_client_auth_cert(chain, private_key(key)?);
            config.map_err(|error| bad_file(key, format!("with {}: {error}", certificate.display())))?
        }
    };
    Ok(Arc::new(config))
}

/// What an error of TLS means; `None` for another kind of error.
pub(super) fn meaning(address: &str, error: &io::Error) -> Option<KafkaError> {
    let address = address.to_owned();
    Some(match error.get_ref()?.downcast_ref::<rustls::Error>()? {
        rustls::Error::InvalidCertificate(CertificateError::NotValidForName) => {
            KafkaError::WrongName { address, names: Vec::new() }
        }
        rustls::Error::InvalidCertificate(CertificateError::NotValidForNameContext { presented, .. }) => {
            KafkaError::WrongName { address, names: presented.iter().map(|name| plain_name(name)).collect() }
        }
        rustls::Error::InvalidCertificate(reason) => KafkaError::NotTrusted { address, why: distrust(reason) },
        rustls::Error::AlertReceived(alert) if about_certificate(*alert) => {
            KafkaError::CertificateRefused { address, why: alert_words(*alert) }
        }
        rustls::Error::AlertReceived(alert) => {
            KafkaError::TlsFailed { address, why: format!("the broker says {alert:?}") }
        }
        other => KafkaError::TlsFailed { address, why: quoted(&other.to_string()) },
    })
}

/// Whether the other side answered something that is no TLS at all.
pub(super) fn is_no_tls(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    matches!(inner, Some(rustls::Error::InvalidMessage(_)))
}

fn roots(ca: Option<&Path>) -> Result<RootCertStore, KafkaError> {
    let Some(path) = ca else {
        return Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() });
    };
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(|error| bad_file(path, error))?;
    }
    Ok(roots)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, KafkaError> {
    let pem = read(path)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match found {
        Ok(found) if found.is_empty() => Err(bad_file(path, "it holds no certificate (PEM)")),
        Ok(found) => Ok(found),
        Err(error) => Err(bad_file(path, error)),
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, KafkaError> {
    let pem = read(path)?;
    PrivateKeyDer::from_pem_slice(&pem).map_err(|error| match error {
        pem::Error::NoItemsFound if String::from_utf8_lossy(&pem).contains("ENCRYPTED PRIVATE KEY") => {
            bad_file(path, "its key is encrypted; a key without password is needed")
        }
        pem::Error::NoItemsFound => bad_file(path, "it holds no private key (PEM)"),
        // What is wrong with a key is said without quoting any of it.
        _ => bad_file(path, "it is no valid PEM"),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, KafkaError> {
    std::fs::read(path).map_err(|error| bad_file(path, error))
}

fn bad_file(path: &Path, why: impl std::fmt::Display) -> KafkaError {
    KafkaError::BadFile { path: path.display().to_string(), why: why.to_string() }
}

fn distrust(reason: &CertificateError) -> String {
    match reason {
        CertificateError::UnknownIssuer => "no authority that is trusted here has issued it".to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet, by the clock of this machine".to_owned()
        }
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            "it is an authority's own certificate, used as a broker's".to_owned()
        }
        other => quoted(&other.to_string()),
    }
}

/// Alerts that a server sends about the client's certificate.
fn about_certificate(alert: AlertDescription) -> bool {
    matches!(
        alert,
        AlertDescription::BadCertificate
            | AlertDescription::UnsupportedCertificate
            | AlertDescription::CertificateRevoked
            | AlertDescription::CertificateExpired
            | AlertDescription::CertificateUnknown
            | AlertDescription::CertificateRequired
            | AlertDescription::UnknownCA
            | AlertDescription::AccessDenied
    )
}

fn alert_words(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::CertificateRequired => "it asks for one and got none".to_owned(),
        AlertDescription::UnknownCA => "it does not know the authority that issued it".to_owned(),
        AlertDescription::CertificateExpired => "it has expired".to_owned(),
        other => format!("it says {other:?}"),
    }
}

/// `localhost` of webpki's `DnsName("localhost")`.
fn plain_name(presented: &str) -> String {
    let name = presented.split_once('(').map_or(presented, |(_, name)| name.trim_end_matches(')'));
    quoted(name.trim_matches('"'))
}
