//! Source text with its places: YAML trees, Java `.properties`, and messages with snippets.
//!
//! Everything read keeps where it was written, so that a message can show the line.

mod error;
mod message;
pub mod properties;
mod secret;
mod source;
pub mod yaml;

pub use error::{Also, DescriptionError, Errors};
pub use message::{Mark, Message, Weight};
pub(crate) use secret::{is_filled_in, names_a_secret};
pub use source::{FileId, Files, Span, Spanned};
