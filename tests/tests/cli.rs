//! The command as people and scripts call it: exit codes, streams, colours, help.

use rollgate_tests::{Outcome, Rollgate};

const VERBS: [&str; 6] = ["plan", "simulate", "replay", "schema", "completions", "man"];

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
        (&["completions", "smoke-signals"], 2),
        (&["man", "restart"], 2),
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
