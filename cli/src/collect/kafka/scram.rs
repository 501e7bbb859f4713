//! SCRAM (RFC 5802, RFC 7677) without channel binding, as Kafka's `ScramSaslClient` does it:
//! the password is proven without being sent, and the broker has to prove that it knows it.

use std::num::NonZeroU32;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::rand::SecureRandom;
use ring::{digest, hmac, pbkdf2, rand};

/// Which digest: the number in the mechanism's name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Digest {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

/// One authentication, begun.
pub(super) struct Scram {
    digest: Digest,
    nonce: String,
    first_bare: String,
}

impl Scram {
    /// `None` if the system gives no random numbers.
    pub(super) fn new(digest: Digest, user: &str) -> Option<Self> {
        let mut random = [0; 24];
        rand::SystemRandom::new().fill(&mut random).ok()?;
        Some(Self::with_nonce(digest, user, &BASE64.encode(random)))
    }

    fn with_nonce(digest: Digest, user: &str, nonce: &str) -> Self {
        // The two signs that have a meaning in the message itself.
        let user = user.replace('=', "=3D").replace(',', "=2C");
        let first_bare = format!("n={user},r={nonce}");
        Self { digest, nonce: nonce.to_owned(), first_bare }
    }

    /// The first message.
    pub(super) fn first(&self) -> Vec<u8> {
        format!("n,,{}", self.first_bare).into_bytes()
    }

    /// The second message, to the broker's challenge, and what its last one has to prove.
    ///
    /// # Errors
    /// The challenge is not one, or asks for a proof that would be too easy to guess the
    /// password from.
    pub(super) fn answer(&self, challenge: &[u8], password: &str) -> Result<(Vec<u8>, Proof), String> {
        let challenge = std::str::from_utf8(challenge).map_err(|_| NO_CHALLENGE)?;
        let mut fields = challenge.split(',');
        let mut field = |name: &str| fields.next().and_then(|field| field.strip_prefix(name)).ok_or(NO_CHALLENGE);
        let nonce = field("r=")?;
        let salt = BASE64.decode(field("s=")?).map_err(|_| NO_CHALLENGE)?;
        let iterations: u32 = field("i=")?.parse().map_err(|_| NO_CHALLENGE)?;
        if !nonce.starts_with(&self.nonce) || nonce == self.nonce {
            return Err("its challenge is not for this connection".to_owned());
        }
        let iterations = NonZeroU32::new(iterations).filter(|count| ITERATIONS.contains(&count.get()));
        let iterations = iterations.ok_or("its number of iterations is out of bounds")?;

        let salted = self.salted(password, &salt, iterations);
        let salted = hmac::Key::new(self.hmac(), &salted);
        let client_key = hmac::sign(&salted, b"Client Key");
        let server_key = hmac::sign(&salted, b"Server Key");
        let without_proof = format!("c=biws,r={nonce}");
        let message = format!("{},{challenge},{without_proof}", self.first_bare).into_bytes();
        let stored_key = digest::digest(self.sha(), client_key.as_ref());
        let signature = hmac::sign(&hmac::Key::new(self.hmac(), stored_key.as_ref()), &message);
        let proof: Vec<u8> = client_key.as_ref().iter().zip(signature.as_ref()).map(|(a, b)| a ^ b).collect();
        let answer = format!("{without_proof},p={}", BASE64.encode(proof)).into_bytes();
        Ok((answer, Proof { key: hmac::Key::new(self.hmac(), server_key.as_ref()), message }))
    }

    fn salted(&self, password: &str, salt: &[u8], iterations: NonZeroU32) -> Vec<u8> {
        let (algorithm, length) = match self.digest {
            Digest::Sha256 => (pbkdf2::PBKDF2_HMAC_SHA256, digest::SHA256_OUTPUT_LEN),
            Digest::Sha512 => (pbkdf2::PBKDF2_HMAC_SHA512, digest::SHA512_OUTPUT_LEN),
        };
        let mut salted = vec![0; length];
        pbkdf2::derive(algorithm, iterations, salt, password.as_bytes(), &mut salted);
        salted
    }

