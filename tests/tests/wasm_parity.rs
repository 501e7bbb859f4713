//! The same inputs, natively and in Node, give the same bytes.
//!
//! Needs the package that `wasm/build` makes; `tests/run wasm` builds it and says where it
//! is by `ROLLGATE_WASM_PACKAGE`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rollgate_core::report::{Format, json};
use rollgate_core::text::Files;
use rollgate_core::verbs::{
    self, ChartOptions, CompareOptions, DiscoverOptions, ExplainOptions, LintFormat, LintOptions, NextOptions,
    PlanOptions, Refusal, ReplayOptions, SimulateOptions, TimeoutOptions,
};
use rollgate_tests::{assert_same, files_of, read, root, scenarios, tracked_files};
use serde_json::{Value, json as value};

#[test]
fn the_package_loads_in_node_and_is_of_this_version() {
    assert_eq!(in_node(&[Call::new("version", &[])]), [Ok(env!("CARGO_PKG_VERSION").to_owned())]);
}

#[test]
fn simulations_give_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for (name, text) in clusters() {
        for options in [
            value!({}),
            value!({"order": "leader-last", "wait": "settled", "seed": 1}),
            value!({"order": "leader-next", "wait": "2500ms", "stop": "kill", "seed": 4_294_967_311_u64}),
            value!({"order": "leader-first", "at_once": 2, "runs": 20}),
        ] {
            calls.push(Call::new("simulate", &[&text, &options.to_string()]).named(format!("{name} {options}")));
            let options: SimulateOptions = serde_json::from_value(options).unwrap();
            expected.push(natively("cluster.yaml", &text, |files, main| {
                verbs::simulate(files, main, &options, Format::Json).map(|answer| answer.report)
            }));
        }
    }
    compare(&calls, &expected);
}

