//! Variants side by side: which is best, and by which mechanism.

use crate::compare::Comparison;
use crate::report::compare::{columns, differences, fits, how_we_know, legend, rows, summary};
use crate::report::page::{Page, Tone};

/// A comparison for a person.
pub fn compare(comparison: &Comparison, page: &Page) -> String {
    let table = if fits(comparison, page) { columns(comparison) } else { rows(comparison, false) };
    let mut sections =
        vec![summary(comparison, page), table.on(page, usize::MAX, |_| String::new()), legend(comparison, page)];
    let told: String = differences(comparison).iter().map(|told| page.item(Tone::Plain, "- ", told)).collect();
    if !told.is_empty() {
        sections.push(format!("{}\n{told}", page.toned(Tone::Bold, "Differences explained")));
    }
    sections.push(how_we_know(comparison, page));
    sections.join("\n")
}
