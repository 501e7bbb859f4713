//! Every example in the documents is run, and prints what the document shows.
//!
//! A block fenced as `console` holds commands (`$ rollgate …`, perhaps with `| head -N`) and
//! below each what it prints. With `UPDATE` set, the documents are rewritten instead.

use std::fmt::Write;

use rollgate_tests::{Rollgate, difference, read, root, tracked_files};

#[test]
fn examples_print_what_the_documents_show() {
    let mut wrong = Vec::new();
    let mut examples = 0;
    for path in tracked_files().into_iter().filter(|path| path.to_lowercase().ends_with(".md")) {
        let text = read(&path);
        let (rewritten, count) = run_examples(&text);
        examples += count;
        if std::env::var_os("UPDATE").is_some() {
            if rewritten != text {
                std::fs::write(root().join(&path), rewritten).expect("the document is written");
            }
        } else if let Some(difference) = difference(&text, &rewritten) {
            wrong.push(format!("{path}, where \"expected\" is what the command prints now: {difference}"));
        }
    }
    assert!(examples > 0, "no document has an example");
    assert!(wrong.is_empty(), "{}\nUPDATE=1 cargo test -p rollgate-tests --test docs rewrites them", wrong.join("\n"));
}

#[test]
fn every_example_file_is_named_in_the_readme_and_answers() {
    let readme = read("README.md");
    for path in tracked_files().into_iter().filter(|path| path.starts_with("cli/examples/")) {
        assert!(readme.contains(&path), "README.md does not name {path}");
        let replay = read(&path).contains("\nreplay:");
        let call: &[&str] = match path.rsplit_once('.') {
            Some((_, "csv")) => &["timeout", &path],
            Some((_, "json")) => &["observe", "--snapshot", &path],
            _ if replay => &["replay", &path],
            _ => &["plan", &path, "--runs", "3"],
        };
        let outcome = Rollgate::new(call).run();
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "rollgate {}", call.join(" "));
    }
}

/// The document with what its examples print now, and how many there are.
fn run_examples(text: &str) -> (String, usize) {
    let mut out = String::new();
    let mut examples = 0;
    let mut inside = false;
    for line in text.lines() {
        if inside && line == "```" {
            inside = false;
        } else if line == "```console" {
            inside = true;
            out.push_str("```console\n");
            continue;
        }
        if !inside {
            _ = writeln!(out, "{line}");
        } else if let Some(command) = line.strip_prefix("$ ") {
            examples += 1;
            _ = writeln!(out, "{line}\n{}", printed(command));
        }
    }
    (out, examples)
}

/// What a command of a document prints, on either stream.
fn printed(command: &str) -> String {
    let (call, head) = match command.split_once(" | head -") {
        Some((call, lines)) => (call, lines.parse().expect("a number of lines after head -")),
        None => (command, usize::MAX),
    };
    let arguments: Vec<&str> = call.split_whitespace().collect();
    let ["rollgate", arguments @ ..] = arguments.as_slice() else { panic!("not a call of rollgate: {command}") };
    let outcome = Rollgate::new(arguments).run();
    let all = format!("{}{}", outcome.stdout, outcome.stderr);
    all.lines().take(head).collect::<Vec<_>>().join("\n")
}
