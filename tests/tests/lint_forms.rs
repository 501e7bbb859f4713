//! `lint` as people and programs call it: mixed files, what is denied, each form of output.

use rollgate_tests::{Outcome, Rollgate, root};
use serde_json::Value;

const RISKY: &str = "tests/scenarios/cli/risky.yaml";
const BROKEN: &str = "tests/scenarios/cli/broken.properties";
const WORKER: &str = "tests/scenarios/lint/workers-with-different-delays/fires_for_files/w1.properties";
const OTHER: &str = "tests/scenarios/lint/workers-with-different-delays/fires_for_files/w3.properties";

fn lint(arguments: &[&str]) -> Outcome {
    Rollgate::new(&[&["lint"], arguments].concat()).run()
}

fn json(arguments: &[&str], form: &str) -> Value {
    serde_json::from_str(&lint(&[arguments, &["-o", form]].concat()).stdout).expect("JSON")
}

#[test]
fn the_exit_code_is_what_is_denied_and_found() {
    let small = "tests/scenarios/cli/small.yaml";
    for (arguments, code) in [
        (&[RISKY][..], 1),
        (&[RISKY, "--deny", "never"], 0),
        (&[small], 0),
        (&[small, "--deny", "note"], 0),
        (&[WORKER, "--deny", "note"], 0),
        (&[OTHER, "--deny", "note"], 1),
        (&[WORKER, OTHER], 0),
        (&[WORKER, OTHER, "--deny", "warning"], 1),
        (&[BROKEN], 2),
        (&[RISKY, BROKEN], 2),
        (&[RISKY, "--deny", "all"], 2),
        (&["tests/run"], 2),
        (&[RISKY, small], 2),
        (&["no-such.properties"], 2),
        (&[], 2),
    ] {
        let outcome = lint(arguments);
        assert_eq!(outcome.code, code, "rollgate lint {}\n{outcome:?}", arguments.join(" "));
    }
}

