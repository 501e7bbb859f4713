//! Variants whose difference is known.
