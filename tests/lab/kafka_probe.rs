//! Asks a Kafka cluster everything that the command's Kafka client can ask, and prints it:
//! `tests/lab/secured` holds it against real brokers.

#![expect(clippy::print_stdout, reason = "what was seen is the output")]

#[path = "../../cli/src/collect/kafka/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the command uses more of it")]
mod kafka;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use kafka::{Access, Kafka, KafkaError, Mechanism, Sasl, Secret, Tls};

const USAGE: &str = "kafka_probe BOOTSTRAP GROUP [tls] [ca=FILE] [certificate=FILE key=FILE] \
                     [mechanism=NAME user=NAME] [seconds=N]; the secret is in PROBE_SECRET";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [bootstrap, group, rest @ ..] = &words[..] else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match probe(access(bootstrap, rest), group) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error}");
            ExitCode::from(4)
        }
    }
}

fn access(bootstrap: &str, words: &[String]) -> Access {
    let value =
        |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned);
    let path = |name: &str| value(name).map(PathBuf::from);
    let tls = Tls { ca: path("ca"), identity: path("certificate").zip(path("key")) };
    let encrypted = tls.ca.is_some() || words.iter().any(|word| word == "tls");
    let all = [Mechanism::Plain, Mechanism::ScramSha256, Mechanism::ScramSha512, Mechanism::OauthBearer];
    let mechanism = value("mechanism").and_then(|name| all.into_iter().find(|one| one.name() == name));
    let sasl = mechanism.zip(Secret::from_env("PROBE_SECRET").ok());
    Access {
        bootstrap: bootstrap.split(',').map(str::to_owned).collect(),
        tls: encrypted.then_some(tls),
        sasl: sasl.map(|(mechanism, secret)| Sasl { mechanism, user: value("user").unwrap_or_default(), secret }),
        timeout: Duration::from_secs(value("seconds").and_then(|seconds| seconds.parse().ok()).unwrap_or(10)),
    }
}

fn probe(access: Access, group: &str) -> Result<(), KafkaError> {
    let mut kafka = Kafka::new(access)?;
    println!("cluster: {}", kafka.cluster_id()?);
    let mut sinks = Vec::new();
    for kind in ["connect", "consumer"] {
        for listed in kafka.groups(kind)? {
            println!("{kind} group: {} ({})", listed.id, listed.state.as_deref().unwrap_or("state not said"));
            sinks.extend((kind == "consumer").then_some(listed.id));
        }
    }
    for described in kafka.describe(&[group])? {
        match described.error {
            Some(error) => println!("error: {error}"),
            None => println!(
                "described: {} {} {} by {}",
                described.id, described.state, described.protocol, described.coordinator
            ),
        }
        for member in described.members {
            let (metadata, assignment) = (member.metadata.len(), member.assignment.len());
            println!("member: {} from {}, {metadata} and {assignment} bytes", member.client_id, member.host);
        }
    }
    let sinks: Vec<&str> = sinks.iter().map(String::as_str).collect();
    for described in kafka.describe_consumers(&sinks)? {
        match described.error {
            Some(error) => println!("error: {error}"),
            None => println!("consumers: {} {} {:?}", described.id, described.state, described.members),
        }
    }
    let mut partitions = vec![("connect-status".to_owned(), 0)];
    for committed in kafka.committed(&sinks)? {
        match committed.partitions {
            Err(error) => println!("error: {error}"),
            Ok(offsets) => {
                for each in offsets {
                    println!("committed: {} {}-{} {}", committed.id, each.topic, each.partition, words(&each.offset));
                    partitions.push((each.topic, each.partition));
                }
            }
        }
    }
    partitions.extend([("connect-status".to_owned(), 7), ("nowhere".to_owned(), 0)]);
    let partitions: Vec<(&str, i32)> =
        partitions.iter().map(|(topic, partition)| (topic.as_str(), *partition)).collect();
    for end in kafka.ends(&partitions)? {
        println!("end: {}-{} {}", end.topic, end.partition, words(&end.offset));
    }
    Ok(())
}

fn words(offset: &Result<u64, KafkaError>) -> String {
    offset.as_ref().map_or_else(|error| format!("unknown ({error})"), |offset| format!("at {offset}"))
}
