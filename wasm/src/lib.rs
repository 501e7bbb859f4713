//! Browser and Node bindings of rollgate-core.
//!
//! Each export is a few lines over the function of the core that the command calls, and
//! gives the same bytes. Nothing is computed here.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
