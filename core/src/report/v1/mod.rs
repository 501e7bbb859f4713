//! The JSON that programs depend on.
//!
//! Keys stay, with their meaning and their unit (the suffix says it); new ones may come.
//! What cannot stay so gets a new `schema_version`. `-o yaml` is the same document.

mod advice;
mod common;
mod compare;
mod distribution;
mod explain;
mod gate;
mod impact;
mod inputs;
mod lint;
mod next;
mod ordered;
mod plan;
mod replay;
mod rounds;
mod simulate;
mod step;
mod timeout;

pub use crate::seal::{Sealed, seal_holds, sealed};
pub use advice::{AdviceV1, PolicyV1, UnseenDelayV1};
pub use common::{AssumptionV1, MeasuredV1, ProcessV1};
pub use compare::{CompareV1, DifferenceV1, VariantV1};
pub use distribution::{DistributionV1, QuantilesV1};
pub(super) use explain::first_sentence;
pub use explain::{ExampleV1, ExplainV1, NamedV1, RuleV1, SettingV1, SideV1, TermV1, TopicV1, TopicsV1};
pub use gate::{AnswerOf, GateV1, ReasonV1};
pub use impact::{ConnectorImpactV1, HeadroomV1, ImpactV1, SinkImpactV1};
pub use inputs::{FileV1, InputsV1};
pub use lint::{CountsV1, FindingV1, LintV1, MistakeV1, PlaceV1};
pub use next::{GoesNowV1, MomentV1, NextStepV1, NextV1};
pub use ordered::Ordered;
pub use plan::{BreachV1, CandidateV1, NoPlanV1, PlanV1, RollV1};
pub use replay::ReplayV1;
pub use rounds::RoundV1;
pub use simulate::SimulateV1;
pub use step::{BeforeV1, PlannedStepV1, SeenV1, StepV1};
pub use timeout::{
    DelayV1, EstimateV1, LimitV1, NoEstimateV1, StepLimitsV1, TimeoutKindV1, TimeoutSettingV1, TimeoutV1,
};

/// The version of the shape.
pub const SCHEMA_VERSION: u32 = 1;

/// A sum or share without the noise of its last bits.
fn rounded(value: f64) -> f64 {
    libm::round(value * 1e4) / 1e4
}
