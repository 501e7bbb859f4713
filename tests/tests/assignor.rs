//! The scenarios of `tests/scenarios/assignor`.

use rollgate_tests::oracle::{Event, Scenario, draw, rules, run, run_from_memory, seed_of_run};

#[test]
fn every_scenario_comes_out_as_it_says() {
    let scenarios = Scenario::all().unwrap_or_else(|problem| panic!("{problem}"));
    assert!(!scenarios.is_empty(), "there are no scenarios");
    for (name, scenario) in scenarios {
        let course = run(&scenario.history(), &rules(&scenario.kafka));
        let outcomes = scenario.outcomes(course.steps.iter().map(|step| step.answer.as_str()));
        assert_eq!(outcomes, scenario.expected(), "{name}: {}", scenario.title);
    }
}

#[test]
fn leader_made_from_its_memory_goes_on_as_if_it_had_never_stopped() {
    let seed = seed_of_run();
    for version in ["3.3.2", "3.5.1", "4.4.0"] {
        for place in 0..200 {
            let mut history = draw(seed.wrapping_add(place));
            if version == "3.3.2" {
                // Leaders before 3.4 leave some deleted work with its owners if work is duplicated, too.
                history.events.retain(|event| !matches!(event, Event::Copies(..) | Event::Return(_)));
            }
            let (whole, parts) = (run(&history, &rules(version)), run_from_memory(&history, &rules(version)));
            let answers = whole.steps.iter().zip(&parts.steps).enumerate();
            for (round, (one, other)) in answers {
                assert_eq!(
                    one.answer, other.answer,
                    "ROLLGATE_SEED={seed}, history {place}, round {round}: {history:?}"
                );
            }
            assert_eq!(whole.steps.len(), parts.steps.len());
        }
    }
}
