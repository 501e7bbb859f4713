//! Nothing that `lint` prints shows a password of a file, in whichever form.

use std::fs;
use std::path::Path;

use rollgate_tests::{Rollgate, root};

#[test]
fn no_form_shows_a_secret() {
    let scenarios = root().join("tests/scenarios/lint");
    let mut looked = 0;
    for file in properties_below(&scenarios) {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if !text.contains(SECRET) {
            continue;
        }
        looked += 1;
        for form in ["text", "json", "yaml", "md", "github", "sarif"] {
            let name = file.display().to_string();
            let outcome = Rollgate::new(&["lint", "--deny", "never", "-o", form, &name]).run();
            assert_eq!(outcome.code, 0, "{name}: {outcome:?}");
            for said in [&outcome.stdout, &outcome.stderr] {
                assert!(!said.contains(SECRET), "{name} as {form}:\n{said}");
            }
        }
    }
    assert!(looked >= 4, "only {looked} files hold a secret");
}

#[test]
fn an_error_beside_a_secret_shows_none() {
    let folder = std::env::temp_dir().join(format!("rollgate-secrets-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the file");
    let file = folder.join("w1.properties");
    let text = format!("ssl.key.password={SECRET}\nsession.timeout.ms=long\nssl.keystore.password={SECRET}\n");
    fs::write(&file, text).expect("the file");
    let outcome = Rollgate::new(&["lint", &file.display().to_string()]).run();
    fs::remove_dir_all(&folder).expect("the folder goes again");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("session.timeout.ms") && !outcome.stderr.contains(SECRET), "{}", outcome.stderr);
}

#[test]
fn of_a_key_that_kafka_does_not_know_only_the_name_is_shown() {
    let folder = std::env::temp_dir().join(format!("rollgate-foreign-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the files");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("the file");
        folder.join(name).display().to_string()
    };
    let worker = format!(
        "group.id=g\nour.vault.pin={SECRET}1\nour.vault.pin={SECRET}2\nsesion.timeout.ms={SECRET}\n\
         listeners=http://user:{SECRET}@h1:8083\n"
    );
    let worker = write("w1.properties", &worker);
    let rest = "version: 1\nkafka: 4.3.1\nworkers: 2\nconnectors: {a: 2}\n";
    let good = write("good.yaml", &format!("{rest}settings_from: w1.properties\n"));
    let bad = write("bad.yaml", &format!("{rest}settings: {{our.vault.pin: {SECRET}}}\n"));
    let mut calls: Vec<(Vec<&str>, i32)> = Vec::new();
    for form in ["text", "json", "yaml", "md", "github", "sarif"] {
        calls.push((vec!["lint", "--deny", "never", "-o", form, &worker], 0));
        calls.push((vec!["lint", "--deny", "never", "-o", form, &good], 0));
        calls.push((vec!["lint", "--deny", "never", "-o", form, &bad], 2));
    }
    calls.extend([(vec!["describe", &good], 0), (vec!["plan", "--runs", "2", "-o", "json", &good], 0)]);
    for (call, code) in calls {
        let outcome = Rollgate::new(&call).run();
        assert_eq!(outcome.code, code, "{call:?}: {outcome:?}");
        for said in [&outcome.stdout, &outcome.stderr] {
            assert!(!said.contains(SECRET), "{call:?}:\n{said}");
        }
    }
    fs::remove_dir_all(&folder).expect("the folder goes again");
}

fn properties_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(properties_below(&path));
        } else if path.extension().is_some_and(|ending| ending == "properties") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What every secret of the scenarios holds.
const SECRET: &str = "MADE-UP";
