//! The rules of `lint` against scenarios: `tests/scenarios/lint/<rule>/` has cases in which
//! the rule finds something (`fires…`, with `expected.txt`) and cases in which it must not (`quiet…`).
//!
//! `cluster.yaml` of a case is its description, if there is one; what else ends with
//! `.properties` are worker files. A line of `expected.txt` is a finding of the folder's rule:
//! `cluster.yaml:6: warning, high: <evidence>`; findings of other rules belong to their own folders.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use rollgate_core::lint::{Inputs, RULES, lint};
use rollgate_core::report::Format;
use rollgate_core::text::Files;
use rollgate_core::verbs::{ExplainOptions, explain, rules_page};
use rollgate_tests::{assert_same, compare, files_of, read, root, scenarios};

#[test]
fn every_rule_finds_what_its_scenarios_say_and_nothing_else() {
    let mut wrong = Vec::new();
    for folder in scenarios("lint") {
        for case in cases(&folder) {
            let found = findings(&case, &name(&folder), &mut wrong);
            let fires = name(&case).starts_with("fires");
            if fires && found.is_empty() {
                wrong.push(format!("{}: it finds nothing", case.display()));
            } else if fires {
                wrong.extend(compare(&case, &found).err());
            } else if !found.is_empty() {
                wrong.push(format!("{}: it must find nothing:\n{found}", case.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_rule_has_a_case_that_fires_and_one_that_does_not() {
    let mut wrong = Vec::new();
    let rules: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    for rule in &rules {
        let folder = root().join("tests/scenarios/lint").join(rule);
        let names: Vec<String> = cases(&folder).iter().map(|case| name(case)).collect();
        for kind in ["fires", "quiet"] {
            if !names.iter().any(|name| name.starts_with(kind)) {
                wrong.push(format!("tests/scenarios/lint/{rule} has no case whose name begins with `{kind}`"));
            }
        }
        if let Some(other) = names.iter().find(|name| !name.starts_with("fires") && !name.starts_with("quiet")) {
            wrong.push(format!("tests/scenarios/lint/{rule}/{other} begins with neither `fires` nor `quiet`"));
        }
    }
    for folder in scenarios("lint") {
        if !rules.contains(name(&folder).as_str()) {
            wrong.push(format!("{}: no rule is called so", folder.display()));
        }
    }
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

#[test]
fn the_texts_of_rules_are_whole() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let texts = [rule.finds, rule.hurts, rule.todo, rule.wrong];
        if !texts.iter().all(|text| text.ends_with(['.', '?']) && !text.contains("  ") && text.len() > 20) {
            wrong.push(format!("{}: a text is no sentence, or holds two blanks", rule.id));
        }
        if rule.title.ends_with('.') || rule.title.len() > 79 {
            wrong.push(format!("{}: its title is longer than a line, or ends with a full stop", rule.id));
        }
        if rule.sources.is_empty() {
            wrong.push(format!("{}: it has no source", rule.id));
        }
        let whats = rule.example.iter().flat_map(|example| [example.bad.what, example.better.what]);
        wrong.extend(whats.filter(|what| what.len() > 27).map(|what| format!("{}: too long: {what}", rule.id)));
        if !rule.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
            wrong.push(format!("{}: ids are words with dashes", rule.id));
        }
    }
    assert!(RULES.is_sorted_by_key(|rule| rule.id), "the registry is not in the order of the ids");
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

#[test]
fn what_a_rule_advises_loses_less_in_its_example() {
    let mut examples = 0;
    for rule in RULES.iter().filter(|rule| rule.example.is_some()) {
        let answer = explain(Some(rule.id), &ExplainOptions::default(), Format::Json).expect("it is explained");
        let document: serde_json::Value = serde_json::from_str(&answer.report).expect("JSON");
        let [bad, better] = ["bad", "better"]
            .map(|side| document["example"][side]["unassigned_task_seconds"].as_f64().expect("task-seconds"));
        assert!(better < bad, "{}: {better} and {bad} task-seconds", rule.id);
        examples += 1;
    }
    assert!(examples > 5);
}

#[test]
fn the_page_of_rules_is_what_rollgate_says_now() {
    let page = rules_page().expect("every example can be simulated");
    let path = root().join("docs/rules.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(root().join("docs")).expect("a folder");
        std::fs::write(&path, &page).expect("the page is written");
    }
    assert_same("docs/rules.md (UPDATE=1 rewrites it)", &page, &read("docs/rules.md"));
}

/// The findings of one rule, a line for each.
fn findings(case: &Path, rule: &str, wrong: &mut Vec<String>) -> String {
    let files: Files = files_of(case);
    let main = files.get("cluster.yaml").is_some().then_some("cluster.yaml");
    let workers: Vec<String> = files.names().filter(|name| name.ends_with(".properties")).map(str::to_owned).collect();
    let inputs = Inputs::read(&files, main, &workers);
    wrong.extend(inputs.errors.iter().map(|error| format!("{}: {error}", case.display())));
    let mut text = String::new();
    for finding in lint(&inputs).findings.iter().filter(|finding| finding.rule == rule) {
        let at = &finding.at;
        _ = writeln!(
            text,
            "{}:{}: {}, {}: {}",
            at.file, at.line, finding.severity, finding.confidence, finding.evidence
        );
    }
    text
}

fn cases(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut cases: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    cases.sort();
    cases
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