    fn hmac(&self) -> hmac::Algorithm {
        match self.digest {
            Digest::Sha256 => hmac::HMAC_SHA256,
            Digest::Sha512 => hmac::HMAC_SHA512,
        }
    }

    fn sha(&self) -> &'static digest::Algorithm {
        match self.digest {
            Digest::Sha256 => &digest::SHA256,
            Digest::Sha512 => &digest::SHA512,
        }
    }
}

/// What the broker has to prove.
pub(super) struct Proof {
    key: hmac::Key,
    message: Vec<u8>,
}

impl Proof {
    /// Whether the broker's last message shows that it knows the password.
    pub(super) fn check(&self, last: &[u8]) -> Result<(), String> {
        let signature = last.strip_prefix(b"v=").and_then(|signature| BASE64.decode(signature).ok());
        let signature = signature.ok_or("its last message holds no proof")?;
        let proven = hmac::verify(&self.key, &self.message, &signature);
        proven.map_err(|_| "its proof is wrong".to_owned())
    }
}

/// Fewer make the password easy to guess (RFC 7677; Kafka refuses them too); more than
/// this would keep the machine busy past the deadline. Kafka itself allows 16384.
const ITERATIONS: std::ops::RangeInclusive<u32> = 4096..=1_000_000;

const NO_CHALLENGE: &str = "its challenge cannot be understood";

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677.
    fn example() -> Scram {
        Scram::with_nonce(Digest::Sha256, "user", "rOprNGfwEbeRWgbNEkqO")
    }

    const CHALLENGE: &[u8] = b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";

    #[test]
    fn the_example_of_the_standard_is_answered_as_it_says() {
        let scram = example();
        assert_eq!(scram.first(), b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let (answer, proof) = scram.answer(CHALLENGE, "pencil").unwrap();
        let expected = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
                        p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
        assert_eq!(String::from_utf8(answer).unwrap(), expected);
        assert_eq!(proof.check(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="), Ok(()));
    }

    #[test]
    fn a_server_that_does_not_know_the_password_is_found_out() {
        let (_, proof) = example().answer(CHALLENGE, "another").unwrap();
        let last = proof.check(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
        assert_eq!(last, Err("its proof is wrong".to_owned()));
        assert_eq!(proof.check(b""), Err("its last message holds no proof".to_owned()));
        assert_eq!(proof.check(b"e=other-error"), Err("its last message holds no proof".to_owned()));
    }

    #[test]
    fn a_challenge_that_makes_guessing_easy_is_not_answered() {
        let refused = |challenge: &str| example().answer(challenge.as_bytes(), "pencil").err().unwrap();
        assert_eq!(refused("r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"), "its challenge is not for this connection");
        assert_eq!(refused("r=rOprNGfwEbeRWgbNEkqO,s=W22Z,i=4096"), "its challenge is not for this connection");
        for count in ["0", "1", "4095", "1000001"] {
            let challenge = format!("r=rOprNGfwEbeRWgbNEkqOx,s=W22Z,i={count}");
            assert_eq!(refused(&challenge), "its number of iterations is out of bounds");
        }
        for broken in ["", "r=", "r=rOprNGfwEbeRWgbNEkqOx,s=*,i=4096", "m=ext,r=rOprNGfwEbeRWgbNEkqOx,s=W22Z,i=4096"] {
            assert!(refused(broken).contains("challenge"), "{broken}");
        }
    }

    #[test]
    fn signs_that_mean_something_in_a_message_are_written_otherwise_in_a_user() {
        let scram = Scram::with_nonce(Digest::Sha512, "a=b,c", "x");
        assert_eq!(scram.first(), b"n,,n=a=3Db=2Cc,r=x");
    }
}
