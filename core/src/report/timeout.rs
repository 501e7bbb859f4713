//! The sentences and tables of `timeout` that text and Markdown share.

use std::fmt::Write;

use super::page::{Page, Tone};
use super::table::{Side, Table};
use super::words;
use crate::timeout::{
    Advice, Basis, DelayAdvice, Demand, Estimate, Kind, Limit, NoEstimate, Situation, StepLimits, Verdict, WEAK,
    confidence, said,
};
use crate::units::Duration;

/// The answer, what it rests on, and how sure one can be.
pub(super) fn summary(advice: &Advice, page: &Page) -> String {
    let mut text = page.sentences(Tone::Bold, &headline(advice));
    for sentence in grounds(advice) {
        text.push_str(&page.sentences(Tone::Plain, &sentence));
    }
    text
}

/// The one sentence that was asked for.
fn headline(advice: &Advice) -> String {
    let back = &advice.asked.times.back;
    let restart = restart(advice.asked.kind);
    if !advice.is_known() {
        let why = no_estimate(back).map(ToString::to_string).unwrap_or_default();
        let time = said(back.time);
        return format!(
            "No estimate: {why}. Until then give {restart} {time}, a rule of thumb, and leave the delay as it is."
        );
    }
    let delay = match &advice.delay {
        DelayAdvice::SetTo(delay) => format!("set the delay to {}", said(*delay)),
        DelayAdvice::Leave(delay) if delay.is_zero() => "leave the delay at 0".to_owned(),
        DelayAdvice::Leave(delay) => format!("leave the delay at {}", said(*delay)),
        DelayAdvice::Unused => "under the eager protocol there is no delay to set".to_owned(),
        DelayAdvice::NotKnown => "leave the delay as it is".to_owned(),
        DelayAdvice::None { least, most, limit } if most.is_zero() => {
            format!("no delay suits: it needs {}, and {limit} leaves none", said(*least))
        }
        DelayAdvice::None { least, most, limit } => {
            format!("no delay suits: it needs {}, and {limit} leaves {}", said(*least), said(*most))
        }
    };
    format!("Give {restart} {} before you call it failed; {delay}.", said(back.time))
}

/// What the answer rests on, and how sure it is.
fn grounds(advice: &Advice) -> Vec<String> {
    let mut said_of = Vec::new();
    let asked = &advice.asked;
    match &asked.times.back.basis {
        Basis::Measured(estimate) => {
            said_of.push(bound(estimate));
            said_of.extend(sureness(advice, estimate));
        }
        Basis::Sum(_) => {
            let basis = &asked.times.back.basis;
            said_of.push(format!("That is the sum of its parts, each bounded by itself: {basis}."));
        }
        _ => {}
    }
    if let Some(NoEstimate::TwoKinds(_)) = no_estimate(&asked.times.back) {
        said_of.push("Say in a column `kind` which restart was which: clean, kill, cold or upgrade.".to_owned());
    }
    if let Some(round) = asked.times.round_added {
        said_of.push(format!(
            "{} of it are for the round that takes the worker in: `join` was not measured.",
            said(round)
        ));
    }
    for other in &advice.others {
        if let Some(none) = no_estimate(&other.times.back) {
            said_of.push(format!("No estimate for {}: {none}.", restart(other.kind)));
        }
    }
    said_of
}

/// Which bound was taken, beside the other.
fn bound(estimate: &Estimate) -> String {
    let number = words::count(estimate.seen + estimate.over, "restart");
    let (longest, log_normal) = (said(estimate.longest), said(estimate.log_normal));
    let taken = if estimate.bound == estimate.log_normal {
        format!(
            "19 of 20 stay below {log_normal}, 95 % sure, if the times of the {number} are log-normal; 1.5 times the \
             longest ({longest}) is less."
        )
    } else {
        let times = if estimate.capped { "five times" } else { "1.5 times" };
        let why = if estimate.capped { ", which so few cannot tell" } else { "" };
        format!(
            "That is {times} the longest of {number} ({longest}); 19 of 20 stay below {log_normal}, 95 % sure, if \
             times are log-normal{why}."
        )
    };
    match estimate.order_statistic {
        Some(order) => {
            format!("{taken} Without any assumption on the times, 19 of 20 stay below {}, 95 % sure.", said(order))
        }
        None => taken,
    }
}

