//! Variants side by side, in words: what text and Markdown share.

use super::page::{Page, Tone};
use super::table::{Side, Table};
use super::width::width;
use super::{roll, words};
use crate::assessment::{Figure, Quantiles};
use crate::compare::{AS_DESCRIBED, Comparison, Difference, Mechanism, Shown, Variant};
use crate::plan::Breach;
use crate::units::{Records, Share};

/// The answer: what is best, and instead of what.
pub(super) fn summary(comparison: &Comparison, page: &Page) -> String {
    let variants = words::count(comparison.variants.len(), "variant");
    let Some(best) = comparison.best() else {
        return page.sentences(Tone::Red, &format!("None of {variants} has a roll that respects its policy."));
    };
    let base = comparison.base().filter(|base| base.name != best.name);
    let mut text = page.sentences(Tone::Bold, &answer(comparison, best, base));
    if let Some(share) = shares(best, base.filter(|base| base.answer.candidate.is_some())) {
        text.push_str(&page.sentences(Tone::Plain, &share));
    }
    if let Some(candidate) = &best.answer.candidate {
        let roll = roll::words(&best.input.cluster, &candidate.schedule);
        text.push_str(&page.sentences(Tone::Plain, &format!("Its roll: {roll}.")));
    }
    text
}

fn answer(comparison: &Comparison, best: &Variant, base: Option<&Variant>) -> String {
    let sum = sum(best);
    let runs = format!(" in the median of {}", drawn(comparison));
    let Some(base) = base else {
        let rest = comparison.variants.len() - 1;
        let others = if rest == 1 { "the other variant".to_owned() } else { format!("any of {rest} others") };
        return match comparison.title(best).as_str() {
            AS_DESCRIBED => {
                format!("As described it is best: {sum} task-seconds{runs}; no less beyond the noise with {others}.")
            }
            title => format!("{title} is best: {sum} task-seconds{runs}; no less beyond the noise with {others}."),
        };
    };
    let instead = if base.answer.feasible() {
        let difference = comparison.differences.first().filter(|first| first.axis.is_none());
        let none = if difference.is_some_and(|of| !of.unassigned) { ": no difference beyond the noise" } else { "" };
        format!("instead of {} {}{none}", self::sum(base), measured_by(comparison, base))
    } else {
        format!("{}, nothing respects the policy", measured_by(comparison, base))
    };
    format!("Best: {}: {sum} task-seconds{runs}, {instead}.", comparison.title(best))
}

/// `100 runs`.
fn drawn(comparison: &Comparison) -> String {
    words::count(usize::try_from(comparison.runs).unwrap_or(usize::MAX), "run")
}

/// The base in a sentence: `as described`.
fn measured_by(comparison: &Comparison, base: &Variant) -> String {
    if base.as_described { "as described".to_owned() } else { format!("with {}", comparison.title(base)) }
}

/// How much at once, which another roll may win while this one wins the sum.
fn shares(best: &Variant, base: Option<&Variant>) -> Option<String> {
    let of = |variant: &Variant, shown: Shown| shown.of(&variant.answer).map(|value| say(shown, value));
    let with = |shown: Shown| {
        let (own, other) = (of(best, shown)?, base.and_then(|base| of(base, shown)));
        Some(match other {
            Some(other) if other != own => format!("{own} (instead of {other})"),
            _ => own,
        })
    };
    Some(format!(
        "At most {} of the tasks are unassigned at once, {} for longer than a hand-over; the longest for {}.",
        with(Shown::Peak)?,
        with(Shown::Held)?,
        with(Shown::Longest)?
    ))
}

/// The median, and the p95 where it says something else.
fn sum(variant: &Variant) -> String {
    let of: Option<Quantiles> =
        variant.answer.candidate.as_ref().map(|candidate| candidate.distribution.of(Figure::Unassigned));
    let Some(of) = of else { return "–".to_owned() };
    let (median, p95) = (words::task_seconds(of.median), words::task_seconds(of.p95));
    if median == p95 { median } else { format!("{median} (p95 {p95})") }
}

