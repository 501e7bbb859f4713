//! Authentication: both sides prove themselves, and no secret gets into a message.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use kafka_protocol::messages::{
    SaslAuthenticateRequest, SaslAuthenticateResponse, SaslHandshakeRequest, SaslHandshakeResponse,
};
use kafka_protocol::protocol::Decodable;
use ring::{digest, hmac, pbkdf2};

use super::super::{Access, Kafka, KafkaError, Mechanism, Sasl, Secret};
use super::broker::{Asked, Broker, Does, encoded, text, usual};

const PASSWORD: &str = "correct horse";
const HANDSHAKE: i16 = 17;
const AUTHENTICATE: i16 = 36;
const REFUSED: i16 = 58;

/// A broker that offers all mechanisms; `says` answers their messages.
fn broker(mut says: impl FnMut(&str) -> (i16, String) + Send + 'static) -> Broker {
    Broker::new(move |asked| match asked.key {
        HANDSHAKE => handshake(asked),
        AUTHENTICATE => {
            let request = SaslAuthenticateRequest::decode(&mut &asked.body[..], asked.version).unwrap();
            let (error, said) = says(std::str::from_utf8(&request.auth_bytes).unwrap());
            let answer = SaslAuthenticateResponse::default().with_error_code(error);
            Does::Answers(encoded(
                asked,
                &match error {
                    0 => answer.with_auth_bytes(said.into_bytes().into()),
                    _ => answer.with_error_message(Some(text(&said))),
                },
            ))
        }
        _ => usual(asked),
    })
}

fn handshake(asked: &Asked) -> Does {
    let request = SaslHandshakeRequest::decode(&mut &asked.body[..], asked.version).unwrap();
    let known = Mechanism::ALL.map(Mechanism::name).contains(&request.mechanism.as_str());
    Does::Answers(encoded(asked, &SaslHandshakeResponse::default().with_error_code(if known { 0 } else { 33 })))
}

fn client(broker: &Broker, mechanism: Mechanism, secret: &str) -> Kafka {
    let sasl = Sasl { mechanism, user: "ops".to_owned(), secret: Secret::new(secret.to_owned()) };
    Kafka::new(Access { sasl: Some(sasl), ..broker.access() }).unwrap()
}

/// The broker's side of SCRAM with SHA-256, written after RFC 5802 once more.
struct ScramServer {
    password: &'static str,
    first: Option<(String, String)>,
}

impl ScramServer {
    fn says(&mut self, message: &str) -> (i16, String) {
        let Some((first_bare, challenge)) = &self.first else {
            let bare = message.strip_prefix("n,,").unwrap().to_owned();
            let nonce = bare.strip_prefix("n=ops,r=").unwrap();
            let challenge = format!("r={nonce}server,s={},i=4096", BASE64.encode("salt"));
            self.first = Some((bare, challenge.clone()));
            return (0, challenge);
        };
        let (without_proof, proof) = message.split_once(",p=").unwrap();
        let signed = format!("{first_bare},{challenge},{without_proof}");
        let mut salted = [0; 32];
        let count = 4096.try_into().unwrap();
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, count, b"salt", self.password.as_bytes(), &mut salted);
        let mac = |key: &[u8], bytes: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), bytes);
        let stored = digest::digest(&digest::SHA256, mac(&salted, b"Client Key").as_ref());
        let signature = mac(stored.as_ref(), signed.as_bytes());
        let proof = BASE64.decode(proof).unwrap();
        let key: Vec<u8> = proof.iter().zip(signature.as_ref()).map(|(a, b)| a ^ b).collect();
        let known = digest::digest(&digest::SHA256, &key).as_ref() == stored.as_ref();
        if !known {
            return (REFUSED, "Authentication failed: Invalid user credentials".to_owned());
        }
        let server = mac(mac(&salted, b"Server Key").as_ref(), signed.as_bytes());
        (0, format!("v={}", BASE64.encode(server)))
    }
}

fn scram_broker(password: &'static str) -> Broker {
    // Each connection begins anew: the script sees who speaks first by the form.
    let mut server = ScramServer { password, first: None };
    broker(move |message| {
        if message.starts_with("n,,") {
            server.first = None;
        }
        server.says(message)
    })
}

#[test]
fn with_scram_both_sides_prove_that_they_know_the_password() {
    let broker = scram_broker(PASSWORD);
    assert_eq!(client(&broker, Mechanism::ScramSha256, PASSWORD).cluster_id().unwrap(), "the-cluster");
    let error = client(&broker, Mechanism::ScramSha256, "wrong").cluster_id().unwrap_err().to_string();
    let refused = "does not accept the SCRAM-SHA-256 credentials: Authentication failed: Invalid user credentials";
    assert_eq!(error, format!("{} {refused}", broker.address));
}

