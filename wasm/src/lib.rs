//! Browser and Node bindings of rollgate-core.
//!
//! Each export is a few lines over the function of the core that the command calls, and
//! gives the same bytes as `-o json`. Nothing is computed here.

use std::collections::BTreeMap;

use rollgate_core::report::{Format, json};
use rollgate_core::text::Files;
use rollgate_core::verbs::{self, Answer, LintFormat, Refusal};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Plans a roll: what `rollgate plan -o json` prints.
///
/// `description` is the text of a cluster file; `options` JSON such as `{"seed": 7, "runs":
/// 100, "files": {"worker.properties": "…"}}`, or empty. `files` holds what `settings_from`
/// names.
///
/// # Errors
/// Everything that is wrong with the files or options, as text for a person.
#[wasm_bindgen]
pub fn plan(description: &str, options: &str) -> Result<String, JsError> {
    call(CLUSTER, description, options, |files, main, options| {
        verbs::plan(files, main, options, Format::Json, &mut |_| ())
    })
}

/// Compares variants of a cluster: what `rollgate compare -o json` prints.
///
/// `options` is JSON such as `{"set": ["scheduled.rebalance.max.delay.ms=0,60s"], "seed": 7,
/// "runs": 100}`, with `order`, `wait`, `at_once`, `stop` and `leader_again` for one roll for all;
/// `files` as for [`plan`].
///
/// # Errors
/// Everything that is wrong with the files, options or what is set, as text for a person.
#[wasm_bindgen]
pub fn compare(description: &str, options: &str) -> Result<String, JsError> {
    call(CLUSTER, description, options, |files, main, options| {
        let source = (files.clone(), main.to_owned());
        verbs::compare(&[source], options, Format::Json, &mut |_| ())
    })
}

/// Draws variants of a cluster: what `rollgate compare -o svg` prints; `options` as for [`compare`],
/// with `width` and `theme`.
///
/// # Errors
/// As [`compare`].
#[wasm_bindgen]
pub fn compare_picture(description: &str, options: &str) -> Result<String, JsError> {
    call(CLUSTER, description, options, |files, main, options| {
        let source = (files.clone(), main.to_owned());
        verbs::compare_picture(&[source], options, &mut |_| ())
    })
}

/// Simulates one roll: what `rollgate simulate -o json` prints.
///
/// `options` is JSON such as `{"order": "leader-last", "wait": "back", "at_once": 1, "stop":
/// "graceful", "seed": 7, "runs": 1}`, or empty; `files` as for [`plan`].
///
/// # Errors
/// Everything that is wrong with the files or options, as text for a person.
#[wasm_bindgen]
pub fn simulate(description: &str, options: &str) -> Result<String, JsError> {
    call(CLUSTER, description, options, |files, main, options| verbs::simulate(files, main, options, Format::Json))
}

/// Draws a picture: the SVG document that `rollgate chart` prints.
///
/// `options` is JSON such as `{"figure": "roll", "width": 1200, "theme": "auto", "seed": 7}`, or
/// empty; with `order`, `wait`, `at_once`, `stop` or `leader_again` that roll is drawn instead of
/// the plan's; `files` as for [`plan`].
///
/// # Errors
/// Everything that is wrong with the files or options, as text for a person.
#[wasm_bindgen]
pub fn chart(description: &str, options: &str) -> Result<String, JsError> {
    call(CLUSTER, description, options, |files, main, options| verbs::chart(files, main, options, &mut |_| ()))
}

/// Runs a replay file: what `rollgate replay -o json` prints.
///
/// # Errors
/// Everything that is wrong with the file or options, as text for a person.
#[wasm_bindgen]
pub fn replay(file: &str, options: &str) -> Result<String, JsError> {
    call(REPLAY, file, options, |files, main, options| verbs::replay(files, main, options, Format::Json))
}

/// Lints a description, worker files, or both: what `rollgate lint -o json` prints.
///
/// `description` may be empty. `options` is JSON such as `{"deny": "error", "workers":
/// ["w1.properties"], "files": {"w1.properties": "…"}}`, or empty; `workers` names those of
/// `files` that are worker files beside the description. What is wrong with files stands in the answer.
///
/// # Errors
/// If an option cannot be taken, as text for a person.
#[wasm_bindgen]
pub fn lint(description: &str, options: &str) -> Result<String, JsError> {
    let (options, mut files) = read(options)?;
    let main = (!description.trim().is_empty()).then_some(CLUSTER);
    if let Some(main) = main {
        files.insert(main, description);
    }
    let linting = verbs::lint(&files, main, &options, LintFormat::Report(Format::Json))?;
    Ok(linting.report)
}

/// Explains a rule, a setting, a key or a term: what `rollgate explain NAME -o json` prints; all names, if `name` is empty.
///
/// # Errors
/// If nothing is called so; the message names what comes near.
#[wasm_bindgen]
pub fn explain(name: &str, options: &str) -> Result<String, JsError> {
    let (options, _) = read(options)?;
    let name = Some(name).filter(|name| !name.trim().is_empty());
    Ok(verbs::explain(name, &options, Format::Json)?.report)
}

