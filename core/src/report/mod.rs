//! What people and programs read: text for a terminal, Markdown, and stable JSON.
//!
//! The first line of a text answers the question that was asked. Numbers come from the
//! other rooms; here they only find their words, in Kafka's own terms.

mod advice;
mod compare;
mod course;
mod described;
mod explained;
mod findings;
mod format;
mod found;
mod github;
mod incident;
mod lanes;
pub mod markdown;
mod next;
mod observe;
mod page;
mod roll;
mod run;
mod sarif;
mod table;
mod tables;
#[cfg(test)]
mod tests;
pub mod text;
mod timeout;
pub mod v1;
mod width;
mod words;

pub use described::{Described, description};
pub use explained::{Explained, Shown};
pub use findings::Findings;
pub use format::{Format, json, yaml};
pub use found::{discovered, discovered_yaml, seen};
pub use github::github;
pub use incident::Incident;
pub use next::NextAsked;
pub use page::Page;
pub use roll::words as rule;
pub use run::Run;
pub use sarif::sarif;
pub use text::alternatives;
