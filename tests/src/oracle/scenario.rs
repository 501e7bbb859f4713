//! Scenarios of rounds, written down as data under `tests/scenarios/assignor`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use super::{Event, History};

/// A course of rounds and what it must come to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, as a sentence.
    pub title: String,
    /// Whose rules the leaders follow.
    pub kafka: String,
    /// `scheduled.rebalance.max.delay.ms` of all.
    #[serde(default = "default_delay")]
    pub delay_ms: i32,
    /// The connectors at the start with their tasks.
    pub connectors: BTreeMap<String, u32>,
    /// One after the other.
    pub rounds: Vec<ExpectedRound>,
}

/// What happens before a round, and its outcome.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRound {
    /// Milliseconds since the start.
    #[serde(default)]
    pub at_ms: u32,
    /// Who leaves, before others join.
    #[serde(default)]
    pub leave: Vec<String>,
    /// Who joins; the first of all leads.
    #[serde(default)]
    pub join: Vec<String>,
    /// Connectors that are created, resized or deleted.
    #[serde(default)]
    pub configure: BTreeMap<String, Option<u32>>,
    /// Whether a member that only knows the eager protocol is among them.
    #[serde(default)]
    pub eager: bool,
    /// Who receives the outcome; all if not said.
    pub received_by: Option<Vec<String>>,
    /// The delay that is announced.
    #[serde(default)]
    pub delay_ms: i64,
    /// What is revoked from whom, in order.
    #[serde(default)]
    pub revoked: BTreeMap<String, String>,
    /// What each member owns afterwards, in its order: connectors, then tasks.
    pub owns: BTreeMap<String, String>,
}

/// What one round came to, in the words of the scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The delay.
    pub delay_ms: i64,
    /// Those from whom something is revoked.
    pub revoked: BTreeMap<String, String>,
    /// All members.
    pub owns: BTreeMap<String, String>,
}

impl Scenario {
    /// All scenarios, by the names of their files.
    ///
    /// # Errors
    /// Which file is wrong and why.
    pub fn all() -> Result<Vec<(String, Self)>, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/assignor");
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut files: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        files.sort();
        let read = |file: &Path| {
            let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
            serde_yaml::from_str(&text).map_err(|error| error.to_string())
        };
        let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        files
            .iter()
            .map(|file| {
                let scenario = read(file).map_err(|problem| format!("{}: {problem}", file.display()))?;
                Ok((name(file), scenario))
            })
            .collect()
    }

    /// The same as events.
    pub fn history(&self) -> History {
        let names = self.rounds.iter().flat_map(|round| round.configure.keys()).chain(self.connectors.keys());
        let names: BTreeSet<_> = names.collect();
        let most = |name: &str| {
            let later = self.rounds.iter().filter_map(|round| round.configure.get(name).copied().flatten());
            later.chain(self.connectors.get(name).copied()).max().unwrap_or(0)
        };
        let mut history = History {
            connectors: names
                .iter()
                .map(|name| ((*name).clone(), most(name), self.connectors.get(*name).copied()))
                .collect(),
            delays: vec![self.delay_ms],
            ids: self.rounds.iter().flat_map(|round| round.join.clone()).collect(),
            workers: 0,
            events: Vec::new(),
        };
        let mut members: Vec<&String> = Vec::new();
        let mut now = 0;
        for round in &self.rounds {
            let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
            history.events.push(Event::Wait(round.at_ms.saturating_sub(now) * 1_000));
            now = now.max(round.at_ms);
            for leaver in &round.leave {
                if let Some(place) = members.iter().position(|member| *member == leaver) {
                    members.remove(place);
                    history.events.push(Event::Leave(number(place)));
                }
            }
            history.events.push(Event::Join(number(round.join.len())));
            members.extend(&round.join);
            for (name, tasks) in &round.configure {
                let connector = names.iter().position(|other| *other == name).unwrap_or(0);
                history.events.push(Event::Configure(number(connector), *tasks));
            }
            history.events.push(Event::Eager(round.eager));
            let receives = |member: &String| round.received_by.as_ref().is_none_or(|all| all.contains(member));
            let seen = members.iter().enumerate().filter(|(_, member)| receives(member));
            history.events.push(Event::Round(seen.fold(0, |bits, (place, _)| bits | 1 << place)));
        }
        history
    }

    /// What the rounds came to, given the answer to each, ours or Kafka's.
    pub fn outcomes<'a>(&self, answers: impl Iterator<Item = &'a str>) -> Vec<Outcome> {
        let history = self.history();
        let connector = |number: &str| {
            let place = number.parse::<usize>().unwrap_or(usize::MAX);
            history.connectors.get(place).map_or("?", |connector| connector.0.as_str())
        };
        let task = |task: &str| {
            let (of, number) = task.split_once('.').unwrap_or((task, "?"));
            format!("{}-{number}", connector(of))
        };
        let list = |connectors: &str, tasks: &str| -> (Vec<String>, Vec<String>) {
            let split = |text: &str| text.split(',').filter(|item| *item != "-").map(str::to_owned).collect::<Vec<_>>();
            (
                split(connectors).iter().map(|number| connector(number).to_owned()).collect(),
                split(tasks).iter().map(|id| task(id)).collect(),
            )
        };
        let say = |items: &(Vec<String>, Vec<String>)| [items.0.clone(), items.1.clone()].concat().join(" ");
        let mut lists: BTreeMap<String, (Vec<String>, Vec<String>)> = BTreeMap::new();
        let mut outcomes = Vec::new();
        for (round, answer) in self.rounds.iter().zip(answers) {
            let (delay, members) = answer.split_once(' ').unwrap_or((answer, ""));
            let mut outcome = Outcome { delay_ms: delay.parse().unwrap_or(-1), ..Outcome::default() };
            for member in members.split(';') {
                let parts: Vec<_> = member.split('/').collect();
                let &[number, connectors, tasks, revoked_connectors, revoked_tasks] = parts.as_slice() else {
                    continue;
                };
                let id = number.parse::<usize>().ok().and_then(|number| history.ids.get(number));
                let id = id.cloned().unwrap_or_default();
                let revoked = list(revoked_connectors, revoked_tasks);
                if !say(&revoked).is_empty() {
                    outcome.revoked.insert(id.clone(), say(&revoked));
                }
                let owns = lists.entry(id.clone()).or_default();
                if round.received_by.as_ref().is_none_or(|all| all.contains(&id)) {
                    let before = std::mem::replace(owns, list(connectors, tasks));
                    let before = if round.eager { Default::default() } else { before };
                    owns.0.extend(before.0.into_iter().filter(|item| !revoked.0.contains(item)));
                    owns.1.extend(before.1.into_iter().filter(|item| !revoked.1.contains(item)));
                }
                outcome.owns.insert(id, say(owns));
            }
            outcomes.push(outcome);
        }
        outcomes
    }

    /// What the rounds must come to.
    pub fn expected(&self) -> Vec<Outcome> {
        let rounds = self.rounds.iter().cloned();
        rounds.map(|round| Outcome { delay_ms: round.delay_ms, revoked: round.revoked, owns: round.owns }).collect()
    }
}

/// Kafka's.
fn default_delay() -> i32 {
    300_000
}
