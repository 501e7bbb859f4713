//! What the gate answered.

use serde::Serialize;
use serde_json::Value;

use super::SCHEMA_VERSION;
use crate::gate::{Decision, Foreseen, Reason, State, Verdict};
use crate::roll::{Ask, Seen};
use crate::units::{Duration, Timestamp};

/// What `rollgate gate before` and `gate after` print with `-o json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateV1 {
    /// 1.
    pub schema_version: u32,
    /// `gate`.
    pub command: &'static str,
    /// The version of rollgate that answered.
    pub rollgate: &'static str,
    /// `before` or `after`.
    pub ask: Ask,
    /// The step of the plan, from 1.
    pub step: usize,
    /// Its workers.
    pub workers: Vec<String>,
    /// `proceed`, `stop`, `not-yet` or `cannot-tell`.
    pub verdict: Verdict,
    /// The exit code that says the same.
    pub exit_code: u8,
    /// The answer as one sentence.
    pub words: String,
    /// Why it does not proceed; nothing if it does.
    pub reasons: Vec<ReasonV1>,
    /// What a person overruled for this step.
    pub accepted: Vec<ReasonV1>,
    /// What is worth knowing and does not decide.
    pub notes: Vec<ReasonV1>,
    /// Where the step is: `settling`, `open`, `away`, `recovering`, `passed` or `halted`.
    pub state: State,
    /// When the answer was given.
    pub at: Timestamp,
    /// From the question to the answer.
    pub waited_ms: i64,
    /// For how long everything has been met.
    pub calm_ms: i64,
    /// For how long it has to be.
    pub window_ms: i64,
    /// What stopping the workers was computed to do.
    pub foreseen: Option<Foreseen>,
    /// What changed during the wait.
    pub timeline: Vec<Seen>,
}

/// One reason, with what was seen and what is allowed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReasonV1 {
    /// Its kind, as `--accept` takes it.
    pub kind: &'static str,
    /// The sentence.
    pub words: String,
    /// What was seen and what is allowed, by the kind's own keys.
    pub data: Value,
}

/// What an answer is about.
pub struct AnswerOf<'a> {
    /// Before or after.
    pub ask: Ask,
    /// The step of the plan, from 1.
    pub step: usize,
    /// Its workers.
    pub workers: &'a [String],
    /// From the question to the answer.
    pub waited: Duration,
    /// What changed during the wait.
    pub timeline: Vec<Seen>,
    /// What stopping the workers was computed to do.
    pub foreseen: Option<Foreseen>,
}

impl GateV1 {
    /// The document of an answer.
    pub fn new(of: AnswerOf<'_>, words: String, decision: &Decision) -> Self {
        let all = |reasons: &[Reason]| reasons.iter().map(ReasonV1::new).collect();
        Self {
            schema_version: SCHEMA_VERSION,
            command: "gate",
            rollgate: env!("CARGO_PKG_VERSION"),
            ask: of.ask,
            step: of.step,
            workers: of.workers.to_vec(),
            verdict: decision.verdict,
            exit_code: decision.verdict.exit_code(),
            words,
            reasons: all(&decision.reasons),
            accepted: all(&decision.accepted),
            notes: all(&decision.notes),
            state: decision.state,
            at: decision.at,
            waited_ms: of.waited.as_millis(),
            calm_ms: decision.calm.as_millis(),
            window_ms: decision.window.as_millis(),
            foreseen: of.foreseen,
            timeline: of.timeline,
        }
    }
}

impl ReasonV1 {
    /// The document of a reason.
    pub fn new(reason: &Reason) -> Self {
        let mut data = serde_json::to_value(reason).unwrap_or_default();
        if let Some(entries) = data.as_object_mut() {
            entries.remove("kind");
        }
        Self { kind: reason.kind(), words: reason.to_string(), data }
    }
}
