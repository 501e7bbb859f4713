//! Asking the REST ports of workers. There is one kind of request here, and it reads.

use std::io;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rollgate_core::snapshot::{Endpoint, NoAnswer, Seen, Statuses, Version};
use ureq::Agent;
use ureq::http::HeaderValue;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

use super::address::Address;
use super::kafka::{Secret, Tls};

/// How workers are asked, and as whom.
#[derive(Clone, Debug)]
pub(crate) struct RestAccess {
    /// Whom to trust and the own certificate, for addresses with https. Without it: the
    /// public authorities.
    pub(crate) tls: Option<Tls>,
    /// User and password of basic authentication.
    pub(crate) user: Option<(String, Secret)>,
    /// How long one answer may take, from looking the name up to its last byte.
    pub(crate) timeout: Duration,
}

/// Asks workers, each time over a new connection: one that is kept from before a restart
/// would say something about the process that is gone.
#[derive(Debug)]
pub(crate) struct Rest {
    agent: Agent,
    authorization: Option<HeaderValue>,
    timeout: Duration,
}

/// Why a worker gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Silence {
    /// The kind.
    pub(crate) how: NoAnswer,
    /// As a clause, for a person.
    pub(crate) why: String,
}

impl Rest {
    /// Prepares to ask.
    ///
    /// # Errors
    /// What is wrong with a file or the user, as a sentence.
    pub(crate) fn new(access: &RestAccess) -> Result<Self, String> {
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .proxy(None)
            .user_agent(concat!("rollgate/", env!("CARGO_PKG_VERSION")))
            .accept("application/json")
            .timeout_global(Some(access.timeout));
        if let Some(tls) = &access.tls {
            config = config.tls_config(trust(tls)?);
        }
        let authorization = access.user.as_ref().map(|(user, password)| basic(user, password)).transpose()?;
        Ok(Self { agent: config.build().new_agent(), authorization, timeout: access.timeout })
    }

    /// Which version a worker runs.
    pub(crate) fn version(&self, worker: &Address) -> Endpoint {
        let answer = self.get(worker, "/").and_then(|json| Version::read(&json).map_err(Silence::unreadable));
        let url = worker.as_str().to_owned();
        match answer {
            Ok(version) => Endpoint { url, version: Seen::Known(version), no_answer: None },
            Err(Silence { how, why }) => Endpoint { url, version: Seen::unknown(why), no_answer: Some(how) },
        }
    }

    /// What the status topic claims, as this worker has read it.
    pub(crate) fn statuses(&self, worker: &Address) -> Result<Statuses, Silence> {
        let json = self.get(worker, STATUSES)?;
        Statuses::read(worker.as_str(), &json).map_err(Silence::unreadable)
    }

    /// The only request there is.
    fn get(&self, worker: &Address, path: &str) -> Result<String, Silence> {
        let mut request = self.agent.get(worker.at(path));
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let mut response = request.call().map_err(|error| self.silence(error))?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(refused(status));
        }
        let body = response.body_mut().with_config().limit(LONGEST).read_to_vec();
        let body = body.map_err(|error| self.silence(error))?;
        String::from_utf8(body).map_err(|_| Silence::unreadable("it answers with something else than JSON".to_owned()))
    }

    fn silence(&self, error: ureq::Error) -> Silence {
        let silence = |how, why: &str| Silence { how, why: why.to_owned() };
        match error {
            ureq::Error::Timeout(_) => self.too_late(),
            ureq::Error::HostNotFound => silence(NoAnswer::Unreachable, "its name is not known here"),
            ureq::Error::Io(error) => self.silence_of(&error),
            ureq::Error::Rustls(error) => tls(&error),
            ureq::Error::Tls(why) => silence(NoAnswer::Certificate, &format!("TLS cannot be set up: {why}")),
            ureq::Error::BodyExceedsLimit(_) => {
                silence(NoAnswer::Unreadable, &format!("its answer is longer than {} MiB", LONGEST >> 20))
            }
            ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => {
                silence(NoAnswer::Unreadable, "it answers with something else than HTTP; perhaps its port wants https")
            }
            other => silence(NoAnswer::Unreachable, &format!("it cannot be asked: {other}")),
        }
    }

    fn silence_of(&self, error: &io::Error) -> Silence {
        if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return tls(error);
        }
        let (how, why) = match error.kind() {
            io::ErrorKind::ConnectionRefused => (NoAnswer::Refused, "nobody listens there".to_owned()),
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => return self.too_late(),
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::NotConnected
            | io::ErrorKind::BrokenPipe => {
                (NoAnswer::Broken, "the connection was cut before the end of its answer".to_owned())
            }
            // What `getaddrinfo` says has no kind of its own.
            _ if error.to_string().starts_with("failed to lookup address") => {
                (NoAnswer::Unreachable, "its name is not known here".to_owned())
            }
            _ => (NoAnswer::Unreachable, format!("it cannot be reached: {error}")),
        };
        Silence { how, why }
    }

    fn too_late(&self) -> Silence {
        let time = rollgate_core::units::Duration::from_secs_f64(self.timeout.as_secs_f64());
        Silence { how: NoAnswer::TimedOut, why: format!("no whole answer came within {time}") }
    }
}