/// The same with what is to be remarked.
pub(super) fn remarked(comparison: &Comparison, variant: &Variant) -> String {
    let title = comparison.title(variant);
    if variant.as_described && !title.ends_with(AS_DESCRIBED) { format!("{title} (as described)") } else { title }
}

/// The figures that the variants do not all have as nothing.
fn shown(comparison: &Comparison) -> Vec<Shown> {
    let counts = |shown: &Shown| {
        *shown != Shown::Failed
            || comparison.variants.iter().any(|variant| shown.of(&variant.answer).is_some_and(|value| value > 0.0))
    };
    Shown::ALL.into_iter().filter(counts).collect()
}

/// One column for each variant.
pub(super) fn columns(comparison: &Comparison) -> Table {
    let mut heads = vec![("", Side::Left)];
    heads.extend(comparison.variants.iter().map(|variant| (variant.name.as_str(), Side::Right)));
    let mut table = Table::new(&heads);
    for (axis, of) in comparison.axes.iter().enumerate() {
        let value = |variant: &Variant| match &variant.input.choices {
            Some(choices) => of.values[choices[axis]].clone() + " ",
            None => "as is ".to_owned(),
        };
        let cells = comparison.variants.iter().map(value);
        table.row(Tone::Plain, std::iter::once(of.key.clone()).chain(cells).collect());
    }
    if comparison.variants.iter().any(|variant| !variant.answer.feasible()) {
        let cell = |variant: &Variant| if variant.answer.feasible() { "yes " } else { "no " }.to_owned();
        let cells = comparison.variants.iter().map(cell);
        table.row(Tone::Plain, std::iter::once("respects the policy".to_owned()).chain(cells).collect());
    }
    for shown in shown(comparison) {
        let cells = comparison.variants.iter().map(|variant| cell(comparison, variant, shown));
        table.row(Tone::Plain, std::iter::once(label(shown).to_owned()).chain(cells).collect());
    }
    table
}

/// Whether the columns fit on a page.
pub(super) fn fits(comparison: &Comparison, page: &Page) -> bool {
    let labels = shown(comparison).into_iter().map(|shown| width(label(shown)));
    let keys = comparison.axes.iter().map(|axis| width(&axis.key));
    let first = labels.chain(keys).max().unwrap_or(0) + GAP;
    let of = |variant: &Variant| {
        let figures = shown(comparison).into_iter().map(|shown| width(&cell(comparison, variant, shown)));
        let values = comparison.set(variant).map(|(_, value)| width(value) + 1);
        figures.chain(values).max().unwrap_or(0).max("as is ".len()) + GAP
    };
    first + comparison.variants.iter().map(of).sum::<usize>() <= page.columns
}

/// One row for each variant.
pub(super) fn rows(comparison: &Comparison, with_titles: bool) -> Table {
    let mut heads = vec![("", Side::Left)];
    heads.extend(IN_ROWS.iter().map(|(_, head)| (*head, Side::Right)));
    if with_titles {
        heads.push(("set", Side::Left));
    }
    let mut table = Table::new(&heads);
    for variant in &comparison.variants {
        let mut cells = vec![variant.name.clone()];
        cells.extend(IN_ROWS.iter().map(|(shown, _)| cell(comparison, variant, *shown)));
        if with_titles {
            cells.push(remarked(comparison, variant));
        }
        table.row(if variant.answer.feasible() { Tone::Plain } else { Tone::Dim }, cells);
    }
    table
}

/// What each letter stands for, and its roll; the limits it breaks.
pub(super) fn legend(comparison: &Comparison, page: &Page) -> String {
    let mut text = String::new();
    let mut rolls: Vec<(String, &str)> = Vec::new();
    for variant in &comparison.variants {
        let best = comparison.best().is_some_and(|best| best.name == variant.name);
        let tone = if best { Tone::Bold } else { Tone::Plain };
        let mark = format!("  {:2} ", variant.name);
        let mut line = remarked(comparison, variant);
        if let Some(candidate) = &variant.answer.candidate {
            let roll = roll::words(&variant.input.cluster, &candidate.schedule);
            if let Some((_, first)) = rolls.iter().find(|(known, _)| *known == roll) {
                line = format!("{line}: the roll of {first}");
            } else {
                line = format!("{line}: {roll}");
                rolls.push((roll, &variant.name));
            }
        }
        text.push_str(&page.item(tone, &mark, &line));
        if !variant.answer.feasible() {
            text.push_str(&page.item(Tone::Red, "     ", &refusal(variant)));
        }
    }
    text
}

