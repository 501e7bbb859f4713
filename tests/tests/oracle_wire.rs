//! The bytes that Kafka's own classes write, read and written by ours.
//!
//! `ROLLGATE_SEED` repeats a run.

#![expect(clippy::print_stdout, reason = "the figures of a run must be seen")]

use std::collections::BTreeMap;

use rollgate_core::wire::{Assignment, Metadata, Part};
use rollgate_tests::oracle::{Course, Kafka, draw, rules, run_on, seed_of_run, versions};

#[test]
fn what_kafka_writes_is_read_and_written_again_to_the_byte() {
    let seed = seed_of_run();
    for version in versions() {
        let mut kafka = Kafka::start(version).unwrap_or_else(|problem| panic!("{problem}"));
        let java = kafka.java().unwrap_or_else(|problem| panic!("{problem}"));
        let (mut place, mut members, mut eager) = (0, 0, 0);
        // On until both formats were tried: which of them a random course uses is chance.
        while place < MOST_COURSES && (members < MEMBERS || eager == 0 || eager == members) {
            let course = run_on(&draw(seed.wrapping_add(place)), &rules(version), java);
            let rounds = kafka.bytes(&course).unwrap_or_else(|problem| panic!("{problem}"));
            for (step, bytes) in course.steps.iter().zip(&rounds) {
                let about = format!("Kafka {version}, {}", step.question);
                let count = compare(&course, &step.question, &step.answer, bytes, &about);
                members += count;
                eager += if is_eager(&step.question) { count } else { 0 };
            }
            place += 1;
        }
        println!("Kafka {version}: the bytes of {members} members are read alike, {eager} under eager");
        assert!(eager > 0 && eager < members, "one of the formats was not tried");
    }
}

/// Compares one round; gives the number of its members.
fn compare(course: &Course, question: &str, answer: &str, bytes: &str, about: &str) -> usize {
    let numbers = numbers(course);
    let words: Vec<&str> = question.split(' ').collect();
    let asked: Vec<&str> = words.last().copied().unwrap_or_default().split(';').collect();
    let (delay, answered) = answer.split_once(' ').unwrap_or((answer, ""));
    let mut count = 0;
    for ((bytes, asked), answered) in bytes.split(';').zip(asked).zip(answered.split(';')) {
        let parts: Vec<&str> = bytes.split('/').collect();
        let &[number, metadata, assignment] = parts.as_slice() else { panic!("{about}: {bytes}") };
        let (metadata, assignment) = (from_hex(metadata), from_hex(assignment));
        let given = read(Assignment::decode(&assignment), about);
        let said = read(Metadata::decode(&metadata), about);
        assert_eq!(given.encode().as_deref(), Ok(assignment.as_slice()), "{about}");
        assert_eq!(said.encode().as_deref(), Ok(metadata.as_slice()), "{about}");
        assert_eq!(given.delay_ms.to_string(), delay, "{about}");
        let lists = [list(&given.assigned, &numbers), list(&given.revoked, &numbers)].concat().join("/");
        assert_eq!(format!("{number}/{lists}"), answered, "{about}");
        let reported = said.allocation.map(|allocation| allocation.assigned).unwrap_or_default();
        if !is_eager(question) {
            let reported = format!("{number}/{}", list(&reported, &numbers).join("/"));
            assert_eq!(sorted(&reported), sorted(asked), "{about}");
        }
        count += 1;
    }
    count
}

/// Whether a question says that the protocol is eager: its metadata does not tell what runs.
fn is_eager(question: &str) -> bool {
    question.split(' ').nth(6) == Some("0")
}

/// The number that each connector has for the oracle.
fn numbers(course: &Course) -> BTreeMap<&str, usize> {
    let names = course.names.lines().filter_map(|line| line.strip_prefix("C "));
    names.enumerate().map(|(number, name)| (name, number)).collect()
}

/// As the oracle writes it: connectors, and tasks as `c.t`.
fn list(parts: &[Part], numbers: &BTreeMap<&str, usize>) -> [String; 2] {
    let number = |part: &Part| numbers.get(part.connector.as_str()).map_or("?".to_owned(), ToString::to_string);
    let connectors: Vec<String> = parts.iter().filter(|part| part.instance).map(number).collect();
    let tasks = |part: &Part| part.tasks.iter().map(|task| format!("{}.{task}", number(part))).collect::<Vec<_>>();
    let tasks: Vec<String> = parts.iter().flat_map(tasks).collect();
    [connectors, tasks].map(|items| if items.is_empty() { "-".to_owned() } else { items.join(",") })
}

/// The same without regard to the order within its lists, which the wire changes.
fn sorted(lists: &str) -> Vec<Vec<&str>> {
    let mut lists: Vec<Vec<&str>> = lists.split('/').map(|list| list.split(',').collect()).collect();
    for list in &mut lists {
        list.sort_unstable();
    }
    lists
}

fn read<T>(read: Result<Option<T>, rollgate_core::wire::WireError>, about: &str) -> T {
    match read {
        Ok(Some(value)) => value,
        Ok(None) => panic!("{about}: no bytes"),
        Err(error) => panic!("{about}: {error}"),
    }
}

fn from_hex(text: &str) -> Vec<u8> {
    let digit = |place: usize| u8::from_str_radix(text.get(place..place + 2).unwrap_or("?"), 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(digit).collect()
}

/// Without both formats after so many courses the draw is broken.
const MOST_COURSES: u64 = 10_000;

/// Members of one version whose bytes are compared.
const MEMBERS: usize = 4_000;
