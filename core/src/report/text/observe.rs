//! A running cluster.

use crate::report::observe::{how_we_know, lists, sinks, summary, workers};
use crate::report::page::{Page, Tone};
use crate::snapshot::Snapshot;

/// How the cluster is, worker by worker, what disagrees, and what is not known.
pub fn observe(snapshot: &Snapshot, page: &Page) -> String {
    let mut sections = vec![summary(snapshot, page)];
    let tables = [(workers(snapshot), MOST_WORKERS, "worker"), (sinks(snapshot), super::MOST_CONNECTORS, "sink")];
    for (table, most, one) in tables {
        sections.extend(table.map(|table| table.on(page, most, |rows| super::rest(rows, one))));
    }
    for (heading, tone, items) in lists(snapshot) {
        let mut section = page.toned(Tone::Bold, heading);
        section.push('\n');
        for item in &items {
            section.push_str(&page.item(tone, "  - ", item));
        }
        sections.push(section);
    }
    sections.push(how_we_know(snapshot, page));
    sections.join("\n")
}

/// Rows of the table of workers.
const MOST_WORKERS: usize = 24;
