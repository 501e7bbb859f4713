//! Incidents that people reported, each as a replay or a roll with the right answer
//! (`tests/scenarios/incidents`), and what random rolls once did wrong (`tests/scenarios/found`).
//!
//! An incident is run once for each version that its answer names: `kafka` of the file is only
//! one of them.

#![expect(clippy::print_stdout, reason = "what was compared must be seen")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use rollgate_core::assessment::{Impact, assess};
use rollgate_core::model::{Cluster, read, read_replay};
use rollgate_core::simulation::{Detail, Seed, TaskState, Timeline, replay, simulate};
use rollgate_core::text::{DescriptionError, Files};
use rollgate_tests::{ScheduleWritten, files_of, scenarios};
use serde::Deserialize;
use serde_yaml::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// What went wrong, and what is right.
    about: String,
    /// Where our answer is not the one that was given at the time, and why.
    #[serde(default)]
    note: String,
    answers: Vec<Answer>,
}

/// What is right for some versions, and, of a roll, for one schedule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    kafka: Vec<String>,
    /// Words of the sentence with which these versions are refused.
    refused: Option<String>,
    /// Of a roll.
    schedule: Option<ScheduleWritten>,
    /// How many tasks of each connector run on each worker in the end.
    rest: Option<BTreeMap<String, BTreeMap<String, u32>>>,
    /// The delay that each round announces; ±5 ms.
    delays_ms: Option<Vec<i64>>,
    /// When each round completes; ±120 ms.
    rounds_ms: Option<Vec<i64>>,
    /// The protocol of each round.
    protocols: Option<Vec<String>>,
    /// Seconds of the task that is down longest, at least and at most.
    longest: Option<(f64, f64)>,
    /// Task-seconds, at least and at most.
    unassigned: Option<(f64, f64)>,
    left_unassigned: Option<u32>,
    starts: Option<u32>,
    moves: Option<u32>,
    /// Tasks that run on two workers at once for a time.
    doubled: Option<bool>,
    /// Whether it ever comes to rest.
    settles: Option<bool>,
}

#[test]
fn every_incident_comes_out_as_it_should() {
    let mut wrong = String::new();
    let mut judged = 0;
    for folder in scenarios("incidents").into_iter().chain(scenarios("found")) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = files_of(&folder);
        let text = files.get("expected.yaml").unwrap_or_else(|| panic!("{name}: no expected.yaml"));
        let expected: Expected = serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!expected.about.is_empty() && !expected.answers.is_empty(), "{name}: there is no answer");
        if !expected.note.is_empty() {
            println!("{name}: {}", expected.note.trim());
        }
        for answer in &expected.answers {
            for version in &answer.kafka {
                judged += 1;
                let problems = judge(&folder, &files, version, answer);
                if !problems.is_empty() {
                    let _ = writeln!(wrong, "{name}, Kafka {version}:\n{problems}");
                }
            }
        }
    }
    println!("{judged} answers");
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// What differs, line by line.
fn judge(folder: &Path, files: &Files, version: &str, answer: &Answer) -> String {
    let run = if folder.join("replay.yaml").is_file() {
        let files = with_version(files, "replay.yaml", &["replay", "kafka"], version);
        read_replay(&files, "replay.yaml").map(|given| {
            let timeline = replay(&given, Seed(1));
            (given.cluster, timeline)
        })
    } else {
        let files = with_version(files, "cluster.yaml", &["kafka"], version);
        read(&files, "cluster.yaml").map(|(cluster, _)| {
            let schedule = answer.schedule.as_ref().expect("a roll needs a schedule").of(&cluster);
            let timeline = simulate(&cluster, &schedule, Seed(1), Detail::Full);
            (cluster, timeline)
        })
    };
    match (run, &answer.refused) {
        (Ok(_), Some(words)) => format!("  is not refused with `{words}`\n"),
        (Err(errors), Some(words)) => refused(&errors, words),
        (Err(errors), None) => format!("  {}\n", errors[0]),
        (Ok((cluster, timeline)), None) => compare(&cluster, &timeline, answer),
    }
}

fn refused(errors: &[DescriptionError], words: &str) -> String {
    let said = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    if said.contains(words) { String::new() } else { format!("  is refused without `{words}`:\n{said}\n") }
}

