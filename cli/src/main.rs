//! The `rollgate` command.
fn main() {}
