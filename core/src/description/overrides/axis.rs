//! Keys and the values to try, from what was typed.

use crate::text::yaml::{self, Kind, Node};
use crate::text::{Errors, FileId, Span};

/// A key and the values to try in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The key as it was typed.
    pub key: String,
    /// A value each; never none.
    pub values: Vec<Override>,
}

/// One value for one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The key as it was typed, such as `policy.wait`.
    pub key: String,
    /// The value as it was typed, such as `60s`.
    pub value: String,
    /// Where the key stands in [`Axis::text`].
    pub(super) key_span: Span,
    /// The value, its places in the same text.
    pub(super) node: Node,
}

impl Axis {
    /// The text to which places in overrides refer: one `KEY=V1,V2` in each line.
    pub fn text(typed: &[String]) -> String {
        let lines: Vec<String> = typed.iter().map(|line| one_line(line)).collect();
        lines.join("\n")
    }

    /// Reads `KEY=V1,V2,…`, one in each text. Commas within brackets and quotes belong to a value.
    /// What is wrong is added to `errors`, whose first file is [`super::SET`].
    pub fn parse(typed: &[String], errors: &mut Errors) -> Vec<Self> {
        let mut axes: Vec<Self> = Vec::new();
        let mut line = Line { number: 1, start: 0, text: "" };
        let lines: Vec<String> = typed.iter().map(|line| one_line(line)).collect();
        for text in &lines {
            line.text = text;
            if let Some(axis) = line.axis(errors) {
                let same = |other: &&Self| plain(&other.key) == plain(&axis.key);
                if let Some(first) = axes.iter().find(same) {
                    let (key, span) = (&axis.key, axis.values[0].key_span);
                    let message = format!("`{key}` is set twice");
                    errors.add_with_also(span, message, first.values[0].key_span, "first set here");
                    let help = format!("write all its values in one: {}", first.with(&axis));
                    errors.help_last(help);
                } else {
                    axes.push(axis);
                }
            }
            line.number += 1;
            line.start += text.len() + 1;
        }
        axes
    }

    /// The files that are tried as `settings_from`.
    pub fn files(axes: &[Self]) -> Vec<String> {
        let names = |axis: &&Self| axis.key == "settings_from" || axis.key.ends_with(".settings_from");
        let values = axes.iter().filter(names).flat_map(|axis| &axis.values);
        let mut files: Vec<String> = values.filter_map(|value| value.node.text().map(str::to_owned)).collect();
        files.sort();
        files.dedup();
        files
    }

    fn with(&self, other: &Self) -> String {
        let values: Vec<&str> = self.values.iter().chain(&other.values).map(|value| value.value.as_str()).collect();
        format!("{}={}", self.key, values.join(","))
    }
}

/// A line of what was typed.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: usize,
    /// Its first byte in the whole text.
    start: usize,
    text: &'t str,
}

impl Line<'_> {
    fn axis(&self, errors: &mut Errors) -> Option<Axis> {
        let Some(equals) = self.text.find('=') else {
            let message = format!("`{}` has no value", self.text);
            errors.add_with_help(
                self.span(0, self.text.len()),
                message,
                "write KEY=VALUE, or KEY=V1,V2 to compare both",
            );
            return None;
        };
        let key = self.text[..equals].trim();
        let at = self.text.len() - self.text.trim_start().len();
        let key_span = self.span(at.min(equals), at.min(equals) + key.len());
        if key.is_empty() {
            errors.add_with_help(self.span(0, equals + 1), "the key is missing", "write KEY=VALUE");
            return None;
        }
        let mut values: Vec<Override> = Vec::new();
        for (from, to) in self.split(equals + 1, errors)? {
            let value = self.text[from..to].trim();
            let from = to - self.text[from..to].trim_start().len();
            let node = self.value(from, from + value.len(), errors)?;
            if values.iter().all(|other| other.value != value) {
                values.push(Override { key: key.to_owned(), value: value.to_owned(), key_span, node });
            }
        }
        (!values.is_empty()).then(|| Axis { key: key.to_owned(), values })
    }

    /// The places of the values: commas outside of brackets and quotes part them.
    fn split(&self, from: usize, errors: &mut Errors) -> Option<Vec<(usize, usize)>> {
        let mut values = Vec::new();
        let mut open: Vec<(char, usize)> = Vec::new();
        let mut quote: Option<(char, usize)> = None;
        let mut begins = from;
        for (place, sign) in self.text[from..].char_indices().map(|(place, sign)| (from + place, sign)) {
            let first = self.text[begins..place].trim().is_empty();
            if let Some((opened, _)) = quote {
                quote = quote.filter(|_| sign != opened);
                continue;
            }
            match sign {
                '"' | '\'' if first || !open.is_empty() => quote = Some((sign, place)),
                '[' | '{' => open.push((sign, place)),
                ']' | '}' => drop(open.pop()),
                ',' if open.is_empty() => {
                    values.push((begins, place));
                    begins = place + 1;
                }
                _ => {}
            }
        }
        if let Some((sign, place)) = quote.or(open.last().copied()) {
            let message = format!("nothing closes this `{sign}`");
            errors.add_with_help(
                self.span(place, place + 1),
                message,
                "quote the whole for the shell: --set 'KEY=[4s, 5s],9s'",
            );
            return None;
        }
        values.push((begins, self.text.len()));
        Some(values)
    }

    /// A value as YAML; nothing at all is `null`.
    fn value(&self, from: usize, to: usize, errors: &mut Errors) -> Option<Node> {
        let span = self.span(from, to);
        let mut own = Errors::new(vec![String::new()]);
        let node = yaml::parse(&self.text[from..to], FileId(0), &mut own);
        if let Err(wrong) = own.finish(Some(())) {
            for wrong in wrong {
                errors.add(span, wrong.message).help = wrong.help;
            }
            return None;
        }
        let null = Node { span: Span::default(), kind: Kind::Scalar { text: String::new(), plain: true } };
        let node = node.unwrap_or(null);
        // YAML's own places begin at the value; only one line is read.
        Some(node.placed(&|inner: Span| {
            let start = (from + inner.start as usize).min(to);
            self.span(start, (from + inner.end as usize).clamp(start, to))
        }))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a command line is far below 2^32 bytes")]
    fn span(&self, from: usize, to: usize) -> Span {
        let before = self.text.get(..from).unwrap_or_default();
        Span {
            file: FileId(0),
            line: self.number as u32,
            column: before.chars().count() as u32 + 1,
            start: (self.start + from) as u32,
            end: (self.start + to) as u32,
        }
    }
}

/// What was typed, on one line of as many bytes.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A key without the words that may be left out.
fn plain(key: &str) -> String {
    key.replace("settings.", "")
}
