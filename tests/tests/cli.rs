//! The command as people and scripts call it: exit codes, streams, colours, help.

use rollgate_tests::{Outcome, Rollgate};

const VERBS: [&str; 11] =
    ["plan", "compare", "simulate", "replay", "describe", "lint", "explain", "timeout", "schema", "completions", "man"];

/// A cluster of which a plan is quick.
const CLUSTER: &str = "tests/scenarios/cli/small.yaml";

/// A replay.
const INCIDENT: &str = "cli/examples/incident.yaml";

/// Measured restarts.
const RESTARTS: &str = "cli/examples/restarts.csv";

fn call(arguments: &[&str]) -> Outcome {
    Rollgate::new(arguments).run()
}

#[test]
fn exit_codes_are_those_of_the_table() {
    for (arguments, code) in [
        (&["--help"][..], 0),
        (&["--version"], 0),
        (&["help", "plan"], 0),
        (&["completions", "bash"], 0),
        (&["man"], 0),
        (&[], 2),
        (&["--nonsense"], 2),
        (&["restart"], 2),
        (&["plan"], 2),
        (&["plan", "no-such-file.yaml"], 2),
        (&["simulate", "no-such-file.yaml"], 2),
        (&["replay", "no-such-file.yaml"], 2),
        (&["plan", "core"], 2),
        (&["simulate", "x.yaml", "--at-once", "0"], 2),
        (&["plan", "x.yaml", "--runs", "0"], 2),
        (&["plan", "x.yaml", "-o", "xml"], 2),
        (&["schema", "restart"], 2),
        (&["describe", CLUSTER], 0),
        (&["describe", INCIDENT], 2),
        (&["describe", "tests/scenarios/cli/mistakes.yaml"], 2),
        (&["completions", "smoke-signals"], 2),
        (&["man", "restart"], 2),
        (&["schema"], 0),
        (&["schema", "replay"], 0),
        (&["schema", "snapshot"], 0),
        (&["replay", INCIDENT], 0),
        (&["replay", CLUSTER], 2),
        (&["simulate", CLUSTER], 0),
        (&["simulate", INCIDENT], 2),
        (&["simulate", CLUSTER, "--order", "w1,w2", "--wait", "settled", "--at-once", "2", "--stop", "kill"], 0),
        (&["simulate", CLUSTER, "--order", "w1,w9"], 2),
        (&["simulate", CLUSTER, "--order", "w1,w1"], 2),
        (&["simulate", CLUSTER, "--wait", "soon"], 2),
        (&["explain"], 0),
        (&["explain", "delayed-rebalance"], 0),
        (&["explain", "single-worker", "-o", "json"], 0),
        (&["explain", "policy.at_once"], 0),
        (&["explain", "succession"], 0),
        (&["explain", "downtime"], 2),
        (&["plan", CLUSTER, "--runs", "2"], 0),
        (&["compare", CLUSTER], 2),
        (&["compare", "--set", "policy.wait=back"], 2),
        (&["compare", CLUSTER, "--set", "policy.wait=soon"], 2),
        (&["compare", CLUSTER, "--set", "policy.wait=back", "--runs", "2"], 0),
        (&["compare", "tests/scenarios/cli/infeasible.yaml", "--set", "restart.stop=1s", "--runs", "2"], 1),
        (&["plan", "tests/scenarios/cli/infeasible.yaml"], 1),
        (&["chart", CLUSTER, "--runs", "2"], 0),
        (&["chart", CLUSTER, "--figure", "variants", "--runs", "2"], 0),
        (&["chart", CLUSTER, "--figure", "delay", "--order", "leader-last", "--runs", "2"], 0),
        (&["chart", CLUSTER, "--figure", "variants", "--order", "listed"], 2),
        (&["chart", CLUSTER, "--figure", "pie"], 2),
        (&["chart", CLUSTER, "--width", "100"], 2),
        (&["chart", CLUSTER, "--theme", "sepia"], 2),
        (&["chart", CLUSTER, "--order", "w9"], 2),
        (&["chart", "tests/scenarios/cli/infeasible.yaml", "--runs", "2"], 1),
        (&["chart", "tests/scenarios/cli/mistakes.yaml"], 2),
        (&["plan", CLUSTER, "--runs", "2", "-o", "svg"], 0),
        (&["plan", CLUSTER, "--figures", "x"], 2),
        (&["plan", "tests/scenarios/cli/infeasible.yaml", "-o", "json"], 1),
        (&["plan", "tests/scenarios/cli/mistakes.yaml"], 2),
        (&["plan", "tests/scenarios/cli/no-such-properties.yaml"], 2),
        (&["timeout", RESTARTS], 0),
        (&["timeout", RESTARTS, "--cluster", CLUSTER, "--grace", "30s", "--retention", "7d"], 0),
        (&["timeout", "--cluster", CLUSTER], 0),
        (&["timeout", RESTARTS, "--kind", "kill"], 1),
        (&["timeout", RESTARTS, "--kind", "kill", "-o", "json"], 1),
        (&["timeout", RESTARTS, "--kind", "cold"], 2),
        (&["timeout", RESTARTS, "--grace", "30"], 2),
        (&["timeout", RESTARTS, "--cluster", "tests/scenarios/cli/mistakes.yaml"], 2),
        (&["timeout", "--cluster", CLUSTER, "--kind", "clean"], 2),
        (&["timeout", "-", "--cluster", "-"], 2),
        (&["timeout", "no-such-file.csv"], 2),
        (&["timeout"], 2),
    ] {
        let outcome = call(arguments);
        assert_eq!(outcome.code, code, "rollgate {}\n{outcome:?}", arguments.join(" "));
    }
}

