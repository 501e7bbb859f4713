//! Prints how long one round takes us and Kafka's own assignor, on the same input; see `tests/oracle/bench`.

#![expect(clippy::print_stdout, reason = "its table is what it is for")]

#[path = "../../../core/benches/rounds/mod.rs"]
mod rounds;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use rollgate_core::assignor::{Items, Member, MemberId};
use rollgate_tests::oracle::{Kafka, versions};
use rounds::{Kind, Leader, Rounds, SIZES};

fn main() -> Result<(), String> {
    let version = versions().last().ok_or("no version is listed")?;
    println!("One round, decoded lists in, ordered lists out; medians, both warmed up; Kafka {version}.\n");
    println!("{:>8} {:>7}  {:<8} {:>12} {:>12} {:>7}", "workers", "tasks", "round", "Kafka", "rollgate", "ratio");
    for (workers, tasks) in SIZES {
        for kind in [Kind::Steady, Kind::Loss, Kind::Balance] {
            let rounds = Rounds::new(workers, tasks, kind);
            let outcome = outcome(&rounds);
            let ours = time(&rounds);
            let mut kafka = Kafka::start_to_time(version)?;
            let (median, theirs) = kafka.time(&questions(&rounds), SECONDS)?;
            if theirs != outcome {
                return Err(format!("Kafka does otherwise: {theirs} and not {outcome}"));
            }
            let ratio = median.as_secs_f64() / ours.as_secs_f64();
            let kind = format!("{kind:?}").to_lowercase();
            println!("{workers:>8} {tasks:>7}  {kind:<8} {:>12} {:>12} {ratio:>6.0}x", micros(median), micros(ours));
        }
    }
    Ok(())
}

/// How much was assigned and revoked, so that it is seen that both do the same.
fn outcome(rounds: &Rounds) -> String {
    let mut leader = Leader::new();
    leader.compute(rounds, &rounds.before);
    let (assigned, revoked, delay) = leader.compute(rounds, &rounds.timed);
    format!("{assigned} {revoked} {}", delay.as_millis())
}

fn time(rounds: &Rounds) -> Duration {
    let before: Vec<_> = rounds.before.iter().map(|(id, owns)| Member { id: *id, owns }).collect();
    let timed: Vec<_> = rounds.timed.iter().map(|(id, owns)| Member { id: *id, owns }).collect();
    let mut leader = Leader::new();
    let mut spans = Vec::new();
    let begin = Instant::now();
    while spans.len() < 100 || begin.elapsed() < Duration::from_millis(300) {
        leader.assign(rounds, &before);
        let start = Instant::now();
        leader.assign(rounds, &timed);
        spans.push(start.elapsed());
    }
    spans.sort_unstable();
    spans[spans.len() / 2]
}

/// Both rounds as the oracle is asked them.
fn questions(rounds: &Rounds) -> String {
    let mut text = String::from("H\n");
    for connector in rounds.work.connectors() {
        let _ = writeln!(text, "C {}", rounds.work.name(connector));
    }
    for id in 0..rounds.ids.len() {
        let _ = writeln!(text, "M {}", rounds.ids.text(MemberId(u32::try_from(id).unwrap_or(0))));
    }
    for (generation, reports) in [(1, &rounds.before), (2, &rounds.timed)] {
        let leader = reports.first().map_or(0, |(id, _)| id.0);
        let _ = write!(text, "R 0 300000 1000000 {} {generation} 2 {leader} ", generation - 1);
        for (connector, tasks) in rounds.configured.tasks_of.iter().enumerate() {
            let _ = write!(text, "{}{connector}:{}", if connector == 0 { "" } else { "," }, tasks.unwrap_or(0));
        }
        for (place, (id, owns)) in reports.iter().enumerate() {
            let _ = write!(text, "{}{}/{}", if place == 0 { " " } else { ";" }, id.0, list(rounds, owns));
        }
        text.push('\n');
    }
    text
}

fn list(rounds: &Rounds, items: &Items) -> String {
    let connectors: Vec<_> = items.connectors.iter().map(|connector| connector.0.to_string()).collect();
    let task = |task| format!("{}.{}", rounds.work.connector_of(task).0, rounds.work.number(task));
    let tasks: Vec<_> = items.tasks.iter().map(|id| task(*id)).collect();
    let say = |items: &[String]| if items.is_empty() { "-".to_owned() } else { items.join(",") };
    format!("{}/{}", say(&connectors), say(&tasks))
}

fn micros(time: Duration) -> String {
    format!("{:.1} us", time.as_secs_f64() * 1e6)
}

/// How long Kafka's assignor warms up, and then is timed, in each case.
const SECONDS: u32 = 3;
