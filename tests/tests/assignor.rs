//! The scenarios of `tests/scenarios/assignor`.

use rollgate_tests::oracle::{Scenario, rules, run};

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