/// Says everything that a description is taken to mean: what `rollgate describe -o json` prints.
///
/// `options` is JSON with `files` as for [`plan`], or empty.
///
/// # Errors
/// Everything that is wrong with the files, as text for a person.
#[wasm_bindgen]
pub fn describe(description: &str, options: &str) -> Result<String, JsError> {
    call(CLUSTER, description, options, |files, main, _: &NoOptions| verbs::describe(files, main, Format::Json))
}

/// Describes a running cluster: what `rollgate discover --snapshot snapshot.json -o json` prints.
///
/// `snapshot` is the text of a snapshot; `options` JSON such as `{"settings_from":
/// "worker.properties", "files": {"worker.properties": "…"}}`, or empty.
///
/// # Errors
/// If the snapshot decides nothing, or a file or option is wrong, as text for a person.
#[wasm_bindgen]
pub fn discover(snapshot: &str, options: &str) -> Result<String, JsError> {
    call(SNAPSHOT, snapshot, options, |files, main, options| verbs::discover(files, main, options, Format::Json))
}

/// Says which worker to restart next: what `rollgate next --snapshot snapshot.json -o json` prints.
///
/// `snapshot` is the text of a snapshot; `options` JSON such as `{"done": ["w1"], "cluster":
/// "cluster.yaml", "last_round": "12s", "seed": 7, "files": {"cluster.yaml": "…"}}`, or empty.
///
/// # Errors
/// If the snapshot decides nothing, or a file or option is wrong, as text for a person.
#[wasm_bindgen]
pub fn next(snapshot: &str, options: &str) -> Result<String, JsError> {
    call(SNAPSHOT, snapshot, options, |files, main, options| verbs::next(files, main, options, Format::Json))
}

/// Says how long a restart may take: what `rollgate timeout -o json` prints.
///
/// `restarts` is the text of a table of measured restarts, or empty to take what a cluster's
/// description says. `options` is JSON such as `{"cluster": "cluster.yaml", "kind": "clean",
/// "restarts": 6, "grace": "30s", "retention": "7d", "files": {"cluster.yaml": "…"}}`, or empty.
///
/// # Errors
/// Everything that is wrong with the files or options, as text for a person.
#[wasm_bindgen]
pub fn timeout(restarts: &str, options: &str) -> Result<String, JsError> {
    let measured = !restarts.is_empty();
    call(RESTARTS, restarts, options, |files, main, options| {
        verbs::timeout(files, measured.then_some(main), options, Format::Json)
    })
}

/// Reads a snapshot of a running cluster: what `rollgate observe --snapshot FILE -o json` prints.
///
/// `options` is empty.
///
/// # Errors
/// Everything that is wrong with the snapshot, as text for a person.
#[wasm_bindgen]
pub fn observe(snapshot: &str, options: &str) -> Result<String, JsError> {
    call(SNAPSHOT, snapshot, options, |files, main, _: &NoOptions| verbs::observe(files, main, Format::Json))
}

/// The JSON schema of a cluster file: what `rollgate schema` prints.
#[wasm_bindgen]
pub fn schema() -> String {
    json(&rollgate_core::description::description_schema())
}

/// The JSON schema of a replay file: what `rollgate schema replay` prints.
#[wasm_bindgen]
pub fn replay_schema() -> String {
    json(&rollgate_core::description::replay_schema())
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The options of a verb that has none.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOptions {}

/// Takes the files out of the options, and asks.
fn call<O: DeserializeOwned + Default>(
    main: &str,
    text: &str,
    options: &str,
    ask: impl FnOnce(&Files, &str, &O) -> Result<Answer, Refusal>,
) -> Result<String, JsError> {
    let (options, mut files) = read(options)?;
    files.insert(main, text);
    let answer = ask(&files, main, &options).map_err(|refusal| JsError::new(&refusal.render(&files, false)))?;
    Ok(answer.report)
}

fn read<O: DeserializeOwned + Default>(options: &str) -> Result<(O, Files), JsError> {
    if options.trim().is_empty() {
        return Ok((O::default(), Files::default()));
    }
    let mut options: serde_json::Map<String, serde_json::Value> = serde_json::from_str(options)?;
    let files = options.remove("files").map(serde_json::from_value::<BTreeMap<String, String>>).transpose()?;
    Ok((serde_json::from_value(options.into())?, files.unwrap_or_default().into_iter().collect()))
}

/// What messages call a description.
const CLUSTER: &str = "cluster.yaml";

/// What messages call a replay file.
const REPLAY: &str = "replay.yaml";

/// What messages call a snapshot.
const SNAPSHOT: &str = "snapshot.json";

/// What messages call a table of measured restarts.
const RESTARTS: &str = "restarts.csv";
