//! What a snapshot says, in the terms of a description.

use std::collections::BTreeMap;
use std::fmt;

use super::{connectors, group, names, versions};
use crate::model::ConnectorState;
use crate::snapshot::{Address, Group, Item, NoAnswer, Seen, Snapshot};
use crate::units::{Duration, Timestamp};

/// A running cluster as a snapshot shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// When it was seen.
    pub taken_at: Timestamp,
    /// The id of the Kafka cluster, if that was seen.
    pub cluster_id: Option<String>,
    /// `group.id` of the workers.
    pub group: String,
    /// `eager`, `compatible` or `sessioned`.
    pub protocol: String,
    /// The version of most workers, as they say it.
    pub kafka: String,
    /// The workers by their names, `w2` before `w10`; places elsewhere are places in this list.
    pub workers: Vec<FoundWorker>,
    /// Who leads.
    pub leader: usize,
    /// The members in the coordinator's order.
    pub order: Vec<usize>,
    /// The delay setting, if a delay that has just begun tells it.
    pub max_delay: Option<Duration>,
    /// What is left of the delay that runs, at most; `None` if none runs.
    pub delay_left: Option<Duration>,
    /// How long ago the last round completed, if the caller saw it.
    pub last_round: Option<Duration>,
    /// What waits for the delay to end.
    pub waiting: Vec<Item>,
    /// The connectors by name.
    pub connectors: BTreeMap<String, FoundConnector>,
    /// What a reader should know and the description cannot say, as sentences.
    pub remarks: Vec<String>,
}

/// A worker as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundWorker {
    /// A short name of its own, by its host where that tells it from the others.
    pub name: String,
    /// The REST address that it advertises; for one out of the group, the address that was asked.
    pub url: String,
    /// The host in it.
    pub host: String,
    /// Its version as it says it, if it is not that of most.
    pub kafka: Option<String>,
    /// Its member id; `None` for one that is out of the group.
    pub member: Option<String>,
    /// What it owns, in its own order.
    pub owns: Vec<Item>,
}

/// A connector as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundConnector {
    /// Whether it is a sink; `None` if nobody says what it is.
    pub sink: Option<bool>,
    /// How many tasks it has.
    pub tasks: u32,
    /// What it is asked to do.
    pub state: ConnectorState,
    /// Partitions of all topics of a sink, if its group was seen.
    pub partitions: Option<u32>,
}

/// Why a snapshot cannot be described, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// What was seen, as a sentence without its full stop.
    pub seen: String,
    /// What to do, as a sentence without its full stop.
    pub advice: String,
}

/// Reads a snapshot; `last_round` is how long before it the group completed its last round, if
/// the caller saw that round.
///
/// # Errors
/// If the group is not at rest or not known, or if what was seen contradicts itself.
pub fn find(snapshot: &Snapshot, last_round: Option<Duration>) -> Result<Found, Unclear> {
    let seen = match &snapshot.group {
        Seen::Known(seen) => seen,
        Seen::Unknown(reason) => {
            let advice = "give the brokers with --bootstrap, and rights to describe the group";
            return Err(Unclear::new(format!("nothing is known of the group: {}", reason.unknown), advice));
        }
    };
    let mut remarks = Vec::new();
    let members = group::members(seen)?;
    let away = away(snapshot, seen, &mut remarks);
    let leader = group::leader(seen)?;
    let delay = group::delay(seen)?;
    let delay_left = match delay {
        Some(delay) => {
            let left = delay - last_round.unwrap_or_default();
            // A delay that is over brings a round: what seems to be over ends at this moment.
            Some(left.max(Duration::from_millis(1)))
        }
        None => None,
    };
    if delay.is_some() && last_round.is_none() {
        remarks.push(
            "A delay runs, and the group does not say since when: what is left of it is at most what is written, as \
             the leader said in the last round."
                .to_owned(),
        );
    }
    let connectors = connectors::found(snapshot, &members, &mut remarks);
    let waiting = connectors::waiting(&connectors, &members, delay.is_some())?;
    let urls: Vec<&str> = members.iter().map(|member| member.url).chain(away.iter().map(String::as_str)).collect();
    let (kafka, versions) = versions::of(snapshot, &urls, &mut remarks)?;
    let named = names::of(&urls);
    let mut workers: Vec<(usize, FoundWorker)> = Vec::with_capacity(urls.len());
    for (place, ((name, url), version)) in named.into_iter().zip(&urls).zip(versions).enumerate() {
        let member = members.get(place);
        workers.push((
            place,
            FoundWorker {
                name,
                url: (*url).to_owned(),
                host: names::host(url),
                kafka: version,
                member: member.map(|member| member.id.to_owned()),
                owns: member.map(|member| member.owns.items().collect()).unwrap_or_default(),
            },
        ));
    }
    workers.sort_by(|(_, one), (_, other)| names::natural(&one.name).cmp(&names::natural(&other.name)));
    let place_of = |seen: usize| workers.iter().position(|(place, _)| *place == seen).unwrap_or_default();
    Ok(Found {
        taken_at: snapshot.taken_at,
        cluster_id: snapshot.cluster_id.known().cloned(),
        group: seen.id.clone(),
        protocol: group::protocol(seen)?,
        kafka,
        leader: place_of(leader),
        order: (0..members.len()).map(place_of).collect(),
        max_delay: delay.filter(|delay| delay.as_micros() % 1_000_000 == 0),
        delay_left,
        last_round,
        waiting,
        connectors,
        remarks,
        workers: workers.into_iter().map(|(_, worker)| worker).collect(),
    })
}

/// REST ports that were asked and belong to no member: workers out of the group, if nobody answers.
fn away(snapshot: &Snapshot, group: &Group, remarks: &mut Vec<String>) -> Vec<String> {
    let known = |address: &Address| {
        group.members.iter().filter_map(|member| member.url.known()).any(|url| Address::of_url(url) == *address)
    };
    let mut away: Vec<String> = Vec::new();
    for endpoint in &snapshot.endpoints {
        let address = Address::of_url(&endpoint.url);
        if known(&address) || away.iter().any(|other| Address::of_url(other) == address) {
            continue;
        }
        match (endpoint.version.known(), endpoint.no_answer) {
            (None, Some(NoAnswer::Refused | NoAnswer::Unreachable | NoAnswer::TimedOut | NoAnswer::Status(404))) => {
                remarks.push(format!("{} is no member and does not answer: a worker that is away.", endpoint.url));
                away.push(endpoint.url.clone());
            }
            _ => remarks.push(format!(
                "{} is not the address that any member advertises (perhaps a load balancer): it is left out.",
                endpoint.url
            )),
        }
    }
    away
}

impl Unclear {
    pub(super) fn new(seen: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { seen: seen.into(), advice: advice.into() }
    }
}

/// Both, as two sentences.
impl fmt::Display for Unclear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. To do: {}.", self.seen, self.advice)
    }
}
