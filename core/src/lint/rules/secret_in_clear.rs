//! A password stands in the file.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};
use crate::text::is_filled_in;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "secret-in-clear",
    title: "a password or key stands in the file itself",
    severity: Severity::Note,
    confidence: Confidence::High,
    finds: "A password, key or login of the worker or of its clients that is written out and not filled in from \
            elsewhere. Its value is shown nowhere in this tool's output.",
    hurts: "Whoever reads the file, a ticket with it, or the repository it lies in has the secret; and to change it, \
            each file is edited and all workers are restarted.",
    todo: "Use a config provider: `config.providers=file`, its class, and `${file:/path/of/secrets:key}` as the value \
           (KIP-297); or DirectoryConfigProvider, EnvVarConfigProvider (KIP-887). For a file that only the worker's \
           user can read, allow the finding.",
    wrong: "A value that something replaces before the worker starts may look like a secret.",
    sources: &[
        "DistributedConfig, ProducerConfig, ConsumerConfig, AdminClientConfig of Kafka 4.4: settings of type password",
        "KIP-297, KIP-887: config providers",
    ],
    settings: &["sasl.jaas.config", "ssl.key.password", "ssl.keystore.password", "ssl.truststore.password"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        let clear: Vec<_> = file
            .properties
            .all
            .iter()
            .filter(|property| is_secret(&property.key.value, &property.value.value))
            .collect();
        let Some((first, others)) = clear.split_first() else { continue };
        let count = match others.len() {
            0 => "1 secret is".to_owned(),
            more => format!("{} secrets are", more + 1),
        };
        // The key's place: the value must not be shown.
        let finding = found.add(
            context.at(first.key.span),
            format!("{count} written out in this file: {}", first.key.value),
            "let a config provider fill it in, such as `${file:/etc/kafka/secrets.properties:key}`",
        );
        finding.also.extend(others.iter().map(|property| context.at(property.key.span)));
    }
}

/// Whether a value is a secret written out.
fn is_secret(key: &str, value: &str) -> bool {
    let ends = |name: &&str| key == *name || key.strip_suffix(*name).is_some_and(|prefix| prefix.ends_with('.'));
    if value.trim().is_empty() || !SECRETS.iter().any(ends) {
        return false;
    }
    if key.ends_with("sasl.jaas.config") {
        options(value).any(|secret| !is_filled_in(secret))
    } else {
        !is_filled_in(value)
    }
}

/// The values of a login's options that are secrets.
fn options(login: &str) -> impl Iterator<Item = &str> {
    let names = ["password", "clientSecret", "client.secret", "keyPassword", "storePassword"];
    names.into_iter().flat_map(move |name| {
        login.match_indices(name).filter_map(move |(at, _)| {
            let before = login.get(..at)?.chars().next_back();
            let value = login.get(at + name.len()..)?.trim_start().strip_prefix('=')?.trim_start();
            if before.is_some_and(|char| char.is_ascii_alphanumeric() || char == '.') {
                return None;
            }
            let secret = match value.chars().next()? {
                quote @ ('"' | '\'') => value.get(1..)?.split(quote).next()?,
                _ => value.split([' ', ';']).next()?,
            };
            (!secret.is_empty()).then_some(secret)
        })
    })
}

/// Settings of type password, but for certificates, which anybody may see; and what plug-ins call so.
const SECRETS: [&str; 11] = [
    "basic.auth.user.info",
    "password",
    "sasl.jaas.config",
    "sasl.oauthbearer.assertion.private.key.passphrase",
    "sasl.oauthbearer.client.credentials.client.secret",
    "secret",
    "secret.key",
    "ssl.key.password",
    "ssl.keystore.key",
    "ssl.keystore.password",
    "ssl.truststore.password",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_a_secret_if_one_of_its_options_is() {
        let login = |options: &str| format!("a.B required username=\"u\" {options};");
        assert!(is_secret("producer.sasl.jaas.config", &login("password='x'")));
        assert!(is_secret("sasl.jaas.config", &login("clientSecret = x")));
        assert!(!is_secret("sasl.jaas.config", &login("password=\"${file:/a:b}\"")));
        assert!(!is_secret("sasl.jaas.config", "com.sun.security.auth.module.Krb5LoginModule required keyTab=\"/k\";"));
        assert!(!is_secret("sasl.jaas.config", "${file:/a:login}"));
    }

    #[test]
    fn where_a_secret_lies_is_none() {
        assert!(is_secret("listeners.https.ssl.key.password", "x"));
        assert!(!is_secret("ssl.keystore.location", "/a"));
        assert!(!is_secret("ssl.keystore.certificate.chain", "-----BEGIN"));
        assert!(!is_secret("ssl.key.password", "${env:KEY_PASSWORD}"));
        assert!(!is_secret("ssl.key.password", " "));
    }
}
