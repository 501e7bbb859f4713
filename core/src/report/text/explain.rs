//! Explanations for a terminal.

use std::fmt::Write;

use super::super::page::{Page, Tone};
use super::super::table::{Side, Table};
use super::super::tables;
use super::super::v1::first_sentence;
use super::super::{Explained, Shown};
use crate::description::KeyDoc;
use crate::explain::{
    ELSEWHERE, KEY_SOURCE, KNOWN_SOURCE, SETTINGS, SettingDoc, TERMS, Topic, about, keys_of, rules_of, terms_of,
};
use crate::lint::{RULES, Rule};

/// A rule, a setting, a key or a term.
pub fn explain(explained: &Explained, page: &Page) -> String {
    match &explained.topic {
        Topic::Rule(rule) => of_rule(rule, explained, page),
        Topic::Setting(SettingDoc { name, of, meaning, default, since, source }) => {
            setting(page, (name, of.words()), meaning, Some(default), since, source)
        }
        Topic::Known(known) => {
            let (of, since) = about(known);
            setting(page, (known.name, of), ELSEWHERE, None, &since, KNOWN_SOURCE)
        }
        Topic::Key(name, places) => of_key(name, places, page),
        Topic::Term(term) => {
            let mut text = page.sentences(Tone::Bold, term.name);
            text.push('\n');
            text.push_str(&page.sentences(Tone::Plain, term.meaning));
            text.push('\n');
            if !term.also.is_empty() {
                text.push_str(&page.item(Tone::Plain, "Also    ", &term.also.join(", ")));
            }
            let keys = keys_of(term);
            if !keys.is_empty() {
                text.push_str(&page.item(Tone::Plain, "Keys    ", &keys.join(", ")));
            }
            text.push_str(&page.item(Tone::Plain, "See     ", &term.see.join(", ")));
            text.push_str(&page.item(Tone::Dim, "Source  ", term.source));
            text
        }
    }
}

fn setting(
    page: &Page,
    (name, of): (&str, &str),
    meaning: &str,
    default: Option<&str>,
    since: &str,
    source: &str,
) -> String {
    let mut text = page.sentences(Tone::Bold, &format!("{name}, {of}"));
    text.push('\n');
    text.push_str(&page.sentences(Tone::Plain, meaning));
    text.push('\n');
    if let Some(default) = default {
        text.push_str(&page.item(Tone::Plain, "Default  ", default));
    }
    text.push_str(&page.item(Tone::Plain, "Since    ", since));
    let rules: Vec<&str> = rules_of(name).map(|rule| rule.id).collect();
    let rules = if rules.is_empty() { "none".to_owned() } else { rules.join(", ") };
    text.push_str(&page.item(Tone::Plain, "Rules    ", &rules));
    text.push_str(&page.item(Tone::Dim, "Source   ", source));
    text
}

/// A key of a description, place by place where it means different things.
fn of_key(name: &str, places: &[KeyDoc], page: &Page) -> String {
    let mut text = page.sentences(Tone::Bold, &format!("{name}, a key of descriptions"));
    for KeyDoc { paths, meaning, values, required } in places {
        _ = write!(text, "\n{}", page.sentences(Tone::Plain, meaning));
        text.push('\n');
        text.push_str(&page.item(Tone::Plain, "Key     ", &paths.join(", ")));
        let must = if *required { "; it must be there" } else { "" };
        text.push_str(&page.item(Tone::Plain, "Value   ", &format!("{values}{must}")));
    }
    let terms = terms_of(name, places);
    if !terms.is_empty() {
        text.push_str(&page.item(Tone::Plain, "See     ", &terms.join(", ")));
    }
    text.push_str(&page.item(Tone::Dim, "Source  ", KEY_SOURCE));
    text
}

fn of_rule(rule: &Rule, explained: &Explained, page: &Page) -> String {
    let mut text = page.sentences(Tone::Bold, &format!("{}: {}", rule.id, rule.title));
    let level = format!("usually {}, {} confidence", article(rule.severity.word()), rule.confidence);
    text.push_str(&page.sentences(Tone::Dim, &level));
    let mut part = |head: &str, body: &str| {
        _ = write!(text, "\n{}\n{}", page.toned(Tone::Bold, head), page.sentences(Tone::Plain, body));
    };
    part("What it finds", rule.finds);
    part("Why it hurts", rule.hurts);
    if let Some(example) = &explained.example {
        let table = tables::example(example).on(page, example.len(), |_| String::new());
        let how = format!("  medians of {} simulated rolls, seed {}", explained.runs, explained.seed.0);
        _ = write!(
            text,
            "\n{}\n{}{table}{}\n",
            page.toned(Tone::Bold, "Example"),
            common(example, page),
            page.toned(Tone::Dim, &how)
        );
    }
    let mut part = |head: &str, body: &str| {
        _ = write!(text, "\n{}\n{}", page.toned(Tone::Bold, head), page.sentences(Tone::Plain, body));
    };
    part("What to do", rule.todo);
    part("When it can be wrong", rule.wrong);
    _ = write!(text, "\n{}\n", page.toned(Tone::Bold, "Sources"));
    for source in rule.sources {
        text.push_str(&page.item(Tone::Dim, "- ", source));
    }
    text
}

/// An example as it is simulated: once what both rolls share, then what only one has.
fn common([bad, better]: &[Shown; 2], page: &Page) -> String {
    let lines = |shown: &Shown| -> Vec<String> {
        let side = shown.side;
        let call = format!("rollgate simulate --order {} --wait {}", side.order, side.wait);
        side.description.lines().map(str::to_owned).chain([call]).collect()
    };
    let (one, other) = (lines(bad), lines(better));
    let shared = one.iter().filter(|line| other.contains(line)).map(|line| ("", line));
    let first = one.iter().filter(|line| !other.contains(line)).map(|line| ("first: ", line));
    let second = other.iter().filter(|line| !one.contains(line)).map(|line| ("second: ", line));
    let mut text = String::new();
    for (mark, line) in shared.chain(first).chain(second) {
        text.push_str(&page.toned(Tone::Dim, &format!("  {mark}{line}")));
        text.push('\n');
    }
    text.push('\n');
    text
}

fn article(word: &str) -> String {
    if word.starts_with('e') { format!("an {word}") } else { format!("a {word}") }
}

/// All that can be asked for.
pub fn topics(page: &Page) -> String {
    let mut text = page.sentences(Tone::Bold, "rollgate explain NAME tells more of each of these.");
    let mut table = |head: &str, rows: Vec<(&str, &str)>| {
        let mut table = Table::new(&[(head, Side::Left), ("", Side::Left)]);
        for (name, about) in rows {
            table.row(Tone::Plain, vec![name.to_owned(), about.to_owned()]);
        }
        text.push('\n');
        text.push_str(&table.on(page, usize::MAX, |_| String::new()));
    };
    table("rules of lint", RULES.iter().map(|rule| (rule.id, rule.title)).collect());
    table("settings", SETTINGS.iter().map(|setting| (setting.name, setting.of.words())).collect());
    let keys = KeyDoc::all();
    let keys = keys.iter().filter_map(|doc| Some((doc.paths.first()?.as_str(), first_sentence(doc.meaning))));
    table("keys of a description", keys.collect());
    table("terms", TERMS.iter().map(|term| (term.name, first_sentence(term.meaning))).collect());
    text
}
