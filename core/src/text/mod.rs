//! Source text with its places: YAML trees, Java `.properties`, tables with commas, and
//! messages with snippets.
//!
//! Everything read keeps where it was written, so that a message can show the line.

pub mod csv;
mod error;
mod message;
pub mod properties;
mod source;
pub mod yaml;

pub use error::{Also, DescriptionError, Errors};
pub use message::{Mark, Message, Weight};
pub use source::{FileId, Files, Span, Spanned};
