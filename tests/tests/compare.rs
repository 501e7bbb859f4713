//! Variants against files in which they are written, and the command as people call it.

use rollgate_core::report::Format;
use rollgate_core::text::Files;
use rollgate_core::verbs::{self, CompareOptions, PlanOptions};
use rollgate_tests::{Rollgate, read};
use serde_json::Value;

const CLUSTER: &str = "tests/scenarios/cli/small.yaml";
const RUNS: u32 = 5;

/// What `compare` finds, as JSON; or the refusal as text.
fn compared(text: &str, set: &[&str]) -> Result<Value, String> {
    let files: Files = [("cluster.yaml", text)].into_iter().collect();
    let set = set.iter().map(|set| (*set).to_owned()).collect();
    let options = CompareOptions { set, runs: Some(RUNS), ..CompareOptions::default() };
    let source = (files.clone(), "cluster.yaml".to_owned());
    let answer = verbs::compare(&[source], &options, Format::Json, &mut |_| ());
    answer
        .map(|answer| serde_json::from_str(&answer.report).expect("the answer is JSON"))
        .map_err(|wrong| wrong.render(&files, false))
}

fn planned(text: &str) -> Value {
    let files: Files = [("cluster.yaml", text)].into_iter().collect();
    let options = PlanOptions { runs: Some(RUNS), ..PlanOptions::default() };
    let answer = verbs::plan(&files, "cluster.yaml", &options, Format::Json, &mut |_| ());
    let answer = answer.unwrap_or_else(|wrong| panic!("{}\n{text}", wrong.render(&files, false)));
    serde_json::from_str(&answer.report).expect("the answer is JSON")
}

/// Maps are merged, everything else is replaced, as a person would edit the file.
fn written(base: &Value, change: &Value) -> Value {
    let (Value::Object(base), Value::Object(change)) = (base, change) else { return change.clone() };
    let mut all = base.clone();
    for (key, value) in change {
        let inner = base.get(key).map_or_else(|| value.clone(), |old| written(old, value));
        all.insert(key.clone(), inner);
    }
    Value::Object(all)
}

#[test]
fn what_is_set_gives_the_numbers_of_a_file_in_which_it_is_written() {
    let cases: Value = serde_yaml::from_str(&read("tests/scenarios/compare/keys.yaml")).unwrap();
    let base = &cases["base"];
    let text = serde_json::to_string_pretty(base).unwrap();
    let as_it_is = planned(&text);
    let mut without_effect = 0_usize;
    let cases = cases["cases"].as_array().unwrap();
    for case in cases {
        let set = case["set"].as_str().unwrap();
        let json = compared(&text, &[set]).unwrap_or_else(|wrong| panic!("{set}\n{wrong}"));
        let variants = json["variants"].as_array().unwrap();
        let variant = variants.iter().find(|variant| !variant["set"].as_object().unwrap().is_empty()).unwrap();
        let plan = planned(&serde_json::to_string_pretty(&written(base, &case["write"])).unwrap());
        if plan["feasible"] == true {
            assert_eq!(variant["roll"], plan["roll"], "{set}");
            assert_eq!(variant["distribution"], plan["distribution"], "{set}");
            without_effect += usize::from(plan["distribution"] == as_it_is["distribution"]);
        } else {
            assert_eq!(variant["distribution"], plan["nearest"]["distribution"], "{set}");
            assert_eq!(variant["breaches"], plan["binding"], "{set}");
        }
        assert_eq!(variant["feasible"], plan["feasible"], "{set}");
        if let Some(described) = variants.iter().find(|variant| variant["set"].as_object().unwrap().is_empty()) {
            assert_eq!(described["distribution"], as_it_is["distribution"], "{set}");
        }
    }
    assert!(2 * without_effect < cases.len(), "{without_effect} keys change nothing: the test shows little");
}