#[test]
fn a_broker_that_cannot_prove_itself_is_refused() {
    // It lets everybody in and signs with what it has.
    let impostor = broker(|message| match message.strip_prefix("n,,n=ops,r=") {
        Some(nonce) => (0, format!("r={nonce}x,s={},i=4096", BASE64.encode("salt"))),
        None => (0, format!("v={}", BASE64.encode([7; 32]))),
    });
    let error = client(&impostor, Mechanism::ScramSha256, PASSWORD).cluster_id().unwrap_err();
    assert!(matches!(error, KafkaError::BrokerUnproven { .. }), "{error}");
    assert!(!impostor.asked().contains(&3), "it was asked after all");
    let mute = broker(|message| match message.strip_prefix("n,,n=ops,r=") {
        Some(nonce) => (0, format!("r={nonce}x,s={},i=4096", BASE64.encode("salt"))),
        None => (0, String::new()),
    });
    let error = client(&mute, Mechanism::ScramSha512, PASSWORD).cluster_id().unwrap_err();
    assert!(matches!(error, KafkaError::BrokerUnproven { .. }), "{error}");
}

#[test]
fn plain_and_tokens_are_sent_as_the_standards_say() {
    let plain = broker(|message| (if message == "\0ops\0correct horse" { 0 } else { REFUSED }, String::new()));
    assert_eq!(client(&plain, Mechanism::Plain, PASSWORD).cluster_id().unwrap(), "the-cluster");
    let token = broker(|message| match message {
        "n,,\u{1}auth=Bearer abc.def\u{1}\u{1}" => (0, String::new()),
        "\u{1}" => (REFUSED, "{\"status\":\"invalid_token\"}".to_owned()),
        _ => (0, "{\"status\":\"invalid_token\"}".to_owned()),
    });
    assert_eq!(client(&token, Mechanism::OauthBearer, "abc.def").cluster_id().unwrap(), "the-cluster");
    let error = client(&token, Mechanism::OauthBearer, "expired").cluster_id().unwrap_err().to_string();
    assert!(error.ends_with("the OAUTHBEARER credentials: {\"status\":\"invalid_token\"}"), "{error}");
}

#[test]
fn no_secret_is_in_an_error_even_if_the_broker_sends_it_back() {
    let echo = broker(|message| (REFUSED, format!("no such user: {message}")));
    for (mechanism, secret) in [(Mechanism::Plain, PASSWORD), (Mechanism::OauthBearer, "abc.def")] {
        let error = client(&echo, mechanism, secret).cluster_id().unwrap_err();
        let said = format!("{error} {error:?}");
        assert!(said.contains("no such user") && !said.contains(secret), "{said}");
    }
    let access = Access { sasl: None, ..echo.access() };
    let sasl = Sasl { mechanism: Mechanism::Plain, user: "ops".to_owned(), secret: Secret::new(PASSWORD.to_owned()) };
    assert!(!format!("{:?}", Access { sasl: Some(sasl), ..access }).contains(PASSWORD));
}

#[test]
fn a_mechanism_that_is_not_offered_is_named_with_those_that_are() {
    let broker = Broker::new(|asked| match asked.key {
        HANDSHAKE => {
            let offered = vec![text("GSSAPI"), text("SCRAM-SHA-512")];
            let answer = SaslHandshakeResponse::default().with_error_code(33).with_mechanisms(offered);
            Does::Answers(encoded(asked, &answer))
        }
        _ => usual(asked),
    });
    let error = client(&broker, Mechanism::Plain, PASSWORD).cluster_id().unwrap_err().to_string();
    assert_eq!(error, format!("{} does not offer PLAIN; it offers GSSAPI, SCRAM-SHA-512", broker.address));
}

#[test]
fn a_port_without_sasl_is_recognised() {
    let broker = Broker::new(|asked| match asked.key {
        HANDSHAKE => Does::Answers(encoded(asked, &SaslHandshakeResponse::default().with_error_code(34))),
        _ => usual(asked),
    });
    let error = client(&broker, Mechanism::Plain, PASSWORD).cluster_id().unwrap_err();
    assert_eq!(error, KafkaError::SaslNotUsed { address: broker.address.clone() });
}

#[test]
fn wrong_credentials_are_tried_at_one_broker_only() {
    // Trying them everywhere may lock the user out.
    let (first, second) = (scram_broker(PASSWORD), scram_broker(PASSWORD));
    let sasl = Sasl { mechanism: Mechanism::ScramSha256, user: "ops".to_owned(), secret: Secret::new("no".to_owned()) };
    let bootstrap = vec![first.address.clone(), second.address.clone()];
    let mut kafka = Kafka::new(Access { bootstrap, sasl: Some(sasl), ..first.access() }).unwrap();
    assert!(matches!(kafka.cluster_id(), Err(KafkaError::AuthenticationFailed { .. })));
    assert_eq!((first.asked().len(), second.asked().len()), (3, 0));
}

#[test]
fn credentials_that_cannot_be_sent_are_refused_before_anybody_is_asked() {
    let broker = Broker::new(usual);
    for (mechanism, user, secret) in [
        (Mechanism::Plain, "", "x"),
        (Mechanism::Plain, "ops", ""),
        (Mechanism::ScramSha256, "o\0ps", "x"),
        (Mechanism::OauthBearer, "", "abc def"),
        (Mechanism::OauthBearer, "", ""),
    ] {
        let sasl = Sasl { mechanism, user: user.to_owned(), secret: Secret::new(secret.to_owned()) };
        let refused = Kafka::new(Access { sasl: Some(sasl), ..broker.access() }).err();
        assert!(matches!(refused, Some(KafkaError::BadCredentials { .. })), "{mechanism:?} {user:?}");
    }
    assert!(broker.asked().is_empty());
}