/// How sure one can be, in words; and what makes it less so.
fn sureness(advice: &Advice, estimate: &Estimate) -> Vec<String> {
    let mut sure = Vec::new();
    if estimate.over == 0 {
        let mut sentence = format!(
            "With {} seen, {} confident that at most 1 in 20 is slower than the slowest seen",
            words::count(estimate.seen, "restart"),
            whole_percent(confidence(estimate.seen).0)
        );
        if let Some((coming, share)) = advice.coming.and_then(|all| Some((all, advice.asked.none_slower(all)?))) {
            let roll = words::count(coming, "restart");
            let share = whole_percent(share.0);
            sentence = format!("{sentence}, and {share} that none of this roll's {roll} is");
        }
        sure.push(format!("{sentence}."));
    } else {
        let (were, they) = if estimate.over == 1 { ("was", "it counts") } else { ("were", "they count") };
        sure.push(format!("{} {were} given up; {they} as longer than that, not as missing.", estimate.over));
    }
    if estimate.weak {
        sure.push(format!("Fewer than {WEAK} are a weak basis: measure each restart of the roll, and ask again."));
    }
    if let Some(straggler) = estimate.straggler {
        sure.push(format!(
            "The slowest, {}, stands apart from the others: if it was of another kind, say so in a column `kind`.",
            said(straggler)
        ));
    }
    sure
}

/// The kinds and their parts, a line each.
pub(super) fn times(advice: &Advice) -> Table {
    let mut table = Table::new(&[
        ("", Side::Left),
        ("seen", Side::Right),
        ("given up", Side::Right),
        ("median", Side::Right),
        ("longest", Side::Right),
        ("log-normal", Side::Right),
        ("allow", Side::Right),
    ]);
    for of in std::iter::once(&advice.asked).chain(&advice.others) {
        let name = of.kind.map_or_else(|| "restart".to_owned(), |kind| format!("{kind} restart"));
        table.row(Tone::Plain, row(name, &of.times.back));
        for (part, limit) in &of.times.parts {
            table.row(Tone::Plain, row(format!("  {part}"), limit));
        }
    }
    table
}

fn row(name: String, limit: &Limit) -> Vec<String> {
    let none = || "–".to_owned();
    let mut cells = vec![name];
    match &limit.basis {
        Basis::Measured(of) => {
            cells.extend([of.seen.to_string(), of.over.to_string()]);
            cells.extend([of.median, of.longest, of.log_normal].map(said));
        }
        Basis::RuleOfThumb(NoEstimate::TooFew { seen, over } | NoEstimate::TooManyOver { seen, over }) => {
            cells.extend([seen.to_string(), over.to_string(), none(), none(), none()]);
        }
        Basis::RuleOfThumb(NoEstimate::TwoKinds([below, above])) => {
            cells.extend([(below.count + above.count).to_string(), none(), none(), said(above.slowest), none()]);
        }
        Basis::StatedRange(_, most) => cells.extend([none(), none(), none(), said(*most), none()]),
        Basis::StatedTime(time) => cells.extend([none(), none(), none(), said(*time), none()]),
        Basis::Sum(_) => cells.extend([none(), none(), none(), none(), none()]),
    }
    cells.push(said(limit.time));
    cells
}

/// Each setting and limit, with the reasons.
pub(super) fn settings(advice: &Advice) -> Table {
    let heads = [&HEADS[..], &[("why", Side::Left)]].concat();
    let mut table = Table::new(&heads);
    for demand in &advice.settings {
        table.row(tone(demand), [vec![demand.setting.to_owned()], values(demand), vec![demand.why.clone()]].concat());
    }
    table
}

/// Each setting and limit, the reasons below it. Names stand whole: where the page has no room for them beside
/// the values, they have a line of their own.
pub(super) fn settings_explained(advice: &Advice, page: &Page) -> String {
    let mut beside = Table::new(&HEADS);
    let mut below = Table::new(&HEADS);
    for demand in &advice.settings {
        beside.row(tone(demand), [vec![demand.setting.to_owned()], values(demand)].concat());
        below.row(tone(demand), [vec![String::new()], values(demand)].concat());
    }
    let fits = beside.fits(page);
    let table = if fits { beside } else { below }.on(page, usize::MAX, |_| String::new());
    let mut lines = table.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    for (line, demand) in lines.zip(&advice.settings) {
        if !fits {
            _ = writeln!(text, "{}", page.toned(tone(demand), &format!("  {}", demand.setting)));
        }
        _ = writeln!(text, "{line}");
        text.push_str(&page.item(Tone::Dim, "      ", &demand.why));
    }
    text
}

fn values(demand: &Demand) -> Vec<String> {
    vec![now(demand), needs(demand), set_to(demand)]
}

fn tone(demand: &Demand) -> Tone {
    match demand.verdict {
        Verdict::Fits | Verdict::Unknown => Tone::Plain,
        Verdict::TooShort | Verdict::TooLong => Tone::Bold,
        Verdict::Binds => Tone::Red,
    }
}

