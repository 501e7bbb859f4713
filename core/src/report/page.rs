//! What the reader's side can show, and the few ways of emphasis.

use super::width::{broken, width};

/// The paper a text is written on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Whether emphasis by ANSI escapes is understood. Without it nothing is lost.
    pub color: bool,
    /// The columns a line may take, 80 or more. Bars grow with it, sentences do not.
    pub columns: usize,
}

/// How a piece of text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// Not at all.
    Plain,
    /// What to do, and what was asked.
    Bold,
    /// How we know.
    Dim,
    /// No; and nobody's.
    Red,
    /// A risk.
    Yellow,
}

impl Default for Page {
    fn default() -> Self {
        Self { color: false, columns: SENTENCE }
    }
}

impl Page {
    /// The text in that tone.
    pub(super) fn toned(&self, tone: Tone, text: &str) -> String {
        let code = match tone {
            _ if !self.color || text.is_empty() => return text.to_owned(),
            Tone::Plain => return text.to_owned(),
            Tone::Bold => "1",
            Tone::Dim => "2",
            Tone::Red => "31",
            Tone::Yellow => "33",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// Sentences, broken between words at 80 columns, each line in that tone.
    pub(super) fn sentences(&self, tone: Tone, text: &str) -> String {
        self.item(tone, "", text)
    }

    /// The same after a mark such as `- `, the lines below indented by its width.
    pub(super) fn item(&self, tone: Tone, mark: &str, text: &str) -> String {
        let indent = width(mark);
        let mut item = String::new();
        for (place, line) in broken(text, SENTENCE - indent).iter().enumerate() {
            item.push_str(&if place == 0 { mark.to_owned() } else { " ".repeat(indent) });
            item.push_str(&self.toned(tone, line));
            item.push('\n');
        }
        item
    }
}

/// The columns of a sentence, on every terminal.
const SENTENCE: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_break_between_words_at_80_columns() {
        let text = "word ".repeat(40);
        let broken = Page::default().item(Tone::Bold, "- ", &text);
        assert!(broken.lines().all(|line| width(line) <= 80), "{broken}");
        assert_eq!(broken.split_whitespace().count(), 41);
        assert!(broken.lines().nth(1).unwrap().starts_with("  word"));
    }

    #[test]
    fn emphasis_is_escapes_only_where_they_are_understood() {
        let page = Page { color: true, columns: 80 };
        assert_eq!(page.toned(Tone::Red, "no"), "\u{1b}[31mno\u{1b}[0m");
        assert_eq!(Page::default().toned(Tone::Red, "no"), "no");
    }
}