#[test]
fn replays_give_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    let replays = tracked_files().into_iter().filter(|path| path.ends_with("/replay.yaml") || path == INCIDENT);
    for path in replays {
        let text = read(&path);
        calls.push(Call::new("replay", &[&text, r#"{"seed": 3}"#]).named(path));
        expected.push(natively("replay.yaml", &text, |files, main| {
            verbs::replay(files, main, &ReplayOptions { seed: 3 }, Format::Json).map(|answer| answer.report)
        }));
    }
    assert!(calls.len() > 5, "too few replays to prove anything: {}", calls.len());
    assert!(expected.iter().all(Result::is_ok), "a replay is refused: {expected:?}");
    compare(&calls, &expected);
}

#[test]
fn plans_give_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for (name, text) in clusters() {
        calls.push(Call::new("plan", &[&text, r#"{"seed": 5, "runs": 4}"#]).named(name));
        let options = PlanOptions { seed: 5, runs: Some(4), ..PlanOptions::default() };
        expected.push(natively("cluster.yaml", &text, |files, main| {
            verbs::plan(files, main, &options, Format::Json, &mut |_| ()).map(|answer| answer.report)
        }));
    }
    compare(&calls, &expected);
}

#[test]
fn descriptions_give_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for (name, text) in clusters() {
        calls.push(Call::new("describe", &[&text, ""]).named(name));
        expected.push(natively("cluster.yaml", &text, |files, main| {
            verbs::describe(files, main, Format::Json).map(|answer| answer.report)
        }));
    }
    compare(&calls, &expected);
}

#[test]
fn snapshots_give_the_same_bytes() {
    let text = read("cli/examples/snapshot.json");
    let texts = [text.as_str(), "{}", &text.replacen("Stable", "Unheard-of", 1)];
    let calls: Vec<Call> = texts.iter().map(|text| Call::new("observe", &[text, ""])).collect();
    let expected: Vec<_> = texts
        .iter()
        .map(|text| {
            natively("snapshot.json", text, |files, main| {
                verbs::observe(files, main, Format::Json).map(|answer| answer.report)
            })
        })
        .collect();
    assert_eq!(expected.iter().filter(|answer| answer.is_ok()).count(), 2);
    compare(&calls, &expected);
}

#[test]
fn what_was_seen_is_described_and_gone_on_from_alike() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for scenario in scenarios("discover") {
        let files = files_of(&scenario);
        let text = files.get("snapshot.json").unwrap_or_default().to_owned();
        calls.push(Call::new("discover", &[&text, ""]).named(scenario.display()));
        expected.push(natively("snapshot.json", &text, |files, main| {
            verbs::discover(files, main, &DiscoverOptions::default(), Format::Json).map(|answer| answer.report)
        }));
        calls.push(Call::new("next", &[&text, r#"{"runs": 3, "last_round": "9s"}"#]).named(scenario.display()));
        let options = NextOptions { runs: Some(3), last_round: Some("9s".into()), ..NextOptions::default() };
        expected.push(natively("snapshot.json", &text, |files, main| {
            verbs::next(files, main, &options, Format::Json).map(|answer| answer.report)
        }));
    }
    assert!(expected.iter().any(Result::is_ok) && expected.iter().any(Result::is_err));
    compare(&calls, &expected);
}

#[test]
fn timeouts_give_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for scenario in scenarios("timeout") {
        let files = files_of(&scenario);
        let restarts = files.get("restarts.csv").unwrap_or_default();
        let cluster = files.get("cluster.yaml");
        let mut options = value!({"grace": "30s", "retention": "2d", "restarts": 6});
        if let Some(cluster) = cluster {
            options["cluster"] = "cluster.yaml".into();
            options["files"] = value!({"cluster.yaml": cluster});
        }
        calls.push(Call::new("timeout", &[restarts, &options.to_string()]).named(scenario.display()));
        let options = TimeoutOptions {
            cluster: cluster.map(|_| "cluster.yaml".to_owned()),
            grace: Some("30s".into()),
            retention: Some("2d".into()),
            restarts: Some(6),
            kind: None,
        };
        let measured = (!restarts.is_empty()).then_some("restarts.csv");
        let answer = verbs::timeout(&files, measured, &options, Format::Json).map(|answer| answer.report);
        expected.push(answer.map_err(|refusal| refusal.render(&files, false)));
    }
    assert!(expected.iter().any(Result::is_ok) && expected.iter().any(Result::is_err));
    compare(&calls, &expected);
}

#[test]
fn comparisons_give_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for (name, text) in clusters() {
        for options in [
            value!({"set": ["scheduled.rebalance.max.delay.ms=0,60s", "policy.wait=back"], "seed": 5, "runs": 3}),
            value!({"set": ["restart.start=[5s, 6s],20s"], "order": "leader-last", "wait": "settled", "runs": 2}),
            value!({"set": ["restart.strat=5s"]}),
        ] {
            let typed = options.to_string();
            calls.push(Call::new("compare", &[&text, &typed]).named(format!("{name} {typed}")));
            let options: CompareOptions = serde_json::from_value(options).unwrap();
            expected.push(natively("cluster.yaml", &text, |files, main| {
                let source = (files.clone(), main.to_owned());
                verbs::compare(&[source], &options, Format::Json, &mut |_| ()).map(|answer| answer.report)
            }));
            calls.push(Call::new("compare_picture", &[&text, &typed]).named("the same, drawn"));
            expected.push(natively("cluster.yaml", &text, |files, main| {
                let source = (files.clone(), main.to_owned());
                verbs::compare_picture(&[source], &options, &mut |_| ()).map(|answer| answer.report)
            }));
        }
    }
    assert!(expected.iter().any(Result::is_err) && expected.iter().any(Result::is_ok));
    compare(&calls, &expected);
}

#[test]
fn pictures_have_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for (name, text) in clusters() {
        for options in [
            value!({"figure": "roll", "runs": 4}),
            value!({"figure": "roll", "width": 400, "theme": "dark", "order": "leader-last", "wait": "settled"}),
            value!({"figure": "unassigned", "theme": "light", "order": "leader-next"}),
            value!({"figure": "lag", "width": 640, "order": "leader-first"}),
            value!({"figure": "delay", "order": "listed", "runs": 3}),
            value!({"figure": "variants", "width": 400, "runs": 3}),
        ] {
            calls.push(Call::new("chart", &[&text, &options.to_string()]).named(format!("{name} {options}")));
            let options: ChartOptions = serde_json::from_value(options).unwrap();
            expected.push(natively("cluster.yaml", &text, |files, main| {
                verbs::chart(files, main, &options, &mut |_| ()).map(|answer| answer.report)
            }));
        }
    }
    assert!(expected.iter().filter(|picture| picture.is_ok()).count() > 10, "too few pictures: {expected:?}");
    compare(&calls, &expected);
}

#[test]
fn findings_and_explanations_give_the_same_bytes() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for (name, text) in clusters() {
        calls.push(Call::new("lint", &[&text, ""]).named(name));
        let files: Files = [("cluster.yaml", text)].into_iter().collect();
        expected.push(linted(&files, Some("cluster.yaml"), &LintOptions::default()));
    }
    let beside = [("w1.properties", "group.id=g\n"), ("w2.properties", "group.id=g\nconnect.protocol=eager\n")];
    let workers = ["w1.properties", "w2.properties"].map(str::to_owned).to_vec();
    let options = value!({"workers": workers, "deny": "note", "files": BTreeMap::from(beside)}).to_string();
    calls.push(Call::new("lint", &["", &options]));
    let options = LintOptions { workers, deny: "note".to_owned() };
    expected.push(linted(&beside.into_iter().collect(), None, &options));
    calls.push(Call::new("lint", &["", r#"{"deny": "all"}"#]));
    expected.push(linted(&Files::default(), None, &LintOptions { deny: "all".to_owned(), ..Default::default() }));
    for name in ["", "zero-rebalance-delay", "session.timeout.ms", "Delayed rebalance", "at_once", "downtime"] {
        calls.push(Call::new("explain", &[name, ""]));
        let asked = Some(name).filter(|name| !name.is_empty());
        let answer = verbs::explain(asked, &ExplainOptions::default(), Format::Json);
        expected.push(answer.map(|answer| answer.report).map_err(|error| error.to_string()));
    }
    compare(&calls, &expected);
}

fn linted(files: &Files, main: Option<&str>, options: &LintOptions) -> Result<String, String> {
    let linting = verbs::lint(files, main, options, LintFormat::Report(Format::Json));
    linting.map(|linting| linting.report).map_err(|error| error.to_string())
}

#[test]
fn refusals_and_schemas_are_the_same_too() {
    let wrong = "version: 1\nkafka: 9.x\nworker: 3\n";
    let properties = "version: 1\nkafka: 4.3.1\nworkers: 2\nsettings_from: w.properties\nconnectors: {a: 3}\n";
    let beside = value!({"files": {"w.properties": "group.id=x\nsession.timeout.ms=9000\n"}}).to_string();
    let calls = [
        Call::new("simulate", &[wrong, ""]),
        Call::new("simulate", &[&clusters()[0].1, r#"{"order": "nobody"}"#]),
        Call::new("simulate", &[properties, &beside]),
        Call::new("schema", &[]),
        Call::new("replay_schema", &[]),
    ];
    let simulated = |text: &str, order: Option<&str>, more: Option<(&str, &str)>| {
        let mut options = SimulateOptions::default();
        if let Some(order) = order {
            order.clone_into(&mut options.order);
        }
        run("cluster.yaml", text, more.into_iter().collect(), |files, main| {
            verbs::simulate(files, main, &options, Format::Json).map(|answer| answer.report)
        })
    };
    let expected = [
        simulated(wrong, None, None),
        simulated(&clusters()[0].1, Some("nobody"), None),
        simulated(properties, None, Some(("w.properties", "group.id=x\nsession.timeout.ms=9000\n"))),
        Ok(json(&rollgate_core::description::description_schema())),
        Ok(json(&rollgate_core::description::replay_schema())),
    ];
    assert!(expected[0].is_err() && expected[1].is_err() && expected[2].is_ok());
    compare(&calls, &expected);
}

/// A call of an export.
struct Call {
    name: String,
    export: &'static str,
    arguments: Vec<String>,
}

impl Call {
    fn new(export: &'static str, arguments: &[&str]) -> Self {
        Self { name: export.to_owned(), export, arguments: arguments.iter().map(|text| (*text).to_owned()).collect() }
    }

    fn named(self, name: impl std::fmt::Display) -> Self {
        Self { name: format!("{}: {name}", self.export), ..self }
    }
}

fn compare(calls: &[Call], expected: &[Result<String, String>]) {
    let seen = in_node(calls);
    assert_eq!(seen.len(), expected.len());
    for ((call, seen), expected) in calls.iter().zip(&seen).zip(expected) {
        let kind = |result: &Result<String, String>| if result.is_ok() { "an answer" } else { "a refusal" };
        let text = |result: &Result<String, String>| result.clone().unwrap_or_else(|error| error);
        assert_eq!(kind(seen), kind(expected), "{}: {}", call.name, text(seen));
        assert_same(&format!("{} in Node, natively", call.name), &text(seen), &text(expected));
    }
}

fn natively(
    main: &str,
    text: &str,
    ask: impl FnOnce(&Files, &str) -> Result<String, Refusal>,
) -> Result<String, String> {
    run(main, text, Files::default(), ask)
}

fn run(
    main: &str,
    text: &str,
    mut files: Files,
    ask: impl FnOnce(&Files, &str) -> Result<String, Refusal>,
) -> Result<String, String> {
    files.insert(main, text);
    ask(&files, main).map_err(|refusal| refusal.render(&files, false))
}

/// The example clusters: name and text.
fn clusters() -> Vec<(String, String)> {
    let others = [INCIDENT, RESTARTS];
    let examples = tracked_files().into_iter().filter(|path| path.starts_with("cli/examples/"));
    let examples = examples.filter(|path| !others.contains(&path.as_str()));
    let examples: Vec<_> = examples.map(|path| (path.clone(), read(&path))).collect();
    assert!(examples.len() >= 3, "there are no examples");
    examples
}

/// What each call gives in one process of Node: an answer, or the message of an error.
fn in_node(calls: &[Call]) -> Vec<Result<String, String>> {
    let input: Value = calls.iter().map(|call| value!({"export": call.export, "arguments": call.arguments})).collect();
    let mut child = Command::new("node")
        .args(["-e", SCRIPT])
        .arg(package().join("rollgate_wasm.js"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let mut pipe = child.stdin.take().expect("a pipe to node");
    pipe.write_all(input.to_string().as_bytes()).expect("node reads");
    drop(pipe);
    let output = child.wait_with_output().expect("node ends");
    assert!(output.status.success(), "node failed");
    let results: Vec<Value> = serde_json::from_slice(&output.stdout).expect("node writes JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    results
        .iter()
        .map(|result| result.get("answer").map_or_else(|| Err(text(&result["error"])), |answer| Ok(text(answer))))
        .collect()
}

fn package() -> PathBuf {
    let path = std::env::var("ROLLGATE_WASM_PACKAGE")
        .expect("ROLLGATE_WASM_PACKAGE names the folder that wasm/build made; call tests/run wasm");
    root().join(path)
}

/// Runs the calls on its standard input.
const SCRIPT: &str = r#"
const rollgate = require(process.argv[1]);
const calls = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const results = calls.map(({ export: name, arguments: values }) => {
  try { return { answer: rollgate[name](...values) }; }
  catch (error) { return { error: error.message ?? String(error) }; }
});
process.stdout.write(JSON.stringify(results));
"#;

/// The examples that are no cluster.
const INCIDENT: &str = "cli/examples/incident.yaml";
const RESTARTS: &str = "cli/examples/restarts.csv";