#[test]
fn a_refusal_leaves_standard_output_empty_and_says_why() {
    for arguments in [&["restart"][..], &["plan"], &["plan", "no-such-file.yaml"], &["man", "restart"]] {
        let outcome = call(arguments);
        assert_eq!(outcome.stdout, "", "rollgate {}", arguments.join(" "));
        assert!(!outcome.stderr.trim().is_empty(), "rollgate {}", arguments.join(" "));
    }
    let missing = call(&["plan", "no-such-file.yaml"]).stderr;
    assert!(missing.contains("no-such-file.yaml") && missing.contains("No such file"), "{missing}");
}

#[test]
fn an_unknown_verb_is_answered_with_the_nearest_one() {
    let outcome = call(&["simulat", "x.yaml"]);
    assert!(outcome.stderr.contains("simulate"), "{}", outcome.stderr);
}

#[test]
fn help_of_each_verb_has_examples_and_exit_codes_and_fits_80_columns() {
    for verb in VERBS {
        let outcome = call(&[verb, "--help"]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{verb}");
        let help = outcome.stdout;
        let examples = help.lines().filter(|line| line.starts_with(&format!("  rollgate {verb}"))).count();
        assert!(examples >= 2, "{verb}: two examples\n{help}");
        assert!(help.contains("Exit codes:"), "{verb}: exit codes\n{help}");
        let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{verb}: {long:?}");
    }
    let all = call(&["--help"]).stdout;
    for verb in VERBS {
        assert!(all.contains(&format!("  {verb} ")), "--help does not name {verb}");
    }
}

#[test]
fn nothing_is_coloured_where_no_terminal_is() {
    for arguments in [&["--help"][..], &["plan", "--help"], &["restart"], &["plan", "no-such-file.yaml"]] {
        let outcome = call(arguments);
        assert!(!outcome.stdout.contains('\u{1b}') && !outcome.stderr.contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn completions_know_every_verb_and_option() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = call(&["completions", shell]).stdout;
        for word in VERBS.into_iter().chain(["order", "at-once"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_manual_has_a_page_for_all_and_for_each_verb() {
    assert!(call(&["man"]).stdout.contains(".TH rollgate 1"));
    for verb in VERBS {
        let page = call(&["man", verb]).stdout;
        assert!(page.contains(&format!(".TH rollgate-{verb} 1")), "{page}");
        assert!(page.contains("Exit codes"), "{page}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let shell = std::process::Command::new("sh")
        .args([
            "-c",
            "set -o pipefail 2>/dev/null; \"$0\" completions bash | true; \"$0\" completions bash | head -c 1",
        ])
        .arg(Rollgate::path())
        .output()
        .expect("a shell");
    assert_eq!(String::from_utf8_lossy(&shell.stderr), "");
}

#[test]
fn answers_go_to_standard_output_and_nothing_else_does() {
    for arguments in [
        &["plan", CLUSTER, "--runs", "2"][..],
        &["plan", "tests/scenarios/cli/infeasible.yaml"],
        &["compare", CLUSTER, "--set", "policy.wait=back,settled", "--runs", "2"],
        &["simulate", CLUSTER],
        &["replay", INCIDENT],
        &["describe", CLUSTER],
        &["timeout", RESTARTS],
        &["schema"],
    ] {
        let outcome = call(arguments);
        assert_eq!(outcome.stderr, "", "rollgate {}", arguments.join(" "));
        assert!(outcome.stdout.ends_with('\n'), "rollgate {}", arguments.join(" "));
    }
}

#[test]
fn text_is_coloured_only_where_it_is_wanted() {
    let colored = |call: Rollgate| call.run().stdout.contains('\u{1b}');
    let simulate = || Rollgate::new(&["simulate", CLUSTER]);
    assert!(!colored(simulate()));
    assert!(colored(simulate().variable("CLICOLOR_FORCE", "1")));
    assert!(!colored(simulate().variable("CLICOLOR_FORCE", "1").variable("NO_COLOR", "1")));
    assert!(colored(Rollgate::new(&["simulate", CLUSTER, "--color", "always"]).variable("NO_COLOR", "1")));
    assert!(!colored(Rollgate::new(&["--color", "never", "simulate", CLUSTER]).variable("CLICOLOR_FORCE", "1")));
    assert!(!colored(Rollgate::new(&["simulate", CLUSTER, "-o", "json", "--color", "always"])));
}

#[test]
fn json_and_yaml_are_one_document_that_says_its_version() {
    for arguments in [
        &["plan", CLUSTER, "--runs", "2"][..],
        &["plan", "tests/scenarios/cli/infeasible.yaml"],
        &["simulate", CLUSTER, "--runs", "5"],
        &["compare", CLUSTER, "--set", "policy.wait=back,settled", "--runs", "2"],
        &["replay", INCIDENT],
        &["timeout", RESTARTS, "--cluster", CLUSTER],
    ] {
        let printed = |format| Rollgate::new(&[arguments, &["-o", format]].concat()).run().stdout;
        let json: serde_json::Value = serde_json::from_str(&printed("json")).unwrap();
        let yaml: serde_json::Value = serde_yaml::from_str(&printed("yaml")).unwrap();
        assert_eq!(json, yaml, "{arguments:?}");
        assert_eq!((&json["schema_version"], &json["command"]), (&1.into(), &arguments[0].into()));
    }
}

#[test]
fn every_command_that_runs_time_forward_prints_its_rounds() {
    for arguments in [
        &["plan", CLUSTER, "--runs", "2", "-o", "json"][..],
        &["simulate", CLUSTER, "-o", "json"],
        &["replay", INCIDENT, "-o", "json"],
    ] {
        let json: serde_json::Value = serde_json::from_str(&call(arguments).stdout).unwrap();
        let rounds = json["rounds"].as_array().unwrap();
        assert!(!rounds.is_empty());
        for round in rounds {
            for number in ["generation", "at_ms", "delay_ms"] {
                assert!(round[number].is_i64(), "{number} in {round}");
            }
            for text in ["leader", "protocol", "cause"] {
                assert!(round[text].is_string(), "{text} in {round}");
            }
            for map in ["owns", "revoked"] {
                assert!(round[map].is_object(), "{map} in {round}");
            }
        }
    }
}

#[test]
fn one_seed_gives_the_same_bytes_and_another_others() {
    let printed = |seed| call(&["simulate", CLUSTER, "--seed", seed, "-o", "json"]).stdout;
    assert_eq!(printed("11"), printed("11"));
    assert_ne!(printed("11"), printed("12"));
    let planned = |seed| call(&["plan", CLUSTER, "--seed", seed, "--runs", "2"]).stdout;
    assert_eq!(planned("11"), planned("11"));
}

#[test]
fn a_dash_reads_standard_input() {
    let text = rollgate_tests::read(CLUSTER);
    let piped = Rollgate::new(&["simulate", "-", "-o", "json"]).input(text).run();
    assert_eq!(piped, call(&["simulate", CLUSTER, "-o", "json"]));
    let wrong = Rollgate::new(&["simulate", "-"]).input("workers: [").run();
    assert_eq!((wrong.code, wrong.stdout.as_str()), (2, ""));
    assert!(wrong.stderr.contains("(standard input):1:"), "{}", wrong.stderr);
}

#[test]
fn settings_from_lies_beside_the_description() {
    let json = call(&["simulate", "tests/scenarios/cli/with-properties.yaml", "-o", "json"]);
    assert_eq!(json.stderr, "");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    // The delay of the file beside it, announced by the leader once the first worker has left.
    assert_eq!(json["rounds"][0]["delay_ms"], 41_000);
    let missing = call(&["simulate", "tests/scenarios/cli/no-such-properties.yaml"]);
    assert!(
        missing.stderr.contains("no-such-properties.yaml:4:") && missing.stderr.contains("gone.properties"),
        "{}",
        missing.stderr
    );
}

#[test]
fn what_describe_prints_is_a_description_of_the_same_cluster() {
    let file = "tests/scenarios/cli/with-properties.yaml";
    let all = |call: &[&str]| Rollgate::new(call).run().stdout;
    let course = |text: String| {
        let outcome = Rollgate::new(&["simulate", "-", "-o", "json"]).input(text).run();
        let mut json: serde_json::Value =
            serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{outcome:?}"));
        let assumed = json["assumed"].take();
        (json, assumed.as_array().map_or(0, Vec::len))
    };
    let mut before: serde_json::Value = serde_json::from_str(&all(&["simulate", file, "-o", "json"])).unwrap();
    assert!(before["assumed"].take().as_array().is_some_and(|assumed| assumed.len() > 5));
    for format in ["text", "json", "yaml"] {
        let described = all(&["describe", file, "-o", format]);
        assert!(!described.contains("settings_from"), "{described}");
        // Who leads is drawn, and nothing else is open.
        assert_eq!(course(described), (before.clone(), 1), "{format}");
    }
    let text = all(&["describe", file]);
    assert!(text.starts_with("# Everything") && text.contains("\n# - settings.connect.protocol sessioned ("), "{text}");
    assert!(all(&["describe", file, "-o", "md"]).contains("\n```yaml\nversion: 1\n"));
}

#[test]
fn all_mistakes_are_shown_at_once() {
    let outcome = call(&["plan", "tests/scenarios/cli/mistakes.yaml"]);
    for word in ["heartbeat.interval.ms (12000)", "session.timeout.ms (10000)", "did you mean `connectors`?", "`1s`"] {
        assert!(outcome.stderr.contains(word), "{word} is missing in\n{}", outcome.stderr);
    }
}

#[test]
fn an_infeasible_policy_names_the_limit_that_binds_and_what_can_be_reached() {
    let outcome = call(&["plan", "tests/scenarios/cli/infeasible.yaml"]);
    assert!(outcome.stdout.starts_with("No order and no wait respects the policy.\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("max_unassigned: 1.0 s allowed, "), "{}", outcome.stdout);
}

#[test]
fn the_policy_that_a_refused_roll_proposes_allows_one() {
    let text = "version: 1\nkafka: 4.3.1\nworkers: 3\nconnectors: {alpha: 12}\npolicy: {max_unassigned: 1s, wait: settled, MORE}\n";
    let plan = |more: &str| Rollgate::new(&["plan", "-", "--runs", "20"]).input(text.replace("MORE", more)).run();
    let refused = plan("window: 1s");
    assert_eq!(refused.code, 1);
    let proposed = refused.stdout.split("What would allow a roll\n").nth(1).expect("it is always told");
    let value = |key: &str| {
        let words = proposed.split_once(&format!("{key} ")).expect("the limit is named").1;
        words.split_once(" instead").expect("and what it is now").0.replace('\n', " ").replace("  ", "")
    };
    let (unassigned, window) = (value("policy.max_unassigned"), value("policy.window"));
    let allowed = text.replace("max_unassigned: 1s", &format!("max_unassigned: {unassigned}"));
    let allowed = allowed.replace("MORE", &format!("window: {window}"));
    assert_eq!(Rollgate::new(&["plan", "-", "--runs", "20"]).input(allowed).run().code, 0, "{proposed}");
}

#[test]
fn names_of_settings_stand_whole_beside_long_values() {
    let csv = "cli/examples/restarts.csv";
    let outcome = call(&["timeout", csv, "--cluster", "cli/examples/five-workers.yaml", "--retention", "7d"]);
    assert!(outcome.stdout.contains("task.shutdown.graceful.timeout.ms ") && outcome.stdout.contains(" 7 d "));
    assert!(outcome.stdout.contains("rollgate lint and plan say 40 s"), "{}", outcome.stdout);
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{}", outcome.stdout);
}

#[test]
fn schemas_are_printed_as_json() {
    for arguments in [&["schema"][..], &["schema", "cluster"], &["schema", "replay"]] {
        let schema: serde_json::Value = serde_json::from_str(&call(arguments).stdout).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{arguments:?}");
        assert_eq!(schema["type"], "object", "{arguments:?}");
    }
    assert_ne!(call(&["schema"]), call(&["schema", "replay"]));
}
