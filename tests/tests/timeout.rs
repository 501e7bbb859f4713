//! Measured restarts as data, and what the command says of each.
//!
//! A folder holds `restarts.csv`, `cluster.yaml` or both. What is printed for them, after the
//! exit code, is `expected.txt`; with `UPDATE` set it is written.

use rollgate_tests::{Rollgate, compare, root, scenarios};

#[test]
fn each_set_of_restarts_gets_its_answer() {
    let mut wrong = Vec::new();
    for scenario in scenarios("timeout") {
        let folder = scenario.strip_prefix(root()).expect("a scenario lies in the repository");
        let path = |name: &str| Some(folder.join(name).display().to_string()).filter(|_| scenario.join(name).is_file());
        let mut arguments = vec!["timeout".to_owned()];
        arguments.extend(path("restarts.csv"));
        arguments.extend(path("cluster.yaml").into_iter().flat_map(|path| ["--cluster".to_owned(), path]));
        let outcome = Rollgate::new(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).run();
        let found = format!("exit code {}\n{}{}", outcome.code, outcome.stdout, outcome.stderr);
        wrong.extend(compare(&scenario, &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
