//! Variants side by side: which is best, and by which mechanism.

use crate::compare::Comparison;
use crate::report::compare::{columns, difference, fits, how_we_know, legend, rows, summary};
use crate::report::page::{Page, Tone};

/// A comparison for a person.
pub fn compare(comparison: &Comparison, page: &Page) -> String {
    let table = if fits(comparison, page) { columns(comparison) } else { rows(comparison, false) };
    let mut sections =
        vec![summary(comparison, page), table.on(page, usize::MAX, |_| String::new()), legend(comparison, page)];
    if !comparison.differences.is_empty() {
        let told = comparison.differences.iter().map(|of| page.item(Tone::Plain, "- ", &difference(comparison, of)));
        sections.push(format!("{}\n{}", page.toned(Tone::Bold, "Differences explained"), told.collect::<String>()));
    }
    sections.push(how_we_know(comparison, page));
    sections.join("\n")
}