#[test]
fn a_broken_file_is_shown_and_the_others_are_linted() {
    let outcome = lint(&[BROKEN, WORKER, OTHER]);
    assert!(outcome.stderr.contains("broken.properties:2:20"), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("1 error to mend; what else there is was linted.\n"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("workers-with-different-delays"), "{}", outcome.stdout);
    assert!(outcome.stdout.starts_with("1 warning and 1 note in 2 files; 1 file cannot be taken.\n"));
    let document = json(&[BROKEN, WORKER], "json");
    assert_eq!(document["errors"][0]["line"], 2);
    assert_eq!(document["ok"], false);
}

#[test]
fn where_no_file_can_be_read_no_rule_claims_to_have_found_nothing() {
    for form in ["text", "md", "github"] {
        let outcome = lint(&[BROKEN, "-o", form]);
        assert!(outcome.stdout.contains("No rule was asked: 1 file cannot be taken."), "{}", outcome.stdout);
    }
}

#[test]
fn a_broken_description_leaves_its_worker_files_linted() {
    let text = format!("version: 1\nkafka: nine\nworkers: 2\nsettings_from: {WORKER}\nconnectors: {{a: 2}}\n");
    let outcome = Rollgate::new(&["lint", "-", OTHER]).input(text).run();
    assert_eq!(outcome.code, 2);
    assert!(outcome.stdout.contains("workers-with-different-delays"), "{outcome:?}");
    assert!(outcome.stderr.contains("`nine` is no version"), "{outcome:?}");
}

#[test]
fn a_file_that_the_description_names_is_linted_once() {
    let text = format!("version: 1\nkafka: 4.3.1\nworkers: 2\nsettings_from: {OTHER}\nconnectors: {{a: 2}}\n");
    let outcome = Rollgate::new(&["lint", "-", OTHER, &format!("./{OTHER}"), "-o", "json"]).input(text).run();
    let document: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(document["files"], serde_json::json!(["(standard input)", OTHER]));
}

#[test]
fn what_a_comment_allows_is_counted_and_not_shown() {
    let document = json(&[RISKY], "json");
    let rules = |of: &str| -> Vec<String> {
        let found = document[of].as_array().expect("a list");
        found.iter().map(|finding| finding["rule"].as_str().expect("an id").to_owned()).collect()
    };
    assert!(rules("allowed").contains(&"fixed-wait-between-restarts".to_owned()), "{document:#}");
    assert!(rules("findings").contains(&"all-workers-at-once".to_owned()), "{document:#}");
    let text = lint(&[RISKY]).stdout;
    assert!(text.lines().next().is_some_and(|line| line.ends_with("; 1 allowed.")), "{text}");
    assert!(!text.contains("fixed-wait"), "{text}");
}

#[test]
fn text_keeps_to_80_columns_where_the_file_does() {
    for arguments in [&[RISKY][..], &[WORKER, OTHER]] {
        for line in lint(arguments).stdout.lines() {
            // Lines of the files, what stands beside them, and paths may be longer.
            let of_file = line.contains(" | ") || line.contains("tests/scenarios");
            assert!(of_file || line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn a_workflow_command_is_one_line_and_names_the_place() {
    let outcome = lint(&[RISKY, "-o", "github"]);
    let commands: Vec<&str> = outcome.stdout.lines().filter(|line| line.starts_with("::")).collect();
    let expected = "::error file=tests/scenarios/cli/risky.yaml,line=7,endLine=7,col=12,endColumn=13,\
                    title=all-workers-at-once::at_once is 3";
    assert!(commands.iter().any(|line| line.starts_with(expected)), "{}", outcome.stdout);
    assert_eq!(commands.len() + 1, outcome.stdout.lines().count());
}

/// What [the standard](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html) requires
/// of the objects that are written, by its paragraphs.
#[test]
fn sarif_has_what_the_standard_requires() {
    let log = json(&[RISKY, BROKEN, WORKER, OTHER], "sarif");
    assert_eq!(log["version"], "2.1.0"); // 3.13.2
    let schema = log["$schema"].as_str().expect("3.13.3: a URI");
    assert!(schema.contains("sarif") && schema.contains("2.1.0"));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"]; // 3.14.6, 3.18.2
    assert_eq!(driver["name"], "rollgate"); // 3.19.8
    let rules = driver["rules"].as_array().expect("3.19.23: an array");
    for rule in rules {
        assert!(rule["id"].is_string(), "3.49.3");
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[text]["text"].as_str().is_some_and(|text| text.len() > 10), "3.12.3: {rule:#}");
        }
        level(&rule["defaultConfiguration"]["level"]);
    }
    assert_eq!(run["columnKind"], "unicodeCodePoints"); // 3.14.17
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false); // 3.20.14
    let notification = &invocation["toolExecutionNotifications"][0];
    assert!(notification["message"]["text"].is_string(), "3.58.5");
    location(&notification["locations"][0]);
    let results = run["results"].as_array().expect("3.14.23: an array");
    assert!(results.len() > 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("3.27.6")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]); // 3.27.5
        level(&result["level"]);
        assert!(result["message"]["text"].is_string(), "3.27.11");
        for place in ["locations", "relatedLocations"] {
            result[place].as_array().expect("3.27.12, 3.27.22: an array").iter().for_each(location);
        }
        if let Some(suppressions) = result.get("suppressions") {
            assert_eq!(suppressions[0]["kind"], "inSource"); // 3.35.2
        }
    }
    let allowed = results.iter().filter(|result| result.get("suppressions").is_some()).count();
    assert_eq!(allowed, 1);
}

fn level(level: &Value) {
    assert!(["none", "note", "warning", "error"].contains(&level.as_str().expect("3.27.10: a word")), "{level}");
}

fn location(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("3.4.3: a URI");
    assert!(root().join(uri).is_file(), "{uri}");
    let region = &place["region"];
    let number = |key: &str| region[key].as_u64().expect("3.30: a number");
    assert!(number("startLine") >= 1 && number("startColumn") >= 1);
    let (start, end) = ((number("startLine"), number("startColumn")), (number("endLine"), number("endColumn")));
    assert!(start <= end, "{region:#}");
}
