//! A description in which everything is said, with what was assumed to say it.

use crate::model::{Cluster, Policy};
use crate::report::description;
use crate::report::page::{Page, Tone};
use crate::report::width::broken;

/// A complete description for a person: YAML that can be given back, the assumptions above it
/// as comments.
pub fn describe(cluster: &Cluster, policy: &Policy, page: &Page) -> String {
    let mut text = String::new();
    for line in describe_summary(cluster) {
        text.push_str(&page.toned(Tone::Dim, format!("# {line}").trim_end()));
        text.push('\n');
    }
    text.push_str(&description(cluster, policy).yaml());
    text
}

/// What the description is, and what was assumed to make it complete.
pub(in crate::report) fn describe_summary(cluster: &Cluster) -> Vec<String> {
    let columns = Page::default().columns - "# ".len();
    let mut lines = broken(WHAT, columns);
    if !cluster.assumed.is_empty() {
        lines.push("Assumed:".to_owned());
    }
    for assumption in &cluster.assumed {
        let said = format!("{} {} ({})", assumption.key, assumption.value, assumption.reason);
        for (place, line) in broken(&said, columns - "- ".len()).into_iter().enumerate() {
            lines.push(format!("{}{line}", if place == 0 { "- " } else { "  " }));
        }
    }
    lines
}

const WHAT: &str =
    "Everything that this cluster is taken to be. It needs no other file, and a plan of it is the same plan.";
