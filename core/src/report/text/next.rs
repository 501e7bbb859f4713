//! The next step of a roll.

use crate::model::Cluster;
use crate::plan::Turned;
use crate::report::next::{NextAsked, answer, instead, moment, price, state, why};
use crate::report::page::{Page, Tone};

/// Which worker, at what price, why, and when.
pub fn next(asked: &NextAsked<'_>, page: &Page) -> String {
    let mut text = page.sentences(Tone::Bold, &answer(asked));
    let reason = why(asked);
    if !reason.is_empty() {
        text.push_str(&page.sentences(Tone::Plain, &reason));
    }
    if let Turned::Restart(step, at) = &asked.next.turn {
        for sentence in price(asked, step) {
            text.push_str(&page.sentences(Tone::Plain, &sentence));
        }
        if !step.when_settled {
            text.push_str(&page.sentences(Tone::Plain, &moment(asked, at)));
        }
        if let Some(instead) = instead(asked) {
            text.push_str(&page.sentences(Tone::Plain, &instead));
        }
    }
    text.push('\n');
    text.push_str(&page.sentences(Tone::Dim, &state(asked)));
    let drawn = match &asked.next.turn {
        Turned::Restart(step, _) => format!("Drawn: {} runs; seed {}.", step.distribution.runs, asked.next.seed.0),
        _ => format!("Seed {}.", asked.next.seed.0),
    };
    text.push_str(&page.sentences(Tone::Dim, &format!("{}{drawn}", assumed(asked.cluster))));
    text
}

/// What a step depends on most and nobody said; how much more there is.
fn assumed(cluster: &Cluster) -> String {
    let counts = |key: &str| key.starts_with("restart.") || DECIDE.contains(&key);
    let (named, others): (Vec<_>, Vec<_>) = cluster.assumed.iter().partition(|of| counts(&of.key));
    let said: Vec<String> = named
        .iter()
        .map(|of| format!("{} {}", of.key.strip_prefix("settings.").unwrap_or(&of.key), of.value))
        .collect();
    let more = if others.is_empty() { String::new() } else { format!("{} more (-o json has all)", others.len()) };
    let all: Vec<String> = said.into_iter().chain(Some(more).filter(|more| !more.is_empty())).collect();
    if all.is_empty() { String::new() } else { format!("Assumed: {}. ", all.join(", ")) }
}

/// The settings on which the next step depends most.
const DECIDE: [&str; 2] = ["settings.scheduled.rebalance.max.delay.ms", "settings.heartbeat.interval.ms"];