fn now(demand: &Demand) -> String {
    match demand.now {
        None => "not said".to_owned(),
        Some((least, most)) if least == most => time_or_zero(least),
        Some((least, most)) => format!("{} to {}", time_or_zero(least), time_or_zero(most)),
    }
}

fn needs(demand: &Demand) -> String {
    match (demand.least, demand.most) {
        (None, None) => "–".to_owned(),
        (Some(least), None) => format!("≥ {}", said(least)),
        (None, Some(most)) => format!("≤ {}", time_or_zero(most.max(Duration::ZERO))),
        (Some(least), Some(most)) => format!("≥ {}, ≤ {}", said(least), time_or_zero(most.max(Duration::ZERO))),
    }
}

fn set_to(demand: &Demand) -> String {
    match (demand.set_to, demand.verdict) {
        (Some(time), _) => time_or_zero(time),
        (None, Verdict::Fits) => "as it is".to_owned(),
        (None, Verdict::Binds) => "binds".to_owned(),
        (None, Verdict::TooShort | Verdict::TooLong) => "exceeded".to_owned(),
        (None, Verdict::Unknown) => "–".to_owned(),
    }
}

/// When a step has failed.
pub(super) fn steps(advice: &Advice) -> Table {
    let mut table =
        Table::new(&[("a step has failed if, after its stop,", Side::Left), ("after", Side::Right), ("", Side::Left)]);
    let mut row = |what: String, limit: &Limit| {
        table.row(Tone::Plain, vec![what, said(limit.time), limit.basis.to_string()]);
    };
    row("the worker is not back in the group".to_owned(), &advice.step_now.back);
    let mut tasks = |steps: &StepLimits, delay: &str| {
        row(format!("not all tasks run, {delay}"), &steps.step);
    };
    tasks(&advice.step_now, "the delay as it is");
    if let Some(then) = &advice.step_then {
        let delay = advice.delay.then().unwrap_or_default();
        tasks(then, &format!("the delay {}", time_or_zero(delay)));
    }
    table
}

/// What was taken for granted.
pub(super) fn how_we_know(advice: &Advice, situation: &Situation<'_>, page: &Page) -> String {
    let settings = match situation.cluster {
        Some(_) => "Settings and limits are those of the description.",
        None => "Settings are Kafka's defaults: --cluster FILE takes yours, and the limits of your policy.",
    };
    let others = match advice.others.as_slice() {
        [] => "",
        _ => " Kinds are never mixed: what is advised is for the first.",
    };
    let another = another_delay(advice, situation).unwrap_or_default();
    let text = format!(
        "{settings}{others}{another} Assumed: coming restarts are like the measured ones. Not modelled: restarts that grow \
         slower over time, or on one worker only; how long sources keep what is not yet read{}.",
        if situation.retention.is_some() { ", but for --retention" } else { "" }
    );
    page.sentences(Tone::Dim, &text)
}

/// Why `lint` and `plan` name another delay for the same cluster, where they do.
fn another_delay(advice: &Advice, situation: &Situation<'_>) -> Option<String> {
    let (cluster, _) = situation.cluster?;
    let (DelayAdvice::SetTo(delay) | DelayAdvice::Leave(delay)) = advice.delay else { return None };
    let room = cluster.delay_with_room();
    (!delay.is_zero() && delay != room).then(|| {
        format!(
            " rollgate lint and plan say {} for the delay, from the description alone: half as long again as its \
             restarts take (p95), up to the next ten seconds; {} is the bound from the samples above.",
            said(room),
            said(delay)
        )
    })
}

/// `a restart`, `a clean restart`.
fn restart(kind: Option<Kind>) -> &'static str {
    match kind {
        None => "a restart",
        Some(Kind::Clean) => "a clean restart",
        Some(Kind::Kill) => "a restart after a kill",
        Some(Kind::Cold) => "a cold restart",
        Some(Kind::Upgrade) => "a restart into another version",
    }
}

/// Why there is no estimate, where there is none.
const fn no_estimate(limit: &Limit) -> Option<&NoEstimate> {
    match &limit.basis {
        Basis::RuleOfThumb(none) => Some(none),
        _ => None,
    }
}

/// A share as people say it of confidence: `46 %`, `over 99 %`.
fn whole_percent(share: f64) -> String {
    let percent = libm::floor(share * 100.0 + 1e-9);
    if percent >= 99.0 { "over 99 %".to_owned() } else { format!("{:.0} %", libm::round(share * 100.0)) }
}

/// The columns of settings and limits.
const HEADS: [(&str, Side); 4] =
    [("setting or limit", Side::Left), ("now", Side::Right), ("needs", Side::Right), ("set to", Side::Right)];

fn time_or_zero(time: Duration) -> String {
    if time.is_zero() { "0".to_owned() } else { said(time) }
}