/// Why a variant has no roll: which limits bind, and the best in reach.
pub(super) fn refusal(variant: &Variant) -> String {
    let binding = |breach: &Breach| {
        if variant.input.roll.is_some() {
            return breach.to_string();
        }
        let (allowed, reached) = (breach.limit.words(breach.allowed), breach.limit.words(breach.reached));
        format!("{}: {allowed} allowed, {reached} is the best within reach (p95)", breach.limit.key())
    };
    let limits: Vec<String> = variant.answer.binding.iter().map(binding).collect();
    let limits = limits.join("; ");
    if variant.input.roll.is_some() {
        return format!("breaks the policy: {limits}.");
    }
    format!("nothing respects the policy: {limits}; shown is what comes nearest.")
}

/// The differences, one in each text. A mechanism is told where it first counts.
pub(super) fn differences(comparison: &Comparison) -> Vec<String> {
    let mut told: Vec<&Mechanism> = Vec::new();
    let mut texts = Vec::new();
    for of in &comparison.differences {
        let new: Vec<&Mechanism> =
            of.because.iter().filter(|mechanism| told.iter().all(|known| !known.is_like(mechanism))).collect();
        texts.push(difference(comparison, of, &new));
        told.extend(new);
    }
    texts
}

/// One difference in sentences.
pub(super) fn difference(comparison: &Comparison, of: &Difference, because: &[&Mechanism]) -> String {
    let (Some(from), Some(to)) = (comparison.variants.get(of.from), comparison.variants.get(of.to)) else {
        return String::new();
    };
    let what = figures(of, from, to);
    let mut sentences = vec![format!("{} → {} ({}): {what}.", from.name, to.name, changes(comparison, of, from, to))];
    if of.another_roll
        && to.answer.feasible()
        && let Some(candidate) = &to.answer.candidate
    {
        let roll = roll::words(&to.input.cluster, &candidate.schedule);
        sentences.push(format!("The best roll becomes: {roll}."));
    }
    sentences.extend(because.iter().map(|mechanism| mechanism.words(&from.name, &to.name)));
    sentences.join(" ")
}

/// `policy.wait back → settled`.
fn changes(comparison: &Comparison, of: &Difference, from: &Variant, to: &Variant) -> String {
    if let Some(axis) = of.axis.and_then(|axis| comparison.axes.get(axis).map(|key| (axis, key))) {
        let value = |variant: &Variant| {
            let choice = variant.input.choices.as_ref().map(|choices| choices[axis.0]);
            choice.map_or("as is", |choice| axis.1.values[choice].as_str()).to_owned()
        };
        return format!("{} {} → {}", axis.1.key, value(from), value(to));
    }
    let instead = if from.as_described {
        "instead of as described".to_owned()
    } else {
        format!("instead of {}", comparison.title(from))
    };
    format!("{} {instead}", comparison.title(to))
}

