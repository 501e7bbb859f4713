//! Turns the compiled wasm into a package: `rollgate-glue IN.wasm OUT-FOLDER web|node`.
//!
//! It takes the place of the `wasm-bindgen` command, whose version would have to be
//! installed and kept equal to the library's by hand; here the lock file does that.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, target] = arguments.as_slice() else {
        return Err("usage: rollgate-glue IN.wasm OUT-FOLDER web|node".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).typescript(true).remove_name_section(true).remove_producers_section(true);
    match target.as_str() {
        "web" => bindgen.web(true)?,
        "node" => bindgen.nodejs(true)?,
        other => return Err(format!("unknown target '{other}': web or node").into()),
    };
    bindgen.generate(output)?;
    Ok(())
}