#[test]
fn all_combinations_are_compared_the_best_first() {
    let json =
        compared(&read(CLUSTER), &["scheduled.rebalance.max.delay.ms=0,10s,60s", "policy.wait=back,settled"]).unwrap();
    let variants = json["variants"].as_array().unwrap();
    // The file says 30 s and no wait, which is none of the six.
    assert_eq!(variants.len(), 7);
    let mean = |variant: &Value| variant["mean_unassigned_task_seconds"].as_f64().unwrap();
    let feasible: Vec<&Value> = variants.iter().take_while(|variant| variant["feasible"] == true).collect();
    let equals = feasible.iter().take_while(|variant| mean(variant) <= mean(feasible[0]) * 1.02).count();
    assert!(feasible[equals..].windows(2).all(|pair| mean(pair[0]) <= mean(pair[1])), "{json:#}");
    let names: Vec<&str> = variants.iter().map(|variant| variant["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["A", "B", "C", "D", "E", "F", "G"]);
    assert_eq!(json["best"], "A");
    let base = variants.iter().find(|variant| variant["as_described"] == true).unwrap();
    assert_eq!(json["base"], base["name"]);
    assert_eq!(json["differences"][0]["from"], base["name"]);
}

#[test]
fn a_variant_without_a_roll_says_which_limit_binds() {
    let outcome = Rollgate::new(&["compare", CLUSTER, "--set", "policy.max_unassigned=1s,2min", "--runs", "3"]).run();
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert!(
        outcome.stdout.contains("nothing respects the policy: max_unassigned: 1.0 s allowed"),
        "{}",
        outcome.stdout
    );
    let outcome = Rollgate::new(&[
        "compare",
        CLUSTER,
        "--set",
        "policy.max_unassigned=1s,2s",
        "--runs",
        "3",
        "--wait",
        "settled",
    ])
    .run();
    assert_eq!(outcome.code, 0, "as described there is a roll: {outcome:?}");
    let outcome = Rollgate::new(&[
        "compare",
        "tests/scenarios/cli/infeasible.yaml",
        "--set",
        "restart.stop=1s,2s",
        "--runs",
        "3",
    ])
    .run();
    assert_eq!(outcome.code, 1, "{outcome:?}");
    assert!(outcome.stdout.starts_with("None of 2 variants has a roll"), "{}", outcome.stdout);
}

#[test]
fn one_roll_for_all_has_the_numbers_that_simulate_prints() {
    let roll = ["--order", "leader-last", "--wait", "settled", "--runs", "6", "-o", "json"];
    let json = |verb: &[&str]| -> Value {
        serde_json::from_str(&Rollgate::new(&[verb, &roll[..]].concat()).run().stdout).unwrap()
    };
    let compared = json(&["compare", CLUSTER, "--set", "restart.stop=1s"]);
    let simulated = json(&["simulate", CLUSTER]);
    assert_eq!(compared["variants"].as_array().unwrap().len(), 1, "what is set is what the file says");
    assert_eq!(compared["variants"][0]["distribution"], simulated["distribution"]);
}

#[test]
fn mistakes_in_files_and_in_what_is_set_come_at_once_each_with_its_place() {
    let set = ["--set", "policy.wiat=back,settled", "--set", "restart.stop=3s,4", "--set", "restart.down=[1s"];
    let outcome = Rollgate::new(&[&["compare", "tests/scenarios/cli/mistakes.yaml"][..], &set].concat()).run();
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    for place in ["--set:1:8", "--set:2:17", "--set:3:14", "mistakes.yaml:8:1"] {
        assert!(outcome.stderr.contains(place), "{place}\n{}", outcome.stderr);
    }
    assert!(outcome.stderr.contains("2 | restart.stop=3s,4\n"), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("did you mean `wait`?").count(), 1, "{}", outcome.stderr);
}

#[test]
fn calls_that_ask_for_nothing_or_too_much_are_refused() {
    for (arguments, words) in [
        (&["compare", CLUSTER][..], "nothing to compare"),
        (&["compare", CLUSTER, "--set", "restart.stop=1s", "--order", "w9"], "no worker is called so"),
        (
            &[
                "compare",
                CLUSTER,
                "--set",
                "restart.stop=1s",
                "--set",
                "settings.session.timeout.ms=9s,10s",
                "--set",
                "session.timeout.ms=11s",
            ],
            "is set twice",
        ),
    ] {
        let outcome = Rollgate::new(arguments).run();
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(outcome.stderr.contains(words), "{arguments:?}\n{}", outcome.stderr);
    }
    let many: Vec<String> = (1..=65).map(|second| format!("{second}s")).collect();
    let wrong = compared(&read(CLUSTER), &[&format!("restart.stop={}", many.join(","))]).unwrap_err();
    assert!(wrong.contains("65 of restart.stop make 65 variants; at most 64 are compared"), "{wrong}");
}

#[test]
fn files_are_variants_too_each_with_its_worker_files() {
    let files = ["tests/scenarios/cli/with-properties.yaml", CLUSTER];
    let call = [&["compare"][..], &files, &["--set", "policy.wait=back,settled", "--runs", "3", "-o", "json"]].concat();
    let outcome = Rollgate::new(&call).run();
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let variants = json["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 5, "two files, two waits, and the first file as it is");
    assert_eq!(json["axes"]["file"][1], CLUSTER);
    let described = variants.iter().find(|variant| variant["as_described"] == true).unwrap();
    assert_eq!(described["name"], json["base"]);
}

#[test]
fn a_worker_file_can_be_tried() {
    let small = "tests/scenarios/cli/small.yaml";
    let call = ["compare", small, "--runs", "3", "-o", "json", "--set", "settings_from=conf/worker.properties"];
    let outcome = Rollgate::new(&call).run();
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let missing = Rollgate::new(&["compare", small, "--set", "settings_from=gone.properties"]).run();
    assert!(
        missing.stderr.contains("--set:1:15") && missing.stderr.contains("`gone.properties` was not found"),
        "{}",
        missing.stderr
    );
}

#[test]
fn a_comparison_fits_80_columns_in_text_and_says_the_same_in_markdown() {
    for set in [&["restart.start=5s,10s,20s,40s"][..], &["restart.start=5s,40s", "policy.wait=back,settled"]] {
        let mut call = vec!["compare", CLUSTER, "--runs", "3"];
        call.extend(set.iter().flat_map(|set| ["--set", *set]));
        let text = Rollgate::new(&call).run().stdout;
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:?}");
        assert!(text.contains("Differences explained") && text.contains('*'), "{text}");
        let markdown = Rollgate::new(&[&call[..], &["-o", "md"]].concat()).run().stdout;
        assert_eq!(markdown.lines().next(), text.lines().next());
        assert!(markdown.contains("| ---: |") && markdown.contains("**Differences explained**"), "{markdown}");
    }
}

#[test]
fn a_comparison_can_be_drawn() {
    let call = ["compare", CLUSTER, "--set", "scheduled.rebalance.max.delay.ms=0,60s", "--runs", "3", "-o", "svg"];
    let outcome = Rollgate::new(&call).run();
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert!(outcome.stdout.starts_with("<svg ") || outcome.stdout.starts_with("<?xml"), "{}", outcome.stdout);
    for variant in ["as described", "scheduled.rebalance.max.delay.ms=0", "scheduled.rebalance.max.delay.ms=60s"] {
        assert!(outcome.stdout.contains(variant), "{variant}");
    }
}
