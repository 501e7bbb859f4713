//! Simulated rolls held against values that are known: measured on real clusters, or computed
//! elsewhere. The scenarios lie in `tests/scenarios/known`.

use std::fmt::Write as _;
use std::path::Path;

use rollgate_core::assessment::{Impact, assess};
use rollgate_core::model::{Cluster, read};
use rollgate_core::simulation::{Detail, Process, Seed, Timeline, simulate};
use rollgate_core::text::Files;
use rollgate_core::units::SimTime;
use serde::Deserialize;

use crate::creations::seconds_to_create_all;
use crate::{ScheduleWritten, course, files_of, scenarios};

/// What a scenario expects.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Where the known values come from.
    source: String,
    /// What is done: this roll, or without one every connector is created one after the other.
    #[serde(default)]
    schedule: Option<ScheduleWritten>,
    /// Only runs in which leaders were stopped so count: who succeeds a leader is drawn.
    #[serde(default)]
    course: Option<String>,
    runs: u32,
    seed: u64,
    figures: Vec<Known>,
}

/// One figure whose value is known.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    figure: Figure,
    #[serde(rename = "known")]
    value: Value,
    /// How far our median may lie outside of what is known, in the figure's own unit.
    within: f64,
    /// Why there is a difference at all.
    because: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Value {
    One(f64),
    Range(f64, f64),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Figure {
    /// Task-seconds.
    Unassigned,
    /// Seconds of the task that suffers most.
    Longest,
    /// Per cent of the tasks.
    Peak,
    /// Per cent of the tasks, for longer than a hand-over.
    PeakHeld,
    Rounds,
    Starts,
    /// Tasks that stay without owner.
    LeftUnassigned,
    /// Seconds.
    Duration,
    /// Seconds from the start of a process to its first completed round, the median of a run's restarts.
    Restart,
}

/// The outcome of one figure of one scenario.
#[derive(Clone, Debug)]
pub struct Row {
    /// The scenario's folder.
    pub scenario: String,
    /// What is known, as text.
    pub known: String,
    /// Our median.
    pub median: f64,
    /// Our least and most.
    pub range: (f64, f64),
    /// How far our median lies outside of what is known; 0 inside.
    pub difference: f64,
    /// What is allowed.
    pub within: f64,
    figure: Figure,
    runs: (usize, u32),
}

/// What a run came to.
enum Outcome {
    Rolled(Box<(Impact, Timeline)>),
    /// Seconds until every connector ran.
    Created(f64),
}

impl Outcome {
    fn figure(&self, figure: Figure) -> f64 {
        match (self, figure) {
            (Self::Rolled(run), figure) => figure.of(&run.0, &run.1),
            (Self::Created(seconds), Figure::Duration) => *seconds,
            (Self::Created(_), other) => panic!("creations have a duration and no {other:?}"),
        }
    }
}

impl Value {
    fn limits(self) -> (f64, f64) {
        match self {
            Self::One(value) => (value, value),
            Self::Range(low, high) => (low, high),
        }
    }
}

impl Figure {
    fn of(self, impact: &Impact, timeline: &Timeline) -> f64 {
        match self {
            Self::Unassigned => impact.unassigned.0,
            Self::Longest => impact.longest.as_secs_f64(),
            Self::Peak => impact.peak.0 * 100.0,
            Self::PeakHeld => impact.peak_held.0 * 100.0,
            Self::Rounds => f64::from(impact.rounds),
            Self::Starts => f64::from(impact.starts),
            Self::LeftUnassigned => f64::from(impact.left_unassigned),
            Self::Duration => impact.duration.map_or(f64::INFINITY, rollgate_core::units::Duration::as_secs_f64),
            Self::Restart => restart(timeline),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Unassigned => "task-seconds",
            Self::Longest => "longest, s",
            Self::Peak => "peak, %",
            Self::PeakHeld => "held, %",
            Self::Rounds => "rounds",
            Self::Starts => "task starts",
            Self::LeftUnassigned => "left over",
            Self::Duration => "duration, s",
            Self::Restart => "restart, s",
        }
    }
}

impl Row {
    /// Whether the difference is within what is allowed.
    pub fn holds(&self) -> bool {
        self.difference.abs() <= self.within
    }
}

/// Simulates all scenarios; the rows in the order of the folders.
///
/// # Panics
/// If a scenario cannot be read, or does not come to the course it speaks of often enough.
pub fn rows() -> Vec<Row> {
    scenarios("known").iter().flat_map(|folder| rows_of(folder)).collect()
}

fn rows_of(folder: &Path) -> Vec<Row> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files = files_of(folder);
    let text = files.get("expected.yaml").unwrap_or_else(|| panic!("{name}: no expected.yaml"));
    let expected: Expected = serde_yaml::from_str(text).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    assert!(!expected.source.is_empty() && !expected.figures.is_empty(), "{name}: nothing is known");
    assert!(expected.figures.iter().all(|known| !known.because.is_empty()), "{name}: a difference without a reason");
    let cluster = cluster(&name, &files);
    let outcomes = outcomes(&name, &cluster, &expected);
    let row = |known: &Known| {
        let mut values: Vec<f64> = outcomes.iter().map(|outcome| outcome.figure(known.figure)).collect();
        values.sort_by(f64::total_cmp);
        let (least, most) = (values[0], values[values.len() - 1]);
        let median = values[(values.len() * 50).div_ceil(100) - 1];
        let (low, high) = known.value.limits();
        let difference = if median < low { median - low } else { (median - high).max(0.0) };
        Row {
            scenario: name.clone(),
            known: if high > low { format!("{}–{}", number(low), number(high)) } else { number(low) },
            median,
            range: (least, most),
            difference,
            within: known.within,
            figure: known.figure,
            runs: (outcomes.len(), expected.runs),
        }
    };
    expected.figures.iter().map(row).collect()
}

