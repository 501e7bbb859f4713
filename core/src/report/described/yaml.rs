//! A description as a person would write it in YAML: short maps on one line, text in quotes
//! only where some reader of YAML would take it for something else.

use super::Described;
use crate::description::is_plain_name;
use crate::report::width::width;

impl Described {
    /// The description as YAML, at most 80 columns wide where its names allow it.
    pub fn yaml(&self) -> String {
        let mut text = String::new();
        match self {
            Self::Map(entries) => write_entries(&mut text, entries, 0),
            other => {
                text.push_str(&on_one_line("", other));
                text.push('\n');
            }
        }
        text
    }

    /// Whether it is nothing but a value.
    const fn is_single(&self) -> bool {
        !matches!(self, Self::Map(_) | Self::List(_))
    }
}

fn write_entries(text: &mut String, entries: &[(String, Described)], indent: usize) {
    for (place, (key, value)) in entries.iter().enumerate() {
        // The first key of an item of a list stands behind its dash.
        if place > 0 || text.is_empty() || text.ends_with('\n') {
            text.push_str(&" ".repeat(indent));
        }
        text.push_str(&scalar("", key));
        text.push(':');
        write_value(text, key, value, indent);
    }
}

/// What follows a key: on its line if there is room, else below.
fn write_value(text: &mut String, key: &str, value: &Described, indent: usize) {
    let line = on_one_line(key, value);
    let begins = text.rsplit('\n').next().map_or(0, width);
    let lists_maps = matches!(value, Described::List(items) if items.iter().any(|item| !item.is_single()));
    if value.is_single() || !lists_maps && begins + 1 + width(&line) <= COLUMNS {
        text.push(' ');
        text.push_str(&line);
        text.push('\n');
        return;
    }
    text.push('\n');
    match value {
        Described::Map(entries) => write_entries(text, entries, indent + INDENT),
        Described::List(items) if lists_maps => write_items(text, items, indent + INDENT),
        Described::List(items) => write_words(text, key, items, indent + INDENT),
        _ => {}
    }
}

fn write_items(text: &mut String, items: &[Described], indent: usize) {
    for item in items {
        text.push_str(&" ".repeat(indent));
        text.push_str("- ");
        let line = on_one_line("", item);
        match item {
            Described::Map(entries) if indent + INDENT + width(&line) > COLUMNS => {
                write_entries(text, entries, indent + INDENT);
            }
            _ => {
                text.push_str(&line);
                text.push('\n');
            }
        }
    }
}

/// A long list of single values, as many on each line as there is room for.
fn write_words(text: &mut String, key: &str, items: &[Described], indent: usize) {
    let mut line = format!("{}[", " ".repeat(indent));
    for (place, item) in items.iter().enumerate() {
        let last = place + 1 == items.len();
        let word = format!("{}{}", on_one_line(key, item), if last { "]" } else { "," });
        let gap = usize::from(place > 0);
        if place > 0 && width(&line) + gap + width(&word) > COLUMNS {
            text.push_str(&line);
            text.push('\n');
            line = " ".repeat(indent + 1);
        } else if place > 0 {
            line.push(' ');
        }
        line.push_str(&word);
    }
    text.push_str(&line);
    text.push('\n');
}

fn on_one_line(key: &str, value: &Described) -> String {
    match value {
        Described::Map(entries) => {
            let said = |(key, value): &(String, Described)| format!("{}: {}", scalar("", key), on_one_line(key, value));
            format!("{{{}}}", entries.iter().map(said).collect::<Vec<_>>().join(", "))
        }
        Described::List(items) => {
            let said = |item| on_one_line(key, item);
            format!("[{}]", items.iter().map(said).collect::<Vec<_>>().join(", "))
        }
        Described::Text(text) => scalar(key, text),
        Described::Number(number) => number.to_string(),
        Described::Flag(flag) => flag.to_string(),
    }
}

/// Text without quotes, where every reader takes it for the same text.
fn scalar(key: &str, text: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "._/%-".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    // Three numbers, as a version has, are text to every reader.
    let plain = begins && text.chars().all(harmless) && (key == "kafka" || is_plain_name(text));
    if plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

/// Where a line should end.
const COLUMNS: usize = 80;

/// How much further in the next level stands.
const INDENT: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_maps_stand_on_a_line_and_long_ones_below() {
        let long = Described::map().with("a", "x".repeat(45)).with("b", vec![Described::from("1s"), "2s".into()]);
        let worker = Described::map().with("name", "w1").with("restart", long.clone());
        let all = Described::map()
            .with("kafka", "4.3.1")
            .with("policy", Described::map().with("at_once", 1_u32).with("during_delay", true))
            .with("workers", vec![Described::map().with("name", "w0"), worker]);
        let x = "x".repeat(45);
        let expected = format!(
            "kafka: 4.3.1\npolicy: {{at_once: 1, during_delay: true}}\nworkers:\n  - {{name: w0}}\n  - name: w1\n    \
             restart: {{a: {x}, b: [1s, 2s]}}\n"
        );
        assert_eq!(all.yaml(), expected);
    }

    #[test]
    fn a_long_list_of_words_is_filled_into_lines() {
        let words: Vec<Described> = (0..30).map(|n| Described::from(format!("orders-{n}"))).collect();
        let worker = Described::map().with("name", "w1").with("owns", words);
        let text = Described::map().with("workers", vec![worker]).yaml();
        assert!(text.contains("    owns:\n      [orders-0, orders-1,"), "{text}");
        assert!(text.ends_with("orders-29]\n") && text.lines().count() == 8, "{text}");
        assert!(text.lines().all(|line| width(line) <= COLUMNS), "{text}");
    }

    #[test]
    fn text_that_could_be_something_else_is_quoted() {
        for text in ["no", "1:30", "10.0.0.1", "4.3", "0x1f", "", "a b", "- a", "ä", "a: b", "null", "1e3", "a\"b"] {
            assert!(scalar("name", text).starts_with('"'), "{text}");
        }
        for text in ["w1", "4s..9s", "8000/s", "25%", "connect-1", "orders", "group.id"] {
            assert_eq!(scalar("name", text), text);
        }
        assert_eq!(scalar("name", "4.3.1"), "\"4.3.1\"");
    }
}
