//! From the options of a call to whom is asked.

use std::path::Path;
use std::time::Duration;

use rollgate_core::description;

use super::address::Address;
use super::collector::Collector;
use super::kafka::{self, Kafka, Mechanism, Secret, Tls};
use super::rest::{Rest, RestAccess};
use crate::args;

impl Collector {
    /// Reads the files and secrets that the options name; asks nobody yet.
    ///
    /// # Errors
    /// What is wrong with the options, as a sentence. No secret is in it.
    pub(crate) fn of(access: &args::Access) -> Result<Self, String> {
        let workers = addresses(&access.connect)?;
        if workers.is_empty() && access.bootstrap.is_empty() {
            return Err("name workers with --connect, brokers with --bootstrap, or both".to_owned());
        }
        if workers.is_empty() && access.connect_user.is_some() {
            return Err("--connect-user goes with --connect".to_owned());
        }
        let timeout = timeout(&access.timeout)?;
        let identity = access.certificate.clone().zip(access.key.clone());
        let tls = Tls { ca: access.ca.clone(), identity };
        let mut stdin = Stdin::default();
        let kafka = match access.bootstrap.as_slice() {
            [] if access.tls || access.sasl.is_some() => {
                return Err("--tls and --sasl are for brokers: name them with --bootstrap".to_owned());
            }
            [] => None,
            bootstrap => {
                let access = kafka::Access {
                    bootstrap: bootstrap.to_vec(),
                    tls: access.tls.then(|| tls.clone()),
                    sasl: sasl(access, &mut stdin)?,
                    timeout,
                };
                Some(Kafka::new(access).map_err(|error| error.to_string())?)
            }
        };
        let user = match (&access.connect_user, &access.connect_password_from) {
            (Some(user), Some(from)) => Some((user.clone(), stdin.secret("--connect-password-from", from)?)),
            _ => None,
        };
        let rest = Rest::new(&RestAccess { tls: Some(tls), user, timeout })?;
        Ok(Self::new(workers, rest, kafka, access.group.clone(), timeout))
    }
}

/// The addresses without those that are there already.
fn addresses(given: &[String]) -> Result<Vec<Address>, String> {
    let mut addresses: Vec<Address> = Vec::new();
    for text in given {
        let address = Address::read(text)?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}

fn timeout(text: &str) -> Result<Duration, String> {
    let time = description::time(text).and_then(|time| u64::try_from(time.as_millis()).ok());
    let time = time.filter(|millis| *millis > 0).map(Duration::from_millis);
    time.ok_or_else(|| format!("--timeout {text}: this is no time such as 10s"))
}

fn sasl(access: &args::Access, stdin: &mut Stdin) -> Result<Option<kafka::Sasl>, String> {
    let Some(sasl) = access.sasl else { return Ok(None) };
    let mechanism = match sasl {
        args::Sasl::Plain => Mechanism::Plain,
        args::Sasl::ScramSha256 => Mechanism::ScramSha256,
        args::Sasl::ScramSha512 => Mechanism::ScramSha512,
        args::Sasl::OauthBearer => Mechanism::OauthBearer,
    };
    let name = mechanism.name();
    let (user, secret) = match (mechanism, &access.user, &access.password_from, &access.token_from) {
        (Mechanism::OauthBearer, user, None, Some(from)) => {
            (user.clone().unwrap_or_default(), stdin.secret("--token-from", from)?)
        }
        (Mechanism::OauthBearer, ..) => return Err(format!("--sasl {name} goes with --token-from")),
        (_, Some(user), Some(from), None) => (user.clone(), stdin.secret("--password-from", from)?),
        _ => return Err(format!("--sasl {name} goes with --user and --password-from")),
    };
    Ok(Some(kafka::Sasl { mechanism, user, secret }))
}

/// Standard input, which holds one secret at most.
#[derive(Debug, Default)]
struct Stdin {
    read: bool,
}

impl Stdin {
    /// Reads `file:PATH`, `env:NAME` or `stdin`.
    fn secret(&mut self, option: &str, from: &str) -> Result<Secret, String> {
        let secret = match from.split_once(':') {
            Some(("file", path)) => Secret::from_file(Path::new(path)),
            Some(("env", name)) => Secret::from_env(name),
            None if from == "stdin" && self.read => {
                return Err(format!("{option}: another secret comes from standard input already"));
            }
            None if from == "stdin" => {
                self.read = true;
                Secret::from_stdin()
            }
            // It may be the secret itself: it is not repeated.
            _ => return Err(format!("{option} says where the secret is: file:PATH, env:NAME or stdin")),
        };
        secret.map_err(|error| format!("{option}: {error}"))
    }
}
