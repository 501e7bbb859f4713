//! The same inputs, natively and in Node, give the same bytes.
//!
//! Needs the package that `wasm/build` makes; `tests/run wasm` builds it and says where it
//! is by `ROLLGATE_WASM_PACKAGE`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

#[test]
fn the_package_loads_in_node_and_is_of_this_version() {
    assert_eq!(in_node("package.version()"), env!("CARGO_PKG_VERSION"));
}

/// What a JavaScript expression over the package gives, as text.
fn in_node(expression: &str) -> String {
    let package = package();
    let script = format!("const package = require(process.argv[1]); process.stdout.write(String({expression}));");
    let output = Command::new("node")
        .args(["-e", &script])
        .arg(package.join("rollgate_wasm.js"))
        .stdin(Stdio::null())
        .output()
        .expect("node starts");
    assert!(output.status.success(), "node failed:\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn package() -> PathBuf {
    let path = std::env::var("ROLLGATE_WASM_PACKAGE")
        .expect("ROLLGATE_WASM_PACKAGE names the folder that wasm/build made; call tests/run wasm");
    PathBuf::from(path)
}