fn compare(cluster: &Cluster, timeline: &Timeline, answer: &Answer) -> String {
    let mut wrong = String::new();
    let impact: Impact = assess(cluster, timeline);
    let mut say = |what: &str, ours: String, right: String| {
        if ours != right {
            let _ = writeln!(wrong, "  {what}: {ours}, right is {right}");
        }
    };
    if let Some(rest) = &answer.rest {
        say("rest", format!("{:?}", resting(cluster, timeline)), format!("{rest:?}"));
    }
    if let Some(right) = &answer.delays_ms {
        let ours: Vec<i64> = timeline.rounds.iter().map(|round| round.delay.as_millis()).collect();
        let near = ours.len() == right.len() && ours.iter().zip(right).all(|(a, b)| (a - b).abs() <= 5);
        let ours = if near { format!("{right:?}") } else { format!("{ours:?}") };
        say("delays", ours, format!("{right:?}"));
    }
    if let Some(right) = &answer.rounds_ms {
        let ours: Vec<i64> = timeline.rounds.iter().map(|round| round.at.as_millis()).collect();
        let near = ours.len() == right.len() && ours.iter().zip(right).all(|(a, b)| (a - b).abs() <= 120);
        let ours = if near { format!("{right:?}") } else { format!("{ours:?}") };
        say("rounds", ours, format!("{right:?}"));
    }
    if let Some(right) = &answer.protocols {
        let ours: Vec<String> =
            timeline.rounds.iter().map(|round| format!("{:?}", round.protocol).to_lowercase()).collect();
        say("protocols", format!("{ours:?}"), format!("{right:?}"));
    }
    let mut within = |what: &str, ours: f64, right: Option<(f64, f64)>| {
        if let Some((least, most)) = right.filter(|&(least, most)| ours < least || ours > most) {
            say(what, format!("{ours:.1}"), format!("{least} to {most}"));
        }
    };
    within("longest", impact.longest.as_secs_f64(), answer.longest);
    within("unassigned", impact.unassigned.0, answer.unassigned);
    let mut equal = |what: &str, ours: u32, right: Option<u32>| {
        if let Some(right) = right {
            say(what, ours.to_string(), right.to_string());
        }
    };
    equal("left unassigned", impact.left_unassigned, answer.left_unassigned);
    equal("starts", impact.starts, answer.starts);
    equal("moves", impact.moves, answer.moves);
    if let Some(settles) = answer.settles {
        say("settles", timeline.settled.is_some().to_string(), settles.to_string());
    }
    if let Some(doubled) = answer.doubled {
        say("runs twice", (impact.doubled.0 > 0.0).to_string(), doubled.to_string());
    }
    if !wrong.is_empty() {
        for round in timeline.rounds.iter().take(SHOWN) {
            let _ = writeln!(
                wrong,
                "    {} ms: generation {}, delay {}, {:?}",
                round.at.as_millis(),
                round.generation,
                round.delay.as_millis(),
                round.causes
            );
        }
    }
    wrong
}

/// How many tasks of each connector run on each worker in the end; a live worker without any has an empty map.
fn resting(cluster: &Cluster, timeline: &Timeline) -> BTreeMap<String, BTreeMap<String, u32>> {
    let mut runs = BTreeSet::new();
    for change in &timeline.tasks {
        let key = (change.worker, change.item);
        match change.state {
            TaskState::Running => runs.insert(key),
            TaskState::Starting => false,
            TaskState::Stopped | TaskState::Vanished | TaskState::Failed => runs.remove(&key),
        };
    }
    let mut rest: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for part in timeline.rounds.last().iter().flat_map(|round| &round.members) {
        rest.entry(cluster.workers[part.worker.index()].name.clone()).or_default();
    }
    for (worker, task) in runs {
        let connector = cluster.work.name(cluster.work.connector_of(task)).to_owned();
        let held = rest.entry(cluster.workers[worker.index()].name.clone()).or_default();
        *held.entry(connector).or_default() += 1;
    }
    rest
}

/// The same files, but with another version in the main one.
fn with_version(files: &Files, main: &str, path: &[&str], version: &str) -> Files {
    let text = files.get(main).unwrap_or_else(|| panic!("no {main}"));
    let mut root: Value = serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{main}: {error}"));
    let mut place = &mut root;
    for key in path {
        place = place.get_mut(*key).unwrap_or_else(|| panic!("{main}: no `{key}`"));
    }
    *place = Value::String(version.to_owned());
    let mut changed = files.clone();
    changed.insert(main, serde_yaml::to_string(&root).unwrap_or_default());
    changed
}

/// How many rounds of a failure are shown.
const SHOWN: usize = 12;
