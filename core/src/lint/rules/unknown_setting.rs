//! A setting that Kafka does not know.

use std::collections::BTreeMap;

use crate::description::{KnownSetting, Owner, is_handed_on};
use crate::finding::{Confidence, Severity};
use crate::lint::files::{key_of, worker_files};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "unknown-setting",
    title: "Kafka does not know a setting",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A setting that neither a worker nor one of its clients reads, in any version from 2.8 to 4.4. If a known \
            one is spelt nearly so, it is named; of the others a file's are reported together, as a note.",
    hurts: "Kafka ignores it, with a line in the log at most, and goes on with the default: a misspelt \
            scheduled.rebalance.max.delay.ms is 300 s.",
    todo: "Correct the name. Settings of task clients begin with producer., consumer. or admin.",
    wrong: "A REST extension, a metrics reporter, a config provider or a vendor's plug-in may read it; only what \
            begins with confluent., listeners., metrics.context. or the name of a converter is known to be theirs.",
    sources: &[
        "DistributedConfig, ProducerConfig, ConsumerConfig, AdminClientConfig of 2.8.2 to 4.4.0, recorded in \
         tests/oracle/settings/recorded.txt",
        "AbstractConfig.logUnused of Kafka: unknown settings are no error",
    ],
    settings: &[],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    // Files of one cluster say the same keys.
    let mut judged: BTreeMap<&str, Judgement> = BTreeMap::new();
    for file in worker_files(context) {
        let mut strange = Vec::new();
        for key in file.settings.keys() {
            match judged.entry(key).or_insert_with(|| judge(key)) {
                Judgement::Known => {}
                Judgement::Meant(meant) => {
                    found.add(
                        key_of(context, file, key),
                        format!("{key} is ignored: Kafka does not know it"),
                        format!("did you mean `{meant}`?"),
                    );
                }
                Judgement::Strange => strange.push(key),
            }
        }
        let Some((first, others)) = strange.split_first() else { continue };
        let said = match others {
            [] => format!("Kafka does not know {first}"),
            [other] => format!("Kafka knows neither {first} nor {other}"),
            _ => format!("Kafka does not know {first} and {} others", others.len()),
        };
        let finding = found.add(
            key_of(context, file, first),
            format!("{said}: a plug-in reads it, or nobody"),
            "take out what no plug-in of this worker reads",
        );
        finding.also.extend(others.iter().map(|key| key_of(context, file, key)));
        (finding.severity, finding.confidence) = (Severity::Note, Confidence::Low);
    }
}

enum Judgement {
    Known,
    Meant(String),
    Strange,
}

fn judge(key: &str) -> Judgement {
    if let Some((prefix, name)) =
        ["admin.", "consumer.", "producer."].into_iter().find_map(|prefix| Some((prefix, key.strip_prefix(prefix)?)))
    {
        // What a client does not know its interceptors and serializers may read.
        let known = KnownSetting::of(name).is_some() || name.starts_with("override.");
        let near = near(name).filter(|_| !known && name.len() >= LONG);
        return near.map_or(Judgement::Known, |near| Judgement::Meant(format!("{prefix}{near}")));
    }
    // Settings of connectors and of standalone workers have rules of their own.
    if is_handed_on(key) || KnownSetting::of(key).is_some() {
        return Judgement::Known;
    }
    let plain = key.to_ascii_lowercase().replace(['_', '-'], ".");
    let plain = plain.strip_prefix("connect.").filter(|rest| KnownSetting::of(rest).is_some()).unwrap_or(&plain);
    if let Some(known) = KnownSetting::of(plain) {
        return Judgement::Meant(known.name.to_owned());
    }
    near(plain).map_or(Judgement::Strange, |near| Judgement::Meant(near.to_owned()))
}

/// The known setting of a worker or client from which a name differs in at most two letters.
fn near(name: &str) -> Option<&'static str> {
    let most = if name.len() < LONG { 1 } else { 2 };
    let read = KnownSetting::all().iter().filter(|known| matches!(known.owner, Owner::Worker | Owner::Client));
    let letters = letters(name);
    let close = read.filter(|known| {
        known.name.len().abs_diff(name.len()) <= most && apart(&letters, &self::letters(known.name)) <= 2 * most
    });
    let far = close.map(|known| (strsim::damerau_levenshtein(name, known.name), known.name));
    far.filter(|(distance, _)| *distance <= most).min().map(|(_, near)| near)
}

/// How often each letter occurs, the others together.
fn letters(name: &str) -> [u8; 27] {
    let mut counts = [0_u8; 27];
    for byte in name.bytes() {
        let place = if byte.is_ascii_lowercase() { usize::from(byte - b'a') } else { 26 };
        if let Some(count) = counts.get_mut(place) {
            *count = count.saturating_add(1);
        }
    }
    counts
}

/// In how many letters two names differ, whatever their order: a change of one letter is two at most.
fn apart(one: &[u8; 27], other: &[u8; 27]) -> usize {
    one.iter().zip(other).map(|(one, other)| usize::from(one.abs_diff(*other))).sum()
}

/// Names of fewer letters are alike by chance.
const LONG: usize = 10;