fn cluster(name: &str, files: &Files) -> Cluster {
    match read(files, "cluster.yaml") {
        Ok((cluster, _)) => cluster,
        Err(errors) => panic!("{name}: {}", errors[0]),
    }
}

/// The runs of `plan::price`, as far as they come to the course that is spoken of.
fn outcomes(name: &str, cluster: &Cluster, expected: &Expected) -> Vec<Outcome> {
    let seed = |number| Seed(expected.seed).of_run(number);
    let Some(schedule) = &expected.schedule else {
        return (0..expected.runs).map(|run| Outcome::Created(seconds_to_create_all(cluster, seed(run)))).collect();
    };
    let schedule = schedule.of(cluster);
    let run = |number| {
        let timeline = simulate(cluster, &schedule, seed(number), Detail::Figures);
        (assess(cluster, &timeline), timeline)
    };
    let fits = |(_, timeline): &(Impact, Timeline)| match &expected.course {
        Some(wanted) => course(timeline) == *wanted,
        None => true,
    };
    let kept: Vec<_> = (0..expected.runs).map(run).filter(fits).map(|run| Outcome::Rolled(Box::new(run))).collect();
    assert!(kept.len() >= FEWEST, "{name}: only {} of {} runs come to this course", kept.len(), expected.runs);
    kept
}

/// The median time from the start of a process to its first completed round.
fn restart(timeline: &Timeline) -> f64 {
    let mut began: Vec<(rollgate_core::model::WorkerId, SimTime)> = Vec::new();
    let mut spans = Vec::new();
    for change in &timeline.processes {
        match change.process {
            Process::Starting => began.push((change.worker, change.at)),
            Process::Member => {
                if let Some(place) = began.iter().position(|(worker, _)| *worker == change.worker) {
                    spans.push((change.at - began.swap_remove(place).1).as_secs_f64());
                }
            }
            _ => {}
        }
    }
    spans.sort_by(f64::total_cmp);
    spans.get(spans.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The rows as a table for people.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let width = rows.iter().map(|row| row.scenario.len()).max().unwrap_or(0);
    let _ = writeln!(
        text,
        "{:width$}  {:12}  {:>13}  {:>8}  {:>17}  {:>10}  {:>7}  {:>8}",
        "scenario", "figure", "known", "ours", "from–to", "difference", "allowed", "runs"
    );
    let mut before = "";
    for row in rows {
        let scenario = if row.scenario == before { "" } else { &row.scenario };
        before = &row.scenario;
        let range = format!("{}–{}", number(row.range.0), number(row.range.1));
        let runs = if row.runs.0 as u64 == u64::from(row.runs.1) {
            row.runs.1.to_string()
        } else {
            format!("{}/{}", row.runs.0, row.runs.1)
        };
        let off = if row.difference == 0.0 { "–".to_owned() } else { format!("{:+.1}", row.difference) };
        let _ = writeln!(
            text,
            "{scenario:width$}  {:12}  {:>13}  {:>8}  {range:>17}  {off:>10}  {:>7}  {runs:>8}{}",
            row.figure.words(),
            row.known,
            number(row.median),
            number(row.within),
            if row.holds() { "" } else { "  outside" }
        );
    }
    text
}

/// With one digit after the point, unless it is whole.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Fewer runs of a course than these say nothing.
const FEWEST: usize = 20;
