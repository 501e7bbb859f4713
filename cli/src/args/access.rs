//! How to reach a running cluster: the options that all verbs have that watch one.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Where a cluster is, and as whom it is asked.
#[derive(Args, Debug)]
#[command(next_help_heading = "Access")]
pub(crate) struct Access {
    /// REST addresses of the workers, such as http://w1:8083,http://w2:8083
    #[arg(long, value_name = "URL,…", value_delimiter = ',')]
    pub(crate) connect: Vec<String>,

    /// Brokers of Kafka, such as kafka-1:9092,kafka-2:9092
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',')]
    pub(crate) bootstrap: Vec<String>,

    /// group.id of the workers [default: the only group of type connect that has
    /// a member at an address of --connect]
    #[arg(long, value_name = "ID")]
    pub(crate) group: Option<String>,

    /// How long an answer may take
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) timeout: String,

    /// A snapshot in the place of a cluster (from `observe -o json`); - reads
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["connect", "bootstrap", "group"])]
    pub(crate) snapshot: Option<PathBuf>,

    /// Speak TLS with the brokers; with the workers, where the address says https
    #[arg(long)]
    pub(crate) tls: bool,

    /// Certificates of the authorities to trust (PEM) [default: the public ones]
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,

    /// The own certificate with its chain (PEM)
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) certificate: Option<PathBuf>,

    /// Its private key (PEM, not encrypted)
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub(crate) key: Option<PathBuf>,

    /// PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER
    #[arg(long, value_name = "MECHANISM", value_enum, ignore_case = true, hide_possible_values = true)]
    pub(crate) sasl: Option<Sasl>,

    /// The user of Kafka
    #[arg(long, value_name = "NAME", requires = "sasl")]
    pub(crate) user: Option<String>,

    #[arg(
        long,
        value_name = "WHERE",
        requires = "sasl",
        help = "Where the user's password is: file:PATH, env:NAME or stdin"
    )]
    pub(crate) password_from: Option<String>,

    #[arg(
        long,
        value_name = "WHERE",
        requires = "sasl",
        conflicts_with = "password_from",
        help = "Where the token of OAUTHBEARER is: file:PATH, env:NAME or stdin"
    )]
    pub(crate) token_from: Option<String>,

    /// The user of the workers' REST ports (basic authentication)
    #[arg(long, value_name = "NAME", requires = "connect_password_from")]
    pub(crate) connect_user: Option<String>,

    #[arg(
        long,
        value_name = "WHERE",
        requires = "connect_user",
        help = "Where that user's password is: file:PATH, env:NAME or stdin"
    )]
    pub(crate) connect_password_from: Option<String>,
}

/// The mechanisms by their names in Kafka.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sasl {
    #[value(name = "PLAIN")]
    Plain,
    #[value(name = "SCRAM-SHA-256")]
    ScramSha256,
    #[value(name = "SCRAM-SHA-512")]
    ScramSha512,
    #[value(name = "OAUTHBEARER")]
    OauthBearer,
}

/// What to say of a secret on the command line, if there is one: no option takes it, and the
/// usual message would repeat it.
pub(crate) fn secret_in(arguments: impl Iterator<Item = String>) -> Option<String> {
    let names = ["password", "connect-password", "token"];
    arguments.take_while(|argument| argument != "--").find_map(|argument| {
        let name = argument.strip_prefix("--")?.split('=').next()?;
        let name = names.into_iter().find(|known| *known == name)?;
        Some(format!(
            "there is no --{name}: others can see the command line. Give --{name}-from file:PATH (or env:NAME, or stdin)"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(arguments: &[&str]) -> Option<String> {
        secret_in(arguments.iter().map(|argument| (*argument).to_owned()))
    }

    #[test]
    fn a_secret_on_the_command_line_is_refused_and_not_repeated() {
        for arguments in [&["observe", "--password", "hunter2"][..], &["observe", "--token=hunter2"]] {
            let said = said(arguments).unwrap();
            assert!(said.contains("-from file:PATH") && !said.contains("hunter2"), "{said}");
        }
        assert_eq!(said(&["observe", "--password-from", "env:P"]), None);
        assert_eq!(said(&["plan", "--", "--password"]), None);
    }
}
