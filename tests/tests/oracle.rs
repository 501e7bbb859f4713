//! Kafka's own assignors and ours over random histories.
//!
//! `ROLLGATE_SEED` repeats a run, with `ROLLGATE_VERSION` and `ROLLGATE_HISTORY` one history of it;
//! `ROLLGATE_ROUNDS` says how many rounds are compared.

#![expect(clippy::print_stdout, reason = "the figures of a run must be seen")]

use std::collections::BTreeMap;
use std::env;

use rollgate_core::assignor::Java;
use rollgate_tests::oracle::{
    Course, History, Kafka, Scenario, draw, number_from_environment, rules, run, run_on, seed_of_run, shrink, versions,
};

#[test]
fn kafka_and_we_assign_the_same_in_the_same_order() {
    let seed = seed_of_run();
    let wanted = number_from_environment("ROLLGATE_ROUNDS").unwrap_or(ROUNDS);
    let only = number_from_environment("ROLLGATE_HISTORY");
    let all: Vec<_> = match env::var("ROLLGATE_VERSION") {
        Ok(version) => vec![version],
        Err(_) => versions().map(str::to_owned).collect(),
    };
    let mut total = 0;
    for version in &all {
        let mut kafka = Kafka::start(version).unwrap_or_else(|problem| panic!("{problem}"));
        let java = kafka.java().unwrap_or_else(|problem| panic!("{problem}"));
        let mut rounds = 0;
        let first = only.unwrap_or(0);
        let last = only.unwrap_or(u64::MAX - 1);
        for place in first..=last {
            let history = draw(seed.wrapping_add(place));
            let course = run_on(&history, &rules(version), java);
            rounds += course.steps.len() as u64;
            let same = !differs(&mut kafka, &course);
            assert!(same, "{}", explain(&mut kafka, java, version, seed, place, &history));
            if rounds >= wanted / all.len() as u64 {
                break;
            }
        }
        println!("Kafka {version}: {rounds} rounds equal");
        total += rounds;
    }
    println!("{total} rounds equal");
    assert!(only.is_some() || total >= wanted, "only {total} of {wanted} rounds were compared");
}

#[test]
fn kafka_agrees_with_every_scenario() {
    let mut running = BTreeMap::new();
    for (name, scenario) in Scenario::all().unwrap_or_else(|problem| panic!("{problem}")) {
        let start = || Kafka::start(&scenario.kafka).unwrap_or_else(|problem| panic!("{problem}"));
        let kafka = running.entry(scenario.kafka.clone()).or_insert_with(start);
        let course = run(&scenario.history(), &rules(&scenario.kafka));
        let answers = kafka.answers(&course).unwrap_or_else(|problem| panic!("{problem}"));
        let outcomes = scenario.outcomes(answers.iter().map(String::as_str));
        assert_eq!(outcomes, scenario.expected(), "{name}: {}", scenario.title);
    }
}

fn differs(kafka: &mut Kafka, course: &Course) -> bool {
    kafka.first_difference(course).unwrap_or_else(|problem| panic!("{problem}")).is_some()
}

fn explain(kafka: &mut Kafka, java: Java, version: &str, seed: u64, place: u64, history: &History) -> String {
    let rules = rules(version);
    let smallest = shrink(history, |history| differs(kafka, &run_on(history, &rules, java)));
    let course = run_on(&smallest, &rules, java);
    let Ok(Some(difference)) = kafka.first_difference(&course) else {
        return "the failure does not repeat".to_owned();
    };
    let step = &course.steps[difference.step];
    format!(
        "Kafka {version} assigns otherwise.\nsmallest history: {smallest:?}\n{}its round {}: {}\nKafka: {}\nours:  {}\n\
         To repeat: ROLLGATE_SEED={seed} ROLLGATE_VERSION={version} ROLLGATE_HISTORY={place} \
         cargo test -p rollgate-tests --test oracle",
        course.names, difference.step, step.question, difference.kafka, step.answer
    )
}

/// Rounds of one run over all versions.
const ROUNDS: u64 = 30_000;
