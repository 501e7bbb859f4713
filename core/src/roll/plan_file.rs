//! A plan, read back from the file that `rollgate plan -o json` wrote.

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::model::{Cluster, Policy, Wait, WorkerId, read};
use crate::seal::seal_holds;
use crate::text::Files;
use crate::units::Duration;

/// A plan to work from: its steps, and the cluster and policy it was made for.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFile {
    /// The digest of the document: tells one plan from another.
    pub hash: String,
    /// Whether each worker goes once and alone, in an order that stands (`serial`), or by steps.
    pub serial: bool,
    /// The rule, as the options of `rollgate simulate`.
    pub roll: Rule,
    /// The steps of the expected course.
    pub steps: Vec<Step>,
    /// The cluster it was made for.
    pub cluster: Cluster,
    /// What it respects.
    pub policy: Policy,
}

/// The rule of a roll, as the options of `rollgate simulate` have it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Rule {
    /// `leader-last`, `succession`, …, or names with commas between.
    pub order: String,
    /// `back`, `settled`, or a time after the return.
    pub wait: String,
    /// How many workers are away at once.
    pub at_once: usize,
    /// When the leader goes once more to end a delay.
    pub leader_again: String,
    /// Whether the next may go while a delay runs.
    pub during_delay: bool,
    /// The same in words.
    pub words: String,
}

/// One step as it was planned.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the plan")]
pub struct Step {
    /// Its place, from 1.
    pub number: usize,
    /// Who is restarted; they stop together.
    pub workers: Vec<WorkerId>,
    /// Whether one of them leads then.
    pub leads: bool,
    /// Whether the leader goes once more only to end a delay.
    pub again: bool,
    /// The share of the runs in which this step restarts these workers.
    pub likely: f64,
    /// Whether everything must run before it.
    pub all_run: bool,
    /// Whether no delay may run before it.
    pub no_delay: bool,
    /// What is waited for after it.
    pub after: Wait,
    /// So long its workers may be away.
    pub back_within: Duration,
    /// So long it may then take until all is settled, where that is waited for.
    pub settled_within: Option<Duration>,
    /// Tasks that wait for a delay when the next step begins.
    pub waiting_tasks: usize,
}

/// Why a file is no plan to work from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanFileError {
    /// It is no JSON, or a key is missing or of another kind.
    #[error("{line}:{column}: {what}")]
    Unreadable {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// It is a document of another command.
    #[error("this is what `rollgate {0}` prints; a gate works from `rollgate plan -o json`")]
    OtherCommand(String),
    /// A version of the format that this program does not know.
    #[error("schema_version is {0}; this rollgate reads 1: use the rollgate that wrote it, or plan again")]
    OtherVersion(u64),
    /// It says that there is no plan.
    #[error("this document says that no roll respects the policy: there is nothing to follow")]
    NoPlan,
    /// It is not what was written.
    #[error("the plan was changed after it was made (its hash does not fit): plan again")]
    Changed,
    /// A worker of a step is none of the cluster.
    #[error("step {step} restarts `{worker}`, which is no worker of the plan's cluster")]
    UnknownWorker {
        /// The step, from 1.
        step: usize,
        /// The name.
        worker: String,
    },
    /// A wait that is none.
    #[error("step {step}: `{wait}` is no wait: `back`, `settled` or a time such as 30000ms")]
    UnknownWait {
        /// The step, from 1.
        step: usize,
        /// What stands there.
        wait: String,
    },
    /// The description within cannot be read.
    #[error("inputs.description cannot be read: {0}")]
    Description(String),
}