impl Silence {
    fn unreadable(why: String) -> Self {
        Self { how: NoAnswer::Unreadable, why }
    }
}

/// What another status than 200 means.
fn refused(status: u16) -> Silence {
    let (how, why) = match status {
        401 => (NoAnswer::Forbidden, "it wants a user and a password that it knows (HTTP status 401)".to_owned()),
        403 => (NoAnswer::Forbidden, "the user may not ask it this (HTTP status 403)".to_owned()),
        404 => {
            (NoAnswer::Status(404), "HTTP status 404: the worker is still starting, or the path is wrong".to_owned())
        }
        300..=399 => {
            (NoAnswer::Status(status), format!("HTTP status {status}: it points elsewhere, where nobody is asked"))
        }
        _ => (NoAnswer::Status(status), format!("HTTP status {status}")),
    };
    Silence { how, why }
}

/// What is wrong with TLS.
fn tls(error: &rustls::Error) -> Silence {
    let (how, why) = match error {
        rustls::Error::InvalidCertificate(wrong) => {
            (NoAnswer::Certificate, format!("its certificate is not trusted: {}", worded(wrong)))
        }
        rustls::Error::AlertReceived(alert) => (
            NoAnswer::Certificate,
            format!("it refuses the TLS connection ({alert:?}); perhaps it wants a certificate"),
        ),
        rustls::Error::InvalidMessage(_) => {
            (NoAnswer::Unreadable, "its port does not speak TLS; perhaps it wants http".to_owned())
        }
        other => (NoAnswer::Certificate, format!("TLS cannot be agreed on: {other}")),
    };
    Silence { how, why }
}

fn worded(wrong: &rustls::CertificateError) -> String {
    use rustls::CertificateError as Wrong;
    match wrong {
        Wrong::UnknownIssuer => "none of the known authorities has signed it".to_owned(),
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "it is for another name".to_owned(),
        Wrong::Expired | Wrong::ExpiredContext { .. } => "it has expired".to_owned(),
        Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => "it is not valid yet".to_owned(),
        other => format!("{other}"),
    }
}

/// The header of basic authentication (RFC 7617).
fn basic(user: &str, password: &Secret) -> Result<HeaderValue, String> {
    if user.contains(':') {
        return Err("--connect-user: no colon can be in the name of a user".to_owned());
    }
    let header = format!("Basic {}", BASE64.encode(format!("{user}:{}", password.reveal())));
    let mut header =
        HeaderValue::try_from(header).map_err(|_| "--connect-user: no such name can be sent".to_owned())?;
    header.set_sensitive(true);
    Ok(header)
}

/// Whom to trust and what to show, from files.
fn trust(tls: &Tls) -> Result<TlsConfig, String> {
    let mut config = TlsConfig::builder();
    if let Some(path) = &tls.ca {
        config = config.root_certs(RootCerts::new_with_certs(&certificates(path)?));
    }
    if let Some((certificate, key)) = &tls.identity {
        let private = PrivateKey::from_pem(&read(key)?)
            .map_err(|_| format!("{}: there is no private key in it (PEM, not encrypted)", key.display()))?;
        config = config.client_cert(Some(ClientCert::new_with_certs(&certificates(certificate)?, private)));
    }
    Ok(config.build())
}

fn certificates(path: &Path) -> Result<Vec<Certificate<'static>>, String> {
    let mut found = Vec::new();
    for item in parse_pem(&read(path)?) {
        match item {
            Ok(PemItem::Certificate(certificate)) => found.push(certificate),
            Ok(_) => {}
            Err(_) => return Err(format!("{}: this is no PEM file", path.display())),
        }
    }
    if found.is_empty() { Err(format!("{}: there is no certificate in it (PEM)", path.display())) } else { Ok(found) }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// All connectors with what is claimed of them, in one answer.
const STATUSES: &str = "/connectors?expand=status&expand=info";

/// No answer is read further.
const LONGEST: u64 = 64 << 20;
