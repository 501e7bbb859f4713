//! The table of settings against what Kafka's own classes define, as `tests/oracle/settings/record` printed it.

#![expect(clippy::unwrap_used, reason = "a recording that cannot be read fails the test")]

use std::collections::{BTreeMap, BTreeSet};

use rollgate_core::description::{KnownSetting, Minor, Owner};
use rollgate_tests::read;

#[test]
fn the_table_of_settings_is_kafkas_own_in_every_version() {
    let recorded = recorded();
    let mut wrong = Vec::new();
    for known in KnownSetting::all() {
        let Some(have) = recorded.get(&(kind(known.owner), known.name.to_owned())) else {
            wrong.push(format!("{}: Kafka does not define it", known.name));
            continue;
        };
        for version in versions() {
            if known.is_known_to(version) != have.contains(&version) {
                wrong.push(format!("{}: wrong about {}.{}", known.name, version.0, version.1));
            }
        }
    }
    for (of, name) in recorded.keys() {
        if KnownSetting::of(name).is_none() {
            wrong.push(format!("{name} of the {of} is not in the table"));
        }
    }
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

#[test]
fn a_setting_is_filed_under_the_first_who_reads_it() {
    let recorded = recorded();
    let order = [Owner::Worker, Owner::Client, Owner::Connector, Owner::Standalone];
    for known in KnownSetting::all() {
        let first = order.into_iter().find(|owner| recorded.contains_key(&(kind(*owner), known.name.to_owned())));
        assert_eq!(first, Some(known.owner), "{}", known.name);
    }
}

/// Whose setting and its name, with the versions that know it.
fn recorded() -> BTreeMap<(&'static str, String), BTreeSet<Minor>> {
    let mut all = BTreeMap::new();
    for line in read("tests/oracle/settings/recorded.txt").lines() {
        let (named, versions) = line.rsplit_once("] ").unwrap();
        let mut words = named.split(' ');
        let (of, name) = (words.next().unwrap(), words.next().unwrap());
        let owners = [Owner::Worker, Owner::Client, Owner::Connector, Owner::Standalone];
        let of = owners.into_iter().map(kind).find(|kind| *kind == of).unwrap();
        all.insert((of, name.to_owned()), versions.split(' ').map(minor).collect());
    }
    all
}

fn versions() -> Vec<Minor> {
    read("tests/oracle/settings/versions").lines().map(|version| minor(version.rsplit_once('.').unwrap().0)).collect()
}

fn minor(text: &str) -> Minor {
    let (major, minor) = text.split_once('.').unwrap();
    (major.parse().unwrap(), minor.parse().unwrap())
}

const fn kind(owner: Owner) -> &'static str {
    match owner {
        Owner::Worker => "worker",
        Owner::Client => "client",
        Owner::Connector => "connector",
        Owner::Standalone => "standalone",
    }
}
