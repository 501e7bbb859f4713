//! Proving who asks: PLAIN, SCRAM and OAUTHBEARER within Kafka's own requests (KIP-43,
//! KIP-152).
//!
//! Written here, on `ring`, because two things have to be as in Kafka's own client and are
//! not in general SASL libraries: passwords are taken as UTF-8 without `SASLprep`
//! (`ScramFormatter.normalize`), and a failed token needs one more message before the
//! broker names its reason (`OAuthBearerSaslClient`).

use super::access::{Mechanism, Sasl};
use super::connection::Connection;
use super::deadline::Deadline;
use super::error::{KafkaError, code, code_name, quoted};
use super::messages::{SaslAuthenticate, SaslHandshake};
use super::scram::{Digest, Scram};

/// Whether these credentials can be sent at all.
pub(super) fn check(sasl: &Sasl) -> Result<(), KafkaError> {
    let secret = sasl.secret.reveal();
    let bad = |why| Err(KafkaError::BadCredentials { mechanism: sasl.mechanism.name(), why });
    match sasl.mechanism {
        Mechanism::OauthBearer if !secret.bytes().all(|byte| byte.is_ascii_graphic()) || secret.is_empty() => {
            bad("a token has printable signs only, and no blank")
        }
        Mechanism::OauthBearer => Ok(()),
        _ if sasl.user.is_empty() => bad("the user is missing"),
        _ if secret.is_empty() => bad("the password is empty"),
        _ if sasl.user.contains('\0') || secret.contains('\0') => bad("a NUL sign is in them"),
        _ => Ok(()),
    }
}

/// Authenticates a connection; after it the broker knows who asks.
pub(super) fn authenticate(connection: &mut Connection, sasl: &Sasl, deadline: Deadline) -> Result<(), KafkaError> {
    let mechanism = sasl.mechanism.name();
    let (error, offered) = connection.ask(&SaslHandshake { mechanism }, deadline)?;
    let address = connection.address().to_owned();
    match error {
        code::NONE => {}
        code::UNSUPPORTED_SASL_MECHANISM => {
            return Err(KafkaError::MechanismNotOffered { address, mechanism, offered });
        }
        code::ILLEGAL_SASL_STATE => return Err(KafkaError::SaslNotUsed { address }),
        other => return Err(KafkaError::Refused { address, step: "SaslHandshake".to_owned(), why: code_name(other) }),
    }
    let mut talk = Talk { connection, sasl, deadline };
    match sasl.mechanism {
        Mechanism::Plain => talk.plain(),
        Mechanism::ScramSha256 => talk.scram(Digest::Sha256),
        Mechanism::ScramSha512 => talk.scram(Digest::Sha512),
        Mechanism::OauthBearer => talk.oauth_bearer(),
    }
}

/// The messages of one authentication.
struct Talk<'a> {
    connection: &'a mut Connection,
    sasl: &'a Sasl,
    deadline: Deadline,
}

impl Talk<'_> {
    /// RFC 4616.
    fn plain(&mut self) -> Result<(), KafkaError> {
        let message = format!("\0{}\0{}", self.sasl.user, self.sasl.secret.reveal());
        self.say(message.into_bytes()).map(|_| ())
    }

    /// RFC 7628. A broker that refuses a token answers with JSON first and fails only when
    /// that has been acknowledged.
    fn oauth_bearer(&mut self) -> Result<(), KafkaError> {
        let message = format!("n,,\x01auth=Bearer {}\x01\x01", self.sasl.secret.reveal());
        let answer = self.say(message.into_bytes())?;
        if answer.is_empty() {
            return Ok(());
        }
        self.say(vec![0x01])?;
        Err(self.refused(&String::from_utf8_lossy(&answer)))
    }

    fn scram(&mut self, digest: Digest) -> Result<(), KafkaError> {
        let scram = Scram::new(digest, &self.sasl.user);
        let scram = scram.ok_or_else(|| self.refused("this system gives no random numbers"))?;
        let challenge = self.say(scram.first())?;
        let answered = scram.answer(&challenge, self.sasl.secret.reveal());
        let (message, proof) = answered.map_err(|why| self.unproven(why))?;
        let last = self.say(message)?;
        proof.check(&last).map_err(|why| self.unproven(why))
    }

    /// Sends one message of the mechanism and gives the broker's.
    fn say(&mut self, message: Vec<u8>) -> Result<Vec<u8>, KafkaError> {
        let (error, words, answer) = self.connection.ask(&SaslAuthenticate { message }, self.deadline)?;
        match error {
            code::NONE => Ok(answer),
            code::SASL_AUTHENTICATION_FAILED => Err(self.refused(&words.unwrap_or_default())),
            other => Err(self.refused(&code_name(other))),
        }
    }

    fn refused(&self, words: &str) -> KafkaError {
        let why = quoted(&self.sasl.secret.cut_from(words));
        KafkaError::AuthenticationFailed {
            address: self.connection.address().to_owned(),
            mechanism: self.sasl.mechanism.name(),
            why: if why.is_empty() { "no reason given".to_owned() } else { why },
        }
    }

    fn unproven(&self, why: String) -> KafkaError {
        KafkaError::BrokerUnproven {
            address: self.connection.address().to_owned(),
            mechanism: self.sasl.mechanism.name(),
            why,
        }
    }
}
