//! Aligned tables.

use std::fmt::Write;

use super::page::{Page, Tone};
use super::width::{broken, fitted, left, right, width};

/// On which side a column is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// A table that never takes more than the page: where it would, the widest columns give up
/// the ends of their cells, and the last one, if its text is even on the left, is broken
/// into lines.
#[derive(Debug, Default)]
pub(super) struct Table {
    heads: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
    tones: Vec<Tone>,
}

impl Table {
    /// A table with these columns.
    pub(super) fn new(heads: &[(&str, Side)]) -> Self {
        Self { heads: heads.iter().map(|(head, side)| ((*head).to_owned(), *side)).collect(), ..Self::default() }
    }

    /// Adds a row, a cell for each column.
    pub(super) fn row(&mut self, tone: Tone, cells: Vec<String>) {
        self.rows.push(cells);
        self.tones.push(tone);
    }

    /// The table on a page, indented by two. Of more than `most` rows the middle ones are
    /// left out, and `rest` is told how many.
    pub(super) fn on(&self, page: &Page, most: usize, rest: impl Fn(usize) -> String) -> String {
        let (head, tail) =
            if self.rows.len() > most { (most * 2 / 3, most - most * 2 / 3) } else { (self.rows.len(), 0) };
        let shown: Vec<usize> = (0..head).chain(self.rows.len() - tail..self.rows.len()).collect();
        let widths = self.widths(&shown, page.columns);
        let mut text = String::new();
        if self.heads.iter().any(|(head, _)| !head.is_empty()) {
            let heads: Vec<String> = self.heads.iter().map(|(head, _)| head.clone()).collect();
            text.push_str(&self.line(page, Tone::Dim, &heads, &widths));
        }
        for (place, &row) in shown.iter().enumerate() {
            if place == head && tail > 0 {
                let note = format!("  … {}", rest(self.rows.len() - head - tail));
                text.push_str(&page.toned(Tone::Dim, &note));
                text.push('\n');
            }
            text.push_str(&self.line(page, self.tones[row], &self.rows[row], &widths));
        }
        text
    }

    /// Whether every cell is shown whole on a page.
    pub(super) fn fits(&self, page: &Page) -> bool {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        self.widths(&all, page.columns) == self.widths(&all, usize::MAX)
    }

    /// The same as Markdown.
    pub(super) fn markdown(&self) -> String {
        let escaped = |cell: &String| fitted(cell, usize::MAX).replace('\\', "\\\\").replace('|', "\\|");
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.heads.iter().map(|(head, _)| escaped(head)).collect());
        text.push_str(&line(
            self.heads.iter().map(|(_, side)| if *side == Side::Left { "---" } else { "---:" }.to_owned()).collect(),
        ));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(escaped).collect()));
        }
        text
    }

    fn widths(&self, shown: &[usize], columns: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.heads.iter().map(|(head, _)| width(head)).collect();
        for row in shown.iter().map(|&row| &self.rows[row]) {
            for (column, cell) in row.iter().enumerate() {
                widths[column] = widths[column].max(width(&fitted(cell, usize::MAX)));
            }
        }
        let last = widths.len().saturating_sub(1);
        let prose = self.heads.last().is_some_and(|(_, side)| *side == Side::Left);
        while widths.iter().sum::<usize>() + GAP * widths.len() > columns {
            // What can be broken into lines gives way first, names after that.
            let widest = (0..widths.len()).rev().max_by_key(|&column| widths[column]).unwrap_or(0);
            let next = if prose && widths[last] > PROSE { last } else { widest };
            if widths[next] <= NARROWEST {
                break;
            }
            widths[next] -= 1;
        }
        widths
    }

    fn line(&self, page: &Page, tone: Tone, cells: &[String], widths: &[usize]) -> String {
        let last = cells.len().saturating_sub(1);
        let indent: usize = widths[..last].iter().map(|width| width + GAP).sum::<usize>() + GAP;
        let mut line = String::new();
        let mut below = Vec::new();
        for (column, cell) in cells.iter().enumerate() {
            let mut shown = fitted(cell, widths[column]);
            if column == last && self.heads[column].1 == Side::Left {
                below = broken(cell, widths[column]);
                shown = below.remove(0);
            }
            line.push_str(&" ".repeat(GAP));
            line.push_str(&match self.heads[column].1 {
                Side::Left => left(&shown, widths[column]),
                Side::Right => right(&shown, widths[column]),
            });
        }
        let mut text = format!("{}\n", page.toned(tone, line.trim_end()));
        for more in below {
            _ = writeln!(text, "{}{}", " ".repeat(indent), page.toned(tone, &more));
        }
        text
    }
}

/// Spaces before each column.
const GAP: usize = 2;

/// Text that is broken into lines keeps this many columns.
const PROSE: usize = 24;

/// No column is made narrower.
const NARROWEST: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, rows: usize) -> Table {
        let mut table = Table::new(&[("worker", Side::Left), ("at", Side::Right)]);
        for row in 0..rows {
            table.row(Tone::Plain, vec![name.to_owned(), format!("{row} s")]);
        }
        table
    }

    #[test]
    fn columns_are_even_on_their_side() {
        let text = table("w1", 11).on(&Page::default(), 20, |_| String::new());
        assert!(text.starts_with("  worker    at\n  w1       0 s\n"), "{text}");
        assert!(text.ends_with("  w1      10 s\n"), "{text}");
    }

    #[test]
    fn a_long_name_never_breaks_the_page() {
        let text = table(&"n".repeat(300), 2).on(&Page::default(), 20, |_| String::new());
        assert!(text.lines().all(|line| width(line) == 80), "{text}");
        assert!(text.contains("n…n") && text.contains("n  0 s"), "{text}");
    }

    #[test]
    fn of_many_rows_the_middle_is_left_out_and_said() {
        let text = table("w1", 40).on(&Page::default(), 9, |rows| format!("{rows} more"));
        assert_eq!(text.lines().count(), 11);
        assert!(text.contains("… 31 more") && text.contains("39 s"), "{text}");
    }

    #[test]
    fn a_last_column_of_words_is_broken_into_lines() {
        let mut table = Table::new(&[("at", Side::Right), ("because", Side::Left)]);
        table.row(Tone::Plain, vec!["1 s".to_owned(), "one word and another ".repeat(6)]);
        let text = table.on(&Page::default(), 9, |_| String::new());
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.lines().nth(2).unwrap().starts_with("       "), "{text}");
        assert!(!text.contains('…') && text.lines().all(|line| width(line) <= 80), "{text}");
    }

    #[test]
    fn markdown_keeps_bars_in_names_apart_from_columns() {
        assert!(table("a|b", 1).markdown().contains("| a\\|b | 0 s |"));
        assert_eq!(table("a\nb", 1).markdown().lines().count(), 3);
    }
}