/// The figures that differ, or that none does.
fn figures(of: &Difference, from: &Variant, to: &Variant) -> String {
    match (from.answer.feasible(), to.answer.feasible()) {
        (true, true) => {}
        (true, false) => return format!("{} respects the policy, {} does not", from.name, to.name),
        (false, true) => return format!("{} respects the policy, {} does not", to.name, from.name),
        (false, false) => return "neither respects the policy".to_owned(),
    }
    let mut told = Vec::new();
    if of.unassigned {
        let median = of.figures.iter().find(|figure| figure.shown == Shown::Median);
        let mean = of.figures.iter().find(|figure| figure.shown == Shown::Mean);
        told.extend(median.or(mean).map(|figure| {
            let average = if figure.shown == Shown::Mean { " on average" } else { "" };
            format!("{} → {} task-seconds{average}", say(figure.shown, figure.from), say(figure.shown, figure.to))
        }));
    } else {
        let value = |variant: &Variant| {
            Shown::Mean.of(&variant.answer).map_or_else(|| "–".to_owned(), |value| say(Shown::Mean, value))
        };
        told.push(format!("no difference beyond the noise in task-seconds ({} and {})", value(from), value(to)));
    }
    let others = of
        .figures
        .iter()
        .filter(|figure| !matches!(figure.shown, Shown::Mean | Shown::Median | Shown::P95 | Shown::Starts));
    told.extend(others.map(|figure| {
        let (from, to) = (say(figure.shown, figure.from), say(figure.shown, figure.to));
        match figure.shown {
            Shown::Rounds => format!("{from} → {to} rebalances"),
            Shown::Moves => format!("{from} → {to} moves"),
            Shown::Failed => format!("{from} → {to} tasks FAILED"),
            shown => format!("{} {from} → {to}", label(shown)),
        }
    }));
    told.join(", ")
}

/// What was drawn, what marks and words mean.
pub(super) fn how_we_know(comparison: &Comparison, page: &Page) -> String {
    let fixed = comparison.variants.iter().any(|variant| variant.input.roll.is_some());
    let asked = if fixed { "of the same roll" } else { "of each variant's best roll" };
    let mut text = String::new();
    for note in &comparison.notes {
        text.push_str(&page.sentences(Tone::Dim, &format!("Note: {note}")));
    }
    let plan = if fixed {
        ""
    } else {
        " Unless --runs says otherwise rollgate plan draws more runs, so that its figures of the same roll can differ \
         a little."
    };
    let drawn = format!(
        "Drawn: {} {asked}, with the same seeds for all. Sorted by the mean of the task-seconds, of those within 2 % of \
         the least the shorter roll first. Unless said, task-seconds, times, rounds and moves are those of the median \
         run; longest, held and peak are p95. Held: the largest share unassigned for longer than a hand-over; peak: \
         at one instant. * marks the best of a figure, and what differs from it by less than 2 % or two standard \
         errors: such a difference is none.{plan} What is assumed, rollgate plan lists. Seed {}.",
        drawn(comparison),
        comparison.seed.0
    );
    text.push_str(&page.sentences(Tone::Dim, &drawn));
    text
}

fn cell(comparison: &Comparison, variant: &Variant, shown: Shown) -> String {
    let value = shown.of(&variant.answer).map_or_else(|| "–".to_owned(), |value| say(shown, value));
    // Numbers stay under one another, marked or not.
    value + if comparison.is_best_in(variant, shown) { "*" } else { " " }
}

/// A value with its unit.
pub(super) fn say(shown: Shown, value: f64) -> String {
    match shown {
        Shown::Mean | Shown::Median | Shown::P95 => words::task_seconds(value),
        Shown::Longest | Shown::Takes => words::seconds(value),
        Shown::Held | Shown::Peak => Share(value).to_string(),
        Shown::Rounds | Shown::Moves | Shown::Starts | Shown::Failed => Records(value).to_string(),
    }
}

fn label(shown: Shown) -> &'static str {
    match shown {
        Shown::Mean => "task-seconds, mean",
        Shown::Median => "task-seconds, median",
        Shown::P95 => "task-seconds, p95",
        Shown::Longest => "longest",
        Shown::Held => "held",
        Shown::Peak => "peak",
        Shown::Takes => "takes",
        Shown::Rounds => "rounds",
        Shown::Moves => "moves",
        Shown::Starts => "starts",
        Shown::Failed => "FAILED",
    }
}

/// The figures of a row, which has less room.
const IN_ROWS: [(Shown, &str); 8] = [
    (Shown::Mean, "mean"),
    (Shown::P95, "p95"),
    (Shown::Longest, "longest"),
    (Shown::Held, "held"),
    (Shown::Peak, "peak"),
    (Shown::Takes, "takes"),
    (Shown::Rounds, "rounds"),
    (Shown::Moves, "moves"),
];

/// Spaces before each column of a table.
const GAP: usize = 2;