impl PlanFile {
    /// Reads the text of a plan.
    ///
    /// # Errors
    /// Everything that keeps it from being followed.
    pub fn read(text: &str) -> Result<Self, Vec<PlanFileError>> {
        let value: Value = serde_json::from_str(text).map_err(|error| vec![unreadable(&error)])?;
        if let Some(error) = not_ours(&value) {
            return Err(vec![error]);
        }
        let document: Document = serde_json::from_str(text).map_err(|error| vec![unreadable(&error)])?;
        if !seal_holds(&value) {
            return Err(vec![PlanFileError::Changed]);
        }
        let mut files = Files::default();
        files.insert(DESCRIPTION, document.inputs.description.to_string());
        let (cluster, policy) = read(&files, DESCRIPTION).map_err(|errors| {
            errors.iter().map(|error| PlanFileError::Description(error.to_string())).collect::<Vec<_>>()
        })?;
        let mut errors = Vec::new();
        let steps = document.steps.iter().filter_map(|step| step.read(&cluster, &mut errors)).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let serial = document.executor == "serial";
        Ok(Self { hash: document.hash, serial, roll: document.roll, steps, cluster, policy })
    }
}

fn unreadable(error: &serde_json::Error) -> PlanFileError {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned();
    PlanFileError::Unreadable { line: error.line(), column: error.column(), what }
}

/// Says so if the document is another one than a plan.
fn not_ours(value: &Value) -> Option<PlanFileError> {
    let version = value.get("schema_version").and_then(Value::as_u64);
    match value.get("command").and_then(Value::as_str) {
        Some("plan") => match version {
            Some(1) if value.get("feasible") == Some(&Value::Bool(false)) => Some(PlanFileError::NoPlan),
            Some(1) | None => None,
            Some(other) => Some(PlanFileError::OtherVersion(other)),
        },
        Some(other) => Some(PlanFileError::OtherCommand(other.to_owned())),
        None => None,
    }
}

impl StepWritten {
    fn read(&self, cluster: &Cluster, errors: &mut Vec<PlanFileError>) -> Option<Step> {
        let before = errors.len();
        let mut workers = Vec::new();
        for name in &self.workers {
            match cluster.workers.iter().position(|worker| worker.name == *name) {
                Some(place) => workers.push(WorkerId(u32::try_from(place).unwrap_or(u32::MAX))),
                None => errors.push(PlanFileError::UnknownWorker { step: self.step, worker: name.clone() }),
            }
        }
        let after = wait(&self.after);
        if after.is_none() {
            errors.push(PlanFileError::UnknownWait { step: self.step, wait: self.after.clone() });
        }
        let after = after.filter(|_| errors.len() == before)?;
        Some(Step {
            number: self.step,
            workers,
            leads: self.leader,
            again: self.again,
            likely: self.likely_share,
            all_run: self.before.all_run,
            no_delay: self.before.no_delay,
            after,
            back_within: Duration::from_millis(self.back_within_ms),
            settled_within: self.settled_within_ms.map(Duration::from_millis),
            waiting_tasks: self.seen.waiting_tasks,
        })
    }
}

/// A wait as the document has it.
fn wait(text: &str) -> Option<Wait> {
    match text {
        "back" => Some(Wait::Back),
        "settled" => Some(Wait::Settled),
        _ => Some(Wait::Fixed(Duration::from_millis(text.strip_suffix("ms")?.parse().ok()?))),
    }
}

#[derive(Deserialize)]
struct Document {
    hash: String,
    executor: String,
    inputs: Inputs,
    roll: Rule,
    steps: Vec<StepWritten>,
}

#[derive(Deserialize)]
struct Inputs {
    description: Value,
}

#[derive(Deserialize)]
struct StepWritten {
    step: usize,
    workers: Vec<String>,
    leader: bool,
    again: bool,
    likely_share: f64,
    before: BeforeWritten,
    after: String,
    back_within_ms: i64,
    settled_within_ms: Option<i64>,
    seen: SeenWritten,
}

#[derive(Deserialize)]
struct BeforeWritten {
    all_run: bool,
    no_delay: bool,
}

#[derive(Deserialize)]
struct SeenWritten {
    waiting_tasks: usize,
}

/// The description within the plan, as a file of its own. JSON is YAML.
const DESCRIPTION: &str = "inputs.description";
